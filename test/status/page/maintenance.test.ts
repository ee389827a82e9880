// Maintenance windows in the status, on the page and in `top`.

import { describe, expect, test } from 'vitest'
import { topText } from '../../../src/commands/top/top.ts'
import { DAY, linesOf, NOW, shown, VAL_1, yamlOf } from '../../support/status.ts'

const HOUR = 3_600
const OTHER = 'NodeID-MTqiqQwX7ZyxArfBxMEPrRPeZqwiwByY'

/** Over one node, on which val-1 runs, and over everything. */
const yaml = `networks:
  - name: fuji
    nodes: [{ name: node-a, url: 'http://10.0.0.1:9650' }, { name: node-b, url: 'http://10.0.0.2:9650', node_id: ${VAL_1} }]
    validators: [{ node_id: ${VAL_1}, name: val-1 }, { node_id: ${OTHER}, name: val-2 }]
    maintenance:
      - { name: weekly, schedule: '0 22 * * TUE', for: 2h }
      - { name: kernel, from: '2026-05-28T20:00Z', to: '2026-05-28T22:26:40Z', nodes: [node-b] }
`

interface Phase {
  active: 0 | 1
  start: number
  end: number
  /** Whether alerts are suppressed. */
  quiet: 0 | 1
}

const validators = [
  ['val-1', VAL_1],
  ['val-2', OTHER],
] as const
const label = (labels: Readonly<Record<string, string>>) =>
  `{${Object.entries({ network: 'fuji', ...labels })
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`

function windowLines(window: string, { active, start, end, quiet }: Phase, members: readonly string[]): string[] {
  return [
    `stakewatch_maintenance_active${label({ window })} ${active}`,
    `stakewatch_maintenance_start_timestamp_seconds${label({ window })} ${start}`,
    `stakewatch_maintenance_end_timestamp_seconds${label({ window })} ${end}`,
    ...validators
      .filter(([name]) => members.includes(name))
      .map(
        ([validator, node_id]) =>
          `stakewatch_validator_in_maintenance${label({ subnet: 'primary', node_id, validator, window })} ${quiet}`,
      ),
    `stakewatch_node_in_maintenance${label({ source: 'node-b', window })} ${quiet}`,
  ]
}

const away = (validator: string, node_id: string, mayStop: readonly number[], connected = 0) =>
  linesOf(
    { validator, node_id },
    { validator_in_set: 1, validator_tracked: 1 },
    Object.fromEntries(
      mayStop.map((validator_may_stop_seconds, at) => [
        `node-${'abc'[at]}`,
        { validator_connected: connected, validator_may_stop_seconds },
      ]),
    ),
  )

const weekly: Phase = { active: 0, start: NOW + DAY, end: NOW + DAY + 2 * HOUR, quiet: 0 }
const open: Phase = { active: 1, start: NOW - 1_600, end: NOW + 2 * HOUR, quiet: 1 }
const world = (kernel: Phase, mayStop = [3 * DAY, 3 * DAY + 4 * HOUR, 3 * DAY + 5 * HOUR]) =>
  shown({
    yaml,
    lines: [
      ...windowLines('weekly', weekly, ['val-1', 'val-2']),
      ...windowLines('kernel', kernel, ['val-1']),
      ...away('val-1', VAL_1, mayStop),
      ...away('val-2', OTHER, [DAY], 1),
      `stakewatch_upstream_up${label({ source: 'node-a' })} 1`,
      `stakewatch_upstream_up${label({ source: 'node-b' })} 0`,
    ],
  })
const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' :', ':')

