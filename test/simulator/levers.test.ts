// The levers of the control endpoint of which the incidents that CI plays do not show all: what a client sees of each.

import { afterEach, describe, expect, test } from 'vitest'
import { ask, type Network, post, rpc, startNetwork } from './network.ts'

let network: Network
afterEach(() => network.stop())

async function start(change: Parameters<typeof startNetwork>[0] = {}): Promise<void> {
  network = await startNetwork({ dialect: 'live', isCalm: true, paces: { P: 10, X: 20, C: 2 }, ...change })
}

const act = async (action: object) => (await post(`${network.controlUrl}/actions`, action)).status

test('the third of three nodes can be acted on, which is no node of a network of two', async () => {
  await start({ nodes: 3 })
  expect(await act({ kind: 'start', node: 'node-c' })).toBe(200)
  const fault = { server: 'node-c', fault: { kind: 'html' } }
  expect((await post(`${network.controlUrl}/faults`, fault)).status).toBe(200)
  await network.stop()
  await start()
  expect(await act({ kind: 'start', node: 'node-c' })).toBe(400)
  expect((await post(`${network.controlUrl}/faults`, fault)).status).toBe(400)
  expect((await ask(`${network.controlUrl}/faults`)).body).toEqual([])
})

const at = (now: number) => {
  network.clock.now = now
}
const result = async (node: number, method: string, params: object, path?: string) =>
  (await rpc(network.nodes[node]!.url, method, params, path)).result
const data = async (path: string) => (await ask(network.dataUrl + path)).body as Record<string, unknown>
const orchard = () => network.world.l1s.all[0]!

/** The height of a chain, as the nodes, the index and the data service tell it, each where it knows the chain. */
const heads: Readonly<Record<string, () => Promise<number[]>>> = {
  P: async () => [
    Number(
      (await result(0, 'platform.getL1Validator', { validationID: orchard().validators[0]!.validationId }))?.['height'],
    ),
    await indexed('P'),
    await listed('p-chain'),
  ],
  X: async () => [await indexed('X'), await listed('x-chain')],
  C: async () => [
    await ofEvm(0, '/ext/bc/C/rpc'),
    await indexed('C'),
    await listed('c-chain'),
    await ofEvmList(43_113),
  ],
  orchard: async () => [await ofEvm(0, `/ext/bc/${orchard().blockchainId}/rpc`), await ofEvmList(43_214)],
}

/** Position 0 is the second block's. */
async function indexed(chain: string, node = 0): Promise<number> {
  const last = await result(node, 'index.getLastAccepted', { encoding: 'hex' }, `/ext/index/${chain}/block`)
  return Number(last?.['index']) + 1
}

async function listed(chain: string): Promise<number> {
  const { blocks } = await data(`/v1/networks/fuji/blockchains/${chain}/blocks?pageSize=1`)
  return Number((blocks as { blockNumber: string }[])[0]!.blockNumber)
}

async function ofEvm(node: number, path: string): Promise<number> {
  return Number((await rpc(network.nodes[node]!.url, 'eth_blockNumber', [], path)).result)
}

async function ofEvmList(chainId: number): Promise<number> {
  const { blocks } = await data(`/v1/chains/${chainId}/blocks?pageSize=1`)
  return Number((blocks as { blockNumber: string }[])[0]!.blockNumber)
}

describe('a chain that is halted', () => {
  test.each(['P', 'X', 'C', 'orchard'])('%s has no new block anywhere until it is resumed', async (name) => {
    await start()
    const chain = name === 'orchard' ? orchard().blockchainId : name
    expect(await act({ kind: 'halt-chain', chain })).toBe(200)
    const before = await heads[name]!()
    expect(new Set(before).size).toBe(1)
    at(600)
    expect(await heads[name]!()).toEqual(before)
    expect(await act({ kind: 'resume-chain', chain })).toBe(200)
    at(601)
    const [after] = await heads[name]!()
    expect(after).toBe(before[0]! + 1)
    at(700)
    const later = await heads[name]!()
    expect(new Set(later).size).toBe(1)
    expect(later[0]).toBeGreaterThan(after!)
  })
})

describe('a data service that lags', () => {
  test('stands still, then follows late, and the nodes do not', async () => {
    await start()
    const before = await listed('p-chain')
    expect(await act({ kind: 'lag', seconds: 300 })).toBe(200)
    const at300 = []
    for (const now of [200, 300, 400]) {
      at(now)
      at300.push([(await listed('p-chain')) - before, (await indexed('P')) - before])
    }
    expect(at300).toEqual([
      [0, 20],
      [0, 30],
      [10, 40],
    ])
    await act({ kind: 'lag', seconds: 0 })
    expect((await listed('p-chain')) - before).toBe(40)
  })

  test('goes back at once when its lists begin again', async () => {
    await start()
    const before = await heads['C']!()
    await act({ kind: 'relist', seconds: 100 })
    const [node, , list, evm] = await heads['C']!()
    expect([node, list, evm]).toEqual([before[0], before[0]! - 50, before[0]! - 50])
  })

  test('has no transaction and no balance of what came since', async () => {
    await start()
    at(1)
    const [trader] = network.world.trade.traders
    const wallet = `P-${trader!.address}`
    const read = async () => [
      (await data(`/v1/networks/fuji/blockchains/p-chain/balances?addresses=${wallet}`))['balances'],
      (await data(`/v1/networks/fuji/blockchains/p-chain/transactions?addresses=${wallet}&pageSize=100`))[
        'transactions'
      ],
    ]
    const before = await read()
    await act({ kind: 'lag', seconds: 7_200 })
    at(3_600)
    expect(await read()).toEqual(before)
    await act({ kind: 'lag', seconds: 0 })
    const [balances, transactions] = await read()
    expect(balances).not.toEqual(before[0])
    expect((transactions as object[]).length).toBeGreaterThan((before[1] as object[]).length)
  })
})

describe('the index of a node', () => {
  const last = async (node: number) =>
    (await rpc(network.nodes[node]!.url, 'index.getLastAccepted', { encoding: 'hex' }, '/ext/index/P/block')).result?.[
      'index'
    ]

  test('begins again at position 0 with the next block', async () => {
    await start()
    const { nodeId } = network.nodes[0]!
    expect(await act({ kind: 'begin-index', nodeId, chain: 'P' })).toBe(200)
    expect(await last(0)).toBeUndefined()
    at(30)
    expect(await last(0)).toBe('2')
    const newest = async (node: number) =>
      (await result(node, 'index.getLastAccepted', { encoding: 'hex' }, '/ext/index/P/block'))?.['id']
    expect(await newest(0)).toBe(await newest(1))
  })
})
