// What an operator sees in Prometheus is what the network says of itself: the demo, scraped by a real Prometheus.

import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Prometheus, startPrometheus } from './support/prometheus.ts'
import { postJson } from '../support/post.ts'
import { stakewatch, type Started } from './support/processes.ts'
import { eventually, scrape } from './support/scrape.ts'

/** The control endpoint's words. */
interface State {
  now: number
  supply: string
  chains: Record<'P' | 'X' | 'C', { head: number; blocks: Record<string, number>; transactions: number }>
  validators: {
    nodeId: string
    reward: string
    delegations: number
    fees: string
    views: Record<string, { connected: boolean; uptime: number }>
  }[]
  l1s: {
    name: string
    validators: { nodeId: string; weight: string; balance: string }[]
    legacy: { nodeId: string }[]
  }[]
  feeMarket: { active: number; accrued: number }
  evm: { chainId: number; head: number; headTime: number; transactions: number }[]
}
/** Names of the chains that the demo watches, by EVM chain id. */
const evmChains = { 'c-chain': 43_113, orchard: 43_214, harbour: 43_215 }
const chains = ['P', 'X', 'C'] as const

describe('the demo in Prometheus', () => {
  let demo: Started
  let prometheus: Prometheus | undefined
  let metricsUrl: string
  let control: string

  beforeAll(async () => {
    // The world stands still at first, so that what two sides say of it is of one moment.
    demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0', '--speed=0')
    metricsUrl = await demo.said(/metrics: +(\S+)/)
    control = (await demo.said(/the network's own: +(\S+)\/state/)).replace(/\/$/, '')
    const base = new URL(metricsUrl).origin
    await eventually('ready', async () => (await fetch(`${base}/-/ready`)).status === 200)
    await scrape(metricsUrl)
    prometheus = await startPrometheus(metricsUrl)
  })

  afterAll(async () => {
    await prometheus?.end()
    const code = await demo.end()
    if (code !== 0) throw new Error(`the demo ended with ${code}: ${demo.stderr()}`)
  })

  const state = async () => (await (await fetch(`${control}/state`)).json()) as State
  const setSpeed = (factor: number) => postJson(`${control}/actions`, { kind: 'speed', factor })
  const value = async (expression: string) => {
    const series = await prometheus!.query(expression)
    return series.length === 1 ? series[0]!.value : undefined
  }
  /** Of nine decimal places. */
  const inTokens = (smallest: string) => {
    const digits = smallest.padStart(10, '0')
    return Number(`${digits.slice(0, -9)}.${digits.slice(-9)}`)
  }
  /** Every task that is compared here has a success that began after now, and Prometheus has seen it: none is slower. */
  const everythingPolledAndScraped = async () => {
    const since = Date.now() / 1_000
    // No run of the demo takes a second: one that ended this much later began later as well.
    const quick = 'stakewatch_collector_interval_seconds <= 30'
    const late = `stakewatch_collector_last_success_timestamp_seconds > ${since + 1}
      and on (network, collector, source, target) ${quick}`
    const all = await eventually('a scrape', () => value(`count(${quick})`))
    await eventually('every task has run', async () => (await value(`count(${late})`)) === all)
  }

  test('pleases promtool', async () => {
    const said = execFileSync('promtool', ['check', 'metrics'], { input: await scrape(metricsUrl), encoding: 'utf8' })
    expect(said).toBe('')
  })

  test('says what the network says of itself', async () => {
    await eventually('a scrape', async () => (await value('up')) === 1)
    expect(await value('scrape_samples_scraped')).toBeGreaterThan(300)
    const { supply, chains: own, validators } = await state()
    expect(await value('stakewatch_supply_tokens{subnet="primary"}')).toBe(inTokens(supply))
    for (const name of chains) {
      expect(await value(`stakewatch_chain_head_height{chain="${name.toLowerCase()}-chain"}`)).toBe(own[name].head)
    }
    // The nodes are the first two validators; each reports the first six, but not itself.
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

  const balancesAreExact = async ({ l1s }: State) => {
    for (const { name, validators, legacy } of l1s) {
      const published = await prometheus!.query(`stakewatch_l1_validator_balance_tokens{subnet="${name}"}`)
      expect(Object.fromEntries(published.map(({ labels, value }) => [labels['node_id'], value]))).toEqual(
        Object.fromEntries(validators.map(({ nodeId, balance }) => [nodeId, inTokens(balance)])),
      )
      const active = await prometheus!.query(`stakewatch_l1_validator_active{subnet="${name}"} == 1`)
      expect(active).toHaveLength(validators.filter(({ balance }) => balance !== '0').length)
      const inSubnet = `sum(stakewatch_subnet_validators{subnet="${name}"})`
      expect(await value(inSubnet)).toBe(validators.length + legacy.length)
    }
  }

  const evmHeadsAreExact = async ({ evm }: State) => {
    for (const [chain, chainId] of Object.entries(evmChains)) {
      const { head, headTime, transactions } = evm.find((one) => one.chainId === chainId)!
      expect(await value(`stakewatch_evm_head_height{chain="${chain}"}`)).toBe(head)
      expect(await value(`stakewatch_evm_head_timestamp_seconds{chain="${chain}"}`)).toBe(headTime)
      expect(await value(`stakewatch_evm_transactions_total{chain="${chain}"}`)).toBe(transactions)
      expect(await value(`stakewatch_evm_blocks_missed_total{chain="${chain}"}`)).toBe(0)
    }
  }

  /** The wallet of the demo gets the rewards of two validators and their fees, and delegates nothing itself. */
  const pendingRewardsAreExact = async ({ validators }: State) => {
    const own = [validators[2]!, validators[5]!]
    const [first, second] = own
    const labels = (type: string) => `{address="operator",reward_type="${type}"}`
    const published = async (type: string) => [
      await value(`stakewatch_address_pending_reward_tokens${labels(type)}`),
      await value(`stakewatch_address_pending_rewards${labels(type)}`),
    ]
    const sum = (key: 'reward' | 'fees') => inTokens(String(BigInt(first![key]) + BigInt(second![key])))
    expect(await published('VALIDATOR')).toEqual([sum('reward'), 2])
    expect(await published('VALIDATOR_FEE')).toEqual([sum('fees'), first!.delegations + second!.delegations])
    expect(await published('DELEGATOR')).toEqual([0, 0])
    for (const { nodeId, reward } of own) {
      const labels = `{node_id="${nodeId}",reward_type="VALIDATOR"}`
      expect(await value(`stakewatch_validator_pending_reward_tokens${labels}`)).toBe(inTokens(reward))
    }
  }

  test('says of L1 balances, EVM chains and pending rewards what the network says', async () => {
    await eventually('a scrape', async () => (await value('up')) === 1)
    const simulated = await state()
    await balancesAreExact(simulated)
    await evmHeadsAreExact(simulated)
    await pendingRewardsAreExact(simulated)
    expect(await value('stakewatch_l1_active_validators')).toBe(simulated.feeMarket.active)
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
    await eventually('ten minutes have passed there', async () => (await state()).now >= before.now + 600)
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
    expect(await value('stakewatch_supply_tokens{subnet="primary"}')).toBe(inTokens(after.supply))
    await balancesAreExact(after)
    await evmHeadsAreExact(after)
    expect(BigInt(after.l1s[0]!.validators[0]!.balance)).toBeLessThan(BigInt(before.l1s[0]!.validators[0]!.balance))
  })
})
