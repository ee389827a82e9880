// What cannot be true of a chain or a list: it is refused, moves no cursor, and what was jumped over is found again.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evmBlocks } from '../../../src/collectors/chains/evm-blocks.ts'
import { evmTransactions } from '../../../src/collectors/chains/evm-transactions.ts'
import { primaryBlocks } from '../../../src/collectors/chains/primary-blocks.ts'
import type { AnyCollector } from '../../../src/collectors/define.ts'
import { erc20Transfers } from '../../../src/collectors/wallets/erc20-transfers.ts'
import { rewards } from '../../../src/collectors/wallets/rewards.ts'
import { transactions } from '../../../src/collectors/wallets/transactions.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, type Upstream } from '../../support/poll.ts'

const TOKEN = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const WALLET = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
const EVM = '0xf401000000000000000000000000000000000001'
const CONTRACT = '0xf401000000000000000000000000000000000002'
const START = 1_700_000_000
const MINUTE = 60_000

const network = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:2" }
    chains: [{ id: p-chain }, { id: c-chain, evm_chain_id: 43113 }]
`
const wallet = `${network}    addresses: [{ name: w, addresses: [P-${WALLET}] }]\n`
const evmWallet = `${network}    addresses: [{ name: w, addresses: ["${EVM}"], chains: [c-chain], tokens: { "${CONTRACT}": T } }]\n`

/** Something that a list has: a height or a time, and an id of its own. */
interface Item {
  at: number
  id: string
}

interface Follower {
  collector: AnyCollector
  yaml: string
  /** The item in the service's words. */
  item(one: Item): object
  /** The name that the operation has for the list. */
  list: string
  /** The counter, and the counter of missing items. */
  counted: RegExp
  gaps: RegExp
  absurd: number
}

const block = ({ at }: Item) => ({
  blockNumber: String(BigInt(at)),
  blockHash: `b-${at}`,
  blockTimestamp: START,
  txCount: 1,
  gasUsed: '1',
  gasLimit: '10',
})
const ofP = { collector: primaryBlocks, yaml: network, item: block, list: 'blocks', absurd: 1e15 }
const byHeight: [string, Follower][] = [
  [
    'primary-blocks',
    {
      ...ofP,
      yaml: network.replace(', { id: c-chain, evm_chain_id: 43113 }', ''),
      counted: /chain_transactions_total\{.*p-chain/,
      gaps: /chain_blocks_missed_total\{.*p-chain/,
    },
  ],
  ['evm-blocks', { ...ofP, collector: evmBlocks, counted: /evm_gas_used_total/, gaps: /evm_blocks_missed_total/ }],
]
const ofWallet: [string, Follower][] = [
  [
    'rewards',
    {
      collector: rewards,
      yaml: wallet,
      list: 'historicalRewards',
      item: ({ at, id }) => ({
        rewardTxHash: id,
        utxoId: 'u',
        endTimestamp: at,
        rewardType: 'VALIDATOR',
        reward: { assetId: TOKEN, amount: '1000000000' },
      }),
      counted: /rewards_tokens_total\{.*"VALIDATOR"/,
      gaps: /rewards_gaps_total/,
      absurd: 9_999_999_999,
    },
  ],
  [
    'transactions',
    {
      collector: transactions,
      yaml: wallet,
      list: 'transactions',
      item: ({ at, id }) => ({ txHash: id, txType: 'BaseTx', blockTimestamp: at }),
      counted: /address_transactions_total\{.*p-chain.*"BaseTx"/,
      gaps: /address_transactions_gaps_total\{.*p-chain/,
      absurd: 9_999_999_999,
    },
  ],
]
const erc20: [string, Follower] = [
  'erc20-transfers',
  {
    collector: erc20Transfers,
    yaml: evmWallet,
    list: 'transactions',
    item: ({ at, id }) => ({
      blockNumber: `${at}`,
      blockTimestamp: START,
      txHash: id,
      logIndex: 0,
      to: { address: EVM },
      value: '1',
      erc20Token: { address: CONTRACT, decimals: 0 },
    }),
    counted: /erc20_transfers_total\{.*"in",token="T"/,
    gaps: /erc20_transfer_gaps_total/,
    absurd: 1e15,
  },
]

const PAGE = 100

function listing({ list, item }: Follower, newestFirst: readonly Item[], head: number): Upstream {
  return (operation, { path, query }) => {
    if (operation === 'get-primary-network-block') return new BaseError('not_found', 'HTTP 404')
    if (operation === 'list-latest-evm-blocks' && list !== 'blocks') return { blocks: [block({ at: head, id: '' })] }
    // Other chains of the wallet are empty.
    if (/x-chain|c-chain/.test(path) && list !== 'blocks') return { [list]: [] }
    const offset = Number(query['pageToken'] ?? 0)
    const from = Number(query['startBlock'] ?? 0)
    const whole = newestFirst.filter(({ at }) => at >= from)
    const more = offset + PAGE < whole.length
    return {
      [list]: whole.slice(offset, offset + PAGE).map(item),
      ...(more && { nextPageToken: String(offset + PAGE) }),
    }
  }
}

const newestFirst = (items: readonly Item[]) => items.toSorted((a, b) => b.at - a.at)
const heights = (high: number, low: number): Item[] =>
  Array.from({ length: high - low + 1 }, (_, one) => ({ at: high - one, id: `i-${high - one}` }))

function started(follower: Follower) {
  const poller = createPoller(follower.yaml, follower.collector, (START + 1_000) * 1_000)
  const valueOf = (pattern: RegExp) => Number(poller.lines(pattern)[0]?.split(' ').at(-1))
  const poll = async (items: readonly Item[], wait = MINUTE, head = 0) => {
    poller.clock.now += wait
    await poller.poll(listing(follower, items, head))
  }
  return { poller, poll, count: () => [valueOf(follower.counted), valueOf(follower.gaps)] }
}

describe.each(byHeight)('%s', (_, follower) => {
  test('one block at an absurd height is left out, the others count, and the next ones do', async () => {
    const { poller, poll, count } = started(follower)
    await poll(heights(1_000, 901))
    await poll([{ at: follower.absurd, id: 'x' }, ...heights(1_010, 912)])
    expect(count()).toEqual([10, 0])
    expect(poller.reasons).toEqual(['height'])
    await poll(heights(1_020, 921))
    expect(count()).toEqual([20, 0])
  })

  test.each([1e15, 101_000])('a list that ends at %i is refused, and the cursor stays', async (at) => {
    const { poller, poll, count } = started(follower)
    await poll(heights(1_000, 901))
    await poll(heights(at, at - 99), 30_000)
    expect([poller.reasons, ...poller.lines(/head_height/)]).toEqual([['height'], expect.stringMatching(/ 1000$/)])
    await poll(heights(1_020, 921))
    expect(count()).toEqual([20, 0])
  })

  test('goes back from an accepted leap once three runs agree, and counts every block', async () => {
    const { poll, count } = started(follower)
    await poll(heights(1_000, 901))
    for (const more of [0, 1, 2]) await poll(heights(101_000 + more, 100_910 + more), 150_000)
    for (const more of [1, 2, 3, 4, 5]) await poll(heights(1_000 + 10 * more, 901), 100_000)
    expect(count()).toEqual([50 + 2, 0])
  })

  test('counts no height twice when the list went back for so long that it was believed', async () => {
    const { poller, poll, count } = started(follower)
    await poll(heights(1_000, 901))
    await poll(heights(1_010, 901))
    for (const more of [0, 1, 2]) await poll(heights(960 + more, 901), 150_000)
    expect([poller.reasons, ...poller.lines(/head_height/)]).toEqual([
      ['older', 'older'],
      expect.stringMatching(/ 962$/),
    ])
    await poll(heights(1_010, 901))
    expect(count()).toEqual([10, 0])
    await poll(heights(1_011, 901))
    expect(count()).toEqual([11, 0])
  })

  test('a first answer that no chain can have is refused, and counting begins with the next one', async () => {
    const { poller, poll, count } = started(follower)
    await poll(heights(1e15, 1e15 - 99))
    expect([poller.reasons, poller.lines(/head_height/)]).toEqual([['height'], []])
    for (const more of [0, 1]) await poll(heights(1_000 + 10 * more, 901))
    expect(count()).toEqual([10, 0])
  })

  test.each([1e15, Number('9'.repeat(60))])('never accepts %d, however many runs agree', async (at) => {
    const { poller, poll, count } = started(follower)
    await poll(heights(1_000, 901))
    for (let run = 0; run < 5; run += 1) {
      await poll([{ at, id: 'a' }], 150_000)
    }
    expect(new Set(poller.reasons)).toEqual(new Set(['height']))
    await poll(heights(1_020, 921))
    expect(count()).toEqual([20, 0])
  })

  test('drops a first answer far ahead once three runs agree on another', async () => {
    const { poll, count } = started(follower)
    await poll(heights(1e8, 1e8 - 99))
    for (const more of [0, 1, 2, 3, 4]) await poll(heights(1_000 + 10 * more, 901), 100_000)
    // From the first of the runs that agreed on.
    expect(count()).toEqual([30 + 10, 0])
  })

  test('a clock that is set back refuses and delays nothing', async () => {
    const { poller, poll, count } = started(follower)
    await poll(heights(1_000, 901))
    await poll(heights(990, 901))
    await poll(heights(991, 901), -3_000_000)
    for (const more of [2, 3]) await poll(heights(990 + more, 901), 150_000)
    expect(poller.reasons).toEqual(['older', 'older', 'older'])
    await poll(heights(1_001, 902))
    expect(count()).toEqual([1, 0])
  })
})

test('ignores an absurd head while walking blocks', async () => {
  const poller = createPoller(
    `${network}collectors: { evm-transactions: { enabled: true } }\n`,
    evmTransactions,
    (START + 1_000) * 1_000,
  )
  const upTo =
    (high: number): Upstream =>
    (operation, { path }) =>
      operation === 'list-latest-evm-blocks'
        ? { blocks: heights(high, high - 9).map(block) }
        : { transactions: [{ txHash: path, txStatus: '1', method: { callType: 'NATIVE_TRANSFER' } }] }
  for (const high of [1_000, 1e15, 1_005]) {
    poller.clock.now += MINUTE
    await poller.poll(upTo(high))
  }
  expect(poller.reasons).toEqual(['height'])
  expect(poller.lines(/block_transactions_total.*success.*NATIVE|missed_total/)).toEqual([
    expect.stringMatching(/ 5$/),
    expect.stringMatching(/ 0$/),
  ])
})

describe.each([...ofWallet, erc20])('%s', (_, follower) => {
  const later = START + 1_000
  const many = Array.from({ length: 378 }, (__, one) => ({ at: START + 1 + one, id: `i-${one}` }))

  test('one item that cannot be is left out, and all the others count', async () => {
    const { poller, poll, count } = started(follower)
    await poll([{ at: START, id: 'first' }], 0, later)
    for (const seen of [100, 200, 300, 378]) {
      const items = [...many.slice(0, seen), { at: START, id: 'first' }]
      await poll([{ at: follower.absurd, id: 'x' }, ...newestFirst(items)], MINUTE, later)
    }
    expect(count()).toEqual([378, 0])
    expect(new Set(poller.reasons)).toEqual(new Set([follower.absurd > 1e12 ? 'height' : 'future']))
  })

  test('counts late items once', async () => {
    const { poll, count } = started(follower)
    await poll([{ at: START, id: 'first' }], 0, later)
    const items = [...many.slice(0, 69), { at: START, id: 'first' }]
    const late = (one: Item) => ['i-3', 'i-20', 'i-40', 'i-41', 'i-60'].includes(one.id)
    await poll(newestFirst(items.filter((one) => !late(one))), MINUTE, later)
    expect(count()).toEqual([64, 0])
    for (let again = 0; again < 3; again += 1) await poll(newestFirst(items), MINUTE, later)
    expect(count()).toEqual([69, 0])
  })
})

test("keeps a token's decimal places until three runs agree on others", async () => {
  const [, follower] = erc20
  const { poller, poll } = started(follower)
  const withPlaces = (decimals: number): Follower => ({
    ...follower,
    item: (one) => ({ ...follower.item(one), value: '3000', erc20Token: { address: CONTRACT, decimals } }),
  })
  const published = () => poller.list('stakewatch_erc20_transferred_tokens_total', { direction: 'in' })
  const from = { at: START, id: 'first' }
  await poll([from], 0, START + 9)
  const seen: unknown[] = []
  for (const [minute, places] of [3, 255, 255, 3, 255, 255, 255].entries()) {
    poller.clock.now += 3 * MINUTE
    const items = [{ at: START + 1 + minute, id: `i-${minute}` }, from]
    await poller.poll(listing(withPlaces(places), items, START + 9))
    seen.push(published()[0])
  }
  // 3,000 of the smallest unit each; 21,000 of them are 2.1e-251 whole tokens.
  expect(seen).toEqual([3_000, 6_000, 9_000, 12_000, 15_000, 18_000, 2.1e-251])
})

describe('an honest list with late items, duplicates, absurd items, refused and failed runs', () => {
  const step = fc.record({
    add: fc.nat(30),
    late: fc.nat(4),
    duplicate: fc.boolean(),
    absurd: fc.boolean(),
    fault: fc.constantFrom('none', 'fails', 'lags', 'none'),
  })

  test.each([...byHeight, ...ofWallet, erc20])(
    '%s: counted plus missing items are all items',
    async (_, follower) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
          const { poller, poll, count } = started(follower)
          const first = { at: START, id: 'first' }
          const list = [first]
          let hidden: Item[] = []
          await poll([first], 0, START)
          for (const { add, late, duplicate, absurd, fault } of [
            ...steps,
            { add: 1, late: 0, duplicate: false, absurd: false, fault: 'none' },
          ]) {
            const before = newestFirst(list.filter((one) => !hidden.includes(one)))
            for (let one = 0; one < add; one += 1) list.push({ at: list.at(-1)!.at + 1, id: `i-${list.length}` })
            // The newest is always there, so that no list goes back.
            hidden = list.slice(-1 - late, -1).filter((one) => one !== first)
            if (fault === 'fails') {
              poller.clock.now += 20_000
              await poller.poll(() => new BaseError('http_status', 'HTTP 503'))
              continue
            }
            const shown = fault === 'lags' ? before : newestFirst(list.filter((one) => !hidden.includes(one)))
            const items = [...(absurd ? [{ at: follower.absurd, id: 'x' }] : []), ...shown]
            await poll(duplicate ? [...items.slice(0, 3), ...items] : items, 20_000, list.at(-1)!.at)
          }
          await poll(newestFirst(list), 20_000, list.at(-1)!.at)
          const [counted, gaps] = count()
          expect(counted! + gaps!).toBe(list.length - 1)
          expect(gaps).toBe(0)
        }),
        { numRuns: 25 },
      )
    },
    60_000,
  )
})
