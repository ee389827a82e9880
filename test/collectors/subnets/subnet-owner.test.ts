import { describe, expect, test } from 'vitest'
import { subnetOwner } from '../../../src/collectors/subnets/subnet-owner.ts'
import { BaseError } from '../../../src/errors.ts'
import { beyond } from '../../recorded/recorded.ts'
import { createPoller, type Poller } from '../../support/poll.ts'

const ID = '231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv'
const EMPTY = '11111111111111111111111111111111LpoYY'
const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
    subnets: [{ id: ${ID}, name: my-l1 }]
`
const recordedAs = (name: string) => {
  const { response } = beyond.find((one) => one.of === 'platform.getSubnet' && one.case === name)!
  return (response as { result: object }).result
}
const l1 = recordedAs('L1')
const permissioned = recordedAs('permissioned')
const other = 'P-local1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmggalnu'
const twice = (answer: object) => [answer, answer]
const sold = { ...permissioned, controlKeys: [other] }

const published = (poller: Poller) =>
  poller
    .lines(/^stakewatch_subnet_/)
    .map((line) => line.replace('stakewatch_subnet_', '').replace(/network="local",subnet="my-l1",?/, ''))
const unchanged = ['changes_total{what="owner"} 0', 'changes_total{what="manager"} 0']
const oneKey = ['owner_keys{} 1', 'owner_threshold{} 1']

describe('subnet-owner (platform.getSubnet)', () => {
  test.each<[string, object, string[]]>([
    [
      'the recorded L1',
      l1,
      [
        'info{kind="l1",conversion_id="22ofQfarP9d6Hb26b5NfuagPWYHQT9JtGWF4WQYfx2cqshDPTf",manager_chain_id="fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet",manager_address="0x"} 1',
        ...oneKey,
      ],
    ],
    [
      'the recorded permissioned subnet, which has no manager',
      permissioned,
      ['info{kind="permissioned",conversion_id="",manager_chain_id="",manager_address=""} 1', ...oneKey],
    ],
    [
      'two of three keys',
      { ...permissioned, controlKeys: ['a', 'b', 'c'], threshold: '2' },
      [
        'info{kind="permissioned",conversion_id="",manager_chain_id="",manager_address=""} 1',
        'owner_keys{} 3',
        'owner_threshold{} 2',
      ],
    ],
    [
      'a subnet with a staking token of its own',
      { ...permissioned, isPermissioned: false, subnetTransformationTxID: 'tx' },
      ['info{kind="elastic",conversion_id="",manager_chain_id="",manager_address=""} 1', ...oneKey],
    ],
    [
      'a node that does not tell of transformations',
      { isPermissioned: true, controlKeys: [], threshold: '0', conversionID: EMPTY, managerChainID: EMPTY },
      [
        'info{kind="permissioned",conversion_id="",manager_chain_id="",manager_address=""} 1',
        'owner_keys{} 0',
        'owner_threshold{} 0',
      ],
    ],
  ])('%s', async (_, answer, lines) => {
    const poller = createPoller(yaml, subnetOwner, 0)
    await poller.poll((operation, { body }) => {
      expect([operation, body]).toEqual(['platform.getSubnet', { subnetID: ID }])
      return answer
    })
    expect(published(poller)).toEqual([...lines, ...unchanged])
    expect(poller.success()).toEqual([1])
  })

  test.each<[string, object[], number, number]>([
    [
      'nothing changes; keys in another order are the same',
      [
        { ...sold, controlKeys: ['a', 'b'] },
        { ...sold, controlKeys: ['b', 'a'] },
        { ...sold, controlKeys: ['b', 'a'] },
      ],
      0,
      0,
    ],
    ['another owner, reported twice', [permissioned, sold, sold, sold], 1, 0],
    ['another owner, reported by the last run alone', [permissioned, permissioned, sold], 0, 0],
    ['a node that lags answers in between', [sold, permissioned, sold, permissioned, sold], 0, 0],
    ['there and back', [permissioned, sold, sold, permissioned, permissioned], 2, 0],
    ['another threshold', [permissioned, ...twice({ ...permissioned, threshold: '2' })], 1, 0],
    ['a locked owner', [permissioned, ...twice({ ...permissioned, locktime: '9' })], 1, 0],
    ['the conversion to an L1', [permissioned, l1, l1], 0, 1],
    ['another contract', [l1, ...twice({ ...l1, managerAddress: '0xac' })], 0, 1],
    ['another chain of the manager', [l1, ...twice({ ...l1, managerChainID: 'C' })], 0, 1],
  ])('%s', async (_, answers, owner, manager) => {
    const poller = createPoller(yaml, subnetOwner, 0)
    for (const answer of answers) {
      await poller.poll(() => answer)
      poller.clock.now += 300_000
    }
    poller.clock.now -= 300_000
    const counted = published(poller).filter((line) => line.startsWith('changes_total'))
    expect(counted).toEqual([`changes_total{what="owner"} ${owner}`, `changes_total{what="manager"} ${manager}`])
  })

  test('another subnet of the same name, as after a reload, is no change of the owner', async () => {
    const before = createPoller(yaml.replace(ID, '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'), subnetOwner, 0)
    await before.poll(() => sold)
    const after = createPoller(yaml, subnetOwner, 300_000)
    await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
    for (const answer of twice(l1)) await after.poll(() => answer)
    expect(published(after)).toEqual(expect.arrayContaining(unchanged))
  })

  test('an id that is no subnet', async () => {
    const poller = createPoller(yaml, subnetOwner, 0)
    await poller.poll(() => l1)
    poller.clock.now += 300_000
    await poller.poll(() => new BaseError('not_found', 'no', { details: `"${ID}" is not a subnet` }))
    expect([published(poller), poller.success()]).toEqual([[], [1]])
    // What was counted is not forgotten.
    poller.clock.now += 300_000
    await poller.poll(() => ({ ...l1, controlKeys: [other] }))
    poller.clock.now += 300_000
    await poller.poll(() => ({ ...l1, controlKeys: [other] }))
    expect(published(poller)).toContain('changes_total{what="owner"} 1')
  })
})
