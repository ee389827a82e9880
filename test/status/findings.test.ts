// What needs attention, case by case. The limits are those of the alert rules: src/alerts/thresholds.ts.

import { describe, expect, test } from 'vitest'
import { groupsOf } from '../../src/alerts/rules.ts'
import { median } from '../../src/status/validators.ts'
import { DAY, linesOf, NOW, shown, VAL_1, yamlOf } from '../support/status.ts'

const nodes = ['node-a', 'node-b', 'node-c']
const of = (validator: string, lines: readonly string[]) => {
  const row = {
    key: 'validators/fuji/primary',
    network: 'fuji',
    result: 'success',
    reason: '',
    source: 'node-a',
  } as const
  const { status } = shown({
    yaml: yamlOf(nodes, [`{ node_id: ${VAL_1}, name: val-1${validator} }`]),
    lines,
    rows: [{ ...row, finishedAt: NOW * 1_000 }],
  })
  return status().validators[0]!
}

/** 100 days of which half are over; 20 % of them may be spent disconnected. */
const facts = {
  validator_in_set: 1,
  validator_start_timestamp_seconds: NOW - 50 * DAY,
  validator_end_timestamp_seconds: NOW + 50 * DAY,
}
const says = (connected: number, budget: number, reward: string) => ({
  validator_connected: connected,
  validator_required_uptime_ratio: 0.8,
  validator_downtime_budget_seconds: budget,
  validator_reward_state: reward,
})
const fine = says(1, 15 * DAY, 'on_track')
const away = says(0, 15 * DAY, 'on_track')
const lost = says(1, -DAY, 'lost')
const low = says(1, 2 * DAY, 'at_risk')
const lastDay = says(0, 0.9 * DAY, 'at_risk')
const safe = says(1, 2 * DAY, 'safe')
const [a, b, c] = nodes as [string, string, string]

