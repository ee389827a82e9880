// The levers of the control endpoint: what a client sees of each.

import { afterEach, describe, expect, test } from 'vitest'
import { ask, type Network, post, rpc, startNetwork } from './network.ts'

let network: Network
afterEach(() => network.stop())

async function start(change: Parameters<typeof startNetwork>[0] = {}): Promise<void> {
  network = await startNetwork({ dialect: 'live', isCalm: true, paces: { P: 10, X: 20, C: 2 }, ...change })
}

const act = async (action: object) => (await post(`${network.controlUrl}/actions`, action)).status

describe('a network of three nodes', () => {
  test('has three names, ids and addresses', async () => {
    await start({ nodes: 3 })
    expect(network.nodes.map(({ name }) => name)).toEqual(['node-a', 'node-b', 'node-c'])
    const said = await Promise.all(network.nodes.map(({ url }) => rpc(url, 'info.getNodeID', {}, '/ext/info')))
    expect(said.map(({ result }) => result?.['nodeID'])).toEqual(network.nodes.map(({ nodeId }) => nodeId))
    expect(new Set(network.nodes.map(({ nodeId }) => nodeId)).size).toBe(3)
    expect(network.world.validators.observers).toEqual(network.nodes.map(({ nodeId }) => nodeId))
  })

  test('the third can be acted on, which is no node of a network of two', async () => {
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

  test('leaves the others alone, and refuses an unknown chain', async () => {
    await start()
    await act({ kind: 'halt-chain', chain: 'X' })
    const before = await indexed('P')
    at(100)
    expect(await indexed('P')).toBe(before + 10)
    expect(await act({ kind: 'halt-chain', chain: 'none' })).toBe(400)
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

describe('a node on a fork', () => {
  const ids: Readonly<Record<string, (node: number, height: number) => Promise<unknown>>> = {
    'P by height': async (node, height) => {
      const { block } = (await result(node, 'platform.getBlockByHeight', { height, encoding: 'json' })) as {
        block: { id: string }
      }
      return block.id
    },
    'P in the index': async (node, height) => {
      const params = { index: height - 1, encoding: 'hex' }
      return (await result(node, 'index.getContainerByIndex', params, '/ext/index/P/block'))?.['id']
    },
    'C by height': async (node, height) => {
      const params = [`0x${height.toString(16)}`, false]
      return (await result(node, 'eth_getBlockByNumber', params, '/ext/bc/C/rpc'))?.['hash']
    },
    'C in the index': async (node, height) => {
      const params = { index: height - 1, encoding: 'hex' }
      return (await result(node, 'index.getContainerByIndex', params, '/ext/index/C/block'))?.['id']
    },
  }

  test.each(Object.keys(ids))('%s has other ids from the next block on, and the same before', async (name) => {
    await start()
    const chain = name[0] as 'P' | 'C'
    const head = network.world.chains[chain].head()
    expect(await act({ kind: 'fork', nodeId: network.nodes[0]!.nodeId, chain })).toBe(200)
    at(100)
    const both = async (height: number) => [await ids[name]!(0, height), await ids[name]!(1, height)]
    const [before, after] = [await both(head), await both(head + 1)]
    expect(before[0]).toBe(before[1])
    expect(after[0]).not.toBe(after[1])
    await act({ kind: 'unfork', nodeId: network.nodes[0]!.nodeId, chain })
    expect(await both(head + 1)).toEqual([after[1], after[1]])
  })

  test('names the parent by its own id, and finds a block by it', async () => {
    await start()
    const head = network.world.chains.P.head()
    await act({ kind: 'fork', nodeId: network.nodes[0]!.nodeId, chain: 'P' })
    at(100)
    const block = async (method: string, params: object) =>
      ((await result(0, `platform.${method}`, { ...params, encoding: 'json' })) as { block: Record<string, unknown> })
        .block
    const [first, second] = [
      await block('getBlockByHeight', { height: head + 1 }),
      await block('getBlockByHeight', { height: head + 2 }),
    ]
    expect(first['parentID']).toBe(network.world.chains.P.block(head)!.hash)
    expect(second['parentID']).toBe(first['id'])
    expect(await block('getBlock', { blockID: first['id'] })).toEqual(first)
    const theirs = network.world.chains.P.block(head + 1)!.hash
    expect(await result(0, 'platform.getBlock', { blockID: theirs, encoding: 'json' })).toBeUndefined()
  })

  test('lacks the blocks of the others, and the others lack its blocks, but each can read the ids', async () => {
    await start()
    const next = (chain: 'P' | 'C') => network.world.chains[chain].head() + 1
    const [onP, onC] = [next('P'), next('C')]
    for (const chain of ['P', 'C']) await act({ kind: 'fork', nodeId: network.nodes[0]!.nodeId, chain })
    at(100)
    const said = async (node: number, method: string, params: object, path?: string) =>
      rpc(network.nodes[node]!.url, method, { encoding: 'hex', ...params }, path)
    for (const [node, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const blockID = await ids['P by height']!(other, onP)
      const { error } = await said(node, 'platform.getBlock', { blockID })
      expect(error?.message).toBe(`couldn't get block with id ${String(blockID)}: not found`)
      const id = await ids['C in the index']!(other, onC)
      const inIndex = async (method: string) => said(node, `index.${method}`, { id }, '/ext/index/C/block')
      expect((await inIndex('isAccepted')).result).toEqual({ isAccepted: false })
      expect((await inIndex('getIndex')).error?.message).toBe('not found')
    }
  })

  test.each([
    ['of a chain that is not there', { chain: 'none' }],
    ['of a node without an API', { nodeId: 'NodeID-none' }],
  ])('%s is refused', async (_, change) => {
    await start()
    const fork = { kind: 'fork', nodeId: network.nodes[0]!.nodeId, chain: 'P' }
    expect(await act({ ...fork, ...change })).toBe(400)
  })
})

describe('the index of a node', () => {
  const last = async (node: number) =>
    (await rpc(network.nodes[node]!.url, 'index.getLastAccepted', { encoding: 'hex' }, '/ext/index/P/block')).result?.[
      'index'
    ]

  test('stands still while the chain goes on, and takes up what it missed', async () => {
    await start()
    const { nodeId } = network.nodes[0]!
    expect(await act({ kind: 'stall-index', nodeId, chain: 'P' })).toBe(200)
    const before = Number(await last(0))
    at(100)
    expect([Number(await last(0)), Number(await last(1))]).toEqual([before, before + 10])
    expect((await heads['P']!())[0]).toBe(before + 11)
    await act({ kind: 'resume-index', nodeId, chain: 'P' })
    expect(Number(await last(0))).toBe(before + 10)
  })

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
