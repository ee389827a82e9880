import { describe, expect, test } from 'vitest'
import { onlyAlerts } from '../../tools/alerts.ts'
import { inRuns } from '../../tools/incidents/alerts.ts'
import type { Expected } from '../../tools/incidents/incident.ts'
import { judge } from '../../tools/incidents/judge.ts'
import { untold } from '../../tools/incidents/untold.ts'

const fired = (alert: string, validator: string, from: number) => ({
  alert,
  labels: { job: 'stakewatch', validator },
  from,
  until: from + 5,
})
const both: Expected[] = [{ alert: 'Gone', of: [{ validator: 'a' }, { validator: 'b' }] }]
const later: Expected[] = [{ alert: 'Gone', of: [{ validator: 'a' }], at: 20, within: 2 }]

test.each<[string, readonly Expected[], Parameters<typeof judge>[1], ReturnType<typeof judge>]>([
  ['in time', both, [fired('Gone', 'a', 10), fired('Gone', 'b', 4)], { missed: [], false: [] }],
  [
    'too late',
    both,
    [fired('Gone', 'a', 11), fired('Gone', 'b', 4)],
    { missed: ['Gone {"validator":"a"} in minutes 0 to 10'], false: [] },
  ],
  [
    'about somebody else, and before it happened',
    both,
    [fired('Gone', 'a', 1), fired('Gone', 'b', -1), fired('Gone', 'c', 3)],
    {
      missed: ['Gone {"validator":"b"} in minutes 0 to 10'],
      false: [
        'Gone {"job":"stakewatch","validator":"b"} in minute -1',
        'Gone {"job":"stakewatch","validator":"c"} in minute 3',
      ],
    },
  ],
  [
    'before it became true, and when it did',
    later,
    [fired('Gone', 'a', 19), fired('Gone', 'a', 22)],
    { missed: [], false: ['Gone {"job":"stakewatch","validator":"a"} in minute 19'] },
  ],
  [
    'about something else',
    [],
    [fired('Down', 'a', 5)],
    { missed: [], false: ['Down {"job":"stakewatch","validator":"a"} in minute 5'] },
  ],
])('alerts %s', (_, expected, alerts, verdict) => {
  expect(judge(expected, alerts, () => 'critical')).toEqual(verdict)
})

test.each<[string, (number | undefined)[], string]>([
  ['one value', [1, 1, 1], '1x2'],
  ['values', [1, 2, 2], '1x0 2x1'],
  ['a series that comes', [undefined, undefined, 3], '_x2 3x0'],
  ['a series that ends', [3], '3x0 stale _x1'],
  ['a gap', [3, undefined, 4], '3x0 stale 4x0'],
])('promtool reads %s', (_, values, text) => {
  expect(inRuns(values, 2)).toBe(text)
})

describe('what no rule can tell from its absence', () => {
  const task = '{collector="subnet",target="orchard"}'
  const interval = `stakewatch_collector_interval_seconds${task}`
  const success = `stakewatch_collector_last_success_timestamp_seconds${task}`
  /** One value a minute; stakewatch started with the first one. StakewatchCollectorFailing fires after ten minutes. */
  const minutes = (successes: readonly (number | undefined)[], by = { interval, success }) =>
    new Map<string, readonly (number | undefined)[]>([
      ['process_start_time_seconds{}', successes.map(() => 0)],
      [by.interval, successes.map(() => 60)],
      [by.success, successes],
    ])
  const byName = {
    interval: interval.replace('subnet', 'primary-blocks'),
    success: success.replace('subnet', 'primary-blocks'),
  }

  test.each<[string, ReturnType<typeof minutes>, string[]]>([
    ['a task that succeeds each minute', minutes([undefined, 60, 120, 180]), [interval, success]],
    ['one that has not succeeded for five minutes', minutes([0, 0, 0, 0, 0, 0]), [interval, success]],
    ['but not for six', minutes([0, 0, 0, 0, 0, 0, 0]), []],
    ['one that has yet to succeed after six', minutes(Array(7).fill(undefined) as undefined[]), []],
    ['the interval alone where a rule reads when it succeeded', minutes([0, 60], byName), [byName.interval]],
    [
      'all requests to an upstream that limits none',
      new Map([
        ['stakewatch_upstream_requests_total{network="fuji",source="data-api",operation="a",code="ok"}', [1, 2]],
        ['stakewatch_upstream_requests_total{network="fuji",source="node-a",operation="a",code="ok"}', [1, 2]],
        ['stakewatch_upstream_rate_limited_total{network="fuji",source="data-api"}', [0, 1]],
      ]),
      ['stakewatch_upstream_requests_total{network="fuji",source="node-a",operation="a",code="ok"}'],
    ],
  ])('%s', (_, series, keys) => {
    expect(untold(series, 60)).toEqual(keys)
  })
})

test('rules with some of the alerts have what is recorded for them, and nothing else', () => {
  const rules = `groups:
  - name: recorded
    rules:
      - { record: first, expr: up }
      - { record: second, expr: first + 1 }
      - { record: other, expr: up }
  - name: alerts
    rules:
      - { alert: Wanted, expr: second > 0 }
      - { alert: Unwanted, expr: other > 0 }
`
  const names = (text: string) => [...text.matchAll(/(?:record|alert): (\w+)/g)].map(([, name]) => name)
  expect(names(onlyAlerts(rules, new Set(['Wanted'])))).toEqual(['first', 'second', 'Wanted'])
  expect(names(onlyAlerts(rules, new Set(), 'a test that asks for other'))).toEqual(['other'])
})
