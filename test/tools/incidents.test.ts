import { expect, test } from 'vitest'
import { inRuns } from '../../tools/incidents/alerts.ts'
import type { Expected } from '../../tools/incidents/incident.ts'
import { judge } from '../../tools/incidents/judge.ts'

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
