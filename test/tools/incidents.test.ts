import { expect, test } from 'vitest'
import { onlyAlerts } from '../../tools/alerts.ts'
import { inRuns, withoutGaps } from '../../tools/incidents/alerts.ts'
import { standingFor } from '../../tools/incidents/cover.ts'
import type { Expected, Incident } from '../../tools/incidents/incident.ts'
import { judge } from '../../tools/incidents/judge.ts'
import { incidents, long } from '../../tools/incidents/scripts/index.ts'

const course = { end: 30, sampleMinutes: 1, pollMinutes: 1, holdOf: () => 10 }
const fired = (validator: string, from: number, until = 30, severity = 'critical') => ({
  alert: 'Gone',
  labels: { job: 'stakewatch', validator, severity },
  from,
  until,
})
const gone = (of: string, more: Partial<Expected> = {}): Expected => ({
  alert: 'Gone',
  severity: 'critical',
  of: of.split('').map((validator) => ({ validator })),
  ...more,
})
const seen = (validator: string, minutes: string, severity = 'critical') =>
  `Gone {"job":"stakewatch","validator":"${validator}","severity":"${severity}"} in minutes ${minutes}`
const missed = (validator: string, minutes: string) => `Gone {"validator":"${validator}"} in minutes ${minutes}`

test.each<[string, readonly Expected[], Parameters<typeof judge>[1], string[], string[]]>([
  ['in time', [gone('ab')], [fired('a', 10), fired('b', 4)], [], []],
  ['too late', [gone('ab')], [fired('a', 11), fired('b', 4)], [missed('a', '0 to 10')], [seen('a', '11 to 30')]],
  [
    'as late as a warning may be, and a critical one may not',
    [gone('a', { severity: 'warning' })],
    [fired('a', 30, 30, 'warning')],
    [],
    [],
  ],
  [
    'about another validator, and before the cause',
    [gone('ab')],
    [fired('a', 1), fired('b', -1), fired('c', 3)],
    [missed('b', '0 to 10')],
    [seen('b', '-1 to 30'), seen('c', '3 to 30')],
  ],
  [
    'before it became true, and when it did',
    [gone('a', { at: 20, within: 2 })],
    [fired('a', 3, 10), fired('a', 22)],
    [],
    [seen('a', '3 to 10')],
  ],
  ['with no cause', [], [fired('a', 5)], [], [seen('a', '5 to 30')]],
  [
    'with another severity than expected',
    [gone('a')],
    [fired('a', 5, 30, 'warning')],
    [],
    [`${seen('a', '5 to 30', 'warning')} is warning and not critical`],
  ],
  [
    'that resolve although nothing was repaired',
    [gone('a')],
    [fired('a', 5, 29)],
    [],
    [`${seen('a', '5 to 29')} ends in minute 29 and not in minute 30, with the play`],
  ],
  [
    'that resolve and fire again',
    [gone('a')],
    [fired('a', 5, 12), fired('a', 14)],
    [],
    [`${seen('a', '5 to 12')} ends in minute 12 and not in minute 30, with the play`, seen('a', '14 to 30')],
  ],
  [
    'that are expected to fire again',
    [gone('a', { until: 12 }), gone('a', { at: 20 })],
    [fired('a', 5, 12), fired('a', 22)],
    [],
    [],
  ],
  [
    'that end half a hold before and after the expected minute',
    [gone('ab', { until: 20 })],
    [fired('a', 5, 15), fired('b', 5, 25)],
    [],
    [],
  ],
  [
    'that end too early and too late',
    [gone('ab', { until: 20 })],
    [fired('a', 5, 14), fired('b', 5, 26)],
    [],
    [
      `${seen('a', '5 to 14')} ends in minute 14 and not in minutes 15 to 25`,
      `${seen('b', '5 to 26')} ends in minute 26 and not in minutes 15 to 25`,
    ],
  ],
  [
    'of which one instance is expected, and two fire',
    [{ alert: 'Gone', severity: 'critical' }],
    [fired('a', 5), fired('b', 5)],
    [],
    [seen('b', '5 to 30')],
  ],
])('alerts %s', (_, expected, alerts, missing, wrong) => {
  expect(judge(expected, alerts, course)).toEqual({ missed: missing, false: wrong })
})

test('without a hold, an end may be a poll and a sample off', () => {
  const slow = { ...course, sampleMinutes: 2, pollMinutes: 1, holdOf: () => 0 }
  const ends = [16, 17, 23, 24].map(
    (until) => judge([gone('a', { until: 20 })], [fired('a', 5, until)], slow).false.length,
  )
  expect(ends).toEqual([1, 0, 0, 1])
})

test('an alert that says what it says begins and ends within a poll and a sample', () => {
  const says = { description: 'It is gone.', dashboard_url: 'http://localhost' }
  const expected = [gone('a', { at: 5, until: 20, says })]
  const faults = (from: number, until: number) => judge(expected, [fired('a', from, until)], course)
  expect([faults(5, 18), faults(7, 22)]).toEqual([1, 2].map(() => ({ missed: [], false: [] })))
  expect(faults(4, 20).missed).toEqual([missed('a', '5 to 7')])
  expect(faults(8, 20).missed).toEqual([missed('a', '5 to 7')])
  expect([faults(5, 17).false, faults(5, 23).false]).toEqual([
    [`${seen('a', '5 to 17')} ends in minute 17 and not in minutes 18 to 22`],
    [`${seen('a', '5 to 23')} ends in minute 23 and not in minutes 18 to 22`],
  ])
})

test('a play that is over before the alert may end cannot show that it does', () => {
  expect(() => judge([gone('a', { until: 25 })], [], course)).toThrow(
    'the play has to go on until minute 31 to show that Gone ends',
  )
})

test('minutes in which an alert fires are runs without a gap', () => {
  expect(withoutGaps([15, 5, 10, 25, 40], 5)).toEqual([
    { from: 5, until: 15 },
    { from: 25, until: 25 },
    { from: 40, until: 40 },
  ])
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

test('rules with some of the alerts have what is recorded for them, and nothing else', () => {
  const rules = `groups:
  - name: recorded
    rules:
      - { record: held, expr: up }
  - name: alerts
    rules:
      - { alert: Wanted, expr: held > 0 }
      - { alert: Unwanted, expr: held > 0 }
`
  const names = (text: string) => [...text.matchAll(/(?:record|alert): (\w+)/g)].map(([, name]) => name)
  expect(names(onlyAlerts(rules, new Set(['Wanted'])))).toEqual(['held', 'Wanted'])
})

test('the incidents of CI cause every alert that any causes, and all that must not alert are among them', () => {
  const short = incidents.filter((one) => !long.includes(one))
  const chosen = standingFor(short)
  const alertsIn = (some: readonly Incident[]) =>
    new Set(some.flatMap(({ alerts }) => alerts.map(({ alert }) => alert)))
  expect(alertsIn(chosen)).toEqual(alertsIn(incidents))
  expect(chosen).toEqual(expect.arrayContaining(short.filter(({ alerts }) => alerts.length === 0)))
})
