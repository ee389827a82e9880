// The node's own SDK against simulated nodes in the live dialect: what nodes report about themselves. The SDK reads
// the answers of a chain with an EVM; of the others it is the witness of path, methods and parameters, and each answer is
// compared here with the world.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRIMARY_NETWORK_ID } from '../../../src/lib/primary-network.ts'
import { nodeSdk, reasonOf, type Row, startLive } from './sdk.ts'

type Sdk = Awaited<ReturnType<typeof nodeSdk>>

let { network, world } = {} as Awaited<ReturnType<typeof startLive>>
let node: Sdk
let cChain: Sdk
let l1Chain: Sdk
beforeAll(async () => {
  ;({ network, world } = await startLive())
  const { url } = network.nodes[0]!
  node = await nodeSdk(url)
  cChain = await nodeSdk(`${url}/ext/bc/C/rpc`)
  l1Chain = await nodeSdk(`${url}/ext/bc/${l1().blockchainId}/rpc`)
})
afterAll(() => network.stop())

const self = () => world.validators.all.get(network.nodes[0]!.nodeId)!
const l1 = () => world.l1s.all.find(({ name }) => name === 'orchard')!
const evm = () => world.evm[0]!
const isoOf = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

/** A peer that the asked node is connected to. */
const connected = () =>
  [...world.validators.all.values()].find(
    ({ nodeId, views }) => nodeId !== self().nodeId && views.get(self().nodeId)!.since === undefined,
  )!.nodeId

/** The types of the SDK do not know all checks, nor all that they say. */
const detailsOf = (checks: object) =>
  checks as Readonly<Record<string, { message?: string | readonly string[]; error?: string }>>

const rows: Row[] = [
  [
    'avm.getHeight',
    'of the newest block',
    () => node.xChain.getHeight(),
    () => ({ height: String(world.chains.X.head()) }),
  ],
  [
    'eth_baseFee',
    'of the next block',
    () => cChain.baseFee(),
    () =>
      `0x${evm()
        .baseFee(evm().head() + 1)
        .toString(16)}`,
  ],
  ['eth_blockNumber', 'of the C-Chain', () => cChain.getBlockNumber(), () => BigInt(evm().head())],
  ['eth_chainId', 'of an L1', () => l1Chain.getChainId(), () => l1().evmChainId],
  [
    'eth_getBlockByNumber',
    'by its number',
    () => cChain.getBlock({ blockNumber: BigInt(evm().head()) }),
    () => {
      const { number, hash, time, gasUsed, baseFee } = evm().block(evm().head())!
      return {
        number: BigInt(number),
        hash,
        timestamp: BigInt(time),
        gasUsed: BigInt(gasUsed),
        baseFeePerGas: baseFee,
        transactions: evm()
          .transactions(number)
          .map((one) => one.hash),
      }
    },
  ],
  [
    'health.health',
    'of the node alone',
    async () => {
      const { checks } = await node.health.health({ tags: ['none'] })
      return [Object.keys(checks).toSorted(), detailsOf(checks)['bls']]
    },
    () => [
      ['bls', 'bootstrapped', 'database', 'diskspace', 'futureupgrade', 'network', 'router'],
      { message: 'node has the correct BLS key' },
    ],
  ],
  [
    'health.health',
    'and of the primary network',
    async () => {
      const { checks } = await node.health.health({ tags: [PRIMARY_NETWORK_ID] })
      return ['C', 'P', 'X', 'bls'].filter((name) => name in checks)
    },
    () => ['C', 'P', 'X', 'bls'],
  ],
  ['info.getNetworkID', 'of the test network', () => node.info.getNetworkID(), () => ({ networkID: '5' })],
  [
    'info.getNodeID',
    'with its key',
    () => node.info.getNodeID(),
    () => ({ nodeID: self().nodeId, nodePOP: self().signer }),
  ],
  [
    'info.getNodeVersion',
    'of its software',
    () => node.info.getNodeVersion(),
    () => ({ version: world.releases.of(self().nodeId, world.now()).version }),
  ],
  [
    'info.isBootstrapped',
    'of the X-Chain',
    () => node.info.isBootstrapped({ chain: 'X' }),
    () => ({ isBootstrapped: true }),
  ],
  [
    'info.isBootstrapped',
    'of a chain that it does not run',
    () => node.info.isBootstrapped({ chain: 'nothing' }).catch(reasonOf),
    () => "there is no chain with alias/ID 'nothing'",
  ],
  [
    'info.peers',
    'one that is connected',
    async () =>
      (await node.info.peers({ nodeIDs: [connected()] })).peers.map(({ nodeID, benched }) => ({ nodeID, benched })),
    () => [{ nodeID: connected(), benched: [] }],
  ],
  [
    'info.upgrades',
    'those that are in force',
    () => node.info.upgrades(),
    () => ({ heliconTime: isoOf(world.upgrade), graniteEpochDuration: 30_000_000_000 }),
  ],
  [
    'info.uptime',
    'in percent',
    async () => {
      const { rewardingStakePercentage: text } = await node.info.uptime()
      return [typeof text, /^\d+\.\d{4}$/.test(String(text))]
    },
    () => ['string', true],
  ],
]

test.each(rows)('%s: %s', async (_, _what, ask, readWorld) => {
  expect({ answer: await ask() }).toMatchObject({ answer: readWorld() })
})