describe('a validator', () => {
  test.each([
    ['that all see', { [a]: fine, [b]: fine, [c]: fine }, 'connected', []],
    ['that one of three does not see', { [a]: fine, [b]: fine, [c]: away }, 'connected', []],
    ['that one of two does not see', { [a]: fine, [b]: away }, 'disputed', ['StakewatchObserversDisagree']],
    [
      'that two of three do not see',
      { [a]: fine, [b]: away, [c]: away },
      'disconnected',
      ['StakewatchValidatorDisconnected'],
    ],
    ['that nobody tells of', {}, 'in_set', []],
    ['that has lost its reward', { [a]: lost, [b]: lost, [c]: fine }, 'connected', ['StakewatchRewardLost']],
    ['whose reward is disputed', { [a]: lost, [b]: fine }, 'connected', ['StakewatchObserversDisagree']],
    ['with two days of three', { [a]: low, [b]: low, [c]: fine }, 'connected', ['StakewatchDowntimeBudgetSmall']],
    ['that is safe, with as little', { [a]: safe, [b]: safe, [c]: safe }, 'connected', []],
    [
      'that is away, with less than a day',
      { [a]: lastDay, [b]: lastDay, [c]: lastDay },
      'disconnected',
      ['StakewatchValidatorDisconnected', 'StakewatchDowntimeBudgetEnding'],
    ],
  ])('%s', (_, opinions, state, alerts) => {
    const validator = of('', linesOf({}, facts, opinions))
    expect([validator.state, validator.findings.map(({ alert }) => alert)]).toEqual([state, alerts])
  })

  const ends = (seconds: number) => ({ ...facts, validator_end_timestamp_seconds: NOW + seconds })
  const l1 = (seconds: number) => ({
    validator_in_set: 1,
    l1_validator_active: 1,
    l1_validator_depletion_timestamp_seconds: NOW + seconds,
  })
  test.each([
    ['not in the set', '', { validator_in_set: 0 }, ['StakewatchValidatorNotInSet']],
    ['not in the set, as planned', ', planned_end: 2026-05-28T20:00:00Z', { validator_in_set: 0 }, []],
    ['of which nothing is known', '', {}, ['StakewatchValidatorUnknown']],
    ['that nobody can observe', '', { ...facts, validator_observers: 0 }, ['StakewatchValidatorUnobserved']],
    ['that ends in 14 days', '', ends(14 * DAY), []],
    ['that ends a second earlier', '', ends(14 * DAY - 1), ['StakewatchStakeEndPlanned']],
    ['that ends within 7 days', '', ends(7 * DAY - 1), ['StakewatchStakeEnding']],
    ['that ends within 36 hours', '', ends(1.5 * DAY - 1), ['StakewatchStakeEndsSoon']],
    ['that ends as planned', ', planned_end: 2026-05-29T20:26:40Z', ends(DAY), []],
    ['that renews itself', '', { ...ends(DAY), validator_next_period_seconds: 30 * DAY }, []],
    ['that does so no more', '', { ...ends(DAY), validator_next_period_seconds: 0 }, ['StakewatchStakeEndsSoon']],
    ['with a balance for 30 days', '', l1(30 * DAY), []],
    ['with one for less', '', l1(30 * DAY - 1), ['StakewatchL1BalanceLow']],
    ['with one for less than 7 days', '', l1(7 * DAY - 1), ['StakewatchL1BalanceEnding']],
    ['with one for less than 36 hours', '', l1(1.5 * DAY - 1), ['StakewatchL1BalanceRunningOut']],
    ['without a balance', '', { ...l1(0), l1_validator_active: 0 }, ['StakewatchL1ValidatorInactive']],
    [
      'of which only the data service tells, without a balance',
      '',
      { l1_validator_listed_balance_tokens: 0 },
      ['StakewatchL1ValidatorInactive'],
    ],
  ])('%s', (_, declared, own, alerts) => {
    expect(of(declared, linesOf({}, own)).findings.map(({ alert }) => alert)).toEqual(alerts)
  })

  test('renews itself, but not with a lost reward', () => {
    const own = { ...facts, validator_end_timestamp_seconds: NOW + DAY, validator_next_period_seconds: 30 * DAY }
    const { findings } = of('', linesOf({}, own, { [a]: lost, [b]: lost, [c]: lost }))
    expect(findings.map(({ alert }) => alert)).toEqual(['StakewatchStakeEndsSoon', 'StakewatchRewardLost'])
  })

  test.each([
    ['delegation_fee', 'StakewatchExpectationNotMet'],
    ['bls_public_key', 'StakewatchValidatorTampered'],
    ['reward_addresses', 'StakewatchValidatorTampered'],
  ])('whose %s is not the declared one', (expectation, alert) => {
    const labels = `network="fuji",subnet="primary",node_id="${VAL_1}",validator="val-1"`
    const met = (name: string, value: number) =>
      `stakewatch_validator_expectation_met{${labels},expectation="${name}"} ${value}`
    const validator = of('', [...linesOf({}, facts), met(expectation, 0), met('min_stake', 1)])
    expect(validator.expectations).toEqual([
      { expectation, met: false },
      { expectation: 'min_stake', met: true },
    ])
    expect(validator.findings.map((one) => one.alert)).toEqual([alert])
  })

  test('whom the data service does not reach: no vote, so that those who see it decide', () => {
    const listed = { validator_listed_uptime_ratio: 0.1, validator_listed_reachable_ratio: 0.49 }
    const { state, observers, findings } = of('', linesOf({}, facts, { [a]: fine, 'data-api': listed }))
    expect(state).toBe('connected')
    expect(observers.at(-1)).toMatchObject({ source: 'data-api', uptime_ratio: 0.1, connected: null })
    expect(findings).toEqual([
      {
        severity: 'warning',
        alert: 'StakewatchValidatorUnreachable',
        text: 'it answers 49% of the requests of the data service',
      },
    ])
  })

  test('is not observed by itself, whether configured or told', () => {
    const told = `stakewatch_node_info{network="fuji",source="node-a",id="${VAL_1}",version="1"} 1`
    const { observers } = of('', [told, ...linesOf({}, facts, { [b]: fine })])
    expect(observers.map(({ source, connected }) => [source, connected])).toEqual([
      [b, true],
      // It says nothing at the moment.
      [c, null],
    ])
  })
})

test('each finding has the severity of its alert', () => {
  const severities = new Map(groupsOf().flatMap(({ rules }) => rules.map(({ alert, severity }) => [alert, severity])))
  const { findings } = of('', linesOf({}, facts, { [a]: lastDay, [b]: lastDay, [c]: lastDay }))
  expect(findings.map(({ severity }) => severity)).toEqual(['critical', 'critical'])
  for (const { alert, severity } of findings) expect(severity).toBe(severities.get(alert))
})

test.each([
  [[], null],
  [[3], 3],
  [[9, 1], 5],
  [[5, 100, 1], 5],
])('the median of %j is %s', (values, middle) => {
  expect(median(values)).toBe(middle)
})

