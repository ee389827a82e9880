import { describe, expect, test } from 'vitest'
import { uptime } from '../../../src/collectors/validators/uptime.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const TWO = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const yaml = `
networks:
  - name: fuji
    upgrade_time: 1970-01-20T00:00:00Z # 1,641,600: both stakes began before it and need 80 %
    nodes:
      - { name: node-a, url: "http://127.0.0.1:1" }
      - { name: node-b, url: "http://127.0.0.1:2", node_id: ${TWO} }
    validators:
      - { node_id: ${ONE}, name: one }
      - { node_id: ${TWO}, name: two }
`
// Half of a stake from 1,000,000 to 2,000,000 is over.
const HALF = 1_500_000_000
const series = (metric: string, id: string, name: string, source: string, more = '') =>
  `stakewatch_validator_${metric}{network="fuji",subnet="primary",node_id="${id}",validator="${name}",source="${source}"${more}}`

describe('uptime (document 2, Validator record)', () => {
  test('publishes what each node sees, and what follows for the reward', async () => {
    const answer = fixture('node/platform.getCurrentValidators.primary')
    const poller = createPoller(yaml, uptime, HALF)
    await poller.poll(() => answer)
    // Budget: 0.2 x 1,000,000 s = 200,000 s, less what was missed of 500,000 s.
    // one: 5 % missed is 25,000 s: 175,000 s are left of 500,000 s: on track.
    // two: 30 % missed is 150,000 s: 50,000 s are left, a quarter; 70 % is below 80 %: at risk.
    expect(poller.lines(/_uptime_ratio|_connected|_budget/)).toEqual([
      `${series('uptime_ratio', ONE, 'one', 'node-a')} 0.95`,
      `${series('uptime_ratio', TWO, 'two', 'node-a')} 0.7`,
      `${series('uptime_ratio', ONE, 'one', 'node-b')} 0.95`,
      `${series('connected', ONE, 'one', 'node-a')} 1`,
      `${series('connected', TWO, 'two', 'node-a')} 0`,
      `${series('connected', ONE, 'one', 'node-b')} 1`,
      `${series('required_uptime_ratio', ONE, 'one', 'node-a')} 0.8`,
      `${series('required_uptime_ratio', TWO, 'two', 'node-a')} 0.8`,
      `${series('required_uptime_ratio', ONE, 'one', 'node-b')} 0.8`,
      expect.stringContaining(`${series('downtime_budget_seconds', ONE, 'one', 'node-a')} 17`),
      expect.stringContaining(`${series('downtime_budget_seconds', TWO, 'two', 'node-a')} `),
      expect.stringContaining(`${series('downtime_budget_seconds', ONE, 'one', 'node-b')} 17`),
    ])
    expect(poller.list(/_budget/).map(Math.round)).toEqual([175_000, 50_000, 175_000])
    // 500,000 s are left: more than any budget.
    expect(poller.lines(/_may_stop/)).toEqual([
      `${series('may_stop_seconds', ONE, 'one', 'node-a')} 175000`,
      `${series('may_stop_seconds', TWO, 'two', 'node-a')} 50000`,
      `${series('may_stop_seconds', ONE, 'one', 'node-b')} 175000`,
    ])
    expect(poller.lines(/reward_state.* 1$/)).toEqual([
      `${series('reward_state', ONE, 'one', 'node-a', ',state="on_track"')} 1`,
      `${series('reward_state', TWO, 'two', 'node-a', ',state="at_risk"')} 1`,
      `${series('reward_state', ONE, 'one', 'node-b', ',state="on_track"')} 1`,
    ])
  })

  test('asks once for all tracked primary network validators, and for none of a subnet', async () => {
    const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
    const onL1 = `      - { node_id: ${ONE}, name: one, subnet: my-l1 }\n    subnets: [{ id: ${L1}, name: my-l1 }]\n`
    const poller = createPoller(yaml + onL1, uptime, HALF)
    await poller.poll(() => ({ validators: [] }))
    const asked = poller.asked.map(({ operation, source, body }) => [source, operation, body])
    const body = { subnetID: '11111111111111111111111111111111LpoYY', nodeIDs: [ONE, TWO] }
    expect(asked).toEqual([
      ['node-a', 'platform.getCurrentValidators', body],
      ['node-b', 'platform.getCurrentValidators', body],
    ])
  })

  test.each([
    // A percentage from 0 to 100, whatever its size: 1 is a hundredth, not all of the time.
    ['100.0000', 1],
    ['99.9991', 0.999991],
    ['1.0000', 0.01],
    ['0.9500', 0.0095],
    ['0.0000', 0],
  ])('an uptime of %s is a share of %d', async (percent, share) => {
    const { validators } = fixture('node/platform.getCurrentValidators.primary') as { validators: object[] }
    const poller = createPoller(yaml, uptime, HALF)
    await poller.poll(() => ({ validators: [{ ...validators[0], uptime: percent }] }))
    expect(poller.lines(/validator_uptime_ratio.*node-a/)).toEqual([
      `${series('uptime_ratio', ONE, 'one', 'node-a')} ${share}`,
    ])
  })

  test('reads the live form, with a renewal and unknown fields', async () => {
    const poller = createPoller(yaml, uptime, 1_705_000_000_000)
    await poller.poll(() => fixture('node/platform.getCurrentValidators.primary-live'))
    expect(poller.lines(/_uptime_ratio.*node-a|_connected.*node-a/)).toEqual([
      `${series('uptime_ratio', ONE, 'one', 'node-a')} 0.95`,
      `${series('uptime_ratio', TWO, 'two', 'node-a')} 0.999991`,
      `${series('connected', ONE, 'one', 'node-a')} 1`,
      `${series('connected', TWO, 'two', 'node-a')} 1`,
      `${series('required_uptime_ratio', ONE, 'one', 'node-a')} 0.9`,
      `${series('required_uptime_ratio', TWO, 'two', 'node-a')} 0.9`,
    ])
  })

  test.each<[string, unknown, number, number]>([
    // Neither a node that does not validate nor one that has left was up for 0 % of the time.
    ['an empty list: no opinion, not 0', { validators: [] }, 0, 1],
    ['only others are listed', { validators: [{ nodeID: 'NodeID-other', uptime: '10', connected: false }] }, 0, 1],
  ])('%s', async (_, answer, kept, success) => {
    const poller = createPoller(yaml, uptime, HALF)
    await poller.poll(() => fixture('node/platform.getCurrentValidators.primary'))
    poller.clock.now += 1_000
    await poller.poll(() => answer)
    // Nine series of each of two validators as node-a sees them, and of one as node-b does, which is the other one.
    expect(poller.lines(/^stakewatch_validator_/)).toHaveLength(kept)
    expect(poller.success()).toEqual([success, success])
  })

  test.each([
    ['a record without uptime judges nothing', { uptime: undefined }, ['connected']],
    ['null is read as absent', { uptime: null, connected: null }, []],
    ['a record without an end has no reward to judge', { endTime: undefined }, ['uptime_ratio', 'connected']],
    [
      'a stake without duration has no reward',
      { endTime: '1000000' },
      ['uptime_ratio', 'connected', 'required_uptime_ratio'],
    ],
    ['bare numbers are read like strings', { uptime: 95, startTime: 1_000_000 }, undefined],
  ])('%s', async (_, change, expected) => {
    const { validators } = fixture('node/platform.getCurrentValidators.primary') as { validators: object[] }
    const poller = createPoller(yaml, uptime, HALF)
    await poller.poll(() => ({ validators: [{ ...validators[0], ...change }] }))
    const series = poller.series(/^stakewatch_validator_/, { source: 'node-a' })
    const names = series.map(({ name }) => name.replace('stakewatch_validator_', ''))
    const all = [
      'uptime_ratio',
      'connected',
      'required_uptime_ratio',
      'downtime_budget_seconds',
      'may_stop_seconds',
      'reward_state',
    ]
    expect(new Set(names)).toEqual(new Set(expected ?? all))
  })

  // Both stakes begin at 1,000,000: 1970-01-12T13:46:40Z. 5 % missed of 500,000 s is 25,000 s of 200,000 s or 100,000 s.
  test.each<[string, unknown, number[], number[]]>([
    ['is not scheduled', { heliconTime: '9999-12-01T00:00:00Z' }, [0.8], [175_000]],
    ['comes after the start of the stake', { heliconTime: '1970-01-12T13:46:41Z' }, [0.8], [175_000]],
    ['came at the start of the stake', { heliconTime: '1970-01-12T13:46:40Z' }, [0.9], [75_000]],
    ['is unknown to the software', {}, [0.8], [175_000]],
    ['is unknown, as the node has no such interface', new BaseError('unsupported', 'no'), [0.8], [175_000]],
    ['is not known now', new BaseError('timeout', 'late'), [], []],
  ])('without upgrade_time the answer of the node counts: Helicon %s', async (_, upgrades, required, budget) => {
    const custom = yaml.replace('name: fuji', 'name: local').replace(/ +upgrade_time.*\n/, '')
    const poller = createPoller(custom, uptime, HALF)
    const answer = fixture('node/platform.getCurrentValidators.primary')
    await poller.poll((operation) => (operation === 'info.upgrades' ? upgrades : answer))
    const values = (name: string) => poller.list(`stakewatch_validator_${name}`, { validator: 'one', source: 'node-a' })
    expect(values('required_uptime_ratio')).toEqual(required)
    expect(values('downtime_budget_seconds').map(Math.round)).toEqual(budget)
    expect(values('uptime_ratio')).toContain(0.95)
  })
})
