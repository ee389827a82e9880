// What the simulated data service has beyond document 1. What it reports of a quiet network is compared with the world by
// the SDK's tests; here is what does not happen there.

import { expect, test } from 'vitest'
import { networkOfFile } from './network.ts'

const network = await networkOfFile({ speed: 0, dialect: 'live' })

const read = (path: string) => network.askLater(path)

test.each([
  ['/v1/networks/fuji/validators?validationStatus=completed', { validators: [] }],
  ['/v1/networks/fuji/validators?subnetId=other', { validators: [] }],
  ['/v1/networks/fuji/delegators?delegationStatus=pending', { delegators: [] }],
  ['/v1/networks/fuji/l1Validators?subnetId=other', { validators: [] }],
  ['/v1/chains?network=mainnet', { chains: [] }],
])('%s: an empty list', async (path, body) => {
  expect(await read(path)).toMatchObject({ status: 200, body })
})

test('points of usage are those of days', async () => {
  expect(await read('/v1/apiUsageMetrics?timeInterval=hourly')).toMatchObject({ status: 400 })
  expect(await read('/v1/apiUsageMetrics?groupBy=chainId')).toMatchObject({ status: 400 })
})

test('the nodes of an L1 are out of reach while less than three quarters of its weight are active', async () => {
  const { world } = network
  const l1 = world.l1s.all.find(({ evmChainId }) => evmChainId === world.evm[1]!.chainId)!
  const statuses = async () => {
    const { chains } = (await read('/v1/chains')).body as { chains: { chainId: string; status: string }[] }
    return Object.fromEntries(chains.map(({ chainId, status }) => [chainId, status]))
  }
  const before = await statuses()
  expect(before).toEqual(Object.fromEntries(world.evm.map(({ chainId }) => [chainId, 'OK'])))
  for (const { validationId } of l1.validators.slice(1)) world.l1s.disable(validationId, world.now())
  expect(await statuses()).toEqual({ ...before, [l1.evmChainId]: 'UNAVAILABLE' })
})
