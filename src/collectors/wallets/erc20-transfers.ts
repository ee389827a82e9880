// erc20-transfers: token transfers to and from wallets on EVM chains, each counted once. List ERC-20 transfers
// (document 1, operation 8), from the last read block on. A token of any name can report transfers that never happened:
// tokens are identified by their configured contracts, and only those show what left.

import { z } from 'zod'
import { refusal } from '../../errors.ts'
import { equal } from '../../judgements/expectations.ts'
import { toTokens } from '../../lib/units.ts'
import { ofAddress, type Sample } from '../../metrics/define.ts'
import { listErc20Transfers, listLatestEvmBlocks } from '../../operations/data/evm.ts'
import { believedType, doubtType, refusalOf, updateDoubt, updateTotal } from '../counting/believed.ts'
import { ifUnsupported } from '../answers/not-found.ts'
import { asExpectations, defineCollector, type Expectation } from '../define.ts'
import { beforeAll, cursorOf, cursorType, type Follow, follow, type Followed } from '../counting/follow.ts'
import {
  type Directions,
  directionsOf,
  type Head,
  possibleBy,
  type Reading,
  reading,
  type Transfer,
} from './erc20-list.ts'
import { plus } from './counted-transactions.ts'
import { FIRST_LOOK } from './outgoing.ts'
import { type EvmWallet, evmWallets } from './wallets.ts'
import { countType, decimalType, momentType, sumType } from '../counting/remembered.ts'

const transfersTotal = ofAddress.counter('stakewatch_erc20_transfers_total', {
  help: 'ERC-20 transfers to and from the wallet since counting began (data service).',
  details: "Each is counted once; transfers between the wallet's own addresses are not counted.",
  labels: ['chain', 'direction', 'token'],
})
const transferredTokens = ofAddress.counter('stakewatch_erc20_transferred_tokens_total', {
  help: 'Configured tokens moved by the counted transfers, in whole tokens (data service).',
  details: "Absent while the token's decimals are unknown, and once a transfer lacks its amount.",
  labels: ['chain', 'direction', 'token'],
})
const lastOutgoing = ofAddress.gauge('stakewatch_address_last_erc20_outgoing_timestamp_seconds', {
  is: 'past',
  help: 'When a configured token last left the wallet; absent if no such transfer was seen (data service).',
  labels: ['chain'],
})
const gapsTotal = ofAddress.counter('stakewatch_erc20_transfer_gaps_total', {
  help: 'How often transfers went uncounted because more came between two runs than one run reads (data service).',
  labels: ['chain'],
})
const expectationMet = ofAddress.gauge('stakewatch_address_erc20_expectation_met', {
  help: "Whether the wallet's ERC-20 transfers meet the configured expectation: 1 or 0; absent while unknown (data service).",
  details: '`outgoing`: no configured token left within a day and since the first run.',
  labels: ['chain', 'expectation'],
})

const totalsType = z.object({
  /** 'in 0x...' or 'out other' to the number of transfers. */
  transfers: z.record(z.string(), countType),
  /** The same, of configured tokens, to sums in the smallest unit, exact; null once a transfer lacks its amount. */
  amounts: z.record(z.string(), sumType.nullable()),
  /** Decimal places by contract; a contract has a byte for them. */
  places: z.record(z.string(), z.int().min(0).max(255)),
  /** When each configured token last left, in seconds, by contract. */
  lastOut: z.record(z.string(), momentType),
  /** The same, without what left before the first run. */
  newsOut: z.record(z.string(), momentType),
})
type Totals = z.output<typeof totalsType>
const memory = z.object({
  /** By address: the last counted position, and the newest block that was listed. */
  cursors: z.record(z.string(), cursorType.extend({ newest: believedType.optional() })),
  /** The newest block of the chain at the first run, and when that was (milliseconds): no transfer is far ahead of it. */
  head: z.object({ height: decimalType, at: momentType }).optional(),
  /** Contradicting decimal places, by contract. */
  doubts: z.record(z.string(), doubtType),
  totals: totalsType,
  gaps: countType,
  /** Since when (seconds) all outgoing transfers are known. */
  knownSince: momentType,
  tokens: z.array(z.string()),
})
type Memory = z.output<typeof memory>

