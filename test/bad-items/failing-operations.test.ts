// An operation that fails, in each collector that asks for it on a small simulated network: the run is a failure, what was
// published stays, and the next good run goes on as if nothing had happened. What is not supported is withdrawn instead.

import { expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import type { AnyCollector } from '../../src/collectors/define.ts'
import { BaseError, toBaseError } from '../../src/errors.ts'
import type { Operation } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { createSmallNetwork } from '../support/small-network.ts'
import { createPoller, type Poller, type Upstream } from '../support/poll.ts'

type Body = Record<string, unknown>
/** What comes instead of the good answer; undefined where that stays. */
type Fault = (good: Body, operation: Operation, isLaterPage: boolean) => unknown

const late = new BaseError('timeout', 'late')
const hasItems = (good: Body, { items }: Operation) => items !== undefined && (good[items] as [])?.length > 0
const faults: readonly (readonly [what: string, code: string, fault: Fault])[] = [
  ['an error', 'timeout', () => late],
  ['an answer of another form', 'bad_response', () => 7],
  [
    'an error on the second page',
    'timeout',
    (good, operation, isLaterPage) => {
      if (isLaterPage) return late
      return hasItems(good, operation) ? { ...good, nextPageToken: 'second' } : undefined
    },
  ],
  [
    'items of which none fits',
    'bad_response',
    (good, operation) => (hasItems(good, operation) ? { ...good, [operation.items!]: [7] } : undefined),
  ],
]

/** What is not asked while all is well and this network is as it is, by collector. */
const unasked: Readonly<Record<string, readonly string[]>> = {
  'l1-validators': ['platform.getCurrentSupply', 'platform.getBlockByHeight'],
  uptime: ['info.upgrades'],
  'listed-l1s': ['get-primary-network-block'],
  subnet: ['platform.getCurrentSupply', 'platform.getBlockByHeight'],
  'blockchain-status': ['platform.getBlockchains'],
  'evm-transactions': ['list-evm-block-transactions'],
  'primary-blocks': ['get-primary-network-block'],
  'head-check': [
    'platform.getBlock',
    'index.isAccepted',
    'index.getContainerByID',
    'avm.getHeight',
    'eth_getBlockByNumber',
  ],
  'index-intervals': ['index.getContainerByIndex', 'index.getContainerRange'],
  'node-state': ['info.isBootstrapped'],
  'erc20-transfers': ['list-latest-evm-blocks'],
  'node-balances': ['platform.getBalance'],
  'block-turns': ['platform.getValidatorsAt', 'platform.getBlockchains', 'list-latest-primary-network-blocks'],
  utxos: ['list-utxos'],
  'signature-probe': ['aggregate-signatures'],
}
const isAsked = (collector: AnyCollector, { name }: Operation) => unasked[collector.name]?.includes(name) !== true
/**
 * Of these, the first operation is one part of several: their own tests have what is withdrawn without it. An admin interface that is
 * off is what node-admin reports.
 */
const inParts = new Set([
  'node-admin',
  'l1-validators',
  'consensus-weight',
  'l1-liveness',
  'blockchains',
  'evm-node-heads',
  'head-check',
  'index-head',
  'icm',
])

/** The same network at two moments. */
function momentOf(seconds: number) {
  const network = createSmallNetwork()
  network.pass(seconds)
  const answers = new Map<string, Promise<unknown>>()
  const operationOf = new Map<string, Operation>(operations.map((one) => [one.name, one]))
  const poll = async (poller: Poller, change: (raw: unknown, ...question: Parameters<Upstream>) => unknown) => {
    const sources = new Map(poller.tasks.flatMap((task) => task.sources.map((source) => [source.name, source])))
    poller.clock.now = Math.floor(network.now() + poller.clock.ahead)
    await poller.poll(async (...question) => {
      const [name, wire, source] = question
      const key = JSON.stringify([name, wire, source])
      const asked = () => network.raw(sources.get(source)!, operationOf.get(name)!, wire).catch(toBaseError)
      const answer = answers.get(key) ?? asked()
      answers.set(key, answer)
      return change(await answer, ...question)
    })
  }
  return { yaml: network.yaml, now: network.now(), poll }
}
const [early, next] = [momentOf(3_600), momentOf(3_660)] as const

const pollerOf = (collector: AnyCollector) => createPoller(early.yaml, collector, early.now)
const published = ({ lines }: Poller) => lines(/^(?!stakewatch_(collector|upstream))/)

/** What is published at the second moment of what was well all the time. */
const usual = new Map<AnyCollector, Promise<string[]>>()
async function publishedAsUsual(collector: AnyCollector): Promise<string[]> {
  const poller = pollerOf(collector)
  await early.poll(poller, (raw) => raw)
  await next.poll(poller, (raw) => raw)
  return published(poller)
}

/** Gives the keys of the tasks that got another answer than they would have. */
async function pollWith(poller: Poller, operation: Operation, fault: Fault): Promise<Set<string>> {
  const hit = new Set<string>()
  await early.poll(poller, (raw, name, { query }, _, task) => {
    const isLaterPage = query['pageToken'] === 'second'
    if (name !== operation.name || (raw instanceof Error && !isLaterPage)) return raw
    const bad = fault(raw as Body, operation, isLaterPage)
    if (bad === undefined) return raw
    if (isLaterPage || (Object(bad) as Body)['nextPageToken'] !== 'second') hit.add(task!)
    return bad
  })
  return hit
}

test('what is unasked is what its collector uses', () => {
  const used = Object.entries(unasked).map(([name]) => collectors.find((one) => one.name === name)!.uses)
  const stale = Object.values(unasked).map((names, at) =>
    names.filter((name) => !used[at]!.some((one) => one.name === name)),
  )
  expect(stale.flat()).toEqual([])
})

const rows = collectors.flatMap((collector) =>
  collector.uses.map((operation) => [collector.name, operation.name, collector, operation] as const),
)
// A restart of the node is missed then, but its state is not.
const failing = rows.filter(([name, asked]) => `${name} ${asked}` !== 'node-state health.health')

test.each(failing)('%s: a run in which %s fails costs nothing but itself', async (_, __, collector, operation) => {
  const poller = pollerOf(collector)
  await early.poll(poller, (raw) => raw)
  const before = published(poller)
  const results = () => poller.status().map(({ key, result }) => [key, result] as const)
  const well = results()
  const tried: string[] = []
  for (const [what, code, fault] of faults) {
    const logged = poller.log.length
    const hit = await pollWith(poller, operation, fault)
    if (hit.size === 0) continue
    tried.push(what)
    const codes = new Set(poller.log.slice(logged).flatMap((entry) => entry['code'] ?? []))
    expect({ what, lines: published(poller), results: results(), codes: [...codes] }).toEqual({
      what,
      lines: before,
      results: well.map(([key, result]) => [key, hit.has(key) ? 'failure' : result]),
      codes: [code],
    })
  }
  expect(tried.includes('an error'), 'whether the small network asks it: see `unasked`').toBe(
    isAsked(collector, operation),
  )
  poller.clock.now = early.now + 86_400_000
  expect(published(poller)).toEqual([])
  await next.poll(poller, (raw) => raw)
  usual.set(collector, usual.get(collector) ?? publishedAsUsual(collector))
  expect(published(poller)).toEqual(await usual.get(collector))
})

const whole = rows.filter(
  ([name, , collector, operation]) =>
    operation === collector.uses[0] && !inParts.has(name) && isAsked(collector, operation),
)

test.each(whole)('%s: a first run in which %s fails publishes nothing', async (_, __, collector, operation) => {
  const poller = pollerOf(collector)
  const hit = await pollWith(poller, operation, () => late)
  expect(hit.size).toBeGreaterThan(0)
  expect(published(poller)).toEqual([])
})

test.each(whole)('%s: what %s does not support is withdrawn without failure, and comes back', async (...row) => {
  const [, , collector, operation] = row
  const poller = pollerOf(collector)
  await early.poll(poller, (raw) => raw)
  const before = published(poller)
  const hit = await pollWith(poller, operation, () => new BaseError('unsupported', 'HTTP 404: not there'))
  expect(hit.size).toBeGreaterThan(0)
  expect(published(poller)).toEqual([])
  const results = poller.status().flatMap(({ key, result }) => (hit.has(key) ? [result] : []))
  expect(results).toEqual([...hit].map(() => 'unsupported'))
  await next.poll(poller, (raw) => raw)
  expect(published(poller).length).toBeGreaterThanOrEqual(before.length)
})

// The error of a clock is a median of what upstreams say to half a millisecond.
test.each(collectors.map((collector) => [collector.name, collector] as const))(
  '%s: a clock that is wrong by a fraction changes nothing',
  async (_, collector) => {
    const seriesOf = (poller: Poller) => published(poller).map((line) => line.slice(0, line.lastIndexOf(' ')))
    const seen: object[] = []
    for (const ahead of [0, 90_000.25, -90_000.75, 3_600_000.5]) {
      const poller = pollerOf(collector)
      poller.clock.ahead = ahead
      await early.poll(poller, (raw) => raw)
      await next.poll(poller, (raw) => raw)
      seen.push({ series: seriesOf(poller), results: poller.status().map(({ result, reason }) => [result, reason]) })
    }
    expect(seen).toEqual(seen.map(() => seen[0]))
  },
)
