// platform.getValidatorsAt by a height, which live nodes take and the document does not mention.

import { expect, test } from 'vitest'
import { networkOfFile, rpc } from './network.ts'

const network = await networkOfFile({ dialect: 'live', speed: 0 })

const head = () => network.world.chains.P.head()
async function validatorsAt(subnetID: string, height: unknown): Promise<unknown> {
  const { result, error } = await rpc(network.nodes[0]!.url, 'platform.getValidatorsAt', { subnetID, height })
  return error?.message ?? result
}

test('at the newest block they are those of the proposed height', async () => {
  const { subnetId, validators } = network.world.l1s.all[0]!
  expect(await validatorsAt(subnetId, head())).toEqual(await validatorsAt(subnetId, 'proposed'))
  expect(Object.keys((await validatorsAt(subnetId, head())) as object)).toHaveLength(validators.length)
})

test('a subnet had none before it was created, and simulated nodes keep no sets of the past', async () => {
  const { world } = network
  world.take({ kind: 'create-subnet', subnet: 'late', evmChainId: 43_400 })
  world.advance(world.now() + 60)
  const { subnetId } = world.l1s.all.at(-1)!
  const created = world.ledger.find(subnetId)!.height
  expect(created).toBeLessThan(head() - 1)
  expect(await validatorsAt(subnetId, created - 1)).toEqual({})
  expect(await validatorsAt(subnetId, head() - 1)).toBe(
    `failed to get validator set at ${head() - 1}: simulated nodes keep no sets of the past of a subnet`,
  )
  expect(await validatorsAt(subnetId, head() + 1)).toMatch(
    /unfinalized height with SubnetID = .* \(\d+\) < requested P-Chain height/,
  )
})
