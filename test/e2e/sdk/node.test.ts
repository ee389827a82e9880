// The node's own SDK against simulated nodes in the live dialect: the indexes and the admin interface. It reads no
// answer: it is the witness of paths, methods and parameters, and each answer is compared here with the world.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainIds } from '../../../src/simulator/world/fixed-ids.ts'
import { rpc } from '../../simulator/network.ts'
import { reasonOf, type Row, startLive, nodeSdk } from './sdk.ts'

let { network, world, profiles } = {} as Awaited<ReturnType<typeof startLive>>
let node: Awaited<ReturnType<typeof nodeSdk>>
beforeAll(async () => {
  ;({ network, world, profiles } = await startLive())
  node = await nodeSdk(network.nodes[0]!.url)
})
afterAll(() => network.stop())

const HEX = { encoding: 'hex' } as const
const meadow = () => world.l1s.all.find(({ name }) => name === 'meadow')!
const proposal = (at: number) => world.indexes.proposals.P.at(at)!
const lastOf = (index: { last(): number; at(position: number): { id: string } | undefined }) => ({
  index: String(index.last()),
  id: index.at(index.last())!.id,
})

const index: Row[] = [
  [
    'index.getContainerByID',
    'of the P-Chain',
    () => node.indexBlock.pChain.getContainerByID({ id: proposal(17).id, ...HEX }),
    () => ({ id: proposal(17).id, index: '17', encoding: 'hex' }),
  ],
  [
    'index.getContainerByIndex',
    'of the P-Chain',
    () => node.indexBlock.pChain.getContainerByIndex({ index: 17, ...HEX }),
    () => ({ id: proposal(17).id, bytes: expect.stringContaining(`0x${proposal(17).bytes()}`) }),
  ],
  [
    'index.getContainerRange',
    'of the P-Chain',
    async () => {
      const range = { startIndex: 17, numToFetch: 2, ...HEX } as never
      return (await node.indexBlock.pChain.getContainerRange(range)).containers.map(({ id }) => id)
    },
    () => [proposal(17).id, proposal(18).id],
  ],
  [
    'index.getIndex',
    'of the P-Chain',
    () => node.indexBlock.pChain.getIndex({ id: proposal(17).id, ...HEX }),
    () => ({ index: '17' }),
  ],
  [
    'index.getLastAccepted',
    'of the P-Chain',
    () => node.indexBlock.pChain.getLastAccepted(HEX),
    () => lastOf(world.indexes.proposals.P),
  ],
  [
    'index.getLastAccepted',
    'of the C-Chain',
    () => node.indexBlock.cChain.getLastAccepted(HEX),
    () => lastOf(world.indexes.proposals.C),
  ],
  [
    'index.getLastAccepted',
    'of the X-Chain',
    () => node.indexBlock.xChain.getLastAccepted(HEX),
    () => lastOf(world.indexes.proposals.X),
  ],
  [
    'index.getLastAccepted',
    'of transactions',
    () => node.indexTx.xChain.getLastAccepted(HEX).catch(reasonOf),
    // On live nodes it stays empty.
    () => 'no containers have been accepted',
  ],
  [
    'index.isAccepted',
    'true and false',
    () =>
      Promise.all(
        [proposal(17).id, world.chains.P.block(18)!.hash].map((id) =>
          node.indexBlock.pChain.isAccepted({ id, ...HEX }),
        ),
      ),
    // The id of a block is not that of its proposal.
    () => [{ isAccepted: true }, { isAccepted: false }],
  ],
]

const levels = { logLevel: 'DEBUG', displayLevel: 'WARN' }
const admin: Row[] = [
  [
    'admin.alias',
    'answers at its new name',
    async () => {
      await node.admin.alias({ endpoint: 'bc/P', alias: 'staking' })
      return rpc(network.nodes[0]!.url, 'platform.getBlockchainStatus', { blockchainID: 'C' }, '/ext/staking')
    },
    () => ({ result: { status: 'Validating' } }),
  ],
  [
    'admin.aliasChain',
    'stands for the chain',
    async () => {
      const [chain, alias] = [meadow().blockchainId, 'hay']
      await node.admin.aliasChain({ chain, alias })
      return (await node.admin.getChainAliases({ chain })).aliases
    },
    () => expect.arrayContaining(['hay']),
  ],
  [
    'admin.getChainAliases',
    'of the X-Chain',
    async () => (await node.admin.getChainAliases({ chain: chainIds.X })).aliases.toSorted(),
    () => [chainIds.X, 'X', 'avm'].toSorted(),
  ],
  [
    'admin.getLoggerLevel',
    'of one logger',
    () => node.admin.getLoggerLevel({ loggerName: 'C' }),
    () => ({ loggerLevels: { C: { logLevel: 'INFO', displayLevel: 'INFO' } } }),
  ],
  [
    'admin.setLoggerLevel',
    'and the new ones',
    async () => [
      await node.admin.setLoggerLevel({ loggerName: 'P', ...levels }),
      await node.admin.getLoggerLevel({ loggerName: 'P' }),
    ],
    () => [{ loggerLevels: { P: levels } }, { loggerLevels: { P: levels } }],
  ],
  [
    'admin.loadVMs',
    'one loads, one does not',
    () => node.admin.loadVMs(),
    () => ({
      newVMs: { tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH: ['timestampvm'] },
      failedVMs: { sqja3uK17MJxfC7AN8nGadBw9JK5BcrsNwNynsqP5Gih8M5Bm: 'handshake failed: vm process not found' },
    }),
  ],
  ['admin.lockProfile', 'to a file', () => profileOf(() => node.admin.lockProfile()), () => ['node-a/lock.profile']],
  ['admin.memoryProfile', 'to a file', () => profileOf(() => node.admin.memoryProfile()), () => ['node-a/mem.profile']],
  [
    'admin.startCPUProfiler',
    'one at a time',
    async () => {
      await node.admin.startCPUProfiler()
      const again = node.admin.startCPUProfiler().catch(reasonOf)
      const answer = await again
      await node.admin.stopCPUProfiler()
      return answer
    },
    () => 'cpu profiler already running',
  ],
  [
    'admin.stopCPUProfiler',
    'to a file',
    async () => {
      await node.admin.startCPUProfiler()
      return profileOf(() => node.admin.stopCPUProfiler())
    },
    () => ['node-a/cpu.profile'],
  ],
]

/** The files that a call writes. */
async function profileOf(call: () => Promise<unknown>): Promise<string[]> {
  const before = profiles.length
  await call()
  return profiles.slice(before)
}

test.each([...index, ...admin])('%s: %s', async (_, _what, ask, readWorld) => {
  expect({ answer: await ask() }).toMatchObject({ answer: readWorld() })
})
