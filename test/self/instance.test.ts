import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, test, vi } from 'vitest'
import { type Family, renderHeader } from '../../src/metrics/exposition.ts'
import { createSelf } from '../../src/self/instance.ts'
import { renderRegistry } from '../../src/self/process-metrics.ts'

const linesOf = (families: readonly Family[]) =>
  families.flatMap(({ lines }) => Buffer.concat(lines).toString().split('\n').slice(0, -1))

describe('the registry of prom-client', () => {
  test('is rendered as prom-client renders it, default metrics among them', async () => {
    const registry = new Registry()
    const registers = [registry]
    collectDefaultMetrics({ register: registry })
    new Gauge({ name: 'g', help: 'G.', registers, labelNames: ['a'] }).set({ a: '"\\\n' }, NaN)
    registry.registerMetric(
      new Counter({ name: 'never_total', help: 'No sample yet.', registers: [], labelNames: ['a'] }),
    )
    new Histogram({ name: 'h', help: 'H.', registers, labelNames: ['a'], buckets: [0.1, 1] }).observe({ a: '𝒳' }, 0.5)
    // Measured once, then held still: both sides see the same values.
    await registry.metrics()
    for (const metric of registry.getMetricsAsArray()) metric.collect = () => {}
    const families = new Map((await renderRegistry(registry)).map((family) => [family.name, family]))
    const ours = registry.getMetricsAsArray().map(({ name, help, type }) => {
      const header = renderHeader({ name, help, type: String(type) as 'gauge' }, 'text')
      return header + Buffer.concat(families.get(name)!.lines).toString()
    })
    expect(ours.join('\n')).toBe(await registry.metrics())
  })
})

describe('the process about itself', () => {
  test('publishes what it is given', async () => {
    const self = createSelf('1.2.3', () => 7, false, { ordinal: 2, shards: 4 })
    self.schedulerStalled(true)
    self.connectionCut('unread')
    self.connectionCut('unread')
    self.connectionCut('crowded')
    self.httpRequest('/metrics', 200)
    self.httpRequest('/metrics', 200)
    self.httpRequest('other', 404)
    self.configLoaded(1_700_000_000_500)
    expect(linesOf(await self.families()).filter((line) => line.startsWith('stakewatch_'))).toEqual([
      `stakewatch_build_info{version="1.2.3",node_version="${process.version}"} 1`,
      'stakewatch_shard_ordinal{shard_ordinal="2"} 2',
      'stakewatch_shards 4',
      'stakewatch_config_last_reload_successful 1',
      'stakewatch_config_last_reload_success_timestamp_seconds 1700000000.5',
      'stakewatch_scheduler_stalled 1',
      'stakewatch_http_requests_total{handler="/metrics",code="200"} 2',
      'stakewatch_http_requests_total{handler="other",code="404"} 1',
      'stakewatch_http_connections_cut_total{reason="unread"} 2',
      'stakewatch_http_connections_cut_total{reason="pipelined"} 0',
      'stakewatch_http_connections_cut_total{reason="crowded"} 1',
      'stakewatch_log_lines_dropped_total 7',
    ])
  })

  test('reports a refused configuration, and when the last good one was loaded', async () => {
    const self = createSelf('1.2.3')
    self.configLoaded(1_000)
    self.configRefused()
    const said = async () => linesOf(await self.families()).filter((line) => line.includes('_config_'))
    const names = [
      'stakewatch_config_last_reload_successful',
      'stakewatch_config_last_reload_success_timestamp_seconds',
    ]
    expect(await said()).toEqual([`${names[0]} 0`, `${names[1]} 1`])
    self.configLoaded(2_000)
    expect(await said()).toEqual([`${names[0]} 1`, `${names[1]} 2`])
  })

  test('reports each time how many log lines were lost by then', async () => {
    let lost = 0
    const self = createSelf('1.2.3', () => lost)
    for (lost of [0, 3, 3, 1_000]) {
      expect(linesOf(await self.families())).toContain(`stakewatch_log_lines_dropped_total ${lost}`)
    }
  })

  test('lists every family that it renders, with the labels that its samples carry', async () => {
    const self = createSelf('1.2.3')
    self.httpRequest('/metrics', 200)
    const metrics = new Map(self.metrics.map((metric) => [metric.name, metric]))
    for (const family of await self.families()) {
      const metric = metrics.get(family.name)
      for (const line of linesOf([family])) {
        const labels = [...line.matchAll(/(\w+)="/g)].map(([, label]) => label!).filter((label) => label !== 'le')
        expect([family.name, new Set(labels)]).toEqual([metric?.name, new Set(metric?.labels)])
      }
    }
  })

  test('says nothing of the event loop before it has seen it turn', async () => {
    const self = createSelf('1.2.3')
    // One after the other without giving up the thread: the monitor has recorded nothing.
    const monitored = async () => linesOf(await self.families()).filter((line) => /_lag_\w+_seconds /.test(line))
    expect(await monitored()).toEqual([])
    // Each look begins a new record, and the loop is looked at every 50 ms.
    const lines = await vi.waitFor(
      async () => {
        const seen = await monitored()
        expect(seen).toHaveLength(7)
        return seen
      },
      { interval: 200, timeout: 10_000 },
    )
    // A turn takes less than a minute: none of them is the monitor's largest or no number.
    expect(lines.map((line) => Number(line.split(' ')[1])).every((seconds) => seconds < 60)).toBe(true)
  })

  test('is of a size that no configuration changes, and small', async () => {
    const families = await createSelf('1.2.3').families()
    expect(families.reduce((sum, { series }) => sum + series, 0)).toBeLessThan(100)
  })
})