describe('while a window is open', () => {
  const { status, answer } = world(open)
  const page = answer('/').body

  test('the status has it first, with what it covers and what it costs', () => {
    expect(status().maintenance).toMatchObject([
      {
        window: 'kernel',
        state: 'open',
        end_timestamp_seconds: NOW + 2 * HOUR,
        left_seconds: 2 * HOUR,
        whole_network: false,
        // By the middle of the nodes that vote: node-b is down.
        validators: [{ name: 'val-1', may_stop_seconds: 3 * DAY + 2.5 * HOUR }],
        nodes: ['node-b'],
        chains: [],
      },
      { window: 'weekly', state: 'next', left_seconds: 2 * HOUR, whole_network: true, nodes: ['node-a', 'node-b'] },
    ])
  })

  test('the page says until when, over what, and at which cost, and nothing of the next one', () => {
    expect(textOf(page)).toContain(
      'kernel: open until 2026-05-28 22:26 UTC (in 2 h) It covers validator val-1 and node node-b on fuji. val-1 uses 2 h of 3 d 2 h.',
    )
    expect(textOf(page)).not.toContain('weekly')
  })

  test('it comes first', () => {
    const titles = (body: string) => [...body.matchAll(/<h2 id="(\w+)"/g)].slice(0, 2).map(([, id]) => id)
    expect(titles(page)).toEqual(['maintenance', 'validators'])
  })

  test('what it covers is in maintenance, and nothing else is', () => {
    const { validators, upstreams } = status()
    const window = (all: readonly { maintenance: string | null }[]) => all.map(({ maintenance }) => maintenance)
    expect(validators.map(({ name }) => name)).toEqual(['val-1', 'val-2'])
    expect([window(validators), window(upstreams)]).toEqual([
      ['kernel', null],
      [null, 'kernel'],
    ])
    expect(page).toContain('<td class="state maintenance">in maintenance: disconnected</td>')
    expect(world(open).answer('/upstreams').body).toContain(
      '<span class="state maintenance">in maintenance: down</span>',
    )
    expect(page).not.toContain('class="state critical"')
  })

  test('the first line counts what fires, which the window leaves out, and names the window', async () => {
    const played = world(open)
    played.set(NOW + 600)
    await played.evaluate()
    expect(played.status().alerts).toEqual([])
    expect(played.answer('/').body).toMatch(/<title>\s*no alerts, in maintenance: kernel - stakewatch/)
  })

  test('top says the same', () => {
    const lines = topText(status(), 'HOST', { limit: 5 }).split('\n')
    expect(lines[1]).toBe('2 validators; upstreams: 1 of 2 up; in maintenance: node-b')
    expect(lines[3]).toBe(
      '  IN MAINTENANCE kernel: open until 2026-05-28 22:26 UTC (in 2 h); covers validator val-1 and node node-b on fuji; val-1 uses 2 h of 3 d 2 h',
    )
    expect(lines[6]).toMatch(/^val-1 +fuji\/primary +in maintenance: disconnected /)
    expect(lines[7]).toMatch(/^val-2 +fuji\/primary +connected /)
  })
})

test.each([
  [
    'a window closed and its time to recover is not over',
    { active: 0, start: NOW - 2 * HOUR, end: NOW - 60, quiet: 1 },
    'kernel: closed; what it covers has time to recover It covers validator val-1 and node node-b on fuji.',
    'in maintenance: disconnected',
  ],
  [
    'none is open',
    { active: 0, start: NOW + 2 * DAY, end: NOW + 2 * DAY + HOUR, quiet: 0 },
    'weekly: opens 2026-05-29 20:26 UTC (in 1 d) for 2 h It covers all of fuji. val-2 uses 2 h of 1 d, val-1 uses 2 h of 3 d 2 h.',
    'class="state critical">disconnected',
  ],
] as const)('the page where %s', (_, kernel, expected, state) => {
  const page = world(kernel).answer('/').body
  expect(textOf(page)).toContain(expected)
  expect(page).toContain(state)
})

test.each([
  // 2 hours are left of the window.
  ['more than is left', HOUR, 'val-1 uses 2 h of 1 h: too long'],
  ['nothing is left', 0, 'val-1 uses 2 h, and has none left'],
])('the cost where it is %s', (_, mayStop, expected) => {
  expect(textOf(world(open, [mayStop]).answer('/').body)).toContain(expected)
})

test('what is left of a period costs nothing in a window after it', () => {
  const own = linesOf({}, { validator_end_timestamp_seconds: NOW + DAY - 60 })
  const { status } = shown({
    yaml,
    lines: [...windowLines('weekly', weekly, []), ...away('val-1', VAL_1, [HOUR]), ...own],
  })
  expect(status().maintenance[0]).toMatchObject({
    window: 'weekly',
    validators: [
      { name: 'val-1', may_stop_seconds: null },
      { name: 'val-2', may_stop_seconds: null },
    ],
  })
})

test('without windows there is no section', () => {
  const { status, answer } = shown({ yaml: yamlOf(['node-a'], [`{ node_id: ${VAL_1}, name: val-1 }`]) })
  expect(status().maintenance).toEqual([])
  expect(answer('/').body).not.toContain('id="maintenance"')
})

test('an open window comes after what needs you, and before what can wait', async () => {
  // val-2 is covered by no window.
  const lines = [...windowLines('kernel', open, ['val-1']), ...away('val-2', OTHER, [DAY])]
  const one = shown({ yaml, lines })
  one.set(NOW + 360)
  await one.evaluate()
  const { body } = one.answer('/')
  expect([...body.matchAll(/<h2 id="(\w+)"/g)].slice(0, 3).map(([, id]) => id)).toEqual([
    'problems',
    'maintenance',
    'validators',
  ])
})
