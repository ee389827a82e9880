// Every answer that was recorded of a real node beyond the documents, good or bad, to every collector that asks for it: no
// item is left out, nothing is published twice, and only what the node itself refused makes a run fail.

import { describe, expect, test } from 'vitest'
import type { AnyCollector } from '../../src/collectors/define.ts'
import { collectors } from '../../src/collectors/index.ts'
import { headCheck } from '../../src/collectors/nodes/head-check.ts'
import { BaseError } from '../../src/errors.ts'
import { createPoller, fixture, type Upstream } from '../support/poll.ts'
import { saidBy } from './as-client.ts'
import { beyond, type Recorded, recorded } from './recorded.ts'

const L1 = '231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv'
const CHAIN = 'fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet'
const GUILD = '22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2'
const PRIMARY = '11111111111111111111111111111111LpoYY'
/** After all of them were recorded, so that no time of theirs is in the future. */
const LATER = Date.parse('2026-11-22T00:54:00Z')
const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660", node_id: NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ }]
    subnets: [{ id: ${L1}, name: my-l1, validators: all }, { id: ${GUILD}, name: guild }]
    chains:
      - { id: p-chain, name: p }
      - { id: x-chain, name: x }
      - { id: c-chain, name: c, evm_chain_id: 43112 }
      - { id: ${CHAIN}, name: own, evm_chain_id: 77001 }
    validators: [{ node_id: NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i, name: v1 }]
`

const methodOf = ({ request: { body } }: Recorded) => (/"method":\s*"([\w.]+)"/.exec(body) ?? [])[1]
const pages = ({ of, response }: Recorded) => of.startsWith('health') && typeof response === 'object'
/** A page of a node's health has the form of what the call gives. */
const operationOf = (one: Recorded) => (pages(one) ? 'health.health' : methodOf(one))

/** What was asked, as far as it decides which answer fits: subnet, chain and height. */
function subjectOf(path: string, body: string): string {
  const chain = /bc\/(\w{40,}|C)\//.exec(path)?.[1] ?? (/"(?:chain|blockchainID)":\s*"(\w+)"/.exec(body) ?? [])[1] ?? ''
  const height = (/"height":\s*"?(\d+)/.exec(body) ?? [])[1] ?? ''
  return `${(/"subnetID":\s*"(\w+)"/.exec(body) ?? [])[1] ?? PRIMARY} ${chain} ${height}`
}
const subjectAsked = ({ request: { url, body } }: Recorded) => subjectOf(new URL(url).pathname, body)

const all = [...beyond, ...recorded]
/** By operation and subject: the first good answer. */
const usual = new Map<string, unknown>()
for (const one of all) {
  const key = `${operationOf(one)} ${subjectAsked(one)}`
  const said = saidBy(one, operationOf(one))
  if (!(said instanceof Error) && !usual.has(key)) usual.set(key, said)
}

/** The list of chains was recorded before the L1 was created: this is what creating its chain said. */
const ofL1 = { id: CHAIN, name: 'sevm', subnetID: L1, vmID: 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy' }
usual.set(`platform.getBlockchains ${subjectOf('', '')}`, { blockchains: [ofL1] })
/** The recorded node refused to give the height of its X-Chain, so its usual answer is written by hand. */
usual.set(`avm.getHeight ${subjectOf('', '')}`, fixture('node/avm.getHeight.live'))

const heard = new Set<Recorded>()
/**
 * The case under test answers questions for its operation and subject, or for its operation where no question names its
 * subject; all others get what is usual. `keys` are what is asked for.
 */
function answersWith(one: Recorded, keys: ReadonlySet<string>): Upstream {
  const own = `${operationOf(one)} ${subjectAsked(one)}`
  return (operation, { path, body }) => {
    const key = `${operation} ${subjectOf(path, JSON.stringify(body))}`
    const fits = keys.has(own) ? key === own : operation === operationOf(one)
    if (!fits) return usualOf(key)
    heard.add(one)
    return saidBy(one, operationOf(one))
  }
}

const usualOf = (key: string) => usual.get(key) ?? new BaseError('not_found', 'nothing was recorded')

/** Operations with their subjects, as the collector asks for them. */
async function keysOf(collector: AnyCollector): Promise<Set<string>> {
  const keys = new Set<string>()
  await createPoller(yaml, collector, LATER).poll((operation, { path, body }) => {
    const key = `${operation} ${subjectOf(path, JSON.stringify(body))}`
    keys.add(key)
    return usualOf(key)
  })
  return keys
}

const polled = collectors.flatMap((collector): [string, AnyCollector, Recorded[]][] => {
  const names = new Set(collector.uses.map(({ name }) => name))
  const cases = beyond.filter((one) => names.has(operationOf(one) ?? ''))
  const isPlanned = createPoller(yaml, collector, LATER).tasks.length > 0
  return cases.length > 0 && isPlanned ? [[collector.name, collector, cases]] : []
})

describe.each(polled)('%s', (_, collector, cases) => {
  const keys = keysOf(collector)
  test.each(cases.map((one) => [`${one.of}: ${one.case}`, one] as const))('%s', async (_name, one) => {
    const poller = createPoller(yaml, collector, LATER)
    await poller.poll(answersWith(one, await keys))
    const said = saidBy(one, operationOf(one))
    const [own] = said instanceof BaseError ? [said.code] : []
    const failures = poller.log.filter(({ level, code }) => level === 'warn' && code !== own)
    expect({ failures, refusals: poller.refusals, dropped: poller.dropped() }).toEqual({
      failures: [],
      refusals: [],
      dropped: 0,
    })
    // What would be there twice throws.
    expect(poller.lines(/collector_last_run|collector_success/)).not.toEqual([])
  })
})

test('whatever was recorded of an operation that is polled was heard by a collector', () => {
  const cases = polled.flatMap(([, , some]) => some)
  const unheard = new Set(cases.filter((one) => !heard.has(one)))
  expect(heard.size).toBeGreaterThan(200)
  expect([...unheard].map((one) => `${one.of}: ${one.case}`)).toEqual([])
})

const xHead = 'stakewatch_node_head_height{network="local",chain="x",source="node-2"} 12345678'
const cHead = 'stakewatch_node_head_height{network="local",chain="c",source="node-2"}'
const cTime = 'stakewatch_node_head_timestamp_seconds{network="local",chain="c",source="node-2"}'

test.each([
  // number 0x1, timestamp 0x6b022ade
  ['eth_getBlockByNumber', 'C-Chain', [xHead, `${cHead} 1`, `${cTime} 1795304158`]],
  // number 0x4, timestamp 0x6b023c90
  ['eth_getBlockByNumber', 'C-Chain, some blocks later', [xHead, `${cHead} 4`, `${cTime} 1795308688`]],
  ['eth_getBlockByNumber', 'C-Chain, not there', [xHead]],
  // The X-Chain has no head then. The C-Chain has the first block above.
  ['avm.getHeight', 'node whose P-Chain cannot bootstrap, X-Chain', [`${cHead} 1`, `${cTime} 1795304158`]],
])('heads of a node without a data service: %s, %s', async (of, name, expected) => {
  const one = beyond.find((some) => some.of === of && some.case === name)!
  const poller = createPoller(yaml, headCheck, LATER)
  await poller.poll(answersWith(one, await keysOf(headCheck)))
  const heads = /head_height\{.*chain="[cx]"|head_timestamp_seconds\{.*chain="c"/
  expect(poller.lines(heads).toSorted()).toEqual(expected.toSorted())
})
