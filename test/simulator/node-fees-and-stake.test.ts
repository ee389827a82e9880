// What nodes tell of fees, stake and subnets beyond the documents, with the simulated world's own numbers.

import { expect, test } from 'vitest'
import { EPOCH, networkOfTest, rpc } from './network.ts'

const PRIMARY = '11111111111111111111111111111111LpoYY'
const isoOf = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

test('the price of L1 validation, above the target and as of the newest block', async () => {
  const own = await networkOfTest()
  const { l1s, chains } = own.world
  // 1,400 others and 21 of the simulated L1s; 500 a second above the target then.
  l1s.join(10_500 - l1s.market.at(EPOCH).active, EPOCH)
  own.clock.now = 86_400
  own.world.advance(EPOCH + own.clock.now)
  const time = chains.P.time(chains.P.head())!
  const before = l1s.market.at(time - 1)
  const { result } = await rpc(own.nodes[0]!.url, 'platform.getValidatorFeeState', {})
  const { excess, price } = result as { excess: number; price: number }
  expect(result).toEqual({ excess, price, timestamp: isoOf(time) })
  // About 500 x 86,400: some come and go on the way.
  expect(excess).toBeGreaterThan(0.8 * 500 * 86_400)
  expect(excess).toBeLessThan(1.2 * 500 * 86_400)
  // A second costs the price after the excess has moved.
  expect(l1s.market.at(time).accrued - before.accrued).toBe(price)
  const { result: config } = await rpc(own.nodes[0]!.url, 'platform.getValidatorFeeConfig', {})
  expect(config).toEqual({
    capacity: 20_000,
    target: 10_000,
    minPrice: 512,
    excessConversionConstant: 1_246_488_515,
  })
  expect(price).toBe(Math.floor(512 * Math.exp(excess / 1_246_488_515)))
})

test('a subnet: its owner, who changes, and its manager from the conversion on', async () => {
  const own = await networkOfTest({ dialect: 'live' })
  const { world } = own
  const take = (order: Parameters<typeof world.take>[0]) => {
    expect(world.take(order)).toBe(true)
    own.clock.now += 20
    world.advance(EPOCH + own.clock.now)
  }
  const [subnet, heir] = ['guild', 'fuji1heir']
  const readSubnet = async () => {
    const { subnetId } = world.l1s.all.find(({ name }) => name === subnet)!
    return (await rpc(own.nodes[0]!.url, 'platform.getSubnet', { subnetID: subnetId })).result
  }
  take({ kind: 'create-subnet', subnet, evmChainId: 43_300 })
  take({ kind: 'create-chain', subnet, secondsPerBlock: 2 })
  const { blockchainId } = world.l1s.all.find(({ name }) => name === subnet)!
  const permissioned = {
    isPermissioned: true,
    conversionID: PRIMARY,
    managerChainID: PRIMARY,
    managerAddress: null,
    threshold: '1',
    locktime: '0',
    subnetTransformationTxID: PRIMARY,
  }
  const first = await readSubnet()
  expect(first).toEqual({ ...permissioned, controlKeys: [expect.stringMatching(/^P-fuji1/)] })
  take({ kind: 'transfer-subnet', subnet, owner: heir })
  expect(await readSubnet()).toEqual({ ...permissioned, controlKeys: [`P-${heir}`] })
  take({ kind: 'convert', subnet, validators: [{ nodeId: own.nodes[0]!.nodeId, weight: 5, balance: 1e9 }] })
  // The owner of before stays.
  expect(await readSubnet()).toMatchObject({
    isPermissioned: false,
    controlKeys: [`P-${heir}`],
    managerChainID: blockchainId,
    managerAddress: `0x${'ac'.repeat(20)}`,
  })
  expect((await readSubnet())!['conversionID']).not.toBe(PRIMARY)
})

test('gas: what the newest block used is missing from the capacity, and is the excess', async () => {
  const { nodes, world } = await networkOfTest({ dialect: 'live' })
  const { result } = await rpc(nodes[0]!.url, 'platform.getFeeState', {})
  const { size, count, time } = world.chains.P.block(world.chains.P.head())!
  const used = Math.min(50_000, size + 12_000 * count)
  expect(result).toEqual({ capacity: 1_000_000 - used, excess: used, price: 1, timestamp: isoOf(time) })
})