const PAGE = 100
/** New transfers read in one run for each address: 200 pages. */
const LIMIT = 20_000
/** Old transfers read for a new address, to find recent outgoing ones: ten pages. */
const FIRST = 1_000
const DAY = 86_400
/** Ids remembered for each address, and how many blocks below the cursor are read, as transfers can be listed late. */
const REMEMBERED = 1_000
const REACH = 100n

export const erc20Transfers = defineCollector({
  name: 'erc20-transfers',
  about: 'Transfers of ERC-20 tokens to and from wallets on EVM chains.',
  every: '5m',
  uses: [listErc20Transfers, listLatestEvmBlocks],
  isReserved: true,
  isFirst: ({ wallet }) => wallet.expect.outgoing !== undefined,
  metrics: [transfersTotal, transferredTokens, lastOutgoing, gapsTotal, expectationMet],
  memory,
  subjects: evmWallets,
  // The first run reads more: up to ten pages for each address.
  estimate: ({ wallet: { addresses, tokens, expect } }) => ({
    calls: [{ operation: listErc20Transfers, times: addresses.length }],
    series: 2 * (2 * Object.keys(tokens).length + 1) + 2 + (expect.outgoing ? 1 : 0),
  }),
  async collect({ subject, memory: remembered, now, call, pages, flawed }) {
    const { chainId, wallet } = subject
    const seconds = Math.floor(now / 1_000)
    const direction = directionsOf(subject)
    const how = transfersOf(subject, direction, seconds)
    const head = async () => {
      const { value } = await call(listLatestEvmBlocks, { chainId, pageSize: 1 }, { maxAge: '1m' })
      return value.blocks[0]?.blockNumber
    }
    const first = remembered?.head ?? (await firstHead(head, now))
    let state: Memory = { ...startTotals(how.start, subject, remembered, seconds), head: first, cursors: {} }
    const tokens = tokensOf(subject)
    /** Decimal places of these, as the newest transfers state them. */
    const stated = new Map<string, number>()
    // If one address fails, the run ends without loss: the next run continues from the same cursors.
    for (const address of wallet.addresses.map((one) => one.toLowerCase())) {
      const from = remembered?.cursors[address]
      const startBlock = from && startOf(from)
      const params = { chainId, address, pageSize: PAGE, ...(startBlock !== undefined && { startBlock }) }
      const list = reading(pages(listErc20Transfers, params), direction, possibleBy(first, now))
      const { totals, gaps, ...cursor } = from
        ? (await follow(how, list.pages, { ...state, ...from }))!
        : await begin(how, list, { ...state, now }, remembered || !first ? head : async () => BigInt(first.height))
      // The list returns counted transfers there once more.
      const isListedAgain = from?.seen.some(([, height]) => BigInt(height) >= startBlock!)
      const newest = updateTotal(list.newest, isListedAgain ? from?.newest : undefined, now)
      const refused = refusalOf(newest, 'previously listed transfers are no longer listed')
      if (remembered && from && refused) {
        const cursors = { ...remembered.cursors, [address]: { ...from, newest } }
        return { samples: [], memory: { ...remembered, cursors }, refused }
      }
      if (list.flaw) flawed(list.flaw)
      for (const [contract, places] of list.places) if (tokens.has(contract)) stated.set(contract, places)
      const isGone = isListedAgain && from?.newest && list.newest < BigInt(from.newest.total)
      const back = isGone ? ifBelow(await head(), cursor) : undefined
      const isKnown = list.ended && list.lost === 0 && !back
      const cursors = { ...state.cursors, [address]: { ...(back ?? cursor), newest } }
      state = {
        ...state,
        totals,
        gaps: back ? gaps + 1 : gaps,
        cursors,
        knownSince: isKnown ? state.knownSince : seconds,
      }
    }
    const judged = withPlaces(state, stated, now)
    if (Object.keys(judged.doubts).length > 0) {
      flawed(refusal('changed', "a token's decimal places changed"))
    }
    return {
      samples: samplesOf(subject, judged),
      memory: judged,
      expectations: expectationsOf(subject, judged, seconds),
    }
  },
})

