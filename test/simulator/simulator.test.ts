// Faults as they look on the wire, and the control endpoint.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import { ask, EPOCH, type Network, networkOfTest, post, rpc, startNetwork } from './network.ts'

let network: Network
beforeEach(async () => {
  network = await startNetwork()
})
afterEach(() => network.stop())

const STATUS = 'platform.getBlockchainStatus'
const GOOD = JSON.stringify({ jsonrpc: '2.0', result: { status: 'Validating' }, id: 1 })
const askStatus = (node = 0, signal?: AbortSignal) =>
  ask(`${network.nodes[node]!.url}/ext/bc/P`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: STATUS, params: { blockchainID: 'X' } }),
    ...(signal ? { signal } : {}),
  })
const order = (fault: object, where: object = { server: 'node-a' }) =>
  post(`${network.controlUrl}/faults`, { ...where, fault })

describe('faults', () => {
  test.each([
    ['malformed', { kind: 'malformed' }, 200, 'application/json; charset=utf-8', GOOD.slice(0, -1)],
    [
      'wrong-id',
      { kind: 'wrong-id' },
      200,
      'application/json; charset=utf-8',
      GOOD.replace('"id":1}', '"id":999999999}'),
    ],
    ['oversized', { kind: 'oversized', bytes: 5 }, 200, 'application/json; charset=utf-8', `${GOOD}     `],
    ['html', { kind: 'html' }, 200, 'text/html', '<html><body>Sign in</body></html>'],
    ['status', { kind: 'status', status: 503 }, 503, 'text/plain', ''],
    ['latency', { kind: 'latency', ms: 1 }, 200, 'application/json; charset=utf-8', GOOD],
    ['drip', { kind: 'drip', ms: 1 }, 200, 'application/json; charset=utf-8', GOOD],
  ])('%s', async (_, fault, status, type, text) => {
    expect((await order(fault)).status).toBe(200)
    const answer = await askStatus().catch((error: unknown) => error)
    expect(answer).toMatchObject({ status })
    const { headers, text: got } = answer as Awaited<ReturnType<typeof askStatus>>
    expect([headers.get('content-type'), got]).toEqual([type, text])
  })

  test('a status has the headers and the body that were asked for', async () => {
    await order({ kind: 'status', status: 429, headers: { 'retry-after': '7' }, body: 'slow down' })
    const { status, headers, text } = await askStatus()
    expect([status, headers.get('retry-after'), text]).toEqual([429, '7', 'slow down'])
  })

  test('a reset closes the connection without a word', async () => {
    await order({ kind: 'reset' })
    await expect(askStatus()).rejects.toThrow('fetch failed')
  })

  test('a truncated answer breaks off before the length it promised', async () => {
    await order({ kind: 'truncated' })
    const { url } = network.nodes[0]!
    const answer = await fetch(`${url}/ext/bc/P`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":1}',
    })
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0)
    await expect(answer.text()).rejects.toThrow('terminated')
  })

  test('latency holds the answer back', async () => {
    await order({ kind: 'latency', ms: 120_000 })
    await expect(askStatus(0, AbortSignal.timeout(50))).rejects.toThrow('timeout')
  })

  test('hold for one server, for one operation, and until they are taken back', async () => {
    await order({ kind: 'html' }, { server: 'node-a', operation: STATUS })
    expect((await askStatus(0)).text).toContain('<html>')
    expect((await askStatus(1)).text).toBe(GOOD)
    expect((await rpc(network.nodes[0]!.url, 'platform.getCurrentSupply', {})).result).toBeDefined()
    expect((await ask(`${network.controlUrl}/faults`)).body).toEqual([
      { server: 'node-a', operation: STATUS, fault: { kind: 'html' } },
    ])
    expect((await ask(`${network.controlUrl}/faults`, { method: 'DELETE' })).body).toBe(1)
    expect((await askStatus(0)).text).toBe(GOOD)
  })
})

