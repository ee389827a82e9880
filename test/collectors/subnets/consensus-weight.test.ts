import { describe, expect, test } from 'vitest'
import { consensusWeight } from '../../../src/collectors/subnets/consensus-weight.ts'
import { BaseError } from '../../../src/errors.ts'
import { operations } from '../../../src/operations/index.ts'
import { beyond } from '../../recorded/recorded.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'

const ID = '231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv'
const NODE_6 = 'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i'
const NODE_5 = 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5'
const NEVER = 'NodeID-EYfbUn864t7bqLDGkFwnGPPgiWdHuCZXC'
const INACTIVE = 'NodeID-111111111111111111116DBWJs'
const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
    subnets: [{ id: ${ID}, name: my-l1 }]
    validators:
      - { node_id: ${NODE_5}, name: genesis }
      - { node_id: ${NODE_5}, subnet: my-l1, name: five }
      - { node_id: ${NODE_6}, subnet: my-l1, name: six }
`

/** What was recorded, as the client gives or throws it. */
function recordedAs(method: string, name: string): unknown {
  const { response } = beyond.find((one) => one.of === `platform.${method}` && one.case === name)!
  const { result, error } = response as { result?: unknown; error?: { message: string } }
  if (result !== undefined) return result
  const isMissing = operations.find((one) => one.name === `platform.${method}`)!.notFound!.test(error!.message)
  return new BaseError(isMissing ? 'not_found' : 'rpc_error', 'error -32000', { details: error!.message })
}

type Answers = Partial<Record<'getTotalStake' | 'getMinStake' | 'getValidatorsAt' | 'getCurrentValidators', unknown>>
const ofL1 = {
  getTotalStake: recordedAs('getTotalStake', 'L1'),
  getMinStake: recordedAs('getMinStake', 'L1'),
  getValidatorsAt: recordedAs('getValidatorsAt', 'L1, proposed'),
  getCurrentValidators: recordedAs('getCurrentValidators', 'L1'),
}
/** The stake of one of the validators of the primary network, by hand. */
const genesis = {
  nodeID: NODE_5,
  weight: '2000000000000000',
  delegatorWeight: '0',
  startTime: '1',
  endTime: '2',
}
const ofPrimary = {
  getTotalStake: recordedAs('getTotalStake', 'primary'),
  getMinStake: recordedAs('getMinStake', 'primary'),
  getValidatorsAt: recordedAs('getValidatorsAt', 'primary, proposed'),
  getCurrentValidators: { validators: [genesis] },
}

const answering =
  (l1: Answers = {}, primary: Answers = {}): Upstream =>
  (operation, { body }) => {
    const all = body['subnetID'] === ID ? { ...ofL1, ...l1 } : { ...ofPrimary, ...primary }
    return all[operation.replace('platform.', '') as keyof typeof all]
  }

const published = (poller: Poller) =>
  Object.fromEntries(
    poller
      .series(/^stakewatch_(subnet|validator)_/)
      .map(({ name, labels: { network: _, node_id: __, ...own }, value }) => [
        `${name.replace('stakewatch_', '')} ${Object.values(own).join()}`,
        value,
      ]),
  )

const good = {
  'subnet_total_weight primary': 10_003_100_000_000_000,
  'subnet_min_validator_stake_tokens primary': 2_000,
  'subnet_min_delegator_stake_tokens primary': 25,
  'validator_weight_difference primary,genesis': 0,
  'subnet_total_weight my-l1': 415,
  'validator_weight_difference my-l1,five': 0,
  'validator_weight_difference my-l1,six': 0,
  'subnet_inactive_weight_difference my-l1': 0,
}
const without = (...parts: string[]) =>
  Object.fromEntries(Object.entries(good).filter(([key]) => !parts.some((part) => key.includes(part))))
const withoutId = (name: string, id: string) => {
  const weights = recordedAs('getValidatorsAt', name) as Record<string, object>
  return Object.fromEntries(Object.entries(weights).filter(([one]) => one !== id))
}

describe('consensus-weight (platform.getTotalStake, platform.getMinStake, platform.getValidatorsAt)', () => {
  test('a recorded node: records and consensus agree; an L1 has no minimum stake', async () => {
    const poller = createPoller(yaml, consensusWeight, 0)
    await poller.poll(answering())
    const asked = poller.asked.map(({ operation, body }) => [operation, body])
    expect(published(poller)).toEqual(good)
    expect(poller.success()).toEqual([1, 1])
    const primary = { subnetID: '11111111111111111111111111111111LpoYY' }
    expect(asked).toEqual([
      ['platform.getTotalStake', primary],
      ['platform.getMinStake', primary],
      ['platform.getValidatorsAt', { height: 'proposed', ...primary }],
      ['platform.getCurrentValidators', { ...primary, nodeIDs: [NODE_5] }],
      ['platform.getTotalStake', { subnetID: ID }],
      ['platform.getMinStake', { subnetID: ID }],
      ['platform.getValidatorsAt', { height: 'proposed', subnetID: ID }],
      ['platform.getCurrentValidators', { subnetID: ID }],
    ])
  })

  const records = (ofL1.getCurrentValidators as { validators: { nodeID: string; weight: string }[] }).validators
  const withWeight = (nodeId: string, change: object) => ({
    validators: records.map((one) => (one.nodeID === nodeId ? { ...one, ...change } : one)),
  })

  test.each<[string, Answers, Record<string, number>]>([
    // It weighs 10, and another one that weighs 5 has been inactive for long.
    [
      'a validator that has just run out: consensus still counts it',
      { getCurrentValidators: withWeight(NODE_6, { balance: '0' }) },
      { 'validator_weight_difference my-l1,six': -10, 'subnet_inactive_weight_difference my-l1': 10 },
    ],
    [
      'and then no more',
      {
        getCurrentValidators: withWeight(NODE_6, { balance: '0' }),
        getValidatorsAt: recordedAs('getValidatorsAt', 'L1, two inactive, proposed'),
      },
      { 'validator_weight_difference my-l1,six': 0, 'subnet_inactive_weight_difference my-l1': 0 },
    ],
    [
      'a weight that was raised from 100 to 150',
      { getCurrentValidators: withWeight(NODE_5, { weight: '150' }) },
      { 'validator_weight_difference my-l1,five': 50 },
    ],
    [
      'one that consensus does not count yet',
      { getValidatorsAt: withoutId('L1, proposed', NODE_5) },
      { 'validator_weight_difference my-l1,five': 100 },
    ],
    [
      'a revived one, whose weight consensus still counts as inactive',
      { getCurrentValidators: withWeight(NEVER, { balance: '9' }) },
      { 'subnet_inactive_weight_difference my-l1': -5 },
    ],
    [
      'no validator is inactive',
      {
        getCurrentValidators: withWeight(NEVER, { balance: '9' }),
        getValidatorsAt: withoutId('L1, proposed', INACTIVE),
      },
      { 'subnet_inactive_weight_difference my-l1': 0 },
    ],
  ])('%s', async (_, l1, differing) => {
    const poller = createPoller(yaml, consensusWeight, 0)
    await poller.poll(answering(l1))
    expect(published(poller)).toEqual({ ...good, ...differing })
  })

  const unsupported = new BaseError('unsupported', 'no such method')
  const late = new BaseError('timeout', 'late')

  const weightless = (id: string) => ({ getCurrentValidators: withWeight(id, { weight: undefined }) })
  const noMethod = { getTotalStake: unsupported, getMinStake: unsupported, getValidatorsAt: unsupported }
  test.each<[string, Answers, object, number]>([
    ['without the sum', { getTotalStake: unsupported }, without('total_weight my-l1'), 1],
    [
      'a subnet that is unknown or empty has no sum',
      {
        getTotalStake: recordedAs('getTotalStake', 'id of a chain'),
        getValidatorsAt: recordedAs('getValidatorsAt', 'unknown subnet'),
        getCurrentValidators: { validators: [] },
      },
      without('my-l1'),
      1,
    ],
    ['without the weights of consensus', { getValidatorsAt: unsupported }, without('difference my-l1'), 1],
    ['while the sum cannot be read', { getTotalStake: late }, without('total_weight my-l1'), 0],
    ['while the weights of consensus cannot be read', { getValidatorsAt: late }, without('difference my-l1'), 0],
    ['while the records cannot be read', { getCurrentValidators: late }, without('difference my-l1'), 0],
    ['a record without a weight has no difference', weightless(NODE_5), without('difference my-l1,five'), 1],
    ['nor do all inactive ones, when one of them has none', weightless(NEVER), without('inactive_weight'), 1],
    ['a node without any of it', noMethod, without('my-l1'), 1],
  ])('%s', async (_, l1, lines, ok) => {
    const poller = createPoller(yaml, consensusWeight, 0)
    await poller.poll(answering(l1))
    expect(published(poller)).toEqual(lines)
    expect(poller.success()).toEqual([1, ok])
  })

  test('does not compare records and weights of different nodes', async () => {
    const both = yaml.replace('nodes: [', 'nodes: [{ name: node-1, url: "http://127.0.0.1:9650" }, ')
    const poller = createPoller(both, consensusWeight, 0)
    await poller.poll((operation, wire, source) =>
      operation === 'platform.getCurrentValidators' && source === 'node-1'
        ? late
        : answering()(operation, wire, source),
    )
    expect(published(poller)).toEqual(without('difference'))
    expect(poller.success()).toEqual([1, 1])
  })

  test('does not ask for consensus weights without a watched validator', async () => {
    const poller = createPoller(yaml.replace(/ {4}validators:[^]*/, ''), consensusWeight, 0)
    await poller.poll(answering())
    const asked = poller.asked.map(({ operation }) => operation)
    expect(published(poller)).toEqual(without('difference'))
    expect(new Set(asked)).toEqual(new Set(['platform.getTotalStake', 'platform.getMinStake']))
  })
})
