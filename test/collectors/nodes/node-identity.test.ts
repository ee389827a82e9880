import { describe, expect, test } from 'vitest'
import { nodeIdentity } from '../../../src/collectors/nodes/node-identity.ts'
import { BaseError } from '../../../src/errors.ts'
import { asClient } from '../../recorded/as-client.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'

const yaml = (network: string) => `
networks:
  - name: ${network}
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
`
const NODE_2 = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const OTHER = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

/** What the node was recorded to say while all was well, unless `changed` says otherwise. */
const node =
  (changed: Readonly<Record<string, unknown>> = {}): Upstream =>
  (operation) => {
    if (operation in changed) return changed[operation]
    return asClient(operation, 'plain')
  }

const published = (poller: Poller) =>
  poller
    .lines(/^stakewatch_node_/)
    .map((line) => line.replace(/network="\w+",source="node-2",?/, '').replace(/^stakewatch_node_/, ''))

const well = [`info{id="${NODE_2}",version="avalanchego/1.14.2"} 1`, 'id_changes_total{} 0', 'network_id{} 12345']
const without = (...names: string[]) => well.filter((line) => !names.some((name) => line.startsWith(name)))

async function polled(answers: Upstream, network = 'local') {
  const poller = createPoller(yaml(network), nodeIdentity, 0)
  await poller.poll(answers)
  return poller
}

describe("node-identity (the node's own interface, info)", () => {
  test('publishes the identity of a node on a custom network', async () => {
    const poller = await polled(node())
    expect(published(poller)).toEqual(well)
    expect(poller.success()).toEqual([1])
  })

  test.each([
    ['mainnet', '1', 1],
    ['fuji', '5', 1],
    ['mainnet', '5', 0],
    ['fuji', '12345', 0],
  ])('a node expected on %s that reports network %s', async (network, networkID, value) => {
    const poller = await polled(node({ 'info.getNetworkID': { networkID } }), network)
    const isForeign = value === 0
    expect(published(poller).toSorted()).toEqual(
      [
        ...(isForeign ? without('network_id', 'info') : without('network_id')),
        `network_id{} ${networkID}`,
        `in_network{} ${value}`,
      ].toSorted(),
    )
    expect(poller.success()).toEqual([value])
    expect(poller.reasons).toEqual(isForeign ? ['network'] : [])
    const expected = network === 'mainnet' ? 1 : 5
    expect(poller.status().map(({ reason }) => reason)).toEqual([
      isForeign ? `the node belongs to network ${networkID}, expected ${expected}` : '',
    ])
  })

  test('withdraws previous values when a node of another network takes its place', async () => {
    const poller = await polled(node({ 'info.getNetworkID': { networkID: '1' } }), 'mainnet')
    await poller.poll(node({ 'info.getNodeID': { nodeID: OTHER } }))
    expect(published(poller)).toEqual(['id_changes_total{} 1', 'network_id{} 12345', 'in_network{} 0'])
  })

  test('counts each change of the answering node, but not the first answer', async () => {
    const poller = await polled(node())
    const answering = (nodeID: string) => node({ 'info.getNodeID': { nodeID } })
    const counted: string[] = []
    for (const id of [NODE_2, OTHER, OTHER, NODE_2]) {
      poller.clock.now += 60_000
      await poller.poll(answering(id))
      counted.push(
        published(poller)
          .find((line) => line.startsWith('id_changes'))!
          .slice(-1),
      )
    }
    expect(counted).toEqual(['0', '1', '1', '2'])
  })

  const off = new BaseError('unsupported', 'HTTP 404')
  const late = new BaseError('timeout', 'late')
  test.each<[string, Readonly<Record<string, unknown>>, string[], number]>([
    ['has an id that is no text', { 'info.getNodeID': { nodeID: 7 } }, [], 0],
    ['does not know getNodeVersion', { 'info.getNodeVersion': off }, without('info'), 1],
    ['does not tell its version', { 'info.getNodeVersion': late }, without('info'), 0],
    ['does not know getNetworkID', { 'info.getNetworkID': off }, without('network_id'), 1],
    ['has a network id that is no number', { 'info.getNetworkID': { networkID: 'x' } }, without('network_id'), 0],
  ])('a node that %s', async (_, changed, lines, value) => {
    const poller = await polled(node(changed))
    expect(published(poller)).toEqual(lines)
    expect(poller.success()).toEqual([value])
  })
})
