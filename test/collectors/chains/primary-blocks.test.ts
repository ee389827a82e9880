import { describe, expect, test } from 'vitest'
import { primaryBlocks } from '../../../src/collectors/chains/primary-blocks.ts'
import { BaseError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/upstream/json.ts'
import { fixtureText } from '../../operations/cases.ts'
import { pagesUnder } from '../../support/listing.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'

/** Later than all test data: nothing lies in the future. */
const NOW = 1_900_000_000_000

const TRACKED = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const yaml = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    validators: [{ node_id: ${TRACKED}, name: one }]
    chains: [{ id: p-chain }, { id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: my-l1 }]
`
const chain = 'network="fuji",chain="p-chain"'

interface Block {
  blockNumber: string
  blockHash: string
  blockTimestamp: number
  blockType: string
  txCount: number
  blockSizeBytes: number
  proposerDetails?: { proposerNodeId: string }
}

/** Block h came at 10 x h, with h modulo 4 transactions; every third is of another type, every fifth is ours. */
const block = (height: number): Block => ({
  blockNumber: String(height),
  blockHash: `hash-${height}`,
  blockTimestamp: 10 * height,
  blockType: height % 3 === 0 ? 'odd' : 'even',
  txCount: height % 4,
  blockSizeBytes: 100,
  ...(height % 5 === 0 ? { proposerDetails: { proposerNodeId: TRACKED } } : {}),
})
const blocks = (high: number, low: number) => Array.from({ length: high - low + 1 }, (_, at) => block(high - at))

/** A service that lists these pages and gives single blocks as `get` says. */
const service =
  (pages: readonly (readonly Block[])[], get: (height: number) => unknown = block): Upstream =>
  (operation, wire, source) =>
    operation === 'get-primary-network-block'
      ? get(Number(wire.path.split('/').at(-1)))
      : pagesUnder('blocks', ...pages)(operation, wire, source)

const counters = (poller: Poller) => ({
  even: poller.value('stakewatch_chain_blocks_total', { block_type: 'even' }),
  odd: poller.value('stakewatch_chain_blocks_total', { block_type: 'odd' }),
  transactions: poller.value('stakewatch_chain_transactions_total'),
  missed: poller.value('stakewatch_chain_blocks_missed_total'),
})

describe('primary-blocks (document 1, operations 14 and 15)', () => {
  test('the first run publishes the head and starts all counters at 0', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    await poller.poll((operation, wire) => {
      expect([operation, wire.path, wire.query]).toEqual([
        'list-latest-primary-network-blocks',
        '/v1/networks/fuji/blockchains/p-chain/blocks',
        { pageSize: '50' },
      ])
      return fixture('data/list-latest-primary-network-blocks.document')
    })
    expect(poller.lines(/^stakewatch_(chain|validator)/).filter((line) => !/bucket/.test(line))).toEqual([
      `stakewatch_chain_head_height{${chain}} 1001`,
      `stakewatch_chain_head_timestamp_seconds{${chain}} 1700000010`,
      `stakewatch_chain_block_proposer_lag_seconds{${chain}} 3`,
      `stakewatch_chain_blocks_total{${chain},block_type="BanffStandardBlock"} 0`,
      `stakewatch_chain_blocks_total{${chain},block_type="BanffCommitBlock"} 0`,
      `stakewatch_chain_blocks_missed_total{${chain}} 0`,
      `stakewatch_chain_transactions_total{${chain}} 0`,
      `stakewatch_chain_block_size_bytes_sum{${chain}} 0`,
      `stakewatch_chain_block_size_bytes_count{${chain}} 0`,
      `stakewatch_chain_block_interval_seconds_sum{${chain}} 0`,
      `stakewatch_chain_block_interval_seconds_count{${chain}} 0`,
      'stakewatch_validator_blocks_proposed_total{network="fuji",subnet="primary",validator="one"} 0',
    ])
  })

  test.each([
    // Numbers without quotes, fees beyond 2^53, a proposer of whom nothing is said.
    [
      'the live form',
      'live',
      [
        'chain_head_height{C} 1002',
        'chain_head_timestamp_seconds{C} 1700000020',
        'chain_blocks_total{C,block_type="Standard"} 0',
      ],
    ],
    [
      'no more than there must be',
      'minimal',
      [
        'chain_head_height{C} 2',
        'chain_head_timestamp_seconds{C} 1700000004',
        'chain_blocks_total{C,block_type="other"} 0',
      ],
    ],
  ])('%s: missing fields have no series', async (_, form, expected) => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    const body = fixtureText(`data/list-latest-primary-network-blocks.${form}`)
    await poller.poll(() => parseJson(body, 'exact'))
    const published = poller.lines(/^stakewatch_(chain_(head|block_proposer|blocks_total)|l1)/)
    expect(published).toEqual(expected.map((line) => `stakewatch_${line.replace('{C', `{${chain}`)}`))
  })

  test('counts types, transactions, sizes, intervals and proposals of new blocks', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    await poller.poll(service([blocks(100, 91)]))
    await poller.poll(service([blocks(106, 97)]))
    // 101 to 106: 102 and 105 are odd; transactions 1 + 2 + 3 + 0 + 1 + 2; 105 is ours; 6 intervals of 10 s.
    expect(counters(poller)).toEqual({ even: 4, odd: 2, transactions: 9, missed: 0 })
    expect(poller.list('stakewatch_validator_blocks_proposed_total')).toEqual([1])
    expect(poller.list(/(interval_seconds|size_bytes)_(sum|count)$/)).toEqual([600, 6, 60, 6])
    expect(poller.lines(/interval_seconds_bucket.*le="(5|10)"/).map((line) => Number(line.split(' ').at(-1)))).toEqual([
      0, 6,
    ])
  })

  /** Of 101 to 106. */
  const all = { even: 4, odd: 2, transactions: 9, missed: 0 }
  test.each([
    ['shuffled inside a page', [[104, 106, 101, 105, 103, 102, 100, 99]], all],
    ['left out of the list, but there when asked for', [[106, 103, 100, 99]], all],
    // The list ends at 104: 101 to 103 are out of reach.
    ['cut off by the end of the list', [[106, 105, 104]], { even: 2, odd: 1, transactions: 3, missed: 3 }],
  ])('blocks that are %s', async (_, pages, expected) => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    await poller.poll(service([blocks(100, 91)]))
    await poller.poll(service(pages.map((page) => page.map((height) => block(height)))))
    expect(counters(poller)).toEqual(expected)
  })

  test('a failing block fails the run but costs nothing else, and is requested again', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    const holed = [[...blocks(106, 103), block(101), block(100), block(99)]]
    await poller.poll(service([blocks(100, 91)]))
    await poller.poll(service(holed, () => new BaseError('http_status', 'HTTP 503')))
    expect(poller.success()).toEqual([0])
    expect(poller.lines(/head_height/)).toEqual([`stakewatch_chain_head_height{${chain}} 106`])
    expect(counters(poller)).toEqual({ even: 4, odd: 1, transactions: 7, missed: 0 })
    poller.clock.now += 1_000
    await poller.poll(service(holed))
    expect(poller.success()).toEqual([1])
    expect(counters(poller)).toEqual(all)
  })

  const failed = () => new BaseError('http_status', 'HTTP 500')
  const unread = { ...block(102), txCount: -1 }
  const nameless = { ...block(102), blockNumber: undefined } as unknown as Block
  const decadeAhead = { ...block(102), blockTimestamp: NOW / 1_000 + 315_360_000 }
  test.each<[string, Block, (height: number) => unknown]>([
    ['is unreadable, alone as well', unread, () => unread],
    ['is unreadable, and the service fails to give it', unread, failed],
    ['has no number, and the service fails to give it', nameless, failed],
    ['is another one when asked for', unread, () => block(99)],
    ['lies ten years ahead', decadeAhead, () => decadeAhead],
  ])(
    'a block that %s is missed once, at the third run; its neighbours count and the head goes on',
    async (_, bad, get) => {
      const poller = createPoller(yaml, primaryBlocks, NOW)
      await poller.poll(service([blocks(100, 91)]))
      const asked: number[] = []
      const seen = []
      for (const head of [102, 103, 104, 105, 106]) {
        poller.clock.now += 1_000
        const listed = [...blocks(head, 103), bad, ...blocks(101, 91)]
        await poller.poll(
          service([listed], (height) => {
            asked.push(height)
            return get(height)
          }),
        )
        seen.push([poller.value('stakewatch_chain_head_height'), counters(poller).missed])
      }
      // 101, 103 to 106: the first is what is below the bad one.
      expect(seen).toEqual([
        [101, 0],
        [103, 0],
        [104, 0],
        [105, 1],
        [106, 1],
      ])
      expect(asked).toEqual([102, 102, 102])
      expect(counters(poller)).toEqual({ even: 4, odd: 1, transactions: 7, missed: 1 })
      // It stays missed when it can be read after all.
      poller.clock.now += 1_000
      await poller.poll(service([blocks(106, 91)]))
      expect(counters(poller)).toEqual({ even: 4, odd: 1, transactions: 7, missed: 1 })
    },
  )

  test('counts a block that is readable again at the third run', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    await poller.poll(service([blocks(100, 91)]))
    for (const bad of [unread, unread, block(102)]) {
      poller.clock.now += 1_000
      await poller.poll(service([[...blocks(106, 103), bad, ...blocks(101, 91)]], failed))
      expect(poller.success()).toEqual([1])
    }
    expect(counters(poller)).toEqual(all)
  })

  test('asks for one block per run if the service returns single blocks too late', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    await poller.poll(service([blocks(100, 91)]))
    let asked = 0
    const late = () => {
      asked += 1
      return new BaseError('timeout', 'late')
    }
    const holed = [block(106), block(103), ...blocks(100, 91)]
    await poller.poll(service([holed], late))
    expect([asked, counters(poller).missed]).toEqual([1, 0])
    poller.clock.now += 1_000
    await poller.poll(service([holed]))
    expect(counters(poller)).toEqual(all)
  })

  test('a list without blocks is no answer', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    await poller.poll(service([blocks(100, 91)]))
    await poller.poll(() => ({ blocks: [] }))
    expect(poller.lines(/head_height/)).toEqual([`stakewatch_chain_head_height{${chain}} 100`])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bad_response' }])
  })

  test.each([
    ['the first page', [{ chainName: 'x-chain', network: 'fuji' }]],
    [
      'a later page',
      [
        { chainName: 'p-chain', network: 'fuji' },
        { chainName: 'p-chain', network: 'mainnet' },
      ],
    ],
  ])('ignores blocks of another chain or network on %s', async (_, infos) => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    const about = (of: readonly object[], low: number): Upstream => {
      const pages = of.length === 1 ? [blocks(106, low)] : [blocks(106, 103), blocks(102, low)]
      const listing = service(pages)
      return (operation, wire, source) => ({
        ...(listing(operation, wire, source) as object),
        chainInfo: of[Number(wire.query['pageToken'] ?? 0)],
      })
    }
    await poller.poll(service([blocks(100, 91)]))
    expect(poller.lines(/mismatch/)).toEqual([])
    poller.clock.now += 1_000
    await poller.poll(about(infos, 97))
    expect(poller.lines(/^stakewatch_(chain_head|chain_blocks|primary|validator)/)).toEqual([
      `stakewatch_primary_blocks_chain_mismatch{${chain}} 1`,
    ])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bad_response' }])
    // What it had counted before it still knows.
    poller.clock.now += 1_000
    await poller.poll(about([{ chainName: 'p-chain', network: 'fuji' }], 97))
    expect(counters(poller)).toEqual(all)
    expect(poller.lines(/mismatch/)).toEqual([`stakewatch_primary_blocks_chain_mismatch{${chain}} 0`])
  })

  test.each([
    ['the P-Chain has them', 'p-chain', { proposerTimestamp: 1_001 }, { lag: 9, active: 1_400 }],
    ['no other chain has', 'c-chain', { proposerTimestamp: 1_001 }, { lag: 9 }],
    ['a proposer without a time', 'p-chain', { proposerNodeId: TRACKED }, { active: 1_400 }],
    ['no proposer', 'x-chain', null, {}],
  ])('L1 validators and proposer lag: %s', async (_, id, proposerDetails, expected) => {
    const poller = createPoller(yaml.replace('id: p-chain', `id: ${id}`), primaryBlocks, NOW)
    const facts = { activeL1Validators: 1_400, l1ValidatorsAccruedFees: 27_000_000_000, proposerDetails }
    await poller.poll(() => ({ blocks: [{ ...block(101), ...facts }, block(100)] }))
    const published = {
      lag: poller.value('stakewatch_chain_block_proposer_lag_seconds'),
      active: poller.value('stakewatch_l1_active_validators'),
    }
    expect(published).toEqual(expected)
  })

  test('where no block names its proposer, the number of proposed blocks is unknown and not 0', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    const unnamed = blocks(60, 11).map(({ proposerDetails: _, ...one }) => one)
    await poller.poll(service([unnamed]))
    await poller.poll(service([unnamed]))
    expect([poller.list('stakewatch_validator_blocks_proposed_total'), poller.success()]).toEqual([[], [1]])
    await poller.poll(service([blocks(62, 13)]))
    expect(poller.list('stakewatch_validator_blocks_proposed_total')).toEqual([0])
  })

  test('a validator added by a reload starts at 0, the others continue', async () => {
    const before = createPoller(yaml, primaryBlocks, NOW)
    await before.poll(service([blocks(100, 91)]))
    await before.poll(service([blocks(106, 97)]))
    const added = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
    const two = yaml.replace('name: one }', `name: one }, { node_id: ${added}, name: two }`)
    const after = createPoller(two, primaryBlocks, 0)
    const key = before.tasks[0]!.key
    await after.memories.save(key, before.memories.load(key))
    const proposals = () => after.values('stakewatch_validator_blocks_proposed_total', 'validator')
    await after.poll(service([blocks(106, 97)]))
    expect(proposals()).toEqual({ one: 1, two: 0 })
    after.clock.now += 1_000
    await after.poll(service([[{ ...block(107), proposerDetails: { proposerNodeId: added } }, ...blocks(106, 97)]]))
    expect(proposals()).toEqual({ one: 1, two: 1 })
  })

  test('5,000 block types and 5,000 proposers add no more than 33 types', async () => {
    const poller = createPoller(yaml, primaryBlocks, NOW)
    const invented = (high: number, low: number) =>
      blocks(high, low).map((one) => ({
        ...one,
        blockType: `t${one.blockNumber}`,
        proposerDetails: { proposerNodeId: `NodeID-${one.blockNumber}` },
      }))
    await poller.poll(service([invented(10, 1)]))
    await poller.poll(service([invented(5_010, 6)]))
    const lines = poller.lines(/chain_blocks_total/)
    expect(lines).toHaveLength(33)
    // 10 types were there, 22 more came, the others of 5,000 blocks have no name of their own.
    expect(lines.filter((line) => line.includes('"other"'))).toEqual([
      `stakewatch_chain_blocks_total{${chain},block_type="other"} 4978`,
    ])
    expect(poller.list('stakewatch_validator_blocks_proposed_total')).toEqual([0])
  })
})
