// Maintenance windows of a running daemon: clocks that are set or stand still, starts inside a window, and reloads.

import { expect, test, type TestContext } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { createManualClock } from '../support/clock.ts'
import { answer, createHostileServer } from '../support/hostile-server.ts'
import { valueOf } from '../support/exposition.ts'
import { configFrom } from '../support/poll.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Longer than from one tick to the next, and than a body is served again. */
const SOON = 2_000
const at = (text: string) => Date.parse(`2026-12-05T${text}Z`)

const window = (from: string, to: string, more = '') =>
  `{ name: move, from: "2026-12-05T${from}Z", to: "2026-12-05T${to}Z", nodes: [node-a]${more} }`
const yaml = (windows: string, url = 'http://127.0.0.1:1') => `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "${url}" }]
    maintenance: [${windows}]
collectors: { node-state: { every: 7d } }
`

type State = (number | undefined)[]

async function started({ onTestFinished }: TestContext, windows: string, now: string, url?: string) {
  const time = createManualClock(at(now))
  let text = yaml(windows, url)
  const load = () => configFrom(text)
  const log = { info: () => {}, warn: () => {} }
  const { clock } = time
  const daemon = createDaemon({ config: load(), version: '0', log, clock, random: () => 0, load })
  await daemon.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  onTestFinished(async () => {
    const stopped = daemon.stop()
    time.advance(5_000)
    await stopped
  })
  return {
    ...time,
    poll: () => daemon.once(() => true),
    /** [whether it is open, whether alerts are suppressed, hours until it starts and until it ends], two seconds later. */
    async state() {
      time.advance(SOON)
      const { text: exposition } = await daemon.once(() => false)
      const value = (name: string) => valueOf(exposition, `stakewatch_${name}`, { window: 'move' })
      const hours = (name: string) => {
        const seconds = value(`maintenance_${name}_timestamp_seconds`)
        return seconds === undefined ? undefined : (seconds * 1_000 - time.clock.now().wall + SOON) / HOUR
      }
      return [value('maintenance_active'), value('node_in_maintenance'), hours('start'), hours('end')]
    },
    reload(next: string) {
      text = yaml(next)
      return daemon.reload('test')
    },
  }
}

const [BEFORE, OPEN, OVER]: [State, State, State] = [
  [0, 0, 1, 3],
  [1, 1, 0, 2],
  [0, 0, undefined, undefined],
]

test('a window opens, closes, and has a grace', async (context) => {
  const { state, advance } = await started(context, window('08:00', '10:00'), '07:00')
  const states = [await state()]
  for (const passed of [HOUR, 2 * HOUR, 15 * MINUTE]) {
    advance(passed - SOON)
    states.push(await state())
  }
  expect(states).toEqual([BEFORE, OPEN, [0, 1, undefined, undefined], OVER])
})

test.for<[string, (time: ReturnType<typeof createManualClock>) => unknown]>([
  ['is set forward by an hour', (time) => time.set(HOUR)],
  ['sleeps with the machine for an hour', (time) => time.pause(HOUR)],
])('a window is open once the clock %s', async ([, happens], context) => {
  const { state, ...time } = await started(context, window('08:00', '10:00'), '07:00')
  expect(await state()).toEqual(BEFORE)
  happens(time)
  expect((await state()).slice(0, 2)).toEqual([1, 1])
})

test('a window is to come again once the clock is set back by an hour', async (context) => {
  const { state, set } = await started(context, window('08:00', '10:00'), '08:30')
  expect(await state()).toEqual([1, 1, -0.5, 1.5])
  set(-HOUR)
  expect((await state()).slice(0, 2)).toEqual([0, 0])
})

test('a window goes by the time of the upstreams while the clock is an hour ahead', async (context) => {
  const date = new Date(at('07:30')).toUTCString()
  const { url } = await createHostileServer(answer(404, '', { date }))
  const { state, poll } = await started(context, window('08:00', '10:00'), '08:30', url)
  await poll()
  expect((await state()).slice(0, 2)).toEqual([0, 0])
})

test('a window that is open at the start is open at once', async (context) => {
  const { state } = await started(context, window('08:00', '10:00'), '08:00')
  expect(await state()).toEqual(OPEN)
})

test.for<[string, string, string, (number | undefined)[]]>([
  ['adds an open window', '', window('08:00', '10:00'), OPEN],
  ['ends an open window', window('08:00', '10:00'), '', [undefined, undefined, undefined, undefined]],
  ['moves an open window', window('08:00', '10:00'), window('09:00', '11:00'), BEFORE],
  ['moves a window, which is then open', window('09:00', '11:00'), window('08:00', '10:00'), OPEN],
  [
    'shortens an open window to its grace',
    window('07:00', '10:00'),
    window('07:00', '07:50'),
    [0, 1, undefined, undefined],
  ],
])('a reload %s', async ([, first, next, expected], context) => {
  const { state, reload } = await started(context, first, '08:00')
  await reload(next)
  expect(await state()).toEqual(expected)
})

test('a reload that changes a window restarts no task', async (context) => {
  const { state, reload } = await started(context, window('08:00', '10:00'), '08:00')
  await state()
  expect(await reload(window('08:00', '11:00'))).toContain(' 0 restarted, 0 added, 0 removed')
})
