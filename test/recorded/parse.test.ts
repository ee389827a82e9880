// Every result that was recorded from a real node, read by our definition: no item is left out, and no member is lost
// that is not listed here as one that nothing reads.

import { describe, expect, test } from 'vitest'
import { type Operation, parseAnswer } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { unknownFields } from '../../src/operations/unknown-fields.ts'
import { health } from '../../src/operations/node/info.ts'
import { beyond, recorded, type Recorded } from './recorded.ts'

/** Members of blocks as JSON that only some types of transactions have: `query` prints them, no collector reads them. */
const OF_SOME_TRANSACTIONS = [
  'address',
  'autoCompoundRewardShares',
  'balance',
  'chainID',
  'chainName',
  'delegationRewardsOwner',
  'delegationShares',
  'fxIDs',
  'genesisData',
  'message',
  'nodeID',
  'owner',
  'period',
  'proofOfPossession',
  'rewardsOwner',
  'shares',
  'signer',
  'stake',
  'subnetAuthorization',
  'subnetID',
  'validationID',
  'validationRewardsOwner',
  'validator',
  'validatorAuthority',
  'validators',
  'vmID',
]

/** Members that our definitions do not read, by operation. */
const unread: Readonly<Record<string, readonly string[]>> = {
  // What makes up the hash of a block.
  eth_getBlockByNumber: [
    'blobGasUsed',
    'blockExtraData',
    'difficulty',
    'excessBlobGas',
    'extDataGasUsed',
    'extDataHash',
    'extraData',
    'logsBloom',
    'minDelayExcess',
    'miner',
    'mixHash',
    'nonce',
    'parentBeaconBlockRoot',
    'receiptsRoot',
    'sha3Uncles',
    'stateRoot',
    'totalDifficulty',
    'transactions',
    'transactionsRoot',
    'uncles',
  ],
  'platform.getBlock': ['validator', 'subnetAuthorization'].map((name) => `block.txs[].unsignedTx.${name}`),
  'platform.getBlockByHeight': [
    // What a reward is for.
    'block.tx.unsignedTx.txID',
    ...OF_SOME_TRANSACTIONS.map((name) => `block.txs[].unsignedTx.${name}`),
  ],
}

/** Paths of what is in the answer and not in what was read of it. */
function lost(raw: unknown, read: unknown, path = ''): string[] {
  if (raw === null)
    return read === undefined || read === null || (Array.isArray(read) && read.length === 0) ? [] : [path]
  if (Array.isArray(raw)) {
    if (!Array.isArray(read) || read.length !== raw.length) return [path]
    return raw.flatMap((item, at) => lost(item, read[at], `${path}[]`))
  }
  if (typeof raw !== 'object') return isSame(raw, read) ? [] : [path]
  if (typeof read !== 'object' || read === null) return [path]
  return Object.entries(raw).flatMap(([key, member]) =>
    lost(member, (read as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`),
  )
}

/** A text of digits becomes a number, a time becomes seconds. */
function isSame(raw: unknown, read: unknown): boolean {
  if (typeof raw === 'boolean' || typeof read === 'string') return raw === read
  if (typeof raw === 'string' && typeof read === 'bigint') return BigInt(raw) === read
  if (typeof raw === 'bigint' || typeof read === 'bigint') return String(raw) === String(read)
  const isTime = typeof raw === 'string' && /^\d{4}-\d\d-\d\dT/.test(raw)
  return isTime ? Date.parse(raw) / 1_000 === read : Number(raw) === read
}

interface Answered extends Recorded {
  result: unknown
  operation: Operation
}

/** Cases of the transport ask operations as well. The pages of a node's health have the form of what the call gives. */
const answered = [...recorded, ...beyond].flatMap((one): Answered[] => {
  const { result, checks } = (typeof one.response === 'object' ? one.response : {}) as {
    result?: unknown
    checks?: object
  }
  if (checks) return [{ ...one, result: one.response, operation: health }]
  if (result === undefined) return []
  const { method } = JSON.parse(one.request.body ?? '{}') as { method?: string }
  const operation = method?.startsWith('health.') ? health : operations.find(({ name }) => name === method)
  return operation ? [{ ...one, result, operation }] : []
})

test('the form of each page of health is held as well', () => {
  const pages = answered.filter(({ of }) => of.startsWith('health'))
  // All but four that are no pages: another path, and a request for the head alone.
  expect(pages).toHaveLength(beyond.filter(({ of }) => of.startsWith('health')).length - 4)
})

/** The recorded node that was asked for this was still bootstrapping, so it gave no result. */
const refused = { 'avm.getHeight': 'API call rejected because chain is not done bootstrapping\n' }

test('every operation of a node has results, or only a recorded refusal', () => {
  const names = operations.filter(({ service }) => service === 'node').map(({ name }) => name)
  const withResults = new Set(names.filter((name) => !(name in refused)))
  expect(new Set(answered.map(({ operation }) => operation.name))).toEqual(withResults)
  const refusals = [...recorded, ...beyond].filter(({ of }) => of in refused)
  expect(refusals.map(({ of, response }) => [of, response])).toEqual(Object.entries(refused))
})

describe.each([...Map.groupBy(answered, ({ operation }) => operation.name)])('%s', (name, cases) => {
  test.each(cases.map((one) => [`${one.of}: ${one.case}`, one] as const))('%s', (_, { operation, result }) => {
    const { value, dropped } = parseAnswer(operation, result)
    expect(dropped).toBe(0)
    expect(lost(result, value).filter((path) => !(unread[name] ?? []).includes(path))).toEqual([])
    expect(unknownFields(operation, result, 0)).toEqual([])
    expect(operation.isPartial ?? false).toBe(name in unread)
  })

  test('what is listed as unread is there', () => {
    const all = cases.flatMap(({ operation, result }) => lost(result, parseAnswer(operation, result).value))
    expect((unread[name] ?? []).filter((path) => !all.includes(path))).toEqual([])
  })
})
