import { describe, expect, test } from 'vitest'
import type { AnyCollector } from '../../../src/collectors/define.ts'
import { consensusWeight } from '../../../src/collectors/subnets/consensus-weight.ts'
import { delegations } from '../../../src/collectors/validators/delegations.ts'
import { l1Validators } from '../../../src/collectors/validators/l1-validators.ts'
import { uptime } from '../../../src/collectors/validators/uptime.ts'
import { validators } from '../../../src/collectors/validators/validators.ts'
import { BaseError } from '../../../src/errors.ts'
import { withNodeTime } from '../../support/node-time.ts'
import { createPoller, type Upstream } from '../../support/poll.ts'

/** What AvalancheGo 1.14.2 answers when a single id of a list has a wrong checksum. */
const refusal = () =>
  new BaseError('rpc_error', 'the node answered with error -32000', {
    details:
      "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls",
  })
const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const TWO = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
/** Of right form, but in no set. */
const ABSENT = 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN'
/** The node refuses it. */
const BAD = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const MINUTE = 60_000
const HOUR = 60 * MINUTE

function config(ids: readonly string[], subnet = 'primary') {
  const tracked = ids.map((id, at) => `{ node_id: ${id}, name: v${at}, subnet: ${subnet} }`)
  const l1 = subnet === 'primary' ? '' : `\n    subnets: [{ id: ${L1}, name: ${subnet} }]`
  return `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]${l1}
    validators: [${tracked.join(', ')}]
`
}

/** A node with these members that refuses every list with a bad id; what it is asked for goes into `asked`. */
function nodeWith(members: readonly object[], bad: readonly string[], asked: string[][] = []): Upstream {
  const answers: Upstream = (_, { body }) => {
    const ids = body['nodeIDs'] as string[] | undefined
    asked.push(ids ?? ['all'])
    if (ids?.some((id) => bad.includes(id))) return refusal()
    return { validators: members.filter((member) => !ids || ids.includes((member as { nodeID: string }).nodeID)) }
  }
  return withNodeTime(answers, { height: 1, time: 1_000 })
}

const member = (nodeID: string) => ({
  nodeID,
  weight: '1',
  delegatorWeight: '0',
  delegatorCount: '0',
  connected: true,
  balance: '5000000000',
})

