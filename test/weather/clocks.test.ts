// The whole daemon while its clocks jump: it goes on polling, and nothing old is served as new.

import { describe, expect, test, type TestContext } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { eventually, scrape } from '../e2e/support/scrape.ts'
import { seriesOf, valueOf } from '../support/exposition.ts'
import { createManualClock } from '../support/clock.ts'
import { configFrom } from '../support/poll.ts'
import { postJson } from '../support/post.ts'

const EPOCH = 1_780_000_000
const HOUR = 3_600_000
const SECOND = 1_000
const EVERY = 30 * SECOND

/** A daemon with one collector on one simulated node, whose clock the test moves. */
async function open({ onTestFinished }: TestContext) {
  const { clock, ...time } = createManualClock(EPOCH * SECOND)
  const simulator = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => clock.now().steady / SECOND,
    validators: 20,
    delegations: 40,
  })
  onTestFinished(() => simulator.stop())
  const config = configFrom(simulator.config(collectors.map(({ name }) => name)))
  const enabled = collectors.map(({ name }) => [name, { enabled: name === 'uptime', every: EVERY }])
  const app = createDaemon({
    config: { ...config, collectors: Object.fromEntries(enabled) as typeof config.collectors },
    version: '0.0.0',
    log: { info: () => {}, warn: () => {} },
    clock,
    random: () => 0,
  })
  onTestFinished(async () => {
    time.advance(0)
    await app.stop()
  })
  const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  const base = `http://127.0.0.1:${bound!.port}`
  const metrics = () => scrape(`${base}/metrics`)
  const labels = { source: 'node-a' }
  async function runs() {
    const all = seriesOf(await metrics(), 'stakewatch_collector_runs_total', labels)
    return all.reduce((sum, { value }) => sum + value, 0)
  }
  /** Lets time go by until that many runs have ended. */
  async function runsBecome(least: number, step = SECOND) {
    await eventually(`${least} runs`, async () => {
      time.advance(step)
      return (await runs()) >= least
    })
  }
  await runsBecome(1)
  return {
    ...time,
    metrics,
    runs,
    runsBecome,
    status: async (path: string) => (await fetch(base + path)).status,
    opinions: async () => seriesOf(await metrics(), 'stakewatch_validator_uptime_ratio', labels).length,
    success: async () => valueOf(await metrics(), 'stakewatch_collector_success', labels),
    jumps: async (direction: string) => valueOf(await metrics(), 'stakewatch_clock_jumps_total', { direction }),
    breakNode: () => postJson(`${simulator.controlUrl}/faults`, { server: 'node-a', fault: { kind: 'reset' } }),
  }
}

describe('a wall clock that is set back by an hour', () => {
  test('is counted, everything is polled again at once, and then as often as before', async (context) => {
    const { set, runs, runsBecome, jumps, success } = await open(context)
    const before = await runs()
    set(-HOUR)
    await runsBecome(before + 1, 250)
    // Five minutes hold at least nine more runs of one that runs every half a minute.
    await runsBecome(before + 10, EVERY)
    await eventually('the jump', async () => (await jumps('back')) === 1)
    expect(await success()).toBe(1)
  })

  test('does not hide that the node fails: what it said is gone when its time to live is over', async (context) => {
    const { set, advance, breakNode, opinions, success, runsBecome, runs } = await open(context)
    expect(await opinions()).toBeGreaterThan(0)
    await breakNode()
    set(-HOUR)
    await runsBecome((await runs()) + 1, 250)
    expect([(await opinions()) > 0, await success()]).toEqual([true, 0])
    advance(301 * SECOND)
    expect([await opinions(), await success()]).toEqual([0, 0])
  })
})

test('after a sleep of the machine what is older than its time to live is gone at the first scrape, and new soon after', async (context) => {
  const { set, advance, opinions, jumps } = await open(context)
  // The steady clock slept as well.
  set(HOUR)
  expect(await opinions()).toBe(0)
  await eventually('new opinions', async () => {
    advance(250)
    return (await opinions()) > 0
  })
  expect(await jumps('forward')).toBe(1)
})

test('a process that stood still serves nothing old, says so, and goes on', async (context) => {
  const { pause, advance, metrics, status, opinions, jumps } = await open(context)
  expect([await status('/-/healthy'), await status('/-/ready')]).toEqual([200, 200])
  // The first scrape comes before the scheduler had a chance to tick: also what does not expire is withdrawn.
  pause(61 * SECOND)
  expect(await metrics()).not.toContain('stakewatch_collector_success')
  expect([await opinions(), await status('/-/healthy'), await status('/-/ready')]).toEqual([0, 503, 503])
  await eventually('the metric says so', async () => {
    pause(2 * SECOND)
    return valueOf(await metrics(), 'stakewatch_scheduler_stalled') === 1
  })
  await eventually('opinions', async () => {
    advance(250)
    return (await opinions()) > 0
  })
  expect([await status('/-/healthy'), await jumps('pause')]).toEqual([200, 1])
})
