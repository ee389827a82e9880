import { describe, expect, test } from 'vitest'
import { evmTransactions } from '../../../src/collectors/chains/evm-transactions.ts'
import { BaseError } from '../../../src/errors.ts'
import { withoutZeros } from '../../support/exposition.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'

/** Later than all test data: nothing lies in the future. */
const NOW = 1_900_000_000_000

const yaml = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    chains: [{ id: c-chain, evm_chain_id: 43113 }, { id: p-chain }]
collectors: { evm-transactions: { enabled: true } }
`
const chain = 'network="fuji",chain="c-chain"'

interface Transaction {
  txHash: string
  blockNumber?: string
  txStatus?: string | null
  method?: object | null
}

/** Done, and the call of a contract, by default. */
const transaction = (height: number, index: number, more: object = {}): Transaction => ({
  txHash: `0x${height}-${index}`,
  blockNumber: String(height),
  txStatus: '1',
  method: { callType: 'CONTRACT_CALL' },
  ...more,
})
const many = (height: number, count: number) => Array.from({ length: count }, (_, at) => transaction(height, at))

/** Block h has h % 4 transactions. */
const usual = (height: number): Transaction[] => many(height, height % 4)

interface Source {
  head: number
  /** What a block has, or the error that it is asked for in vain with. */
  of?: (height: number) => Transaction[] | BaseError
  /** What the list says that it has. */
  count?: (height: number) => number | null
  first?: number
}

/** A service with blocks up to `head`. */
const service =
  ({ head, of = usual, count = (height) => usual(height).length, first = 1 }: Source, asked: number[] = []): Upstream =>
  (operation, { path, query }) => {
    const [offset, size] = [Number(query['pageToken'] ?? 0), Number(query['pageSize'])]
    const paged = <T>(all: readonly T[], from: number) => ({
      items: all.slice(from, from + size),
      nextPageToken: from + size < all.length ? String(from + size) : '',
    })
    if (operation === 'list-latest-evm-blocks') {
      const heights = Array.from({ length: head - first + 1 }, (_, at) => head - at)
      const { items, ...rest } = paged(heights, offset)
      const blocks = items.map((height) => ({
        blockNumber: String(height),
        blockTimestamp: height,
        blockHash: `0x${height}`,
        txCount: count(height),
      }))
      return { blocks, ...rest }
    }
    const height = Number(path.split('/').at(-2))
    asked.push(height)
    const found = of(height)
    if (found instanceof BaseError) return found
    const { items, ...rest } = paged(found, offset)
    return { transactions: items, ...rest }
  }

const started = (text = yaml) => createPoller(text, evmTransactions, NOW)
const missed = (poller: Poller) => poller.value('stakewatch_evm_transactions_blocks_missed_total')
const success = (poller: Poller) => poller.value('stakewatch_collector_success')
/** Series that are not 0: 'success CONTRACT_CALL' to the number of transactions. */
const counts = (poller: Poller) =>
  withoutZeros(poller.table('stakewatch_evm_block_transactions_total', ['status', 'call_type']))
const counted = (poller: Poller) => Object.values(counts(poller)).reduce((sum, count) => sum + count, 0)
const next = async (poller: Poller, upstream: Upstream) => {
  poller.clock.now += 60_000
  await poller.poll(upstream)
}
const gone = new BaseError('not_found', 'HTTP 404: not there')

describe('evm-transactions (document 1, operations 11 and 12)', () => {
  test('a block with an unreadable transaction has one that is not counted', async () => {
    const poller = started()
    await poller.poll(service({ head: 100 }))
    const of = (height: number) => (height === 103 ? [...many(103, 2), { txHash: '' }] : usual(height))
    await next(poller, service({ head: 103, of }))
    expect([counted(poller), missed(poller), success(poller)]).toEqual([5, 1, 1])
  })

  test.each(['document', 'live'])(
    'the first run starts all counters at 0 and asks for no block: %s form',
    async (form) => {
      const poller = started()
      const asked: unknown[] = []
      await poller.poll((operation, { path, query }) => {
        asked.push([operation, path, query])
        return fixture(`data/list-latest-evm-blocks.${form}`)
      })
      expect(asked).toEqual([['list-latest-evm-blocks', '/v1/chains/43113/blocks', { pageSize: '50' }]])
      expect(poller.lines(/^stakewatch_evm/)).toEqual([
        ...['NATIVE_TRANSFER', 'CONTRACT_CALL', 'CONTRACT_CREATION'].flatMap((type) =>
          ['success', 'reverted'].map(
            (status) => `stakewatch_evm_block_transactions_total{${chain},status="${status}",call_type="${type}"} 0`,
          ),
        ),
        `stakewatch_evm_transactions_blocks_missed_total{${chain}} 0`,
      ])
    },
  )

  test.each([
    ["the document's form", 'document', 1, { 'success CONTRACT_CALL': 1 }, 0],
    ['the live form', 'live', 1, { 'reverted NATIVE_TRANSFER': 1 }, 0],
    // Three that say nothing more, and three that do not fit.
    ['the least there can be', 'minimal', 6, { 'other other': 3 }, 1],
  ])('asks for a new block by number, page by page: %s', async (_, form, count, expected, uncounted) => {
    const poller = started()
    const asked: unknown[] = []
    await poller.poll(service({ head: 338 }))
    await next(poller, (operation, wire, source) => {
      if (operation === 'list-latest-evm-blocks') {
        return service({ head: 339, count: () => count })(operation, wire, source)
      }
      asked.push([wire.path, wire.query['pageSize']])
      return wire.query['pageToken'] ? { transactions: [] } : fixture(`data/list-evm-block-transactions.${form}`)
    })
    expect(asked[0]).toEqual(['/v1/chains/43113/blocks/339/transactions', '100'])
    expect([counts(poller), missed(poller), success(poller)]).toEqual([expected, uncounted, 1])
  })

  test.each<[string, object[], object]>([
    ['reverted', [{ txStatus: '0' }], { 'reverted CONTRACT_CALL': 1 }],
    ['of an unknown outcome', [{ txStatus: '2' }], { 'other CONTRACT_CALL': 1 }],
    ['of an outcome that every object answers to', [{ txStatus: 'constructor' }], { 'other CONTRACT_CALL': 1 }],
    ['of a kind in small letters', [{ method: { callType: 'contract_call' } }], { 'success CONTRACT_CALL': 1 }],
    ['of a kind that is new', [{ method: { callType: 'DELEGATED' } }], { 'success DELEGATED': 1 }],
    ['of a kind that every object answers to', [{ method: { callType: '__proto__' } }], { 'success other': 1 }],
    ['without a kind', [{ method: { callType: '' } }, { method: {} }, { method: null }], { 'success other': 3 }],
    ['that come twice', [{ txHash: 'a' }, { txHash: 'a' }], { 'success CONTRACT_CALL': 1 }],
    ['that do not say of which block', [{ blockNumber: undefined }], { 'success CONTRACT_CALL': 1 }],
  ])('transactions %s', async (_, given, expected) => {
    const poller = started()
    await poller.poll(service({ head: 100 }))
    const of = () => given.map((more, at) => transaction(101, at, more))
    await next(poller, service({ head: 101, of, count: () => 1 }))
    expect(counts(poller)).toEqual(expected)
  })

  test('another chain of the same name, as after a reload, is counted from its own newest block', async () => {
    const before = started(yaml.replace('43113', '43114'))
    await next(before, service({ head: 10 }))
    const after = started()
    await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
    await next(after, service({ head: 4_000 }))
    await next(after, service({ head: 4_003 }))
    expect([success(after), missed(after), counted(after)]).toEqual([1, 0, 6])
  })

  test('bounds the series of 5,000 kinds and 5,000 outcomes', async () => {
    const poller = started()
    await poller.poll(service({ head: 100 }))
    const invented = Array.from({ length: 5_000 }, (_, at) =>
      transaction(101, at, { txStatus: `s${at}`, method: { callType: `t${at}` } }),
    )
    await next(poller, service({ head: 101, of: () => invented, count: () => 5_000 }))
    const types = poller.series(/block_transactions_total/).map(({ labels }) => labels['call_type'])
    // 32 and `other`.
    expect(new Set(types).size).toBe(33)
    expect(counts(poller)['other other']).toBe(5_000 - 29)
  })

  test('leaves pages beyond 60 to the next run', async () => {
    const poller = started()
    const asked: number[] = []
    // Two pages each.
    const source = { of: (height: number) => many(height, 150), count: () => 150 }
    await poller.poll(service({ head: 100 }))
    await next(poller, service({ head: 140, ...source }, asked))
    expect([counted(poller), asked.length, missed(poller)]).toEqual([30 * 150, 60, 0])
    await next(poller, service({ head: 141, ...source }, asked))
    expect([counted(poller), asked.length, missed(poller)]).toEqual([41 * 150, 82, 0])
  })

  test('misses the oldest of more than 1,000 waiting blocks', async () => {
    const poller = started()
    const asked: number[] = []
    const lists: string[] = []
    const full = service({ head: 1_200, of: (height) => many(height, 1), count: () => 1 }, asked)
    await poller.poll(service({ head: 100 }))
    await next(poller, (operation, wire, source) => {
      if (operation === 'list-latest-evm-blocks') lists.push(operation)
      return full(operation, wire, source)
    })
    expect([asked[0], asked.length, counted(poller), missed(poller)]).toEqual([201, 60, 60, 100])
    expect(lists).toHaveLength(20)
  })

  describe('a block', () => {
    const short = (height: number) => (height === 102 ? many(102, 1) : usual(height))
    const empty = (height: number) => (height === 102 ? [] : usual(height))
    const absent = (height: number) => (height === 102 ? gone : usual(height))
    test.each<[string, (height: number) => Transaction[] | BaseError, (height: number) => number | null]>([
      ['with fewer transactions than the list says', short, (height) => height % 4],
      ['without transactions, where the list does not say how many', empty, () => null],
      ['that the service does not have', absent, (height) => height % 4],
    ])('waits for %s, and counts it once available', async (_, of, count) => {
      const poller = started()
      await poller.poll(service({ head: 100 }))
      await next(poller, service({ head: 103, of, count }))
      expect([counted(poller), missed(poller), success(poller)]).toEqual([1, 0, 1])
      await next(poller, service({ head: 103, of, count }))
      await next(poller, service({ head: 103 }))
      expect([counted(poller), missed(poller)]).toEqual([1 + 2 + 3, 0])
      // The next block that is late has three runs of its own.
      for (const _ of [1, 2, 3]) await next(poller, service({ head: 105, of: (height) => (height < 105 ? [] : gone) }))
      expect([counted(poller), missed(poller)]).toEqual([6, 0])
    })

    test.each<[string, (height: number) => Transaction[] | BaseError]>([
      ['with too few transactions', short],
      ['that the service does not have', absent],
    ])('misses %s in the fourth run, and counts later blocks', async (_, of) => {
      const poller = started()
      await poller.poll(service({ head: 100 }))
      for (const expected of [0, 0, 0, 1]) {
        await next(poller, service({ head: 103, of }))
        expect(missed(poller)).toBe(expected)
      }
      expect(counted(poller)).toBe(1 + 3)
      // It stays missed, and once.
      await next(poller, service({ head: 104 }))
      expect([counted(poller), missed(poller)]).toEqual([4, 1])
    })

    test('waits for all missing blocks together', async () => {
      const poller = started()
      await poller.poll(service({ head: 100 }))
      const of = (height: number) => (height < 180 ? gone : many(height, 1))
      const source = service({ head: 180, of, count: () => 1 })
      for (const _ of [1, 2, 3, 4]) await next(poller, source)
      // Each is asked for, and 60 in one run.
      expect([counted(poller), missed(poller)]).toEqual([0, 60])
      await next(poller, source)
      expect([counted(poller), missed(poller)]).toEqual([1, 79])
    })

    test.each<[string, (height: number) => unknown, string]>([
      ['an error', () => new BaseError('http_status', 'HTTP 503'), 'http_status'],
      ['a body of another form', () => ({ items: [] }), 'bad_response'],
      ['transactions of which none fits', () => ({ transactions: [{ txHash: '' }] }), 'bad_response'],
      ["another block's transactions", () => ({ transactions: many(7, 2) }), 'bad_response'],
      ["another chain's", (height) => ({ transactions: [transaction(height, 0, { chainId: '1' })] }), 'bad_response'],
    ])(
      'that is answered with %s ends the walk; what came before it counts, and the next run goes on',
      async (_, bad, code) => {
        const poller = started()
        const asked: number[] = []
        await poller.poll(service({ head: 100 }))
        const good = service({ head: 103 }, asked)
        await next(poller, (operation, wire, source) =>
          wire.path.includes('/blocks/102/') ? bad(102) : good(operation, wire, source),
        )
        // The next one shows whether it is that block alone.
        expect([counted(poller), success(poller), asked]).toEqual([1, 0, [101, 103]])
        expect(poller.log).toMatchObject([{ code }])
        await next(poller, good)
        expect([counted(poller), success(poller), asked]).toEqual([6, 1, [101, 103, 102, 103]])
      },
    )

    test.each<[string, unknown]>([
      ['an error', new BaseError('http_status', 'HTTP 500')],
      ['what cannot be read', { transactions: [{ txHash: 7 }] }],
    ])(
      'that is answered with %s for good is missed in the fourth run, once, and those behind it count',
      async (_, bad) => {
        const poller = started()
        await poller.poll(service({ head: 100 }))
        const good = service({ head: 103 })
        const seen = []
        for (let run = 0; run < 6; run += 1) {
          await next(poller, (operation, wire, source) =>
            wire.path.includes('/blocks/102/') ? bad : good(operation, wire, source),
          )
          seen.push([counted(poller), missed(poller), success(poller)])
        }
        // 101 has one transaction and 103 three.
        expect(seen).toEqual([
          [1, 0, 0],
          [1, 0, 0],
          [1, 0, 0],
          [4, 1, 0],
          [4, 1, 1],
          [4, 1, 1],
        ])
      },
    )
  })

  test.each([
    ['a list without blocks', { blocks: [] }, 'bad_response'],
    [
      "another chain's blocks",
      { blocks: [{ chainId: '1', blockNumber: '105', blockTimestamp: 1, blockHash: '0x' }] },
      'bad_response',
    ],
  ])('refuses %s, keeps the values, and continues in the next run', async (_, answer, code) => {
    const poller = started()
    await poller.poll(service({ head: 100 }))
    await next(poller, service({ head: 101 }))
    const good = service({ head: 105 })
    await next(poller, (operation, wire, source) =>
      operation === 'list-latest-evm-blocks' ? answer : good(operation, wire, source),
    )
    expect([counted(poller), success(poller)]).toEqual([1, 0])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code }])
    await next(poller, service({ head: 103 }))
    expect([counted(poller), success(poller)]).toEqual([6, 1])
  })

  test('is estimated as a list and a page for each block of a minute', () => {
    const [task] = started().tasks
    const { calls, series } = task!.collector.estimate(task!.subject)
    expect([task!.settings.every, calls.map(({ operation, times }) => [operation.name, times]), series]).toEqual([
      60_000,
      [
        ['list-latest-evm-blocks', 1],
        ['list-evm-block-transactions', 30],
      ],
      7,
    ])
  })
})
