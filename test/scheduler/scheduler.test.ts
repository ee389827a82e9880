import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import type { Runner } from '../../src/run/run.ts'
import { createScheduler } from '../../src/scheduler/scheduler.ts'
import type { Jump, Moment } from '../../src/lib/clock.ts'
import { clockOf } from '../support/clock.ts'
import { configFrom } from '../support/poll.ts'

const HOUR = 3_600_000
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
    forget: () => {},
    replace: () => {},
  }
  return { runner, begun, skipped }
}

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Both clocks follow the timers; the wall clock can also be set. */
function open(everyOf?: (task: Task) => number) {
  const manual = createManualRunner()
  const set = { wall: 0 }
  const jumps: (Jump | undefined)[] = []
  const { now, ...timers } = clockOf(Date.now)
  const clock = { ...timers, now: () => ({ wall: now().wall + set.wall, steady: now().steady }) }
  const ticked = (_: Moment, jump?: Jump) => jumps.push(jump)
  const scheduler = createScheduler({ runner: manual.runner, clock, ticked, ...(everyOf && { everyOf }) })
  return { ...manual, scheduler, set, jumps: () => jumps.filter((jump) => jump !== undefined) }
}

test('a reload after which a task may run more often holds at once, and moves no other turn', async () => {
  const stretch = { slow: 240, usual: 1 }
  const { scheduler, begun } = open(({ key }) => 60_000 * stretch[key as keyof typeof stretch])
  void scheduler.start([taskNamed('slow'), taskNamed('usual')])
  const endingAll = () => begun.forEach(({ end }) => end())
  const runsOf = (key: string) => begun.filter((one) => one.key === key).map(({ at }) => at)
  for (let minute = 0; minute < 5; minute += 1) {
    endingAll()
    await vi.advanceTimersByTimeAsync(60_000)
  }
  const [before, usual] = [runsOf('slow').length, runsOf('usual')]
  stretch.slow = 1
  scheduler.exchange({ stop: [], start: [] })
  for (let minute = 0; minute < 5; minute += 1) {
    endingAll()
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect(before).toBe(2)
  expect(runsOf('slow').length).toBe(before + 5)
  expect(
    runsOf('usual')
      .slice(usual.length)
      .map((at) => at - usual.at(-1)!),
  ).toEqual([1, 2, 3, 4, 5].map((n) => n * 60_000))
})

describe('a task with a schedule', () => {
  const MINUTE = 60_000
  /** The hour between 02:00 and 03:00 comes twice in Berlin, an hour after the start. */
  const scheduled = (pattern: string): Task => {
    const task = taskNamed('scheduled', 24 * HOUR)
    return { ...task, settings: { ...task.settings, schedule: { pattern, timezone: 'Europe/Berlin' } } }
  }

  /** Minutes after the start in which it runs; runs end at once. */
  async function runsOf(pattern: string, happens: (set: { wall: number }) => void, minutes: number) {
    const { scheduler, begun, set } = open()
    void scheduler.start([scheduled(pattern)])
    const at: number[] = []
    for (let minute = 0; minute < minutes; minute += 1) {
      if (minute === 10) happens(set)
      await vi.advanceTimersByTimeAsync(MINUTE)
      for (const { end } of begun.splice(0)) {
        end()
        at.push(minute)
      }
    }
    await scheduler.stop(0)
    return at
  }

  // It starts at 02:59:58 summer time, so that minute 0 has 02:59:58 to 03:00:57 or, by then, 02:00:57.
  test.each<[string, string, (set: { wall: number }) => void, number, number[]]>([
    ['runs at the start and at its times', '*/20 * * * *', () => {}, 90, [0, 20, 40, 60, 80]],
    ['runs once if two times are missed', '*/20 * * * *', (set) => (set.wall += 45 * MINUTE), 40, [0, 10, 15, 35]],
    ['does not run for a jump that skips no time', '30 * * * *', (set) => (set.wall += 15 * MINUTE), 40, [0, 15]],
    ['runs again at times that come again', '*/20 * * * *', (set) => (set.wall -= 30 * MINUTE), 60, [0, 10, 30, 50]],
    ['waits for days without running', '0 0 1 1 *', () => {}, 120, [0]],
  ])('%s', async (_, pattern, happens, minutes, expected) => {
    expect(await runsOf(pattern, happens, minutes)).toEqual(expected)
  })
})

describe('scheduler', () => {
  test('first runs start at once: none waits for those of another upstream', async () => {
    const { scheduler, begun } = open()
    const started = scheduler.start(Array.from({ length: 200 }, (_, at) => taskNamed(`t${at}`)))
    expect(begun.map(({ at }) => at)).toEqual(Array(200).fill(0))
    begun.forEach(({ end }) => end())
    await started
    await scheduler.stop(0)
  })

  test.each<[string, Jump, (set: { wall: number }) => void]>([
    ['set back by an hour', 'back', (set) => (set.wall -= HOUR)],
    ['set back by 30 s', 'back', (set) => (set.wall -= 30_000)],
    ['set forward by an hour', 'forward', (set) => (set.wall += HOUR)],
    ['stopped with the whole process', 'pause', () => vi.setSystemTime(Date.now() + 320_000)],
  ])(
    'a clock that is %s is reported once, and all runs at once and goes on at its interval',
    async (_, jump, happens) => {
      const { scheduler, begun, set, jumps } = open()
      const tasks = Array.from({ length: 10 }, (_, at) => taskNamed(`t${at}`))
      void scheduler.start(tasks)
      begun.forEach(({ end }) => end())
      await vi.advanceTimersByTimeAsync(10_000)
      expect(begun).toHaveLength(10)
      happens(set)
      await vi.advanceTimersByTimeAsync(250)
      expect(new Set(begun.slice(10).map(({ key }) => key))).toEqual(new Set(tasks.map(({ key }) => key)))
      begun.forEach(({ end }) => end())
      for (let second = 0; second < 180; second += 1) {
        await vi.advanceTimersByTimeAsync(1_000)
        begun.forEach(({ end }) => end())
      }
      expect(jumps()).toEqual([jump])
      for (const { key } of tasks) {
        const regular = begun.flatMap((run) => (run.key === key ? [run.at] : [])).slice(2)
        expect(regular.length).toBeGreaterThanOrEqual(2)
        expect(regular.slice(1).map((at, index) => at - regular[index]!)).toEqual(regular.slice(1).map(() => 60_000))
      }
      await scheduler.stop(0)
    },
  )

  test('a run that was going on when a clock jumped is repeated when it ends', async () => {
    const { scheduler, begun, set } = open()
    void scheduler.start([taskNamed('t', HOUR)])
    await vi.advanceTimersByTimeAsync(1_000)
    set.wall += HOUR
    await vi.advanceTimersByTimeAsync(1_000)
    expect(begun).toHaveLength(1)
    begun[0]!.end()
    await vi.advanceTimersByTimeAsync(250)
    expect(begun).toHaveLength(2)
    begun[1]!.end()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(begun).toHaveLength(2)
    await scheduler.stop(0)
  })

  test('clocks that are slewed have not jumped', async () => {
    const { scheduler, set, jumps } = open()
    void scheduler.start([])
    for (let second = 0; second < 60; second += 1) {
      set.wall += 1_000
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(jumps()).toEqual([])
    await scheduler.stop(0)
  })

  test('the second runs are spread over the interval, half an interval after the start at the earliest, then all are regular', async () => {
    const { scheduler, begun } = open()
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

  test('a task is repeated at once unless it runs, once in five minutes at most, and keeps its turn', async () => {
    const { scheduler, begun } = open()
    void scheduler.start([
      taskNamed('wanted', 4 * 60_000),
      taskNamed('other', 24 * HOUR),
      taskNamed('running', 24 * HOUR),
    ])
    const isWanted = ({ key }: Task) => key !== 'other'
    const seconds: number[] = []
    for (let second = 0; second < 900; second += 1) {
      for (const { key, end } of begun) if (key !== 'running') end()
      // Long before and long after the second turn.
      if (second === 10 || second === 100 || second === 309 || second === 310) scheduler.repeat(isWanted)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    for (const { key, at } of begun) if (key === 'wanted') seconds.push(at / 1_000)
    const repeated = [10, 310]
    expect(seconds.filter((at) => repeated.includes(at))).toEqual(repeated)
    const [, ...turns] = seconds.filter((at) => !repeated.includes(at))
    expect(turns.length).toBeGreaterThanOrEqual(3)
    expect(new Set(turns.slice(1).map((at, index) => at - turns[index]!))).toEqual(new Set([240]))
    expect(begun.filter(({ key }) => key !== 'wanted').map(({ key }) => key)).toEqual(['other', 'running'])
    begun.forEach(({ end }) => end())
    await scheduler.stop(0)
  })

  test('a run that is still going on is not overtaken: the due one is counted as skipped', async () => {
    const { scheduler, begun, skipped } = open()
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
    const { scheduler, begun } = open()
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
})
