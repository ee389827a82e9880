// The supply of the primary network and the status of chains (document 2, P-Chain interface), on the wire.

import { describe, expect, test } from 'vitest'
import { ask, EPOCH, networkOfTest, rpc } from './network.ts'

describe('platform.getCurrentSupply', () => {
  test.each(['document', 'live'] as const)(
    'is that of the newest block, whatever happened since: %s form',
    async (dialect) => {
      const own = await networkOfTest({ dialect })
      const { world, clock } = own
      const headTime = () => world.chains.P.time(world.chains.P.head())!
      // A validation is renewed ten minutes after the beginning, if nothing else is before.
      while (world.supply(world.now()) === world.supply(headTime()) && clock.now < 3_600) {
        clock.now += 1
        world.advance(EPOCH + clock.now)
      }
      expect(clock.now).toBeLessThan(3_600)
      const { result } = await rpc(own.nodes[0]!.url, 'platform.getCurrentSupply', {})
      const latest = `${own.dataUrl}/v1/networks/fuji/blockchains/p-chain/blocks?pageSize=1`
      const { blocks } = (await ask(latest)).body as { blocks: { blockNumber: string; currentSupply: string }[] }
      const [{ blockNumber: height, currentSupply: supply }] = blocks as [(typeof blocks)[0]]
      expect(result).toEqual(dialect === 'live' ? { supply, height } : { supply })
    },
  )
})

describe('platform.getBlockchainStatus', () => {
  test('is what the asked node does with an L1', async () => {
    const own = await networkOfTest()
    const [followed, visited, shared, alone] = own.world.l1s.all
    const statuses = (id: string) =>
      Promise.all(
        own.nodes.map(async ({ url }) => {
          const { result } = await rpc(url, 'platform.getBlockchainStatus', { blockchainID: id })
          return result!['status']
        }),
      )
    const last = own.nodes[1]!.nodeId
    for (const follows of [true, false]) {
      while (visited!.followers.has(last) !== follows) own.world.advance(own.world.now() + 1)
      expect(await statuses(visited!.blockchainId)).toEqual(['Created', follows ? 'Syncing' : 'Created'])
    }
    expect(await statuses(followed!.blockchainId)).toEqual(['Syncing', 'Created'])
    expect(await statuses(shared!.blockchainId)).toEqual(['Syncing', 'Syncing'])
    expect(await statuses(alone!.blockchainId)).toEqual(['Created', 'Created'])
  })
  test('takes the names that the data service has for chains, as the documents do not exclude them', async () => {
    const { nodes } = await networkOfTest()
    const { result } = await rpc(nodes[0]!.url, 'platform.getBlockchainStatus', { blockchainID: 'c-chain' })
    expect(result).toEqual({ status: 'Validating' })
  })
})