describe('an upstream', () => {
  const upstream = (lines: readonly string[]) =>
    shown({ yaml: yamlOf(['node-a', 'node-b'], []), lines })
      .status()
      .upstreams.map((one) => [one.source, one.up, ...one.findings.map(({ alert }) => alert)])
  const up = (source: string, value: number) => `stakewatch_upstream_up{network="fuji",source="${source}"} ${value}`
  const day = (metric: string, value: number) =>
    `stakewatch_upstream_${metric}{network="fuji",source="node-a",window="day"} ${value}`
  test.each([
    [
      'that nothing is known of',
      [],
      [
        ['node-a', null],
        ['node-b', null],
      ],
    ],
    [
      'that answers',
      [up('node-a', 1), up('node-b', 1)],
      [
        ['node-a', true],
        ['node-b', true],
      ],
    ],
    [
      'that is down',
      [up('node-a', 1), up('node-b', 0)],
      [
        ['node-b', false, 'StakewatchUpstreamDown'],
        ['node-a', true],
      ],
    ],
    [
      'that is the last one',
      [up('node-a', 0), up('node-b', 0)],
      [
        ['node-a', false, 'StakewatchNodesDown'],
        ['node-b', false, 'StakewatchNodesDown'],
      ],
    ],
    [
      'that refuses the key',
      [up('node-a', 0), 'stakewatch_upstream_refusing{network="fuji",source="node-a"} 1'],
      [
        ['node-a', false, 'StakewatchCredentialsRejected'],
        ['node-b', null],
      ],
    ],
    [
      'with less than 5 % of its budget',
      [day('budget_units', 1_000), day('budget_remaining_units', 49)],
      [
        ['node-a', null, 'StakewatchBudgetExhausted'],
        ['node-b', null],
      ],
    ],
    [
      'with 5 % of its budget',
      [day('budget_units', 1_000), day('budget_remaining_units', 50)],
      [
        ['node-a', null],
        ['node-b', null],
      ],
    ],
  ])('%s', (_, lines, rows) => {
    expect(upstream(lines)).toEqual(rows)
  })
})

describe('a task', () => {
  const run = 'network="fuji",collector="supply",source="",target="primary"'
  const row = {
    key: 'supply/fuji/primary',
    network: 'fuji',
    reason: 'no answer',
    source: '',
    finishedAt: (NOW - 10) * 1_000,
  }
  const task = (result: 'success' | 'failure', succeeded: number | undefined, more: readonly string[] = []) => {
    const lines = [
      `stakewatch_collector_interval_seconds{${run}} 300`,
      `stakewatch_collector_duration_seconds{${run}} 2`,
      ...(succeeded === undefined ? [] : [`stakewatch_collector_last_success_timestamp_seconds{${run}} ${succeeded}`]),
      ...more,
    ]
    const { status } = shown({ yaml: yamlOf(['node-a'], []), lines, rows: [{ ...row, result }] })
    return status().tasks.find(({ collector }) => collector === 'supply')!
  }
  test.each([
    ['that succeeds', 'success', NOW - 10, [], []],
    ['that fails for three intervals', 'failure', NOW - 900, [], []],
    ['that fails for longer', 'failure', NOW - 901, [], ['StakewatchCollectorFailing']],
    ['that never succeeded, just started', 'failure', undefined, [], []],
    ['whose upstream is down', 'failure', NOW - 901, ['stakewatch_upstream_up{network="fuji",source="node-a"} 0'], []],
  ] as const)('%s', (_, result, succeeded, more, alerts) => {
    expect(task(result, succeeded, more).findings.map(({ alert }) => alert)).toEqual(alerts)
  })

  test('runs again an interval after its last run began', () => {
    const { last_run_timestamp_seconds, next_run_timestamp_seconds, result, reason } = task('failure', NOW - 100)
    expect([last_run_timestamp_seconds, next_run_timestamp_seconds]).toEqual([NOW - 10, NOW - 10 - 2 + 300])
    expect([result, reason]).toEqual(['failure', 'no answer'])
  })

  test('that has not run yet is there, and nothing is known of it', () => {
    const { status } = shown({ yaml: yamlOf(['node-a'], []) })
    expect(status().tasks.find(({ collector }) => collector === 'supply')).toMatchObject({
      result: null,
      last_run_timestamp_seconds: null,
      last_success_timestamp_seconds: null,
      next_run_timestamp_seconds: null,
      interval_seconds: 300,
    })
  })
})
