// What is published lives at least until the next answer may come: two hours of every collector, or six of its intervals, with a
// clock that jumps from run to run.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import type { FromPoller } from '../../src/metrics/publication.ts'
import { toWire } from '../../src/operations/define.ts'
import { plan, type Task } from '../../src/scheduler/plan.ts'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import { type Client, createClient } from '../../src/upstream/client.ts'
import { createHttp } from '../../src/upstream/http.ts'
import { createShared } from '../../src/upstream/shared-answers.ts'
import { configFrom } from '../support/poll.ts'
import { clockOf } from '../support/clock.ts'
import { unlimited } from '../support/unlimited.ts'
import { quietRunner } from '../support/quiet-runner.ts'

const EPOCH = 1_780_000_000
const HOUR = 3_600_000

let simulator: Simulator
const http = createHttp({ userAgent: 'test', random: () => 0, now: Date.now })
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => 0,
    validators: 12,
    delegations: 40,
    dialect: 'live',
  })
})
afterAll(async () => {
  await simulator.stop()
  await http.close()
})

/** The network stands still, so that each question is really asked once; the answers are as young as if it were asked. */
function stillClient(now: () => number): Client {
  const real = createClient({
    http,
    timeout: 10_000,
    clock: clockOf(now),
    ...unlimited(clockOf(now)),
    report: () => {},
  })
  const shared = createShared(clockOf(now))
  const answers = new Map<string, ReturnType<Client['call']>>()
  const call = (...[source, operation, params, { maxAge = 0, signal }]: Parameters<Client['call']>) => {
    const key = JSON.stringify([source.name, operation.name, toWire(operation, params)])
    return shared.ask(key, maxAge, async () => {
      if (!answers.has(key)) answers.set(key, real.call(source, operation, params, { signal }))
      return { ...(await answers.get(key)!), at: clockOf(now).now() }
    })
  }
  return { call: call as Client['call'] }
}

/** One task of each collector: how long an answer lives does not depend on whom it is about. */
function oneOfEach(tasks: readonly Task[]): Task[] {
  return [...new Map(tasks.toReversed().map((task) => [task.collector.name, task])).values()]
}

/** At the start, then as late as a phase can be, then at each interval. Milliseconds since the start. */
function* times({ settings: { every } }: Task): Generator<number> {
  yield 0
  for (let at = 1.5 * every; at < Math.max(2 * HOUR, 6 * every); at += every) yield at
}

/** Units whose series were gone before the next answer came, with the seconds for which they were. */
async function gaps(config: string): Promise<Record<string, number>> {
  const clock = { now: 0 }
  const now = () => EPOCH * 1_000 + clock.now
  const found: Record<string, number> = {}
  const expiries = new Map<string, number>()
  function publish(message: FromPoller): void {
    if (message.kind === 'drop') for (const key of message.keys) expiries.delete(key)
    if (message.kind !== 'publish') return
    const gap = now() - (expiries.get(message.key) ?? Infinity)
    if (gap >= 0) found[message.key] = gap / 1_000
    if (message.families.length > 0) expiries.set(message.key, message.expiresAt.steady)
    else expiries.delete(message.key)
  }
  const runner = quietRunner({
    client: stillClient(now),
    publish,
    clock: clockOf(now),
  })
  const tasks = oneOfEach(plan(configFrom(config), collectors))
  expect(new Set(tasks.map(({ collector }) => collector))).toEqual(new Set(collectors))
  const due = tasks.flatMap((task) => [...times(task)].map((at) => ({ at, task })))
  for (const { at, task } of due.toSorted((a, b) => a.at - b.at)) {
    clock.now = at
    await runner.run(task, new AbortController().signal)
  }
  return found
}

test.each<[string, (demo: string) => string]>([
  ["the demo's intervals", (demo) => demo],
  [
    'the intervals of the collectors themselves',
    (demo) =>
      demo.replace(
        /^collectors:[^]*/m,
        `collectors:\n${collectors.map(({ name }) => `  ${name}: { enabled: true }`).join('\n')}\n`,
      ),
  ],
  [
    'an interval of an hour, and the least time to live',
    (demo) =>
      demo.replace(
        /^collectors:[^]*/m,
        `defaults: { ttl: 1 }\ncollectors:\n${collectors.map(({ name }) => `  ${name}: { enabled: true, every: 1h }`).join('\n')}\n`,
      ),
  ],
])('no series is gone between two successes: %s', async (_, of) => {
  expect(await gaps(of(simulator.config(collectors.map(({ name }) => name))))).toEqual({})
})
