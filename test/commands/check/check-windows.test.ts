// The lines of check about maintenance windows: local times and UTC, worked out with a calendar.

import { describe, expect, test } from 'vitest'
import { windowLines, windowWarnings } from '../../../src/commands/check/check-windows.ts'
import { configFrom } from '../../support/poll.ts'

function linesAt(now: string, ...windows: readonly string[]): string[] {
  const rows = windows.map((keys) => `      - { ${keys} }\n`)
  const yaml = `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }]
    maintenance:
${rows.join('')}`
  return windowLines(configFrom(yaml), Date.parse(now))
}

test('a daily window across the short night: the local time stays, UTC moves', () => {
  const night = 'name: night, schedule: "0 22 * * *", for: 8h, timezone: Europe/Berlin'
  expect(linesAt('2026-03-27T12:00Z', night)).toEqual([
    'window fuji/night  Fri 2026-03-27 22:00 to Sat 2026-03-28 06:00 Europe/Berlin = Fri 2026-03-27 21:00 to Sat 2026-03-28 05:00 UTC',
    // Eight hours, of which the clock shows nine.
    'window fuji/night  Sat 2026-03-28 22:00 to Sun 2026-03-29 07:00 Europe/Berlin = Sat 2026-03-28 21:00 to Sun 2026-03-29 05:00 UTC',
    'window fuji/night  Sun 2026-03-29 22:00 to Mon 2026-03-30 06:00 Europe/Berlin = Sun 2026-03-29 20:00 to Mon 2026-03-30 04:00 UTC',
    'window fuji/night  Mon 2026-03-30 22:00 to Tue 2026-03-31 06:00 Europe/Berlin = Mon 2026-03-30 20:00 to Tue 2026-03-31 04:00 UTC',
    'window fuji/night  Tue 2026-03-31 22:00 to Wed 2026-04-01 06:00 Europe/Berlin = Tue 2026-03-31 20:00 to Wed 2026-04-01 04:00 UTC',
  ])
})

test('in UTC once, the open one first', () => {
  const patch = 'name: patch, schedule: "30 6 * * TUE#2", for: 2h'
  expect(linesAt('2026-12-08T07:00Z', patch)).toEqual([
    'window fuji/patch  Tue 2026-12-08 06:30 to Tue 2026-12-08 08:30 UTC  open now',
    'window fuji/patch  Tue 2027-01-12 06:30 to Tue 2027-01-12 08:30 UTC',
    'window fuji/patch  Tue 2027-02-09 06:30 to Tue 2027-02-09 08:30 UTC',
    'window fuji/patch  Tue 2027-03-09 06:30 to Tue 2027-03-09 08:30 UTC',
    'window fuji/patch  Tue 2027-04-13 06:30 to Tue 2027-04-13 08:30 UTC',
  ])
})

test('one that is to come, is open and is over', () => {
  const move = 'name: move, from: 2026-12-05T08:00, to: 2026-12-05T10:00, timezone: Asia/Kolkata'
  const times =
    'Sat 2026-12-05 08:00 to Sat 2026-12-05 10:00 Asia/Kolkata = Sat 2026-12-05 02:30 to Sat 2026-12-05 04:30 UTC'
  expect([
    linesAt('2026-12-05T02:29Z', move),
    linesAt('2026-12-05T02:30Z', move),
    linesAt('2026-12-05T04:30Z', move),
  ]).toEqual([
    [`window fuji/move  ${times}`],
    [`window fuji/move  ${times}  open now`],
    ['window fuji/move  is over since Sat 2026-12-05 10:00 Asia/Kolkata = Sat 2026-12-05 04:30 UTC: remove it'],
  ])
})

test('none without windows', () => {
  const yaml = 'networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://10.0.0.5:9650" }] }]'
  expect(windowLines(configFrom(yaml), 0)).toEqual([])
})

describe('warns of a window that', () => {
  const NOW = Date.parse('2026-11-24T12:00Z')
  const [A, B] = ['NodeID-2H9Fz4nX31nEMdvBD5eFwn6HA4HP8nLyS', 'NodeID-KtToqAuEfFn18DsMJvcHtwtbMo8tPsQaA']
  const warningsOf = (keys: string) =>
    windowWarnings(
      configFrom(`networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://10.0.0.5:9650", node_id: ${A} }
      - { name: node-b, url: "http://10.0.0.6:9650" }
    validators: [{ node_id: ${A}, name: val-a }, { node_id: ${B}, name: val-b }]
    maintenance: [{ name: w, ${keys} }]
`),
      NOW,
    )
  const nothing =
    'window fuji/w covers nothing: name what it covers, or remove its empty lists to cover the whole network'
  const noId = 'window fuji/w does not cover the validators that run on node-b: write node_id at the entry of the node'
  const tooLong = (percent: number, names: string) =>
    `window fuji/w is open for ${percent} % of the next four weeks, and a validator that is down for more than 20 % of a stake loses its reward: shorten it for ${names}`

  test.each([
    ['covers a node with its id', 'schedule: "0 22 * * TUE#2", for: 2h, nodes: [node-a]', []],
    ['covers a node without', 'schedule: "0 22 * * TUE#2", for: 2h, nodes: [node-a, node-b]', [noId]],
    ['covers the network, and with it all validators', 'schedule: "0 22 * * TUE#2", for: 2h', []],
    ['has empty lists', 'schedule: "0 22 * * TUE#2", for: 2h, validators: [], nodes: []', [nothing]],
    ['is open for a sixth of each day', 'schedule: "0 0 * * *", for: 4h', []],
    [
      'is open for a quarter of each day',
      'schedule: "0 0 * * *", for: 6h, validators: [val-a]',
      [tooLong(25, 'val-a')],
    ],
    ['is open for two days in each week', 'schedule: "0 0 * * SAT", for: 2d', [tooLong(29, 'val-a, val-b')]],
    ['is open for two weeks in a year', 'schedule: "0 0 1 7 *", for: 14d', []],
    ['is open for a month, once', 'from: 2026-12-01T00:00, to: 2026-12-31T00:00', []],
  ])('%s', (_, keys, expected) => {
    expect(warningsOf(keys)).toEqual(expected)
  })
})
