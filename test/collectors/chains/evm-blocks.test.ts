import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evmBlocks } from '../../../src/collectors/chains/evm-blocks.ts'
import { pagesUnder } from '../../support/listing.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

/** Later than all test data: nothing lies in the future. */
const NOW = 1_900_000_000_000

const yaml = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    chains: [{ id: c-chain, evm_chain_id: 43113 }, { id: p-chain }]
`
const chain = 'network="fuji",chain="c-chain"'

/** Block h came at 2 x h and used h % 5 quarters of its limit; a unit of gas cost 10^11 and one smallest unit. */
const LIMIT = 80_000n
const PRICE = 100_000_000_001n
const gasOf = (height: number) => (BigInt(height % 5) * LIMIT) / 4n
const block = (height: number, more: object = {}) => ({
  blockNumber: String(height),
  blockHash: `0x${height}`,
  blockTimestamp: 2 * height,
  txCount: 1,
  baseFee: '25000000000',
  gasUsed: String(gasOf(height)),
  gasLimit: String(LIMIT),
  feesSpent: String(gasOf(height) * PRICE),
  cumulativeTransactions: String(3 * height),
  ...more,
})
type Block = ReturnType<typeof block>
const blocks = (high: number, low: number) => Array.from({ length: high - low + 1 }, (_, at) => block(high - at))

const service = (...pages: readonly (readonly Block[])[]) => pagesUnder('blocks', ...pages)

const started = (text = yaml) => createPoller(text, evmBlocks, NOW)
const one = (poller: Poller, name: string) => poller.value(`stakewatch_evm_${name}`)
const counters = (poller: Poller) => ({
  missed: one(poller, 'blocks_missed_total'),
  gas: one(poller, 'gas_used_total'),
  fees: one(poller, 'fees_spent_tokens_total'),
  counted: one(poller, 'gas_utilisation_ratio_count'),
  intervals: one(poller, 'block_interval_seconds_count'),
})
const success = (poller: Poller) => poller.value('stakewatch_collector_success')

describe('evm-blocks (document 1, operation 12)', () => {
  const first = (transactions: number) => [
    `stakewatch_evm_head_height{${chain}} 339`,
    `stakewatch_evm_head_timestamp_seconds{${chain}} 1700000010`,
    `stakewatch_evm_transactions_total{${chain}} ${transactions}`,
    `stakewatch_evm_blocks_missed_total{${chain}} 0`,
    `stakewatch_evm_gas_used_total{${chain}} 0`,
    `stakewatch_evm_gas_limit{${chain}} 15000000`,
    `stakewatch_evm_gas_utilisation_ratio_sum{${chain}} 0`,
    `stakewatch_evm_gas_utilisation_ratio_count{${chain}} 0`,
    // 25 x 10^9 of 10^18.
    `stakewatch_evm_base_fee_tokens{${chain}} 2.5e-8`,
    `stakewatch_evm_fees_spent_tokens_total{${chain}} 0`,
    `stakewatch_evm_block_interval_seconds_sum{${chain}} 0`,
    `stakewatch_evm_block_interval_seconds_count{${chain}} 0`,
  ]

  test.each([
    ["the document's form", 'document'],
    // A body as seen live: no chainId, and fields that came with later upgrades.
    ['the live form', 'live'],
  ])('the first run publishes the head and starts all counters at 0: %s', async (_, form) => {
    const poller = started()
    await poller.poll(() => fixture(`data/list-latest-evm-blocks.${form}`))
    const asked = poller.asked.map(({ operation, path, query }) => [operation, path, query])
    expect(asked).toEqual([['list-latest-evm-blocks', '/v1/chains/43113/blocks', { pageSize: '50' }]])
    expect(poller.lines(/^stakewatch_evm/).filter((line) => !/bucket/.test(line))).toEqual(first(8_007))
  })

  test('counts gas, fees, utilisation and intervals of new blocks, and takes the stated transactions', async () => {
    const poller = started()
    await poller.poll(service(blocks(100, 91)))
    await poller.poll(service(blocks(106, 97)))
    // 101 to 106 used 1 + 2 + 3 + 4 + 0 + 1 = 11 quarters of 80,000: 220,000 gas; times 100,000,000,001 is
    // 22,000,000,000,220,000 of 10^18. Six intervals of 2 s.
    expect(counters(poller)).toEqual({ missed: 0, gas: 220_000, fees: 0.022_000_000_000_22, counted: 6, intervals: 6 })
    expect(one(poller, 'transactions_total')).toBe(318)
    // Cumulated: 105 at 0; 101 and 106 at 0.25; 102 at 0.5; 103 at 0.75; 104 at 1.
    const bounds = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    const inBuckets = [1, 1, 3, 4, 5, 5, 6]
    expect(poller.lines(/utilisation_ratio_bucket/)).toEqual(
      [...bounds.map((bound, at) => [bound, inBuckets[at]]), ['+Inf', 6]].map(
        ([bound, count]) => `stakewatch_evm_gas_utilisation_ratio_bucket{le="${bound}",${chain}} ${count}`,
      ),
    )
    expect(one(poller, 'gas_utilisation_ratio_sum')).toBe(2.75)
    expect(one(poller, 'block_interval_seconds_sum')).toBe(12)
    expect(poller.lines(/interval_seconds_bucket.le="[12]"/).map((line) => Number(line.split(' ').at(-1)))).toEqual([
      0, 6,
    ])
  })

  const all = { missed: 0, gas: 220_000, fees: 0.022_000_000_000_22, counted: 6, intervals: 6 }
  // 103 used 60,000.
  const without103 = { missed: 1, gas: 160_000, fees: 0.016_000_000_000_16, counted: 5, intervals: 4 }
  test.each<[string, Block[][], object]>([
    ['repeated on the next page', [blocks(106, 103), blocks(104, 99)], all],
    [
      'of the chain by its number, and by another name',
      [[block(106, { chainId: '43113' }), block(105, { chainId: 'C' }), ...blocks(104, 99)]],
      all,
    ],
    ['repeated under another hash', [[block(106, { blockHash: '0xff' }), ...blocks(106, 99)]], all],
    // The list ends at 104: 101 to 103 are out of reach. 104 to 106 used 4 + 0 + 1 quarters.
    [
      'cut off by the end of the list',
      [blocks(106, 104)],
      { missed: 3, gas: 100_000, fees: 0.010_000_000_000_1, counted: 3, intervals: 2 },
    ],
  ])('blocks that are %s', async (_, pages, expected) => {
    const poller = started()
    await poller.poll(service(blocks(100, 91)))
    await poller.poll(service(...pages))
    expect(counters(poller)).toEqual(expected)
    // Nothing changes when they are all there later: what was missed stays missed, and once.
    poller.clock.now += 1_000
    await poller.poll(service(blocks(106, 91)))
    await poller.poll(service(blocks(106, 91)))
    expect(counters(poller)).toEqual(expected)
  })

  test('counts blocks missing from the list if they come within ten minutes, else misses them', async () => {
    const holed = service([...blocks(106, 104), ...blocks(102, 99)])
    const late = started()
    await late.poll(service(blocks(100, 91)))
    await late.poll(holed)
    expect(counters(late)).toEqual({ ...without103, missed: 0 })
    late.clock.now += 599_000
    await late.poll(service(blocks(106, 91)))
    // Between which blocks it came is not measured any more.
    expect(counters(late)).toEqual({ ...all, intervals: 4 })
    late.clock.now += 600_000
    await late.poll(service(blocks(106, 91)))
    expect(counters(late)).toEqual({ ...all, intervals: 4 })
    const never = started()
    await never.poll(service(blocks(100, 91)))
    await never.poll(holed)
    never.clock.now += 600_000
    await never.poll(holed)
    expect(counters(never)).toEqual(without103)
    await never.poll(service(blocks(106, 91)))
    expect(counters(never)).toEqual(without103)
  })

  test.each([
    ['no gas', { gasUsed: undefined }, { gas: undefined, counted: undefined }],
    ['no gas limit', { gasLimit: null }, { counted: 0 }],
    ['a gas limit of 0', { gasLimit: '0' }, { counted: 0 }],
    ['no fees', { feesSpent: undefined }, { fees: undefined }],
    ['no number of transactions', { txCount: undefined }, {}],
  ])('%s: unknown, not 0', async (_, missing, expected) => {
    const poller = started()
    const page = (high: number, low: number) => blocks(high, low).map((full) => ({ ...full, ...missing }) as Block)
    await poller.poll(service(page(100, 91)))
    await poller.poll(service(page(106, 97)))
    expect(counters(poller)).toEqual({ ...all, ...expected })
  })

  test.each([
    ['has no number', { blockNumber: 'none' }, 102],
    ['cannot be read', { blockTimestamp: -1 }, 102],
    ['lies ten years ahead', { blockTimestamp: NOW / 1_000 + 315_360_000 }, 102],
    ['does not say its gas, as others do', { gasUsed: null }, 103],
    ['does not say its fees, as others do', { feesSpent: undefined }, 103],
  ])('misses a block that %s once, at the third run, and counts its neighbours', async (_, bad, firstHead) => {
    const poller = started()
    await poller.poll(service(blocks(100, 91)))
    const seen = []
    for (const head of [103, 104, 105, 106, 106]) {
      poller.clock.now += 1_000
      await poller.poll(service([...blocks(head, 104), block(103, bad), ...blocks(102, 91)]))
      seen.push([one(poller, 'head_height'), one(poller, 'blocks_missed_total')])
    }
    expect(seen).toEqual([
      [firstHead, 0],
      [104, 0],
      [105, 0],
      [106, 1],
      [106, 1],
    ])
    expect(counters(poller)).toEqual(without103)
    poller.clock.now += 1_000
    await poller.poll(service(blocks(106, 91)))
    expect(counters(poller)).toEqual(without103)
  })

  test.each([{ gasUsed: null }, { feesSpent: null }])('counts the newest block once it says %o', async (missing) => {
    const poller = started()
    await poller.poll(service(blocks(100, 91)))
    await poller.poll(service([block(106, missing), ...blocks(105, 97)]))
    // Without the 20,000 of 106.
    expect(counters(poller)).toMatchObject({ missed: 0, gas: 200_000, fees: 0.020_000_000_000_2, counted: 5 })
    await poller.poll(service(blocks(106, 97)))
    expect(counters(poller)).toEqual(all)
  })

  test('a given-up block does not affect other missing blocks, which may come within ten minutes', async () => {
    const poller = started()
    const bad = block(103, { blockNumber: 'none' })
    await poller.poll(service(blocks(100, 91)))
    for (let run = 0; run < 3; run += 1) {
      poller.clock.now += 1_000
      await poller.poll(service([...blocks(106, 104), bad, ...blocks(102, 91)]))
    }
    for (let run = 0; run < 3; run += 1) {
      poller.clock.now += 1_000
      await poller.poll(service([...blocks(109, 108), ...blocks(106, 104), bad, ...blocks(102, 91)]))
    }
    expect(one(poller, 'blocks_missed_total')).toBe(1)
    poller.clock.now += 1_000
    await poller.poll(service([...blocks(109, 104), bad, ...blocks(102, 91)]))
    // 107 to 109 used 2 + 3 + 4 quarters.
    expect(counters(poller)).toMatchObject({ missed: 1, gas: 160_000 + 180_000, counted: 8 })
  })

  test('counts the intervals of a chain that began again at a lower height', async () => {
    const poller = started()
    await poller.poll(service(blocks(100_000, 99_990)))
    for (const head of [10, 11, 12, 13, 14]) {
      await poller.poll(service(blocks(head, 1)))
      poller.clock.now += 150_000
    }
    await poller.poll(service(blocks(20, 1)))
    expect(counters(poller)).toMatchObject({ counted: 10, intervals: 9 })
  })

  test('another chain of the same name, as after a reload, is counted from its own newest block', async () => {
    const before = started(yaml.replace('43113', '43114'))
    await before.poll(service(blocks(5_100, 5_090)))
    const after = started()
    await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
    await after.poll(service(blocks(5_000, 4_990)))
    after.clock.now += 30_000
    await after.poll(service(blocks(5_001, 4_990)))
    expect([success(after), one(after, 'head_height'), counters(after).counted]).toEqual([1, 5_001, 1])
  })

  test('a clock that goes back does not lower a sum', async () => {
    const poller = started()
    await poller.poll(service(blocks(100, 91)))
    await poller.poll(service([block(102), block(101, { blockTimestamp: 190 }), block(100)]))
    // 200 to 190 counts as 0, 190 to 204 is 14.
    expect(one(poller, 'block_interval_seconds_sum')).toBe(14)
  })

  test.each([
    [6, 25_000],
    [0, 25_000_000_000],
    [18, 2.5e-8],
  ])('amounts of a chain whose token has %i decimal places', async (decimals, expected) => {
    const poller = started(yaml.replace('43113 }', `43113, decimals: ${decimals} }`))
    await poller.poll(service(blocks(100, 91)))
    await poller.poll(service(blocks(101, 100)))
    expect(one(poller, 'base_fee_tokens')).toBe(expected)
    // 20,000 gas at 100,000,000,001.
    expect(one(poller, 'fees_spent_tokens_total')).toBe(Number(`2000000000020000e-${decimals}`))
  })

  test.each([
    ['a list without blocks', { blocks: [] }, 'bad_response'],
    ["another chain's blocks", { blocks: [block(107, { chainId: '43114' }), ...blocks(106, 97)] }, 'bad_response'],
  ])('refuses %s, keeps the values, and continues in the next run', async (_, answer, code) => {
    const poller = started()
    await poller.poll(service(blocks(100, 91)))
    await poller.poll(() => answer)
    expect([one(poller, 'head_height'), success(poller)]).toEqual([100, 0])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code }])
    poller.clock.now += 1_000
    await poller.poll(service(blocks(106, 97)))
    expect(counters(poller)).toEqual(all)
  })
})

describe('transactions of the chain (cumulativeTransactions of the newest block)', () => {
  const withoutTotal = (one: Block): Block => ({ ...one, cumulativeTransactions: undefined! })

  /** Polls once a minute, or that many minutes later; what is published after each. A refused total fails the run. */
  async function polls(totals: string) {
    const poller = started()
    const seen: unknown[] = []
    let minute = 0
    for (const total of totals.split(' ')) {
      if (total.startsWith('+')) {
        minute += Number(total)
        continue
      }
      poller.clock.now = NOW + minute * 60_000
      const stated = total === '-' ? undefined : String(Number(total))
      await poller.poll(
        service([
          block(100 + minute, { cumulativeTransactions: stated }),
          ...blocks(99 + minute, 90).map(withoutTotal),
        ]),
      )
      // The other samples are published all the same.
      expect(one(poller, 'head_height')).toBe(100 + minute)
      const published = one(poller, 'transactions_total')
      seen.push(success(poller) === 1 ? (published ?? '-') : `refused${published ?? ''}`)
      minute += 1
    }
    return seen
  }

  test.each(
    rowsOf(`
      grow                                    | 700 707 707         | 700 707 707
      are not reported                        | - -                 | - -
      are missing once                        | 700 - 707           | 700 - 707
      // A replica that lags: a counter must not seem to restart, so there is none for a while.
      go back once                            | 700 650 707         | 700 refused 707
      go back, go missing, and stay below     | 700 650 - 699       | 700 refused - refused
      // At minute 6 the answers have agreed for five minutes.
      restart                                 | 700 3 4 5 6 7 8 9   | 700 refused refused refused refused refused 8 9
      restart, as two runs far apart say      | 700 3 +7 3 4        | 700 refused refused 4
      // More than the 10,000 a second that there can have been since 2015 are none at all.
      are absurd at first                     | 1e15 700 707        | refused 700 707
      go back now and then                    | 700 650 707 660 714 | 700 refused 707 refused 714
    `),
  )('that %s', async (_, totals, expected) => {
    expect((await polls(totals)).join(' ')).toBe(expected)
  })

  // A block of 80,000 gas holds three transactions; a limit may double from one block to the next.
  test.each([
    ['grow with the blocks between', 321, {}, {}, true],
    ['grow by more than the blocks between can hold', 322, {}, {}, false],
    ['grow by more, with an absurd gas limit of the head', 100_300, { gasLimit: '80000000000' }, {}, false],
    ['grow by more, without a gas limit of the head', 100_300, { gasLimit: undefined }, {}, false],
    ['grow by more, without a gas limit below', 100_300, {}, { gasLimit: undefined }, false],
    ['grow by more in blocks without a gas limit', 100_300, { gasLimit: undefined }, { gasLimit: undefined }, true],
    ['fall', 299, {}, {}, false],
  ])('that %s from one listed block to the next', async (_, total, head, below, isPublished) => {
    const poller = started()
    await poller.poll(
      service([
        { ...block(103, { cumulativeTransactions: `${total}` }), ...head },
        // A block without a total says nothing about those of others.
        withoutTotal(block(102)),
        { ...block(100), ...below },
      ] as Block[]),
    )
    expect([one(poller, 'transactions_total'), success(poller)]).toEqual(isPublished ? [total, 1] : [undefined, 0])
    // The other samples are published all the same, and nothing of a refused total is remembered.
    expect(one(poller, 'head_height')).toBe(103)
    poller.clock.now += 60_000
    await poller.poll(service([block(110), block(109)]))
    expect([one(poller, 'transactions_total'), success(poller)]).toEqual(
      isPublished && total > 330 ? [undefined, 0] : [330, 1],
    )
  })
})

describe('whatever the bursts, page sizes, repetitions, disorder and holes', () => {
  const burst = fc.record({ add: fc.nat(300), disorder: fc.nat(5) })
  /** Which heights are never listed. */
  const never = fc.record({ skip: fc.integer({ min: 2, max: 9 }), holes: fc.boolean() })

  test('counted plus missed blocks equal the chain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(burst, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 3, max: 100 }),
        never,
        async (bursts, size, { skip, holes }) => {
          const poller = started()
          let head = 50
          const isListed = (height: number, skip: number) => height % skip !== 0
          /** Pages by offset from a head that moves on while they are read, some blocks left out, neighbours swapped. */
          const moving =
            ({ disorder }: { disorder: number }): Upstream =>
            (_, { query }) => {
              const offset = Number(query['pageToken'] ?? 0)
              if (offset > 0) head += 1
              const page = blocks(head - offset, Math.max(1, head - offset - size + 1))
              const order = ({ blockNumber }: Block) => (disorder === 0 ? 0 : Number(blockNumber) % disorder)
              const kept = page
                .toSorted((a, b) => order(a) - order(b))
                .filter(
                  ({ blockNumber }) => !holes || blockNumber === String(head) || isListed(Number(blockNumber), skip),
                )
              return { blocks: kept, ...(offset + size < head ? { nextPageToken: String(offset + size) } : {}) }
            }
          await poller.poll(service(blocks(50, 1)))
          const came: number[] = []
          let missed = 0
          for (const drawn of bursts) {
            const from = one(poller, 'head_height')!
            poller.clock.now += 1_000
            head += drawn.add
            const top = head
            await poller.poll(moving(drawn))
            // Holes are always the same, so that what a run should have counted is known without reading its pages.
            for (let height = from + 1; height <= top; height += 1) {
              if (!holes || height === top || isListed(height, skip)) came.push(height)
              else missed += 1
            }
          }
          // What has not come within ten minutes is missed.
          const newest = one(poller, 'head_height')!
          poller.clock.now += 600_000
          await poller.poll(service([block(newest)]))
          const gas = came.reduce((sum, height) => sum + gasOf(height), 0n)
          expect(counters(poller)).toEqual({
            missed,
            gas: Number(gas),
            fees: exactTokens(gas * PRICE),
            counted: came.length,
            intervals: came.filter((height, at) => height - (came[at - 1] ?? 50) === 1).length,
          })
          const quarters = [0, 1, 2, 3, 4].map((quarter) => came.filter((height) => height % 5 === quarter).length)
          const upTo = (last: number) => quarters.slice(0, last + 1).reduce((sum, count) => sum + count, 0)
          expect(
            poller.lines(/ratio_bucket.le="(0.25|0.5|0.75|1)"/).map((line) => Number(line.split(' ').at(-1))),
          ).toEqual([1, 2, 3, 4].map(upTo))
        },
      ),
      { numRuns: 30 },
    )
  })
})

/** 18 decimal places, by cutting the text of the integer. */
function exactTokens(amount: bigint): number {
  const digits = String(amount).padStart(19, '0')
  return Number(`${digits.slice(0, -18)}.${digits.slice(-18)}`)
}
