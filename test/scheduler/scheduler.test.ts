import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import type { Runner } from '../../src/scheduler/run.ts'
import { createScheduler } from '../../src/scheduler/scheduler.ts'
import { configFrom } from '../support/poll.ts'

const START = Date.UTC(2026, 9, 25, 0, 59, 58)
const [template] = plan(
  configFrom('networks: [{ name: fuji, nodes: [{ name: a, url: "http://127.0.0.1:1" }] }]'),
  collectors.filter(({ name }) => name === 'supply'),
)
const taskNamed = (key: string, every = 60_000): Task => ({
  ...template!,
  key,
  settings: { ...template!.settings, every },
})

/** A runner whose runs end when the test says so. */
function createManualRunner() {
  const begun: { key: string; at: number; signal: AbortSignal; end: () => void }[] = []
  const skipped: string[] = []
  const runner: Runner = {
    run: (task, signal) =>
      new Promise((end) => {
        begun.push({ key: task.key, at: Date.now() - START, signal, end })
        signal.addEventListener('abort', () => end())
      }),
    skip: ({ key }) => skipped.push(key),
    result: () => undefined,
    judgements: () => [],
  }
  return { runner, begun, skipped }
}

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('scheduler', () => {
  test('first runs start at once, no more than 16 at a time', async () => {
    const { runner, begun } = createManualRunner()
    const scheduler = createScheduler(runner, Date.now)
    const started = scheduler.start(Array.from({ length: 20 }, (_, at) => taskNamed(`t${at}`)))
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toHaveLength(16)
    begun.slice(0, 3).forEach(({ end }) => end())
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toHaveLength(19)
    begun.forEach(({ end }) => end())
    await vi.advanceTimersByTimeAsync(0)
    begun.forEach(({ end }) => end())
    await started
    expect(begun.map(({ at }) => at)).toEqual(Array(20).fill(0))
    await scheduler.stop(0)
  })

  test('the second runs are spread over the interval, half an interval after the start at the earliest, then all are regular', async () => {
    const { runner, begun } = createManualRunner()
    const scheduler = createScheduler(runner, Date.now)
    const tasks = Array.from({ length: 60 }, (_, at) => taskNamed(`task-${at}`))
    void scheduler.start(tasks)
    for (let second = 0; second < 300; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000)
      begun.forEach(({ end }) => end())
    }
    await scheduler.stop(0)
    const times = tasks.map(({ key }) => begun.filter((run) => run.key === key).map(({ at }) => at))
    const seconds = times.map(([, second]) => second!)
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(30_000)
    expect(Math.max(...seconds)).toBeLessThanOrEqual(91_000)
    // No second of the minute gets more than a tenth of the tasks.
    const perSecond = Map.groupBy(seconds, (at) => at)
    expect(Math.max(...[...perSecond.values()].map(({ length }) => length))).toBeLessThanOrEqual(6)
    for (const [, ...later] of times) {
      const gaps = later.slice(1).map((at, index) => at - later[index]!)
      expect(gaps.length).toBeGreaterThanOrEqual(2)
      expect(new Set(gaps)).toEqual(new Set([60_000]))
    }
  })

  test('a run that is still going on is not overtaken: the due one is counted as skipped', async () => {
    const { runner, begun, skipped } = createManualRunner()
    const scheduler = createScheduler(runner, Date.now)
    void scheduler.start([taskNamed('slow', 10_000)])
    await vi.advanceTimersByTimeAsync(36_000)
    expect(begun).toHaveLength(1)
    expect(skipped).toEqual(['slow', 'slow', 'slow'])
    begun[0]!.end()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(begun).toHaveLength(2)
    begun[1]!.end()
    await scheduler.stop(0)
  })

  test('stop waits for runs in flight, gives them up after the grace, and starts no new ones', async () => {
    const { runner, begun } = createManualRunner()
    const scheduler = createScheduler(runner, Date.now)
    void scheduler.start([taskNamed('one'), taskNamed('two')])
    await vi.advanceTimersByTimeAsync(0)
    let stopped = false
    const stopping = scheduler.stop(3_000).then(() => (stopped = true))
    begun[0]!.end()
    await vi.advanceTimersByTimeAsync(2_999)
    expect([stopped, begun[1]!.signal.aborted]).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(1)
    await stopping
    expect(begun[1]!.signal.reason).toMatchObject({ code: 'aborted' })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(begun).toHaveLength(2)
  })

  test('tasks still waiting for their first run are not begun after a stop', async () => {
    const { runner, begun } = createManualRunner()
    const scheduler = createScheduler(runner, Date.now)
    void scheduler.start(Array.from({ length: 17 }, (_, at) => taskNamed(`t${at}`)))
    await vi.advanceTimersByTimeAsync(0)
    const stopping = scheduler.stop(1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    await stopping
    expect(begun).toHaveLength(16)
  })
})
