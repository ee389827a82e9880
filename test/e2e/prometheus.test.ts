// What an operator sees in Prometheus is what the network says of itself: the demo, scraped by a real Prometheus.

import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Prometheus, startPrometheus } from './support/prometheus.ts'
import { stakewatch, type Started, temporaryFolder } from './support/processes.ts'
import { eventually, scrape } from './support/scrape.ts'

/** The control endpoint's words. */
interface State {
  now: number
  supply: string
  chains: Record<'P' | 'X' | 'C', { head: number; blocks: Record<string, number>; transactions: number }>
  validators: { nodeId: string; views: Record<string, { connected: boolean; uptime: number }> }[]
}
const chains = ['P', 'X', 'C'] as const

describe('the demo in Prometheus', () => {
  let demo: Started
  let prometheus: Prometheus | undefined
  let metricsUrl: string
  let control: string
  let tookToServe: number

  beforeAll(async () => {
    const began = performance.now()
    // The world stands still at first, so that what two sides say of it is of one moment.
    demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0', '--speed=0')
    metricsUrl = await demo.said(/metrics: +(\S+)/)
    control = (await demo.said(/the network's own: +(\S+)\/state/)).replace(/\/$/, '')
    const base = new URL(metricsUrl).origin
    await eventually('ready', async () => (await fetch(`${base}/-/ready`)).status === 200, 20)
    await scrape(metricsUrl)
    tookToServe = performance.now() - began
    prometheus = await startPrometheus(metricsUrl)
  }, 60_000)

  afterAll(async () => {
    await prometheus?.end()
    const code = await demo.end()
    if (code !== 0) throw new Error(`the demo ended with ${code}: ${demo.stderr()}`)
  })

  const state = async () => (await (await fetch(`${control}/state`)).json()) as State
  const setSpeed = async (factor: number) => {
    const body = JSON.stringify({ kind: 'speed', factor })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${control}/actions`, { method: 'POST', headers, body })).status).toBe(200)
  }
  const value = async (expression: string) => {
    const series = await prometheus!.query(expression)
    return series.length === 1 ? series[0]!.value : undefined
  }
  const tokens = (smallest: string) => Number(`${smallest.slice(0, -9)}.${smallest.slice(-9)}`)
  /** Every task has a success that began after now, and Prometheus has seen it. */
  const everythingPolledAndScraped = async () => {
    const since = Date.now() / 1_000
    // No run of the demo takes a second: one that ended this much later began later as well.
    const late = `stakewatch_collector_last_success_timestamp_seconds > ${since + 1}`
    const tasks = await value('count(stakewatch_collector_interval_seconds)')
    await eventually('every task has run', async () => (await value(`count(${late})`)) === tasks, 40)
  }

  test('is served quickly', () => {
    expect(tookToServe).toBeLessThan(20_000)
  })

  test('pleases promtool', async () => {
    const said = execFileSync('promtool', ['check', 'metrics'], { input: await scrape(metricsUrl), encoding: 'utf8' })
    expect(said).toBe('')
  })

  test('says what the network says of itself', async () => {
    await eventually('a scrape', async () => (await value('up')) === 1)
    expect(await value('scrape_samples_scraped')).toBeGreaterThan(300)
    const { supply, chains: own, validators } = await state()
    expect(await value('stakewatch_supply_tokens')).toBe(tokens(supply))
    for (const name of chains) {
      expect(await value(`stakewatch_chain_head_height{chain="${name.toLowerCase()}-chain"}`)).toBe(own[name].head)
    }
    // The nodes are the first two validators; each tells of the first six, but not of itself.
    const observers = { 'node-a': validators[0]!.nodeId, 'node-b': validators[1]!.nodeId }
    for (const [source, observer] of Object.entries(observers)) {
      const seen = await prometheus!.query(`stakewatch_validator_uptime_ratio{source="${source}"}`)
      const tracked = validators.slice(0, 6).filter(({ nodeId }) => nodeId !== observer)
      expect(new Set(seen.map(({ labels }) => labels['node_id']))).toEqual(new Set(tracked.map(({ nodeId }) => nodeId)))
      for (const { nodeId, views } of tracked) {
        const ratio = seen.find(({ labels }) => labels['node_id'] === nodeId)!.value
        // The node gives percent with four decimals.
        expect(Math.abs(ratio - views[observer]!.uptime)).toBeLessThanOrEqual(0.5e-6 + 1e-12)
        const labels = `source="${source}",node_id="${nodeId}"`
        expect(await value(`stakewatch_validator_connected{${labels}}`)).toBe(views[observer]!.connected ? 1 : 0)
      }
    }
  })

  /** What has been counted of a chain so far. */
  const counted = async (name: string) => {
    const labels = `{chain="${name.toLowerCase()}-chain"}`
    const types = await prometheus!.query(`stakewatch_chain_blocks_total${labels}`)
    return {
      types: Object.fromEntries(types.map(({ labels, value }) => [labels['block_type']!, value])),
      transactions: await value(`stakewatch_chain_transactions_total${labels}`),
      sizes: await value(`stakewatch_chain_block_size_bytes_count${labels}`),
      intervals: await value(`stakewatch_chain_block_interval_seconds_count${labels}`),
      missed: await value(`stakewatch_chain_blocks_missed_total${labels}`),
    }
  }

  test('counts every block and every transaction of a burst once', async () => {
    await eventually('a scrape', async () => (await value('up')) === 1)
    const before = await state()
    const countedBefore = await Promise.all(chains.map(counted))
    await setSpeed(50)
    await eventually('ten minutes have passed there', async () => (await state()).now >= before.now + 600, 30)
    await setSpeed(0)
    const after = await state()
    await everythingPolledAndScraped()
    for (const [at, name] of chains.entries()) {
      const [from, to, start] = [before.chains[name], after.chains[name], countedBefore[at]!]
      const blocks = to.head - from.head
      expect(blocks).toBeGreaterThan(10)
      expect(await counted(name)).toEqual({
        types: Object.fromEntries(
          Object.entries(to.blocks).map(([type, count]) => [type, start.types[type]! + count - from.blocks[type]!]),
        ),
        transactions: start.transactions! + to.transactions - from.transactions,
        sizes: start.sizes! + blocks,
        intervals: start.intervals! + blocks,
        missed: 0,
      })
      expect(await value(`stakewatch_chain_head_height{chain="${name.toLowerCase()}-chain"}`)).toBe(to.head)
    }
    expect(await value('stakewatch_supply_tokens')).toBe(tokens(after.supply))
  })
})

describe('the configuration that simulate prints', () => {
  test('is one that the daemon takes', async () => {
    const folder = await temporaryFolder()
    const simulate = stakewatch('simulate', '--seed=3')
    let daemon: Started | undefined
    try {
      await simulate.said(/^ {2}(primary-blocks: .*\n)/m)
      const file = join(folder.path, 'stakewatch.yaml')
      await writeFile(file, simulate.stdout())
      daemon = stakewatch(`--config.file=${file}`, '--web.listen-address=127.0.0.1:0')
      const address = await daemon.said(/address=(\S+) .*msg=listening/)
      await eventually('ready', async () => (await fetch(`http://${address}/-/ready`)).status === 200)
      const text = await scrape(`http://${address}/metrics`)
      const tasks = text.match(/^stakewatch_collector_interval_seconds\{/gm)!
      expect(text.match(/^stakewatch_collector_success\{.*\} 1$/gm)).toHaveLength(tasks.length)
      expect(await daemon.end()).toBe(0)
      expect(daemon.stderr()).not.toContain('level=warn')
      expect(await simulate.end()).toBe(0)
    } finally {
      await daemon?.end()
      await simulate.end()
      await folder.remove()
    }
  })
})