/** Undefined if the service lists transfers of the chain but not its blocks. */
async function firstHead(head: () => Promise<bigint | undefined>, now: number): Promise<Head | undefined> {
  const height = await head().catch(ifUnsupported)
  return height === undefined ? undefined : { height: String(height), at: now }
}

function startOf({ position, floor }: Pick<Known, 'position' | 'floor'>): bigint {
  const [late, open] = [BigInt(position) - REACH, BigInt(floor) + 1n]
  return late > open ? late : open
}

/** A chain that ends below the cursor never was that long: counting continues from its head. */
function ifBelow(head: bigint | undefined, { position }: Pick<Known, 'position'>) {
  return head !== undefined && head < BigInt(position) ? cursorOf(new Map(), head, head, REMEMBERED) : undefined
}

/** A token never changes its decimal places: a change is accepted when three runs over five minutes agree. */
function withPlaces(state: Memory, stated: ReadonlyMap<string, number>, now: number): Memory {
  const places = { ...state.totals.places }
  const doubts = { ...state.doubts }
  for (const [contract, found] of stated) {
    const known = places[contract] ?? found
    const before = doubts[contract]?.value === String(found) ? doubts[contract] : undefined
    const doubt = known === found ? undefined : updateDoubt(String(found), before, now)
    if (doubt) doubts[contract] = doubt
    else {
      places[contract] = found
      delete doubts[contract]
    }
  }
  return { ...state, totals: { ...state.totals, places }, doubts }
}

/** Earlier outgoing transfers of a newly configured token are unknown. */
function startTotals(
  start: Totals,
  wallet: EvmWallet,
  remembered: Memory | undefined,
  now: number,
): Omit<Memory, 'cursors'> {
  const tokens = [...tokensOf(wallet).keys()]
  if (!remembered) return { totals: start, gaps: 0, knownSince: 0, tokens, doubts: {} }
  const isSame = tokens.every((token) => remembered.tokens.includes(token))
  // The clock may have been set back.
  return { ...remembered, tokens, knownSince: isSame ? Math.min(remembered.knownSince, now) : now }
}

type Known = Followed<Totals>

/** Counts nothing, as counting begins here, but recent outgoing transfers are known from then on. */
async function begin(
  { position, id, add, start }: Follow<Transfer, Totals>,
  list: Reading,
  { totals, gaps, now }: Pick<Memory, 'totals' | 'gaps'> & { now: number },
  head: () => Promise<bigint | undefined>,
): Promise<Known> {
  const found = new Map<string, Transfer>()
  for await (const page of list.pages) {
    for (const transfer of page) found.set(id(transfer), transfer)
    if (found.size >= FIRST) break
  }
  const old = [...found.values()]
  const heights = old.map(({ blockNumber }) => blockNumber)
  // The documents do not promise that the newest come first. If only a part is read, the head of the chain is the
  // cursor.
  if (!list.ended) heights.push((await head()) ?? 0n)
  const newest = heights.reduce((a, b) => (a > b ? a : b), 0n)
  const hasNewest = list.ended || heights[0]! > heights[old.length - 1]!
  const dated = old.filter(({ blockTimestamp }) => blockTimestamp !== undefined && hasNewest)
  list.lost += old.length - dated.length
  const added = (some: readonly Transfer[]) => {
    const { places, lastOut, newsOut } = structuredClone(totals)
    return some.reduce(add, { ...structuredClone(start), places, lastOut, newsOut })
  }
  const { places, lastOut } = added(dated)
  const { newsOut } = added(dated.filter(({ blockTimestamp }) => blockTimestamp! * 1_000 > now - FIRST_LOOK))
  const known = new Map([...found].map(([one, transfer]) => [one, position(transfer)]))
  const cursor = cursorOf(known, newest, newest - 1n, REMEMBERED)
  return { ...(newest === 0n ? beforeAll : cursor), gaps, totals: { ...totals, places, lastOut, newsOut } }
}