describe('the control endpoint', () => {
  test('says what to send to those who send a form, as curl does by default', async () => {
    const body = new URLSearchParams({ kind: 'change-draw' })
    expect(await ask(`${network.controlUrl}/actions`, { method: 'POST', body })).toMatchObject({
      status: 415,
      body: { message: `expected JSON: curl --json '{ "kind": … }' HOST:PORT/actions` },
    })
    expect((await post(`${network.controlUrl}/actions`, { kind: 'change-draw' })).status).toBe(200)
    await post(`${network.controlUrl}/actions`, { kind: 'restore-draw' })
  })

  test("reports the world's own state", async () => {
    network.clock.now = 1_000
    const { body } = await ask(`${network.controlUrl}/state`)
    const { world, nodes } = network
    const [first] = world.validators.all.values()
    const head = world.chains.C.head()
    expect(body).toMatchObject({
      now: EPOCH + 1_000,
      supply: String(world.supply(world.now())),
      chains: {
        P: world.chains.P.totals(),
        X: world.chains.X.totals(),
        C: { head, headTime: world.chains.C.block(head)!.time, ...world.chains.C.totals() },
      },
    })
    const { validators } = body as { validators: { views: object }[] }
    expect(validators).toHaveLength(20)
    expect(validators[0]).toMatchObject({
      nodeId: first!.nodeId,
      start: first!.start,
      end: first!.end,
      weight: String(first!.weight),
    })
    expect(Object.keys(validators[0]!.views)).toEqual(nodes.map(({ nodeId }) => nodeId))
    const { l1s, evm, chains } = world
    const chainTime = chains.P.block(chains.P.head())!.time
    expect(body).toMatchObject({
      l1s: l1s.all.map(({ name, subnetId, validators, legacy }) => ({
        name,
        subnetId,
        validators: validators.map((one) => ({
          validationId: one.validationId,
          nodeId: one.nodeId,
          weight: String(one.weight),
          balance: String(l1s.balance(one, chainTime)),
        })),
        legacy: legacy.map(({ nodeId, weight }) => ({ nodeId, weight: String(weight) })),
      })),
      feeMarket: l1s.market.at(chainTime),
      evm: evm.map((chain) => ({
        chainId: chain.chainId,
        head: chain.head(),
        headTime: chain.block(chain.head())!.time,
        transactions: chain.block(chain.head())!.cumulative,
      })),
    })
  })

  test('sets how fast time goes by, from now on', async () => {
    const now = async () => ((await ask(`${network.controlUrl}/state`)).body as { now: number }).now - EPOCH
    const setSpeed = (factor: number) => post(`${network.controlUrl}/actions`, { kind: 'speed', factor })
    network.clock.now = 10
    expect(await now()).toBe(10)
    await setSpeed(0)
    network.clock.now = 20
    expect(await now()).toBe(10)
    await setSpeed(60)
    network.clock.now = 21
    expect(await now()).toBe(70)
  })

  test.each([
    ['an unknown fault', 'faults', { server: 'node-a', fault: { kind: 'gremlins' } }],
    ['a fault with a key too many', 'faults', { server: 'node-a', fault: { kind: 'html', ms: 1 } }],
    ['a fault of a server that is not there', 'faults', { server: 'node-z', fault: { kind: 'html' } }],
    ['an unknown action', 'actions', { kind: 'explode' }],
    ['an action on an unknown validator', 'actions', { kind: 'disconnect', nodeId: 'NodeID-none' }],
    ['a top-up of an unknown validation', 'actions', { kind: 'top-up', validationId: 'none', amount: 1 }],
    ['a time that goes back', 'actions', { kind: 'speed', factor: -1 }],
  ])('%s is refused', async (_, where, body) => {
    expect((await post(`${network.controlUrl}/${where}`, body)).status).toBe(400)
    expect((await ask(`${network.controlUrl}/faults`)).body).toEqual([])
  })
})

test('a network of some age is the one that was there all the time', async () => {
  const options = { seed: 3, epoch: EPOCH, validators: 30, delegations: 100 }
  let passed = 0
  const watched = await startSimulator({ ...options, clock: () => passed })
  const configuration = watched.config([])
  const state = async ({ controlUrl }: Simulator) => JSON.parse((await ask(`${controlUrl}/state`)).text) as object
  for (; passed < 7_200; passed += 600) await state(watched)
  const aged = await startSimulator({ ...options, age: passed, clock: () => 5 })
  try {
    const urls = /http:\/\/127.0.0.1:\d+/g
    expect(aged.config([]).replaceAll(urls, '')).toBe(configuration.replaceAll(urls, ''))
    const reported = await state(aged)
    expect(reported).toMatchObject({ now: EPOCH + 7_200 })
    expect(reported).toEqual(await state(watched))
  } finally {
    await Promise.all([watched.stop(), aged.stop()])
  }
})

const peersOf = (url: string) => rpc(url, 'info.peers', {}, '/ext/info')

test('where one node answers, another validator observes it', async () => {
  const alone = await networkOfTest({ nodes: 1 })
  const [{ url, nodeId } = { url: '', nodeId: '' }] = alone.nodes
  const validator = await ask(`${alone.dataUrl}/v1/networks/fuji/validators/${nodeId}`)
  const { result } = await peersOf(url)
  expect([alone.nodes.length, validator.status, alone.defects]).toEqual([1, 200, []])
  // All of them repeat what that one has seen.
  const seen = (result!['peers'] as { observedUptime: string }[]).map(({ observedUptime }) => observedUptime)
  // One that has just come back says nothing yet.
  const said = seen.filter((uptime) => uptime !== '0')
  expect([said.length > 0, new Set(said).size]).toEqual([true, 1])
})

test('a request that a handler fails to answer is a defect, and is kept with its error', async () => {
  const { nodes, world, defects } = network
  world.validators.all.get(nodes[1]!.nodeId)!.views.clear()
  await peersOf(nodes[0]!.url)
  expect(defects).toEqual([expect.stringMatching(/^node-a: POST \/ext\/info .*info\.peers.* TypeError: /)])
})
