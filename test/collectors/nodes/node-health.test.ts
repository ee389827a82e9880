import { describe, expect, test } from 'vitest'
import { nodeHealth } from '../../../src/collectors/nodes/node-health.ts'
import { beyond } from '../../recorded/recorded.ts'
import { createPoller, type Poller } from '../../support/poll.ts'

const L1 = 'fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet'
const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
`
/** A GET has the same checks as the call. */
function recordedAs(name: string): unknown {
  const { response } = beyond.find((one) => one.of === 'health' && one.case.startsWith(name))!
  return (response as { result?: unknown }).result ?? response
}
const time = (text: string) => Date.parse(text)
const seconds = (text: string) => time(text) / 1_000

async function polled(answer: unknown, now: string) {
  const poller = createPoller(yaml, nodeHealth, time(now))
  await poller.poll(() => answer)
  return poller
}

/** By check: whether it passes, since when it fails, when it was made. */
function published(poller: Poller, metric: 'passing' | 'failing_since_timestamp_seconds' | 'timestamp_seconds') {
  return poller.values(`stakewatch_node_health_check_${metric}`, 'check')
}
const of = (names: readonly string[], value: number) => Object.fromEntries(names.map((name) => [name, value]))

const NODE = ['C', 'P', 'X', 'bls', 'bootstrapped', 'database', 'diskspace', 'futureupgrade', 'network', 'router']

describe("node-health (the node's own interface, health)", () => {
  test('all checks of a healthy node pass', async () => {
    const poller = await polled(recordedAs('all up, POST'), '2026-11-22T00:39:39.500Z')
    expect(published(poller, 'passing')).toEqual(of([...NODE, L1], 1))
    expect(published(poller, 'failing_since_timestamp_seconds')).toEqual({})
    expect(published(poller, 'timestamp_seconds')).toEqual({
      ...of(NODE, seconds('2026-11-22T00:39:39.019Z')),
      [L1]: seconds('2026-11-22T00:39:39.020Z'),
    })
    expect(poller.success()).toEqual([1])
  })

  // The names of those that fail, and since when.
  test.each([
    [
      'the plugin of an L1 chain did not start',
      '2026-11-22T00:36:12Z',
      { bootstrapped: '2026-11-22T00:35:59.107Z', [L1]: '2026-11-22T00:36:03.107Z' },
    ],
    [
      'an L1 chain waits: 24 % of its stake tracks it',
      '2026-11-22T00:37:20Z',
      { bootstrapped: '2026-11-22T00:37:03.021Z', [L1]: '2026-11-22T00:37:03.022Z' },
    ],
    [
      'L1 chain: all its nodes restarted, 73 % of its stake up, waits for 75 %',
      '2026-11-22T00:50:06Z',
      { bootstrapped: '2026-11-22T00:48:46.331Z' },
    ],
  ])('%s', async (moment, now, failing: Readonly<Record<string, string>>) => {
    const poller = await polled(recordedAs(moment), now)
    expect(published(poller, 'passing')).toEqual({ ...of([...NODE, L1], 1), ...of(Object.keys(failing), 0) })
    expect(published(poller, 'failing_since_timestamp_seconds')).toEqual(
      Object.fromEntries(Object.entries(failing).map(([check, since]) => [check, seconds(since)])),
    )
    expect(poller.success()).toEqual([1])
  })

  test('shows stale check times while a frozen chain process passes all checks', async () => {
    const poller = await polled(recordedAs('plugin of the L1 chain frozen'), '2026-11-22T00:52:55Z')
    expect(published(poller, 'passing')).toEqual(of([...NODE, L1], 1))
    const times = Object.entries(published(poller, 'timestamp_seconds'))
    // Asked at 52:55; the check of the frozen chain is from 52:26, those that wait for it from 52:28.
    expect(Object.fromEntries(times.map(([check, at]) => [check, Math.floor(at)]))).toEqual({
      ...of(NODE, seconds('2026-11-22T00:52:28Z')),
      [L1]: seconds('2026-11-22T00:52:26Z'),
    })
  })

  test('publishes no time for a check dated in the future', async () => {
    const answer = {
      checks: {
        P: { timestamp: '2026-11-22T01:00:00Z' },
        X: { error: 'x', timestamp: '2026-11-25T01:00:00Z', timeOfFirstFailure: '2026-11-25T01:00:00Z' },
      },
      healthy: false,
    }
    const poller = await polled(answer, '2026-11-22T01:00:00Z')
    expect(published(poller, 'passing')).toEqual({ P: 1, X: 0 })
    expect(published(poller, 'timestamp_seconds')).toEqual({ P: seconds('2026-11-22T01:00:00Z') })
    expect(published(poller, 'failing_since_timestamp_seconds')).toEqual({})
    expect([poller.success(), poller.reasons]).toEqual([[0], ['future']])
  })

  test('ignores a check that has not run since the start', async () => {
    const zero = '0001-01-01T00:00:00Z'
    const checks = {
      P: { error: 'not yet run', timestamp: zero, duration: 0 },
      bootstrapped: { error: 'not yet run', timestamp: zero, duration: 0, timeOfFirstFailure: zero },
      bls: { message: 'node has the correct BLS key', timestamp: '2026-11-22T01:00:00Z', duration: 1 },
    }
    const poller = await polled({ checks, healthy: false }, '2026-11-22T01:00:10Z')
    expect(published(poller, 'passing')).toEqual({ bls: 1 })
    expect(published(poller, 'failing_since_timestamp_seconds')).toEqual({})
    expect(published(poller, 'timestamp_seconds')).toEqual({ bls: seconds('2026-11-22T01:00:00Z') })
    expect([poller.success(), poller.reasons]).toEqual([[1], []])
  })

  test.each([
    ['the plugin of an L1 chain did not start', ['231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv']],
    ['an L1 chain waits: 24 % of its stake tracks it', []],
    ['L1 plugin died', []],
  ])('chains that could not be created: %s', async (moment, failed) => {
    const poller = await polled(recordedAs(moment), '2026-11-22T00:50:00Z')
    const lines = poller.lines(/^stakewatch_node_chain_failed/)
    expect(lines).toEqual(
      failed.map(
        (subnet) => `stakewatch_node_chain_failed{network="local",subnet="${subnet}",source="node-2",check="${L1}"} 1`,
      ),
    )
  })

  test('merges checks beyond 32 into the one that has failed longest', async () => {
    const at = (minute: number) => `2026-11-22T00:${minute}:00Z`
    const names = Array.from({ length: 35 }, (_, number) => `chain-${number + 10}`)
    const checks: Record<string, object> = Object.fromEntries(names.map((name) => [name, { timestamp: at(58) }]))
    // The last three of them: chain-42 to chain-44.
    checks['chain-42'] = { timestamp: at(57) }
    checks['chain-43'] = { error: 'a', timestamp: at(58), timeOfFirstFailure: at(40) }
    checks['chain-44'] = { error: 'b', timestamp: at(58), timeOfFirstFailure: at(50) }
    const poller = await polled({ checks, healthy: false }, '2026-11-22T01:00:00Z')
    expect(published(poller, 'passing')).toEqual({ ...of(names.slice(0, 32), 1), other: 0 })
    expect(published(poller, 'failing_since_timestamp_seconds')).toEqual({ other: seconds(at(40)) })

    delete checks['chain-43']
    delete checks['chain-44']
    checks['chain-45'] = { timestamp: at(58) }
    poller.clock.now += 1_000
    await poller.poll(() => ({ checks, healthy: true }))
    expect(published(poller, 'timestamp_seconds')['other']).toBe(seconds(at(57)))
  })
})
