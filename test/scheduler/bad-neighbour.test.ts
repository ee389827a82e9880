// A healthy network next to nodes that hang, and a node of which one method hangs: each costs its own tasks alone.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { toCb58 } from '../../src/lib/ids.ts'
import { createLogger } from '../../src/logger.ts'
import { valueOf } from '../support/exposition.ts'
import { clockOf } from '../support/clock.ts'
import { answer, type Behaviour, createHostileServer, envelope, silence } from '../support/hostile-server.ts'
import { configFrom } from '../support/poll.ts'

const SUPPLY = { supply: '720000000000000000', height: '7' }
const NODES = ['NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ', 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN']
const validatorsOf = (ids: readonly string[]) =>
  ids.map((nodeID) => ({ nodeID, weight: '1', startTime: '1', endTime: '9999999999', uptime: '99', connected: true }))

/** A node that answers for the supply and its validators; `other` is how all else ends. */
const node =
  (other: Behaviour): Behaviour =>
  (response, request, number) => {
    const { method } = JSON.parse(request.body) as { method: string }
    if (method === 'platform.getCurrentSupply') return envelope({ result: SUPPLY })(response, request, number)
    if (method !== 'platform.getCurrentValidators') return other(response, request, number)
    return envelope({ result: { validators: validatorsOf(NODES) } })(response, request, number)
  }

async function watch(yaml: string) {
  const log = createLogger({ level: 'warn', format: 'json', write: () => {} })
  const app = createDaemon({
    config: configFrom(yaml),
    version: '0.0.0',
    log,
    clock: clockOf(() => performance.now()),
    random: () => 0,
  })
  onTestFinished(() => app.stop())
  const [bound] = await app.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  return async () => (await fetch(`http://127.0.0.1:${bound!.port}/metrics`)).text()
}

test('one method that hangs leaves the others of its node their turns', async () => {
  const half = await createHostileServer(node(silence))
  const chains = Array.from({ length: 14 }, (_, at) => `{ id: "${subnetId(at)}", name: c${at} }`)
  const metrics = await watch(`
networks:
  - { name: fuji, nodes: [{ name: node-a, url: "${half.url}" }], chains: [${chains.join(', ')}], validators: [{ node_id: ${NODES[0]!} }] }
`)
  // A call may hold back others for a second; fourteen that hang, each for ten, would for 140.
  await vi.waitFor(
    async () => expect(valueOf(await metrics(), 'stakewatch_collector_success', { collector: 'uptime' })).toBe(1),
    { timeout: 15_000, interval: 100 },
  )
  const methods = half.received.map(({ body }) => (JSON.parse(body) as { method: string }).method)
  expect(methods.filter((method) => method === 'platform.getBlockchainStatus').length).toBeLessThanOrEqual(2)
})

test('a healthy network has its data within seconds next to one with sixty validators on a node that hangs', async () => {
  const [hanging, healthy] = [
    await createHostileServer(silence),
    await createHostileServer(node(envelope({ error: {} }))),
  ]
  // Ids that are well-formed: a subnet of its own for each, so that each is asked for alone.
  const chains = Array.from({ length: 60 }, (_, at) => `{ id: "${subnetId(at)}", name: c${at} }`)
  const metrics = await watch(`
networks:
  - { name: mainnet, nodes: [{ name: node-a, url: "${hanging.url}" }], chains: [${chains.join(', ')}], validators: [{ node_id: ${NODES[0]!} }] }
  - { name: fuji, nodes: [{ name: node-a, url: "${healthy.url}" }], validators: [{ node_id: ${NODES[0]!} }] }
`)
  await vi.waitFor(
    async () => {
      const text = await metrics()
      for (const collector of ['uptime', 'supply']) {
        expect(valueOf(text, 'stakewatch_collector_success', { network: 'fuji', collector })).toBe(1)
      }
    },
    { timeout: 15_000, interval: 100 },
  )
  expect(hanging.received.length).toBeGreaterThan(0)
})

const chainsFrom = (first: number) =>
  Array.from({ length: 10 }, (_, at) => `{ id: "${subnetId(first + at)}", name: c${at}, evm_chain_id: ${at + 1} }`)
/** What node-a is asked: for ten chains two questions each and three for all, for the validators the rest. */
const QUESTIONS = 34
/** Of node-a, apart from the validators. */
const CHAINS = `chains: [${chainsFrom(0).join(', ')}]`
const metricsApi = (more: string) => (url: string) => [`metrics_api: { url: "${url}/service"${more} }, ${CHAINS}`, '']
const anotherNode = (url: string) => [
  CHAINS,
  `  - { name: other, nodes: [{ name: node-b, url: "${url}/service" }], chains: [${chainsFrom(20).join(', ')}] }`,
]

describe('a node asks all that it is planned to ask at the start within seconds, whatever else is at its origin', () => {
  test.each<[string, (url: string) => string[], Behaviour]>([
    ['nothing', () => [CHAINS, ''], silence],
    ['a metrics service that answers', metricsApi(''), answer(200, { results: [] })],
    ['a metrics service that hangs', metricsApi(''), silence],
    ['a metrics service with a small budget', metricsApi(', budget: { per_minute: 40 }'), answer(200, { results: [] })],
    ['a metrics service that wants a pause', metricsApi(''), answer(429, '', { 'retry-after': '60' })],
    ['a metrics service that refuses who asks', metricsApi(''), answer(401, '')],
    ['another node that hangs', anotherNode, silence],
  ])('%s', async (_, and, other) => {
    const server = await createHostileServer((response, request, number) =>
      (request.url.startsWith('/service') ? other : node(envelope({ error: {} })))(response, request, number),
    )
    const [own, more] = and(server.url)
    await watch(`
networks:
  - { name: fuji, nodes: [{ name: node-a, url: "${server.url}" }], validators: [{ node_id: ${NODES[0]!} }], ${own} }
${more}`)
    const asked = () =>
      server.received
        .filter(({ url }) => !url.startsWith('/service'))
        .map(({ url, body }) => `${url} ${body.replace(/"id":\d+/, '')}`)
    await vi.waitFor(() => expect(new Set(asked()).size).toBe(QUESTIONS), { timeout: 8_000, interval: 100 })
  })
})

function subnetId(at: number): string {
  const bytes = Buffer.alloc(32, 1)
  bytes.writeUInt32BE(at, 28)
  return toCb58(bytes)
}