describe('a node that refuses a list because of one node id in it', () => {
  test('consensus-weight: compares the others, names the id, and leaves it out from then on', async () => {
    const poller = createPoller(config([ONE, BAD, TWO]), consensusWeight, 0)
    const asked: string[][] = []
    const node = nodeWith([member(ONE), member(TWO)], [BAD], asked)
    const weights = Object.fromEntries([ONE, TWO].map((id) => [id, { weight: '1' }]))
    const others: Readonly<Record<string, unknown>> = {
      'platform.getTotalStake': { weight: '2' },
      'platform.getMinStake': { minValidatorStake: '1', minDelegatorStake: '1' },
      'platform.getValidatorsAt': weights,
    }
    const answers: Upstream = (operation, ...rest) => others[operation] ?? node(operation, ...rest)
    for (let run = 0; run < 2; run += 1) {
      poller.clock.now += run * 5 * MINUTE
      await poller.poll(answers)
      const compared = poller.series('stakewatch_validator_weight_difference')
      expect(compared.map(({ labels, value }) => [labels['validator'], value])).toEqual([
        ['v0', 0],
        ['v2', 0],
      ])
      expect(poller.success()).toEqual([0])
    }
    expect(poller.log).toMatchObject([
      { code: 'rpc_error', reason: `the node refuses ${BAD} as a node id, so requests leave it out` },
    ])
    expect(asked).toEqual([[ONE, BAD, TWO], ['all'], [ONE, TWO]])
  })

  test.each<[string, AnyCollector, string, RegExp]>([
    ['validators', validators, 'primary', /^stakewatch_validator_in_set/],
    ['uptime', uptime, 'primary', /^stakewatch_validator_connected/],
    ['l1-validators', l1Validators, 'my-l1', /^stakewatch_l1_validator_balance_tokens/],
  ])('%s: publishes the others and fails with the id as reason', async (_, collector, subnet, metric) => {
    const poller = createPoller(config([ONE, BAD, TWO], subnet), collector, 0)
    const published = () => poller.series(metric).map(({ labels }) => labels['validator'])
    const asked: string[][] = []
    await poller.poll(nodeWith([member(ONE), member(TWO)], [BAD], asked))
    expect(published()).toEqual(['v0', 'v2'])
    expect(poller.success()).toEqual([0])
    expect(poller.log).toMatchObject([
      { code: 'rpc_error', reason: `the node refuses ${BAD} as a node id, so requests leave it out` },
    ])
    // The only one that is no member of the whole set must be the refused one.
    expect(asked).toEqual([[ONE, BAD, TWO], ['all']])

    asked.length = 0
    poller.clock.now += MINUTE
    await poller.poll(nodeWith([member(ONE), member(TWO)], [BAD], asked))
    expect(asked).toEqual([[ONE, TWO]])
    expect(published()).toEqual(['v0', 'v2'])
    expect(poller.success()).toEqual([0])
    expect(poller.log).toHaveLength(1)
  })

  test('publishes nothing about the refused validator, but that a missing one left', async () => {
    const poller = createPoller(config([ONE, BAD, ABSENT]), validators, 0)
    const asked: string[][] = []
    await poller.poll(nodeWith([member(ONE)], [BAD], asked))
    const inSet = () => poller.values('stakewatch_validator_in_set', 'validator')
    expect(inSet()).toEqual({ v0: 1, v2: 0 })
    // Two are no members: halves tell which of them is refused.
    expect(asked).toEqual([[ONE, BAD, ABSENT], ['all'], [BAD], [ABSENT]])
    poller.clock.now += MINUTE
    await poller.poll(nodeWith([member(ONE)], [BAD], asked))
    expect(inSet()).toEqual({ v0: 1, v2: 0 })
  })

  test('finds several refused ids by bisection', async () => {
    const suspects = [
      ONE,
      TWO,
      BAD,
      ABSENT,
      'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i',
      'NodeID-AhH2GqSW4sfUPXcyeiNoaic4yzFDbET3S',
      'NodeID-DLvnBbu2z592Z5avvFPAqbcV6Js4H8pje',
      'NodeID-J6G6pzAd4R1swFWRD81q6ZycsSBsUPbif',
    ]
    const there = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'
    const poller = createPoller(config([...suspects, there]), validators, 0)
    const asked: string[][] = []
    await poller.poll(nodeWith([member(there)], [BAD, suspects[7]!], asked))
    const places = asked.slice(2).map((ids) => ids.map((id) => suspects.indexOf(id)))
    expect(places).toEqual([[0, 1, 2, 3], [0, 1], [2], [3], [4, 5, 6, 7], [4, 5], [6]])
    expect(poller.log).toMatchObject([{ reason: expect.stringContaining(`${BAD}, ${suspects[7]}`) as string }])
    // Six have left the set, one is there.
    expect(poller.lines(/_in_set.* 0$/)).toHaveLength(6)
    expect(poller.lines(/_in_set.* 1$/)).toHaveLength(1)
  })

  test('asks for refused ids again after an hour', async () => {
    const poller = createPoller(config([ONE, BAD]), validators, 0)
    await poller.poll(nodeWith([member(ONE)], [BAD]))
    const asked: string[][] = []
    poller.clock.now = HOUR - 1_000
    await poller.poll(nodeWith([member(ONE), member(BAD)], [], asked))
    expect(poller.success()).toEqual([0])
    poller.clock.now = HOUR
    await poller.poll(nodeWith([member(ONE), member(BAD)], [], asked))
    expect(asked).toEqual([[ONE], [ONE, BAD]])
    expect(poller.success()).toEqual([1])
    expect(poller.lines(/_in_set/)).toHaveLength(2)
  })

  test('asks for refused ids again after the clock was set back', async () => {
    const poller = createPoller(config([ONE, BAD]), validators, 24 * HOUR)
    await poller.poll(nodeWith([member(ONE)], [BAD]))
    poller.clock.now = 2 * HOUR
    await poller.poll(nodeWith([member(ONE), member(BAD)], []))
    expect(poller.success()).toEqual([1])
  })

  test('does not ask every minute for a refused id that is the only one', async () => {
    const poller = createPoller(config([BAD]), validators, 0)
    const asked: string[][] = []
    for (const minute of [0, 1, 2]) {
      poller.clock.now = minute * MINUTE
      await poller.poll(nodeWith([member(ONE)], [BAD], asked))
      expect(poller.success()).toEqual([0])
    }
    expect(asked).toEqual([[BAD], ['all']])
    expect(poller.lines(/^stakewatch_validator_/)).toEqual([])
  })

  test.each<[string, Upstream, number]>([
    ['a node that refuses the subnet refuses the whole set as well: the ids are not to blame', () => refusal(), 2],
    [
      'a node that refuses a list of members alone: no id is to blame',
      (_, { body }) => (body['nodeIDs'] ? refusal() : { validators: [member(ONE), member(TWO)] }),
      2,
    ],
    ['another error of the node is no refusal', () => new BaseError('rpc_error', 'error', { details: 'not found' }), 1],
  ])('%s', async (_, upstream, calls) => {
    const poller = createPoller(config([ONE, TWO]), validators, 0)
    let asked = 0
    await poller.poll((...question) => {
      asked += 1
      return upstream(...question)
    })
    expect([asked, poller.success()]).toEqual([calls, [0]])
    expect(poller.log).not.toMatchObject([{ reason: expect.stringContaining('refuses') as string }])
  })

  test('delegations: asks for each validator alone, and names the refused one', async () => {
    const poller = createPoller(config([ONE, BAD]), delegations, 0)
    await poller.poll(nodeWith([{ ...member(ONE), delegators: [] }], [BAD]))
    expect(poller.success()).toEqual([1, 0])
    expect(poller.log).toMatchObject([{ reason: `the node refuses ${BAD} as a node id, so requests leave it out` }])
  })
})
