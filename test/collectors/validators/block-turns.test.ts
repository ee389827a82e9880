import { describe, expect, test } from 'vitest'
import { blockTurns } from '../../../src/collectors/validators/block-turns.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, type Poller, type Upstream } from '../../support/poll.ts'
import { toCb58 } from '../../../src/lib/ids.ts'
import { PRIMARY_NETWORK_ID } from '../../../src/lib/primary-network.ts'
import { chainOf, nodeOf, nodeWith, type Weights } from './wrapped-blocks.ts'

const START = 1_780_000_000
const MINUTE = 60_000
const STAKES: Weights = { alpha: 30, bravo: 20, charlie: 25, delta: 25 }
const names = Object.keys(STAKES)

const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1", index: true }, { name: node-b, url: "http://127.0.0.1:2" }]
    chains: [{ id: p-chain }]
    validators:
${names.map((name) => `      - { node_id: ${nodeOf(name)}, name: ${name} }`).join('\n')}
`

/** Its nodes alone know the ids of its chains; the last one is that of an L1, which no index has. */
const custom = yaml
  .replace('fuji', 'devnet')
  .replace('{ id: p-chain }', `{ id: p-chain }, { id: x-chain }, { id: ${toCb58(Buffer.alloc(32, 7))} }`)

type Chain = ReturnType<typeof chainOf>

const newChain = (weightsAt: (height: number) => Weights = () => STAKES) => chainOf(START, weightsAt)

/** Blocks a second apart. Who is silent lets every turn pass; returns whose turns passed. */
function grow(chain: Chain, count: number, silent: readonly string[] = [], pace = 1): string[] {
  const passed: string[] = []
  for (let made = 0; made < count; made += 1) {
    let slot = Math.floor(pace / 5)
    while (silent.includes(chain.drawn(slot)!)) {
      passed.push(chain.drawn(slot)!)
      slot += 1
    }
    chain.add({ after: Math.max(pace, 5 * slot) })
  }
  return passed
}

const times = (all: readonly (string | undefined)[], name: string) => all.filter((one) => one === name).length

/** Polls a minute later, when all blocks are there. */
async function poll(poller: Poller, chain: Chain, weightsAt: Parameters<typeof nodeWith>[1] = () => STAKES) {
  await pollOf(poller, nodeWith(chain.containers, weightsAt))
}

async function pollOf(poller: Poller, upstream: Upstream) {
  poller.clock.now += MINUTE
  await poller.poll(upstream)
}

const nodeWithStakes = (containers: Chain['containers']) => nodeWith(containers, () => STAKES)

const newPoller = (text = yaml) => createPoller(text, blockTurns, (START + 10 * 86_400) * 1_000)
const turnsOf = (poller: Poller, validator: string) =>
  poller.values('stakewatch_validator_turns_total', 'outcome', { validator })
const ofChain = (poller: Poller) => poller.values('stakewatch_chain_turns_total', 'outcome')
const inRow = (poller: Poller, validator: string) =>
  poller.value('stakewatch_validator_turns_missed_in_row', { validator })
const due = (poller: Poller, validator: string) => poller.value('stakewatch_validator_blocks_due', { validator })
const contradicted = (poller: Poller) => poller.value('stakewatch_chain_draw_contradicted')
const gaps = (poller: Poller) => poller.value('stakewatch_chain_turns_gaps_total')
const success = (poller: Poller) => poller.value('stakewatch_collector_success')

/** A poller that has begun after some blocks of a chain. */
async function begun(chain: Chain, before = 3) {
  grow(chain, before)
  const poller = newPoller()
  await poll(poller, chain)
  return poller
}

describe('block-turns', () => {
  test('asks only nodes with an index, about chains of the primary network', () => {
    expect(newPoller(custom).tasks.map(({ key }) => key)).toEqual([
      'block-turns/devnet/p-chain',
      'block-turns/devnet/x-chain',
    ])
    expect(newPoller().tasks.map(({ sources }) => sources.map(({ name }) => name))).toEqual([['node-a']])
  })

  test('on a custom network a node says the id of the chain', async () => {
    const id = toCb58(Buffer.alloc(32, 9))
    const [chain, poller] = [chainOf(START, () => STAKES, id), newPoller(custom)]
    const blockchains = { blockchains: [{ id, name: 'X-Chain', subnetID: PRIMARY_NETWORK_ID, vmID: id }] }
    const ask = async () => {
      const answers = nodeWithStakes(chain.containers)
      await pollOf(poller, (operation, asked, path) =>
        operation === 'platform.getBlockchains' ? blockchains : answers(operation, asked, path),
      )
    }
    grow(chain, 3)
    await ask()
    grow(chain, 10)
    const passed = grow(chain, 40, ['bravo'])
    grow(chain, 10)
    await ask()
    const of = { chain: 'x-chain' }
    expect(poller.values('stakewatch_chain_turns_total', 'outcome', of)).toEqual({
      made: 60,
      missed: passed.length,
      idle: 0,
      unknown: 0,
    })
    expect(poller.value('stakewatch_chain_draw_contradicted', of)).toBe(0)
  })

  test('begins at the newest block and counts none before it', async () => {
    const poller = await begun(newChain())
    expect(ofChain(poller)).toEqual({ made: 0, missed: 0, idle: 0, unknown: 0 })
    expect(turnsOf(poller, 'alpha')).toEqual({ made: 0, missed: 0, idle: 0, unknown: 0 })
    expect(poller.value('stakewatch_validator_last_block_timestamp_seconds', { validator: 'alpha' })).toBeUndefined()
    expect(poller.value('stakewatch_validator_turns_expected_ratio', { validator: 'alpha' })).toBe(0.3)
  })

  test('counts each block once for its builder', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 100)
    await poll(poller, chain)
    await poll(poller, chain)
    const made = chain.builders.slice(3)
    for (const name of names) expect(turnsOf(poller, name)['made']).toBe(times(made, name))
    expect(ofChain(poller)).toEqual({ made: 100, missed: 0, idle: 0, unknown: 0 })
    expect(poller.values('stakewatch_validator_turns_expected_ratio', 'validator')).toEqual({
      alpha: 0.3,
      bravo: 0.2,
      charlie: 0.25,
      delta: 0.25,
    })
    // One second after the other.
    expect(poller.value('stakewatch_validator_last_block_timestamp_seconds', { validator: 'alpha' })).toBe(
      START + chain.builders.lastIndexOf('alpha') + 1,
    )
  })

  test('a turn that passes on a busy chain was missed by the one that was drawn', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 10)
    const passed = grow(chain, 40, ['bravo'])
    grow(chain, 10)
    await poll(poller, chain)
    expect(passed.length).toBeGreaterThan(3)
    expect(turnsOf(poller, 'bravo')['missed']).toBe(passed.length)
    for (const name of ['alpha', 'charlie', 'delta']) expect(turnsOf(poller, name)['missed']).toBe(0)
    expect(ofChain(poller)).toEqual({ made: 60, missed: passed.length, idle: 0, unknown: 0 })
  })

  test('misses in a row, and blocks that are due, count up to its next block', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 10)
    grow(chain, 60, ['bravo'])
    await poll(poller, chain)
    const missed = turnsOf(poller, 'bravo')['missed']!
    expect(missed).toBeGreaterThan(3)
    expect([inRow(poller, 'bravo'), inRow(poller, 'alpha')]).toEqual([missed, 0])
    // A fifth of the stake, and its last block was among the first ten, of which one was not counted yet.
    expect(due(poller, 'bravo')).toBeGreaterThan(0.2 * 40)
    do grow(chain, 1)
    while (chain.builders.at(-1) !== 'bravo')
    await poll(poller, chain)
    grow(chain, 10, ['bravo'])
    expect([inRow(poller, 'bravo'), due(poller, 'bravo')]).toEqual([0, 0])
  })

  test.each([
    ['every 20 s', 20],
    ['every 4 s', 4],
  ])('no one misses a turn on a chain with blocks %s, though one is silent', async (_, pace) => {
    const chain = newChain()
    const poller = await begun(chain, 12)
    grow(chain, 60, ['bravo'], pace)
    await poll(poller, chain)
    expect(ofChain(poller)).toMatchObject({ made: 60, missed: 0, unknown: 0 })
    expect(ofChain(poller)['idle']).toBeGreaterThan(0)
    expect(inRow(poller, 'bravo')).toBe(0)
    // Blocks that others made say more: whose turn it is does not depend on work.
    expect(due(poller, 'bravo')).toBeGreaterThan(0.2 * 58)
  })

  test('a late block waits for those after it, and begins to count with them', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 10)
    const late = chain.drawn(0)!
    chain.add({ after: 5 })
    grow(chain, 9)
    await poll(poller, chain)
    expect(ofChain(poller)).toMatchObject({ made: 10, missed: 0 })
    grow(chain, 1)
    await poll(poller, chain)
    expect(ofChain(poller)).toEqual({ made: 21, missed: 1, idle: 0, unknown: 0 })
    expect(turnsOf(poller, late)['missed']).toBe(1)
    expect(poller.value('stakewatch_chain_late_blocks_total')).toBe(1)
  })

  test('after an hour any node may build, and nothing is said of it', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 12)
    chain.add({ after: 3_600, by: null })
    grow(chain, 10)
    await poll(poller, chain)
    expect(ofChain(poller)).toEqual({ made: 22, missed: 0, idle: 0, unknown: 0 })
    expect(contradicted(poller)).toBe(0)
  })

  test('begins after an option whose parent was not read', async () => {
    const chain = newChain()
    grow(chain, 3)
    chain.add({ after: 0, isOption: true })
    const poller = newPoller()
    await poll(poller, chain)
    grow(chain, 5)
    await poll(poller, chain)
    expect(ofChain(poller)).toEqual({ made: 5, missed: 0, idle: 0, unknown: 0 })
  })

  test('the validators are those at the height that the parent states', async () => {
    const later: Weights = { ...STAKES, alpha: 300, echo: 75 }
    const weightsAt = (height: number) => (height < 7 ? STAKES : later)
    const chain = newChain(weightsAt)
    const poller = await begun(chain)
    grow(chain, 10)
    chain.add({ after: 1, pChainHeight: 7 })
    const passed = grow(chain, 40, ['bravo'])
    grow(chain, 10)
    await poll(poller, chain, weightsAt)
    expect(turnsOf(poller, 'bravo')['missed']).toBe(passed.length)
    expect(contradicted(poller)).toBe(0)
    // 300 of 445.
    expect(poller.value('stakewatch_validator_turns_expected_ratio', { validator: 'alpha' })).toBeCloseTo(0.674, 3)
  })
})

describe('when the draw is another one', () => {
  /** The one who comes after the drawn one in the list. */
  const other = (chain: Chain, slot: number) => names[(names.indexOf(chain.drawn(slot)!) + 1) % names.length]!

  test('no one is accused, until ten blocks in a row fit it again', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 10)
    grow(chain, 40, ['bravo'])
    await poll(poller, chain)
    const missed = turnsOf(poller, 'bravo')['missed']!
    for (let more = 0; more < 20; more += 1)
      chain.add({ after: more === 9 ? 5 : 1, by: other(chain, more === 9 ? 1 : 0) })
    await poll(poller, chain)
    expect(contradicted(poller)).toBe(1)
    expect([inRow(poller, 'bravo'), due(poller, 'bravo')]).toEqual([undefined, undefined])
    grow(chain, 9)
    await poll(poller, chain)
    expect(contradicted(poller)).toBe(1)
    const before = turnsOf(poller, 'bravo')['missed']!
    expect(before - missed).toBeLessThan(8)
    for (let polls = 0; polls < 10; polls += 1) {
      grow(chain, 1)
      await poll(poller, chain)
    }
    expect(contradicted(poller)).toBe(0)
    expect([inRow(poller, 'bravo'), turnsOf(poller, 'bravo')['missed']]).toEqual([0, before])
    expect(success(poller)).toBe(1)
  })
})

describe('what is not known is no miss', () => {
  test('an index that does not have the last counted block is waited for, then a gap', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 10)
    grow(chain, 40, ['bravo'])
    grow(chain, 10, ['bravo'])
    await poll(poller, chain)
    const had = turnsOf(poller, 'bravo')
    expect(inRow(poller, 'bravo')).toBeGreaterThan(0)
    const newIndex = chain.containers.slice(-2)
    const seen: unknown[] = []
    for (let polls = 0; polls < 4; polls += 1) {
      grow(chain, 1)
      newIndex.push(chain.containers.at(-1)!)
      await pollOf(poller, nodeWithStakes(newIndex.slice(2).map((one, at) => ({ ...one, index: String(at) }))))
      seen.push([success(poller), gaps(poller), inRow(poller, 'bravo')! > 0])
    }
    expect(seen).toEqual([
      [0, 0, true],
      [0, 0, true],
      [0, 0, true],
      [1, 1, false],
    ])
    expect(turnsOf(poller, 'bravo')).toEqual(had)
  })

  test('an index that was off for a while has a hole: a gap, after a few runs', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 10)
    await poll(poller, chain)
    const before = chain.containers.length
    grow(chain, 5)
    const seen: unknown[] = []
    for (let polls = 0; polls < 5; polls += 1) {
      grow(chain, 2)
      const holed = chain.containers.toSpliced(before, 5).map((one, at) => ({ ...one, index: String(at) }))
      await pollOf(poller, nodeWithStakes(holed))
      seen.push([success(poller), gaps(poller), ofChain(poller)['made']])
    }
    expect(seen).toEqual([
      [0, 0, 10],
      [0, 0, 10],
      [0, 0, 10],
      [1, 1, 10],
      [1, 1, 12],
    ])
  })

  test('too many blocks at once are a gap', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 4_097)
    await poll(poller, chain)
    expect([gaps(poller), ofChain(poller)['made']]).toEqual([1, 0])
    grow(chain, 1)
    await poll(poller, chain)
    expect([gaps(poller), ofChain(poller)['made']]).toEqual([1, 1])
  })

  test('validators that a node never works out leave turns unknown', async () => {
    const chain = newChain()
    const poller = await begun(chain, 12)
    grow(chain, 10)
    chain.add({ after: 5 })
    grow(chain, 10)
    const seen: unknown[] = []
    for (let polls = 0; polls < 4; polls += 1) {
      await poll(poller, chain, () => new BaseError('rpc_error', 'error -32000', { details: 'pruned' }))
      seen.push([success(poller), ofChain(poller)['made'], ofChain(poller)['unknown']])
    }
    expect(seen).toEqual([
      [0, 10, 0],
      [0, 10, 0],
      [0, 10, 0],
      [0, 21, 1],
    ])
    await poll(poller, chain)
    expect([success(poller), ofChain(poller)['missed']]).toEqual([1, 0])
  })

  test('a weight that cannot be read leaves turns unknown', async () => {
    const chain = newChain()
    const poller = await begun(chain, 12)
    grow(chain, 10)
    chain.add({ after: 5 })
    grow(chain, 10)
    const answers = nodeWithStakes(chain.containers)
    await pollOf(poller, (operation, ...asked) => {
      const answer = answers(operation, ...asked) as Record<string, unknown>
      return operation === 'platform.getValidatorsAt' ? { ...answer, [nodeOf('alpha')]: { weight: 'many' } } : answer
    })
    expect(ofChain(poller)).toEqual({ made: 21, missed: 0, idle: 0, unknown: 1 })
    expect(contradicted(poller)).toBe(0)
  })

  test('a node whose index is empty, and one that has none', async () => {
    const poller = newPoller()
    await pollOf(poller, nodeWithStakes([]))
    expect([success(poller), gaps(poller)]).toEqual([1, undefined])
    await pollOf(poller, () => new BaseError('unsupported', 'there is no index'))
    expect([success(poller), gaps(poller)]).toEqual([1, undefined])
  })

  // A block of the P-Chain of type 32: time, parent, height, no transactions.
  const inner = `0x000000000020${'0'.repeat(16)}${'0'.repeat(64)}${'0'.repeat(16)}00000000`

  test.each([
    ['blocks without their proposers, as the document has them, are no turns', () => inner, 1],
    ['a block that was cut off is an error', (bytes: string) => bytes.slice(0, -2), 0],
    ['a byte that changed is an error', (bytes: string) => bytes.replace(/..(?=.{40}$)/, 'ff'), 0],
    ['bytes that are no block are an error', () => '0x00', 0],
  ])('at the beginning %s', async (_, change, succeeds) => {
    const chain = newChain()
    grow(chain, 3)
    const poller = newPoller()
    const broken = chain.containers.map((one) => ({ ...one, bytes: change(one.bytes) }))
    await pollOf(poller, nodeWithStakes(broken))
    expect([success(poller), gaps(poller)]).toEqual([succeeds, undefined])
    await poll(poller, chain)
    expect([success(poller), ofChain(poller)['made']]).toEqual([1, 0])
  })

  test('one run asks for the validators of 16 heights, the next one for more', async () => {
    const chain = newChain()
    const poller = await begun(chain)
    grow(chain, 10)
    for (let height = 1; height <= 20; height += 1) chain.add({ after: 20, pChainHeight: height })
    await poll(poller, chain)
    expect(ofChain(poller)['made']).toBe(26)
    await poll(poller, chain)
    expect(ofChain(poller)).toEqual({ made: 30, missed: 0, idle: 80, unknown: 0 })
  })
})

test.each([
  ['another block at the place', (all: Chain['containers']) => all.slice(1)],
  ['a block of another parent', (all: Chain['containers']) => all.toSpliced(1, 1)],
  ['bytes that are no block', (all: Chain['containers']) => all.map((one) => ({ ...one, bytes: '0x00' }))],
])('%s is an error, and nothing is counted', async (_, broken) => {
  const chain = newChain()
  const poller = await begun(chain)
  grow(chain, 5)
  const answers = nodeWithStakes(chain.containers)
  await pollOf(poller, (operation, ...asked) => {
    const answer = answers(operation, ...asked)
    if (operation !== 'index.getContainerRange') return answer
    return { containers: broken((answer as Pick<Chain, 'containers'>).containers) }
  })
  expect([success(poller), ofChain(poller)['made']]).toEqual([0, 0])
  await poll(poller, chain)
  expect([success(poller), ofChain(poller)['made']]).toEqual([1, 5])
})
