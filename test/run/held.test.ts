// What is left of runs that are over.

import { expect, test } from 'vitest'
import { systemClock } from '../../src/process/system-clock.ts'
import { type AnyCollector, defineCollector } from '../../src/collectors/define.ts'
import { BaseError } from '../../src/errors.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { createAccounts, withBudget } from '../../src/budget/accounts.ts'
import { plan } from '../../src/scheduler/plan.ts'
import type { Client } from '../../src/upstream/client.ts'
import { countHeld } from '../support/held.ts'
import { configFrom } from '../support/poll.ts'
import { quietRunner } from '../support/quiet-runner.ts'

const config = configFrom(`
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
`)

const asking: AnyCollector = defineCollector({
  name: 'asking',
  about: 'For tests.',
  every: '1h',
  uses: [getCurrentSupply],
  observer: 'any',
  metrics: [],
  subjects: () => [{ name: 'primary', labels: {} }],
  estimate: () => ({ calls: [{ operation: getCurrentSupply, times: 1 }], series: 0 }),
  async collect({ call }) {
    await call(getCurrentSupply, {})
    return { samples: [] }
  },
})

/** The first source does not answer, the second one does where `answers`. */
const clientThat = (answers: boolean): Client => ({
  async call({ name }) {
    if (name === 'node-a' || !answers) throw new BaseError('network', 'refused')
    return { value: { supply: 1n } as never, at: systemClock.now(), took: 0, source: name, dropped: 0 }
  },
})

test.each([
  ['successful', true],
  ['failed', false],
])('no deadline of %s runs is held, though each would last for most of an hour', async (_, answers) => {
  const deadlines: WeakRef<AbortSignal>[] = []
  const clock: Clock = {
    ...systemClock,
    deadline(milliseconds) {
      const signal = systemClock.deadline(milliseconds)
      deadlines.push(new WeakRef(signal))
      return signal
    },
  }
  const log = { info: () => {}, warn: () => {} }
  const tasks = plan(config, [asking])
  const runner = quietRunner({
    client: clientThat(answers),
    clock,
    log,
  })
  const accounts = createAccounts({ tasks, clock, circuits: { isOpen: () => false }, log })
  const { run } = withBudget(runner, accounts)
  const { signal } = new AbortController()
  for (let time = 0; time < 3; time += 1) await run(tasks[0]!, signal)
  expect(runner.result(tasks[0]!)).toBe(answers ? 'success' : 'failure')
  // Each run has one for itself, one for what it waits for, and one for the first of two sources.
  expect(deadlines).toHaveLength(3 * 3)
  expect(await countHeld(deadlines)).toBe(0)
})
