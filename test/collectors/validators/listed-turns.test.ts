// block-turns without a node that has an index: who built the blocks of the P- and X-Chain, by the data service.

import { describe, expect, test } from 'vitest'
import { blockTurns } from '../../../src/collectors/validators/block-turns.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, type Poller } from '../../support/poll.ts'
import { nodeOf } from './wrapped-blocks.ts'

const START = 1_780_000_000
const STAKES = { alpha: 30, bravo: 20, charlie: 50 }
const BY_TURNS = ['alpha', 'charlie', 'bravo', 'charlie'] as const

const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    data_api: { url: "http://127.0.0.1:2" }
    chains: [{ id: p-chain }, { id: x-chain }, { id: c-chain }]
    validators: [{ node_id: ${nodeOf('alpha')}, name: alpha }, { node_id: ${nodeOf('bravo')}, name: bravo }]
`

interface Built {
  /** By whom; undefined where the service does not say it. */
  by: string | undefined
}

/** Ten seconds after each other. */
const recordOf = ({ by }: Built, height: number) => ({
  blockNumber: String(height),
  blockHash: `block-${height}`,
  blockTimestamp: START + 10 * Math.min(height, 10_000),
  txCount: 1,
  proposerDetails: by === undefined ? {} : { proposerNodeId: nodeOf(by), proposerPChainHeight: height - 1 },
})

/** Builders in the order of the heights, from 1 on; `hidden` heights are not listed. */
function upstream(built: readonly Built[], hidden: readonly number[] = [], asked: string[] = []) {
  const newestFirst = built
    .map((one, at) => recordOf(one, at + 1))
    .filter((_, at) => !hidden.includes(at + 1))
    .toReversed()
  return (operation: string, { query }: { query: Readonly<Record<string, unknown>> }) => {
    asked.push(operation)
    if (operation === 'platform.getValidatorsAt') {
      return Object.fromEntries(Object.entries(STAKES).map(([name, weight]) => [nodeOf(name), { weight: `${weight}` }]))
    }
    const from = Number(query['pageToken'] ?? 0)
    const next = from + 50
    return {
      blocks: newestFirst.slice(from, next),
      ...(next < newestFirst.length && { nextPageToken: String(next) }),
    }
  }
}

const blocks = (count: number, by: (at: number) => string | undefined = (at) => BY_TURNS[at % 4]): Built[] =>
  Array.from({ length: count }, (_, at) => ({ by: by(at) }))

const yamlOf = (chain: string) => yaml.replace(/chains: .*/, `chains: [{ id: ${chain} }]`)

const newPoller = (chain = 'p-chain') => createPoller(yamlOf(chain), blockTurns, (START + 10 * 86_400) * 1_000)

async function poll(poller: Poller, ...given: Parameters<typeof upstream>) {
  poller.clock.now += 60_000
  await poller.poll(upstream(...given))
}

const made = (poller: Poller, validator: string) =>
  poller.values('stakewatch_validator_turns_total', 'outcome', { validator })
const due = (poller: Poller, validator: string) => poller.value('stakewatch_validator_blocks_due', { validator })
const gaps = (poller: Poller) => poller.value('stakewatch_chain_turns_gaps_total')
const success = (poller: Poller) => poller.value('stakewatch_collector_success')

test('runs for the P- and X-Chain alone, where no node has an index', () => {
  expect(createPoller(yaml, blockTurns, 0).tasks.map(({ key }) => key)).toEqual([
    'block-turns/fuji/p-chain',
    'block-turns/fuji/x-chain',
  ])
  const indexed = createPoller(yaml.replace('1" }]', '1", index: true }]'), blockTurns, 0)
  expect(indexed.tasks).toHaveLength(3)
})

test.each(['p-chain', 'x-chain'])(
  'counts each block of the %s for its builder, and nothing of turns that passed',
  async (chain) => {
    const poller = newPoller(chain)
    await poll(poller, blocks(10))
    expect(made(poller, 'alpha')).toEqual({ made: 0 })
    await poll(poller, blocks(18))
    await poll(poller, blocks(18))
    // Heights 11 to 18: two rounds of four.
    expect(made(poller, 'alpha')).toEqual({ made: 2 })
    expect(poller.values('stakewatch_chain_turns_total', 'outcome')).toEqual({ made: 8 })
    expect(poller.value('stakewatch_validator_last_block_timestamp_seconds', { validator: 'alpha' })).toBe(START + 170)
    for (const metric of ['chain_draw_contradicted', 'chain_late_blocks_total', 'validator_turns_missed_in_row']) {
      expect(poller.value(`stakewatch_${metric}`)).toBeUndefined()
    }
  },
)

test('the share of the turns, which all chains have in common, is published once', async () => {
  const poller = createPoller(yaml, blockTurns, (START + 10 * 86_400) * 1_000)
  await poll(poller, blocks(10))
  expect(poller.values('stakewatch_validator_turns_expected_ratio', 'validator')).toEqual({ alpha: 0.3, bravo: 0.2 })
})

test('blocks of others are due by its share, until it builds one', async () => {
  const poller = newPoller()
  await poll(poller, blocks(10))
  const silent = (count: number) => blocks(count, (at) => (at % 2 ? 'charlie' : 'alpha'))
  await poll(poller, silent(40))
  // 20 % of 30.
  expect(due(poller, 'bravo')).toBeCloseTo(6, 9)
  await poll(poller, [...silent(40), { by: 'bravo' }])
  expect(due(poller, 'bravo')).toBe(0)
})

test('a block without a builder counts for no one', async () => {
  const poller = newPoller()
  await poll(poller, blocks(10))
  await poll(poller, [...blocks(10), { by: undefined }, { by: 'alpha' }])
  expect([made(poller, 'alpha'), due(poller, 'bravo'), success(poller)]).toEqual([{ made: 1 }, 0.2, 1])
})

describe('what is not known', () => {
  test('a service that names no builder is not supported', async () => {
    const poller = newPoller()
    await poll(
      poller,
      blocks(10, () => undefined),
    )
    expect([success(poller), gaps(poller)]).toEqual([1, undefined])
  })

  test('older pages are read after an outage, and what is out of their reach is a gap', async () => {
    const poller = newPoller()
    await poll(poller, blocks(10))
    await poll(poller, blocks(410))
    expect([made(poller, 'alpha'), gaps(poller)]).toEqual([{ made: 100 }, 0])
    await poll(poller, blocks(1_500))
    expect([made(poller, 'alpha'), gaps(poller), due(poller, 'alpha')]).toEqual([{ made: 100 }, 1, 0])
  })

  test('blocks that come before the older pages are read count once, with the next run', async () => {
    const poller = newPoller()
    await poll(poller, blocks(10))
    let count = 110
    poller.clock.now += 60_000
    await poller.poll((operation, wire) => {
      const isBlocks = operation !== 'platform.getValidatorsAt'
      return upstream(blocks(isBlocks && !wire.query['pageToken'] ? (count += 4) : count))(operation, wire)
    })
    expect([made(poller, 'alpha'), gaps(poller)]).toEqual([{ made: 26 }, 0])
    await poll(poller, blocks(118))
    expect([made(poller, 'alpha'), gaps(poller)]).toEqual([{ made: 27 }, 0])
  })

  test.each([
    ['without a stake', { [nodeOf('alpha')]: { weight: '30' }, [nodeOf('charlie')]: {} }],
    ['without validators', {}],
  ])('of an answer %s it is unknown how many blocks are due, and not 0', async (_, set) => {
    const poller = newPoller()
    const withUnknown = (count: number) => {
      const answers = upstream(blocks(count, () => 'charlie'))
      return (operation: string, wire: Parameters<typeof answers>[1]) =>
        operation === 'platform.getValidatorsAt' ? set : answers(operation, wire)
    }
    for (const count of [10, 40]) {
      poller.clock.now += 60_000
      await poller.poll(withUnknown(count))
    }
    expect([due(poller, 'alpha'), made(poller, 'alpha'), success(poller)]).toEqual([undefined, { made: 0 }, 1])
    expect(poller.value('stakewatch_validator_turns_expected_ratio', { validator: 'alpha' })).toBeUndefined()
    await poll(
      poller,
      blocks(50, () => 'charlie'),
    )
    expect(due(poller, 'alpha')).toBeCloseTo(3, 9)
  })

  test.each([
    ['fails', new BaseError('rpc_error', 'the height is not known'), 0, '3.30'],
    ['has no node that works them out', new BaseError('unsupported', 'there is no node'), 1, undefined],
  ])('blocks count where the look-up of stakes %s', async (_, error, succeeds, dueThen) => {
    const without = (built: readonly Built[]) => {
      const answers = upstream(built)
      return (operation: string, wire: Parameters<typeof answers>[1]) =>
        operation === 'platform.getValidatorsAt' ? error : answers(operation, wire)
    }
    const poller = newPoller()
    poller.clock.now += 60_000
    await poller.poll(without(blocks(10)))
    expect([success(poller), made(poller, 'alpha'), due(poller, 'alpha')]).toEqual([succeeds, { made: 0 }, undefined])
    await poll(poller, blocks(10))
    expect(due(poller, 'alpha')).toBe(0)
    poller.clock.now += 3_600_000
    await poller.poll(without([...blocks(10), { by: 'bravo' }, ...blocks(10, () => 'charlie')]))
    expect([success(poller), made(poller, 'bravo')]).toEqual([succeeds, { made: 1 }])
    expect(poller.values('stakewatch_validator_turns_expected_ratio', 'validator')).toEqual({})
    expect(due(poller, 'alpha')?.toFixed(2)).toBe(dueThen)
  })

  test('a block far ahead of the others does not end the counting', async () => {
    const poller = newPoller()
    await poll(poller, blocks(20))
    poller.clock.now += 60_000
    const answers = upstream(blocks(24))
    await poller.poll((operation, wire) => {
      const answer = answers(operation, wire) as { blocks?: object[] }
      return { ...answer, ...(answer.blocks && { blocks: [recordOf({ by: 'bravo' }, 1_000_000), ...answer.blocks] }) }
    })
    expect([made(poller, 'alpha'), made(poller, 'bravo')]).toEqual([{ made: 1 }, { made: 1 }])
    await poll(poller, blocks(28))
    expect([made(poller, 'alpha'), made(poller, 'bravo')]).toEqual([{ made: 2 }, { made: 2 }])
  })

  test('a block that the service does not list is a gap, and the others count', async () => {
    const poller = newPoller()
    await poll(poller, blocks(10))
    await poll(poller, blocks(18), [12])
    expect([made(poller, 'alpha'), gaps(poller), success(poller)]).toEqual([{ made: 2 }, 1, 1])
    await poll(poller, blocks(20), [12])
    expect([made(poller, 'alpha'), gaps(poller)]).toEqual([{ made: 2 }, 1])
  })

  test('a height that no chain can have is not the place to go on from', async () => {
    const poller = newPoller()
    await poll(poller, blocks(10))
    poller.clock.now += 60_000
    const absurd = [0, 1, 2].map((at) => recordOf({ by: 'alpha' }, 1e15 - at))
    await poller.poll((operation, wire) => {
      const answer = upstream(blocks(10))(operation, wire)
      return 'blocks' in answer ? { ...answer, blocks: absurd } : answer
    })
    expect([made(poller, 'alpha'), success(poller), poller.reasons]).toEqual([{ made: 0 }, 0, ['height']])
    await poll(poller, blocks(18))
    expect([made(poller, 'alpha'), gaps(poller), success(poller)]).toEqual([{ made: 2 }, 0, 1])
  })

  test('a chain that begins again is counted from there, once it has been that for five minutes', async () => {
    const poller = newPoller()
    await poll(poller, blocks(100))
    for (let minutes = 0; minutes < 6; minutes += 1) await poll(poller, blocks(10 + minutes))
    expect([gaps(poller), success(poller)]).toEqual([1, 1])
    await poll(poller, blocks(18))
    expect(made(poller, 'alpha')).toEqual({ made: 1 })
  })

  test('a replica of the service that is behind changes nothing', async () => {
    const poller = newPoller()
    await poll(poller, blocks(20))
    await poll(poller, blocks(24))
    await poll(poller, blocks(22))
    await poll(poller, blocks(24))
    expect([made(poller, 'alpha'), gaps(poller), success(poller)]).toEqual([{ made: 1 }, 0, 1])
  })
})

test('stakes are looked up once an hour', async () => {
  const poller = newPoller()
  const asked: string[] = []
  for (let minutes = 0; minutes < 121; minutes += 1) await poll(poller, blocks(10 + minutes), [], asked)
  expect(asked.filter((operation) => operation === 'platform.getValidatorsAt')).toHaveLength(3)
})