/** `now` is the time of new transfers without a time. */
function transfersOf(wallet: EvmWallet, directionOf: Directions, now: number): Follow<Transfer, Totals> {
  const tokens = tokensOf(wallet)
  return {
    position: ({ blockNumber }) => blockNumber,
    id: ({ txHash, logIndex }) => `${txHash} ${logIndex}`,
    start: { transfers: {}, amounts: {}, places: {}, lastOut: {}, newsOut: {} },
    add(totals, transfer) {
      const direction = directionOf(transfer)
      if (direction === 'between') return totals
      const contract = transfer.erc20Token?.address.toLowerCase() ?? ''
      const isConfigured = tokens.has(contract)
      const key = `${direction} ${isConfigured ? contract : 'other'}`
      totals.transfers[key] = (totals.transfers[key] ?? 0) + 1
      if (!isConfigured) return totals
      const { amounts, places, lastOut, newsOut } = totals
      const { value, erc20Token, blockTimestamp = now } = transfer
      const decimals = erc20Token?.decimals
      const { [key]: sum = '0' } = amounts
      amounts[key] = plus(sum ?? undefined, value) ?? null
      if (decimals !== undefined) places[contract] ??= decimals
      // A transfer of 0 can be sent in any address's name: only a transfer with a value can have left.
      if (direction === 'out' && value !== 0n) {
        lastOut[contract] = Math.max(blockTimestamp, lastOut[contract] ?? 0)
        newsOut[contract] = Math.max(blockTimestamp, newsOut[contract] ?? 0)
      }
      return totals
    },
    limit: LIMIT,
    remembered: REMEMBERED,
    reach: REACH,
    beginsAtCursor: true,
  }
}

function tokensOf({ wallet: { tokens } }: EvmWallet): ReadonlyMap<string, string> {
  return new Map(Object.entries(tokens).map(([contract, token]) => [contract.toLowerCase(), token]))
}

/** Of the tokens that are configured now. */
function latestOf(times: Readonly<Record<string, number>>, wallet: EvmWallet): number | undefined {
  const known = [...tokensOf(wallet).keys()].flatMap((contract) => times[contract] ?? [])
  return known.length === 0 ? undefined : Math.max(...known)
}

function samplesOf(wallet: EvmWallet, { totals, gaps }: Memory): Sample[] {
  const { transfers, amounts, places, lastOut } = totals
  const { chain } = wallet
  const tokens = [...tokensOf(wallet)]
  const counts = ['in', 'out'].flatMap((direction) =>
    [...tokens, ['other', 'other'] as const].map(([contract, token]) =>
      transfersTotal.sample({ chain, direction, token }, transfers[`${direction} ${contract}`] ?? 0),
    ),
  )
  const moved = ['in', 'out'].flatMap((direction) =>
    tokens.flatMap(([contract, token]) => {
      const { [`${direction} ${contract}`]: amount = '0' } = amounts
      const decimals = amount === '0' ? 0 : places[contract]
      const sum = amount === null || decimals === undefined ? undefined : toTokens(BigInt(amount), decimals)
      return transferredTokens.ifKnown({ chain, direction, token }, sum)
    }),
  )
  return [
    ...counts,
    ...moved,
    ...lastOutgoing.ifKnown({ chain }, latestOf(lastOut, wallet)),
    gapsTotal.sample({ chain }, gaps),
  ]
}

/** One transfer breaks the expectation. To meet it, a day without gaps must pass. */
function expectationsOf(subject: EvmWallet, { totals, knownSince }: Memory, now: number): Expectation[] {
  const { wallet } = subject
  const newsOut = latestOf(totals.newsOut, subject)
  const since = now - DAY
  const hasLeft = newsOut !== undefined && newsOut > since
  const canTell = Object.keys(wallet.tokens).length > 0 && (hasLeft || knownSince <= since)
  const found = hasLeft ? 'some in the last 24 hours' : 'none'
  return asExpectations(expectationMet, equal('outgoing', wallet.expect.outgoing, canTell ? found : undefined))
}
