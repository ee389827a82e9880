// What lists have of items, one of which is made a bad one; and what that may cost.

/** The path of the list in the answer, and the changed members of an item. */
export interface Listed {
  /** Name of the list, or of the record of items; '' where the answer itself is that record. */
  list: string
  /** Identifies an item; for a record, its name. */
  key?: string
  /** Without it an item cannot be used. */
  field: string
  /** The field may be any text: a long one is no bad one. */
  isText?: true
  /** A time, in Unix seconds or as nodes write it. */
  time?: string
  isIso?: true
}

export const lists: Readonly<Record<string, Listed>> = {
  'platform.getCurrentValidators': { list: 'validators', key: 'nodeID', field: 'weight', time: 'startTime' },
  'validators.getCurrentValidators': { list: 'validators', key: 'nodeID', field: 'weight', time: 'startTimestamp' },
  'platform.getValidatorsAt': { list: '', field: 'weight' },
  'platform.getBlockchains': { list: 'blockchains', key: 'id', field: 'id', isText: true },
  'health.health': { list: 'checks', field: 'timestamp', time: 'timestamp', isIso: true },
  'info.peers': { list: 'peers', key: 'nodeID', field: 'observedUptime', time: 'lastSent', isIso: true },
  'avg-tps': { list: 'results', key: 'timestamp', field: 'value', time: 'timestamp' },
  'list-latest-transactions': {
    list: 'transactions',
    key: 'txHash',
    field: 'txHash',
    isText: true,
    time: 'blockTimestamp',
  },
  'list-staking-transactions': { list: 'transactions', key: 'txHash', field: 'txHash', isText: true },
  'list-evm-block-transactions': { list: 'transactions', key: 'txHash', field: 'txHash', isText: true },
  'supported-chains': { list: 'chains', key: 'chainId', field: 'chainId', isText: true },
  'list-pending-rewards': { list: 'pendingRewards', key: 'txHash', field: 'estimatedReward' },
  'list-icm-messages': { list: 'messages', key: 'messageId', field: 'messageId', isText: true },
  'list-icm-messages-by-address': { list: 'messages', key: 'messageId', field: 'messageId', isText: true },
  'list-erc20-transfers': { list: 'transactions', key: 'txHash', field: 'logIndex', time: 'blockTimestamp' },
  'list-utxos-v2': { list: 'utxos', key: 'utxoId', field: 'amount' },
  'list-delegators': { list: 'delegators', key: 'txHash', field: 'amountDelegated' },
  'list-latest-primary-network-blocks': {
    list: 'blocks',
    key: 'blockNumber',
    field: 'txCount',
    time: 'blockTimestamp',
  },
  'list-latest-evm-blocks': { list: 'blocks', key: 'blockNumber', field: 'gasUsed', time: 'blockTimestamp' },
  'list-validators': { list: 'validators', key: 'nodeId', field: 'nodeId', isText: true },
  'get-api-usage-metrics': { list: 'metrics', key: 'timestamp', field: 'values', time: 'timestamp' },
  'list-l1-validators': { list: 'validators', key: 'nodeId', field: 'weight' },
  'list-historical-rewards': { list: 'historicalRewards', key: 'utxoId', field: 'reward', time: 'endTimestamp' },
}

export const kinds = ['unreadable', 'missing', 'huge', 'long', 'future', 'duplicated'] as const
export type Kind = (typeof kinds)[number]

/** The answer with that item changed; the same answer where it has no such item. `pick` chooses by the keys that there are. */
export function withBad(
  raw: unknown,
  { list, key, field, time, isText, isIso }: Listed,
  kind: Kind,
  pick: (keys: readonly string[]) => string | undefined,
): unknown {
  const holder = list === '' ? raw : (Object(raw) as Record<string, unknown>)[list]
  if (typeof holder !== 'object' || holder === null) return raw
  const entries = Object.entries(holder).map(([name, item]): [string, Item] => [name, item as Item])
  const nameOf = ([name, item]: [string, Item]) => (key === undefined ? name : String(item[key]))
  // Of a list with one item nothing would be left.
  const chosen = entries.length < 2 ? undefined : pick(entries.map(nameOf))
  if (chosen === undefined) return raw
  const change = (item: Item): Item | null => {
    if (kind === 'missing') return null
    if (kind === 'unreadable') return { ...item, [field]: { no: 1 } }
    if (kind === 'huge' && !isText) return { ...item, [field]: String(10n ** 79n) }
    if (kind === 'long' && !isText) return { ...item, [field]: 'x'.repeat(100_000) }
    if (kind === 'future' && time !== undefined) return { ...item, [time]: future(item[time], isIso) }
    return item
  }
  const changed = entries.flatMap((entry): [string, Item | null][] => {
    const [name, item] = entry
    if (nameOf(entry) !== chosen) return [entry]
    return kind === 'duplicated' && key !== undefined ? [entry, entry] : [[name, change(item)]]
  })
  const body = Array.isArray(holder) ? changed.map(([, item]) => item) : Object.fromEntries(changed)
  return list === '' ? body : { ...(raw as object), [list]: body }
}

type Item = Record<string, unknown>

/** In the form that the time had. */
function future(before: unknown, isIso: true | undefined): unknown {
  if (isIso) return '2040-01-01T00:00:00Z'
  return typeof before === 'string' ? '2200000000' : 2_200_000_000
}
