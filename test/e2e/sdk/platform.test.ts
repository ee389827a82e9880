// The node's own SDK against simulated nodes in the live dialect: the P-Chain. It reads no answer: it is the witness of
// path, methods and parameters, and each answer is compared here with the world.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRIMARY_NETWORK_ID } from '../../../src/lib/primary-network.ts'
import { chainIds } from '../../../src/simulator/world/fixed-ids.ts'
import type { L1Validator } from '../../../src/simulator/world/l1.ts'
import { reasonOf, type Row, startLive, nodeSdk } from './sdk.ts'

let { network, world } = {} as Awaited<ReturnType<typeof startLive>>
let node: Awaited<ReturnType<typeof nodeSdk>>
beforeAll(async () => {
  ;({ network, world } = await startLive())
  node = await nodeSdk(network.nodes[0]!.url)
})
afterAll(() => network.stop())

const validator = (at: number) => [...world.validators.all.values()][at]!
const isoOf = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
const meadow = () => world.l1s.all.find(({ name }) => name === 'meadow')!

const rows: Row[] = [
  [
    'platform.getBalance',
    'of a wallet',
    () => node.pChain.getBalance({ addresses: [`P-${world.trade.traders[0]!.address}`] }),
    () => {
      const { address } = world.trade.traders[0]!
      const held = world.ledger.utxosOf(address).filter(({ spent, chain, destination }) => {
        return !spent && chain === 'P' && destination === 'P'
      })
      return {
        balance: held.reduce((sum, { amount }) => sum + amount, 0n),
        utxoIDs: expect.arrayContaining(held.map(({ txId, index }) => ({ txID: txId, outputIndex: index }))),
      }
    },
  ],
  [
    'platform.getBlock',
    'by id',
    () => node.pChain.getBlock({ blockId: world.chains.P.block(17)!.hash, encoding: 'json' }),
    () => ({
      encoding: 'json',
      block: { height: 17, id: world.chains.P.block(17)!.hash, parentID: world.chains.P.block(16)!.hash },
    }),
  ],
  [
    'platform.getBlockByHeight',
    'as it is',
    () => node.pChain.getBlockByHeight({ height: 17, encoding: 'json' }),
    () => ({ block: { id: world.chains.P.block(17)!.hash, time: world.chains.P.time(17) } }),
  ],
  [
    'platform.getBlockByHeight',
    'in hex',
    async () => (await node.pChain.getBlockByHeight({ height: 17, encoding: 'hex' })).block,
    // Two digits a byte, and a checksum of four bytes.
    () => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${2 * (world.chains.P.block(17)!.size + 4)}}$`)),
  ],
  [
    'platform.getBlockchains',
    'with the L1s',
    async () => (await node.pChain.getBlockchains()).blockchains.map(({ id, subnetID }) => [id, subnetID]),
    () => [
      [chainIds.X, PRIMARY_NETWORK_ID],
      [chainIds.C, PRIMARY_NETWORK_ID],
      ...world.l1s.all.map(({ blockchainId, subnetId }) => [blockchainId, subnetId]),
    ],
  ],
  [
    'platform.getBlockchainStatus',
    'of the X-Chain',
    () => node.pChain.getBlockchainStatus({ blockchainId: 'X' }),
    () => ({ status: 'Validating' }),
  ],
  [
    'platform.getCurrentSupply',
    'of the primary network',
    () => node.pChain.getCurrentSupply({ subnetId: PRIMARY_NETWORK_ID }),
    () => ({ supply: world.supply(world.now()) }),
  ],
  [
    'platform.getCurrentSupply',
    'of an L1, which has none',
    () => node.pChain.getCurrentSupply({ subnetId: meadow().subnetId }).catch(reasonOf),
    () => 'fetching current supply failed: not found',
  ],
  [
    'platform.getCurrentValidators',
    'of the primary network',
    async () => (await node.pChain.getCurrentValidators({})).validators.map(({ nodeID, weight }) => [nodeID, weight]),
    () => [...world.validators.all.values()].map(({ nodeId, weight }) => [nodeId, String(weight)]),
  ],
  [
    'platform.getCurrentValidators',
    'one of them, with its delegators',
    () => node.pChain.getCurrentValidators({ nodeIDs: [validator(3).nodeId] }),
    () => {
      const { nodeId, txId, end, delegations } = validator(3)
      expect(delegations).not.toEqual([])
      const delegators = delegations.map((one) => ({ txID: one.txId, potentialReward: String(one.reward) }))
      return { validators: [{ nodeID: nodeId, txID: txId, endTime: String(end), delegators }] }
    },
  ],
  [
    'platform.getCurrentValidators',
    'of an L1',
    async () => {
      const { validators } = await node.pChain.getCurrentValidators({ subnetID: meadow().subnetId })
      return new Map(validators.map(({ nodeID, weight }) => [nodeID, weight]))
    },
    () => new Map([...meadow().validators, ...meadow().legacy].map(({ nodeId, weight }) => [nodeId, String(weight)])),
  ],
  [
    'platform.getFeeConfig',
    'how the price of gas follows from its use',
    () => node.pChain.getFeeConfig(),
    () => ({ weights: [1, 1_000, 1_000, 4], maxCapacity: 1_000_000n, minPrice: 1n }),
  ],
  [
    'platform.getFeeState',
    'of the newest block',
    () => node.pChain.getFeeState(),
    () => ({ price: 1n, timestamp: isoOf(world.chains.P.time(world.chains.P.head())!) }),
  ],
  [
    'platform.getL1Validator',
    'by its validation',
    () => node.pChain.getL1Validator({ validationID: meadow().validators[0]!.validationId }),
    () => {
      const [{ nodeId, weight }] = meadow().validators as [L1Validator]
      return { nodeID: nodeId, weight, subnetID: meadow().subnetId }
    },
  ],
  [
    'platform.getMinStake',
    'of the primary network',
    () => node.pChain.getMinStake({ subnetID: PRIMARY_NETWORK_ID }),
    () => ({ minValidatorStake: 1_000_000_000n, minDelegatorStake: 1_000_000_000n }),
  ],
  [
    'platform.getSubnet',
    'of an L1',
    () => node.pChain.getSubnet({ subnetID: meadow().subnetId }),
    () => ({ isPermissioned: false, threshold: '1', managerChainID: meadow().blockchainId }),
  ],
  [
    'platform.getTotalStake',
    'of an L1',
    () => node.pChain.getTotalStake({ subnetID: meadow().subnetId }),
    () => ({ weight: String(meadow().validators.reduce((sum, { weight }) => sum + weight, 0n)) }),
  ],
  [
    'platform.getValidatorsAt',
    'at the proposed height, which the types of the SDK do not know',
    () => node.pChain.getValidatorsAt({ height: 'proposed' as unknown as number, subnetID: meadow().subnetId }),
    () => {
      const { nodeId, publicKey, weight } = meadow().validators.find(
        ({ inactiveSince }) => inactiveSince === undefined,
      )!
      return { [nodeId]: { publicKey, weight: String(weight) } }
    },
  ],
]

test.each(rows)('%s: %s', async (_, _what, ask, readWorld) => {
  expect({ answer: await ask() }).toMatchObject({ answer: readWorld() })
})
