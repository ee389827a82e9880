// Collectors that need the same fact ask for it by themselves; the upstream is asked once.

import { expect, test } from 'vitest'
import { type AnyCollector, defineCollector } from '../../src/collectors/define.ts'
import { getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { bareNode } from '../support/bare-server.ts'
import { configFrom } from '../support/poll.ts'
import { createAsking } from '../upstream/asking.ts'
import { clockOf } from '../support/clock.ts'
import { quietRunner } from '../support/quiet-runner.ts'

/** The younger the answer that it takes, the more often it has to ask. */
const asking = (name: string, maxAge?: string): AnyCollector =>
  defineCollector({
    name,
    about: 'For tests.',
    every: '1m',
    uses: [getCurrentSupply],
    observer: 'any',
    metrics: [],
    subjects: () => [{ name: 'primary', labels: {} }],
    estimate: () => ({ calls: [], series: 0 }),
    async collect({ call }) {
      await call(getCurrentSupply, {}, maxAge === undefined ? {} : { maxAge })
      return { samples: [] }
    },
  })

test.each([
  ['at the same time', undefined, 0, 1],
  ['one after the other, within the age that both take', '20s', 20_000, 1],
  ['one after the other, beyond it', '20s', 20_001, 2],
  ['one after the other, when nothing old will do', undefined, 1, 2],
])('two collectors ask the same %s', async (_, maxAge, later, calls) => {
  const { url, asked } = await bareNode(() => ({ result: '{"supply":"1"}' }))
  const clock = { now: 1_000_000 }
  const now = () => clock.now
  const { client } = createAsking({ now })
  const config = configFrom(`networks: [{ name: fuji, nodes: [{ name: node-a, url: "${url}" }] }]`)
  const [first, second] = plan(config, [asking('one', maxAge), asking('two', maxAge)])
  const runner = quietRunner({
    client,
    clock: clockOf(now),
  })
  const { signal } = new AbortController()
  const running = runner.run(first!, signal)
  if (later > 0) await running
  clock.now += later
  await Promise.all([running, runner.run(second!, signal)])
  expect([runner.result(first!), runner.result(second!)]).toEqual(['success', 'success'])
  expect(asked).toHaveLength(calls)
})
