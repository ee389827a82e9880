import { describe, expect, test } from 'vitest'
import { subnetUptime } from '../../../src/collectors/subnets/subnet-uptime.ts'
import { createPoller, type Poller } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

const OWN = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const yaml = `
networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://127.0.0.1:1", node_id: ${OWN} }
      - { name: node-b, url: "http://127.0.0.1:2" }
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: my-l1 }]
`
type Item = Readonly<Record<string, unknown>>

/** With no delegations, unless the record says otherwise. */
const undelegated = (record: Item): Item => ({ delegatorWeight: '0', ...record })

// One just below a threshold and one on it, wherever that can be: on the threshold is not below it.
const items: readonly Item[] = [
  { nodeID: 'NodeID-A', uptime: '49.9999', weight: '1' },
  // Own stake of 1 and delegations of 1 make a weight of 2.
  { nodeID: 'NodeID-B', uptime: '50.0000', weight: '1', delegatorWeight: '1' },
  { nodeID: 'NodeID-C', uptime: '80.0000', weight: '4' },
  { nodeID: 'NodeID-D', uptime: '90.0000', weight: '8' },
  { nodeID: 'NodeID-E', uptime: '94.9999', weight: '16' },
  { nodeID: 'NodeID-F', uptime: '95.0000', weight: '32' },
  { nodeID: 'NodeID-G', uptime: '99.0000', weight: '64' },
  { nodeID: 'NodeID-H', uptime: '100.0000', weight: '128' },
  // Without uptime: an opinion about the others only.
  { nodeID: 'NodeID-I', weight: '256', connected: true },
  { nodeID: OWN, uptime: '10.0000', weight: '512' },
].map(undelegated)

/** By threshold: how many are below, and their weight. */
function below(poller: Poller, source: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const { labels, value } of poller.series(/_below_uptime/, { source })) {
    const { threshold = '' } = labels
    found[threshold] = threshold in found ? `${found[threshold]} of ${value}` : String(value)
  }
  return found
}

async function polled(...validators: readonly Item[]): Promise<Poller> {
  const poller = createPoller(yaml, subnetUptime, 0)
  await poller.poll(() => ({ validators: validators.map(undelegated) }))
  return poller
}

describe('subnet-uptime (document 2, Validator record)', () => {
  test('one opinion per node, of the whole primary network and no other subnet', async () => {
    const poller = createPoller(yaml, subnetUptime, 0)
    await poller.poll(() => ({ validators: items }))
    expect(poller.asked.map(({ source, body }) => [source, body])).toEqual([
      ['node-a', { subnetID: '11111111111111111111111111111111LpoYY' }],
      ['node-b', { subnetID: '11111111111111111111111111111111LpoYY' }],
    ])
    expect(poller.lines(/node-a.*threshold="0.5"/)).toEqual([
      'stakewatch_subnet_validators_below_uptime{network="fuji",subnet="primary",source="node-a",threshold="0.5"} 1',
      'stakewatch_subnet_weight_below_uptime{network="fuji",subnet="primary",source="node-a",threshold="0.5"} 1',
    ])
    // A node is no witness about itself.
    expect(below(poller, 'node-a')).toEqual({
      0.5: '1 of 1',
      0.8: '2 of 3',
      0.9: '3 of 7',
      0.95: '5 of 31',
      0.99: '6 of 63',
    })
    // To the other one it is a validator like any: 10 % of the time there.
    expect(below(poller, 'node-b')).toEqual({
      0.5: '2 of 513',
      0.8: '3 of 515',
      0.9: '4 of 519',
      0.95: '6 of 543',
      0.99: '7 of 575',
    })
  })

  /** `A:85/3` has an uptime of 85 % and a weight of 3; what is left out the node does not say. */
  const listed = (text: string): Item[] =>
    text.split(' ').flatMap((one) => {
      const [, name, uptime, weight] = /^(\w+):([\d.]*)\/?(\d*)$/.exec(one) ?? []
      const nodeID = name === 'own' ? OWN : `NodeID-${name}`
      return name === undefined ? [] : [{ nodeID, ...(uptime && { uptime }), ...(weight && { weight }) }]
    })

  /** How many are below each of the five thresholds, and their weight. */
  test.each(
    rowsOf(`
      without any uptime there is no opinion | A:/1                |
      nor is an empty set                    | none                |
      nor is the node alone                  | own:100/1           |
      all are good: zero is a value          | A:100/1             | 0 of 0, 0 of 0, 0 of 0, 0 of 0, 0 of 0
      an unknown weight is not 0             | A:85 B:70/3         | 0 of 0, 1 of 3, 2, 2, 2
      a node counts once                     | A:89.5/7 A:89.5/7   | 0 of 0, 0 of 0, 1 of 7, 1 of 7, 1 of 7
    `),
  )('%s', async (_, validators, expected) => {
    const poller = await polled(...listed(validators))
    expect(Object.values(below(poller, 'node-a')).join(', ')).toBe(expected)
    expect(poller.lines(/collector_success.*node-a.* 1$/)).toHaveLength(1)
  })

  test('an unreadable record may be below any threshold: counts need all of them', async () => {
    const poller = await polled(...listed('A:100/1 B:85/3'), { nodeID: 'NodeID-C', uptime: 'low', weight: '4' })
    expect(below(poller, 'node-a')).toEqual({})
  })

  test.each<[string, readonly Item[], Record<string, string>]>([
    [
      'an unknown delegated weight is not 0',
      [
        { nodeID: 'NodeID-A', uptime: '85', weight: '1', delegatorWeight: null },
        { nodeID: 'NodeID-B', uptime: '70', weight: '3', delegatorWeight: '4' },
      ],
      { 0.5: '0 of 0', 0.8: '1 of 7', 0.9: '2', 0.95: '2', 0.99: '2' },
    ],
    [
      'weights are added before they become doubles',
      [
        { nodeID: 'NodeID-A', uptime: '98', weight: '9007199254740993' },
        { nodeID: 'NodeID-B', uptime: '98', weight: '9007199254740993' },
        { nodeID: 'NodeID-C', uptime: '98', weight: '9007199254740993' },
      ],
      // 2^53 + 1 three times: the nearest double is 3 x 2^53 + 4; doubles added would lose the ones.
      { 0.5: '0 of 0', 0.8: '0 of 0', 0.9: '0 of 0', 0.95: '0 of 0', 0.99: '3 of 27021597764222980' },
    ],
  ])('%s', async (_, validators, expected) => {
    expect(below(await polled(...validators), 'node-a')).toEqual(expected)
  })
})
