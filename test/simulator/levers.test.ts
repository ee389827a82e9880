// A network of three nodes, as the control endpoint knows it. Incidents prove what the levers do (tools/incidents).

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
