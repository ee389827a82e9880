// The node's own SDK against simulated nodes in the live dialect: what nodes tell of themselves, and what wallets ask them
// for. The SDK reads the answers of a chain with an EVM; of the others it is the witness of path, methods and parameters,
// and each answer is compared here with the world.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRIMARY_NETWORK_ID } from '../../src/lib/primary-network.ts'
import { AVAX, chainIds } from '../../src/simulator/world/fixed-ids.ts'
import { order } from '../recorded/asking.ts'
import { reasonOf, type Row, startLive, nodeSdk } from './support/sdk.ts'

let { network, world, clock } = {} as Awaited<ReturnType<typeof startLive>>
type Sdk = Awaited<ReturnType<typeof nodeSdk>>
/** The node's interfaces, and those of the C-Chain and of an L1 on it. */
let [node, cChain, l1Chain] = [] as unknown as [Sdk, Sdk, Sdk]
beforeAll(async () => {
  ;({ network, world, clock } = await startLive())
  const { url } = network.nodes[0]!
  node = await nodeSdk(url)
  cChain = await nodeSdk(`${url}/ext/bc/C/rpc`)
  l1Chain = await nodeSdk(`${url}/ext/bc/${orchard().blockchainId}/rpc`)
})
afterAll(() => network.stop())

const orchard = () => world.l1s.all.find(({ name }) => name === 'orchard')!
const self = () => world.validators.all.get(network.nodes[0]!.nodeId)!
const evm = (at: number) => world.evm[at]!
const treasury = () => world.evmWallets.treasury as `0x${string}`
const newest = () => evm(0).block(evm(0).head())!
const isoOf = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
/** A transaction of the P-Chain in one of the newest blocks. */
const accepted = () => newestOf(world.ledger.transactions('P'))
const newestOf = <T>([first]: Iterable<T>) => first!
/** Whose stake has come to a validator in the time that is simulated. */
const staker = () =>
  [...world.validators.all.values()].find(({ owner }) => [...world.ledger.unspentOf(owner)].some(({ stake }) => stake))!
    .owner

const info: Row[] = [
  ['info.acps', 'none', () => node.info.acps(), () => ({ acps: {} })],
  [
    'info.getBlockchainID',
    'by its alias',
    () => node.info.getBlockchainID({ alias: 'X' }),
    () => ({ blockchainID: chainIds.X }),
  ],
  ['info.getNetworkID', 'of the test network', () => node.info.getNetworkID(), () => ({ networkID: '5' })],
  ['info.getNetworkName', 'of the test network', () => node.info.getNetworkName(), () => ({ networkName: 'fuji' })],
  [
    'info.getNodeID',
    'with its key',
    () => node.info.getNodeID(),
    () => ({ nodeID: self().nodeId, nodePOP: self().signer }),
  ],
  ['info.getNodeIP', 'where its peers find it', () => node.info.getNodeIP(), () => ({ ip: '127.0.0.1:9651' })],
  [
    'info.getNodeVersion',
    'of its software',
    () => node.info.getNodeVersion(),
    () => ({ version: world.releases.of(self().nodeId, world.now()).version }),
  ],
  ['info.getTxFee', 'of a transfer', () => node.info.getTxFee(), () => ({ txFee: 1_000_000n })],
  [
    'info.getVMs',
    'with those of its plugins',
    async () => (await node.info.getVMs()).vms,
    () => ({
      jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq: ['avm'],
      tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH: ['timestampvm'],
    }),
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
    () => node.info.uptime(),
    () => ({ rewardingStakePercentage: expect.stringMatching(/^\d+\.\d{4}$/) }),
  ],
]

const connected = () =>
  [...world.validators.all.values()].find(
    ({ nodeId, views }) => nodeId !== self().nodeId && views.get(self().nodeId)!.since === undefined,
  )!.nodeId

/** The types of the SDK do not know all checks, nor all that they say. */
const detailsOf = (checks: object) =>
  checks as Readonly<Record<string, { message?: string | readonly string[]; error?: string }>>
const passing = { message: 'node has the correct BLS key' }
const health: Row[] = [
  [
    'health.health',
    'of the node alone',
    async () => {
      const { checks } = await node.health.health({ tags: ['none'] })
      return [Object.keys(checks).toSorted(), detailsOf(checks)['bls']]
    },
    () => [['bls', 'bootstrapped', 'database', 'diskspace', 'futureupgrade', 'network', 'router'], passing],
  ],
  [
    'health.health',
    'and of the primary network',
    async () => Object.keys((await node.health.health({ tags: [PRIMARY_NETWORK_ID] })).checks),
    () => expect.arrayContaining(['C', 'P', 'X', 'bls']),
  ],
  ['health.liveness', 'of a node that answers', () => node.health.liveness(), () => ({ checks: {}, healthy: true })],
  [
    'health.readiness',
    'of a node that starts, and when it has',
    async () => {
      /** Whether the primary network has not begun, or that the check has not run. */
      const starts = async () => {
        const { error, message } = detailsOf((await node.health.readiness({})).checks)['bootstrapped']!
        return message?.includes(PRIMARY_NETWORK_ID) ?? error
      }
      /** Its checks run twice in a minute. */
      const minute = async () => {
        await order(network, { kind: 'speed', factor: 1 })
        clock.now += 60
        await order(network, { kind: 'speed', factor: 0 })
      }
      await order(network, { kind: 'start', node: 'node-a' })
      const before = await starts()
      await minute()
      const starting = await starts()
      await order(network, { kind: 'bootstrapped', node: 'node-a' })
      await minute()
      return [before, starting, await starts()]
    },
    () => ['not yet run', true, false],
  ],
]

const ofEvm: Row[] = [
  ['eth_blockNumber', 'of the C-Chain', () => cChain.getBlockNumber(), () => BigInt(evm(0).head())],
  ['eth_chainId', 'of an L1', () => l1Chain.getChainId(), () => orchard().evmChainId],
  [
    'eth_baseFee',
    'of the next block',
    () => cChain.baseFee(),
    () =>
      `0x${evm(0)
        .baseFee(evm(0).head() + 1)
        .toString(16)}`,
  ],
  [
    'eth_getBlockByNumber',
    'by its number',
    () => cChain.getBlock({ blockNumber: BigInt(newest().number) }),
    () => {
      const { number, hash, time, gasUsed, baseFee } = newest()
      return {
        number: BigInt(number),
        hash,
        timestamp: BigInt(time),
        gasUsed: BigInt(gasUsed),
        baseFeePerGas: baseFee,
        transactions: evm(0)
          .transactions(number)
          .map((one) => one.hash),
      }
    },
  ],
  [
    'eth_getBalance',
    'of a wallet',
    () => cChain.getBalance({ address: treasury() }),
    () => evm(0).balance(treasury(), evm(0).head()),
  ],
  [
    'eth_getTransactionCount',
    'of a wallet: the nonce of its next transaction',
    () => l1Chain.getTransactionCount({ address: treasury() }),
    () => {
      const numbers = Array.from({ length: evm(1).transactionsBefore(evm(1).head() + 1) }, (_, number) => number)
      return numbers.filter((number) => evm(1).transaction(number).from === treasury()).length
    },
  ],
  [
    'eth_gasPrice',
    'the base fee of the next block and the usual tip',
    async () => (await cChain.getGasPrice()) - (await cChain.estimateMaxPriorityFeePerGas()),
    () => evm(0).baseFee(evm(0).head() + 1),
  ],
  [
    'eth_feeHistory',
    'of three blocks',
    async () => {
      const { oldestBlock, baseFeePerGas, gasUsedRatio } = await cChain.getFeeHistory({
        blockCount: 3,
        rewardPercentiles: [50],
      })
      return { oldestBlock, baseFeePerGas, gasUsedRatio }
    },
    () => {
      const blocks = [2, 1, 0].map((before) => evm(0).block(evm(0).head() - before)!)
      return {
        oldestBlock: BigInt(blocks[0]!.number),
        baseFeePerGas: blocks.map(({ baseFee }) => baseFee),
        gasUsedRatio: blocks.map(({ gasUsed, gasLimit }) => gasUsed / gasLimit),
      }
    },
  ],
  [
    'eth_getChainConfig',
    'of the C-Chain',
    () => cChain.getChainConfig(),
    () => ({ chainId: 43_113, heliconTimestamp: world.upgrade }),
  ],
  [
    'eth_feeConfig',
    'of an L1',
    async () => (await l1Chain.feeConfig({ blk: '0x1' })).feeConfig,
    () => ({ gasLimit: evm(1).gasLimit }),
  ],
]

const ofPlatform: Row[] = [
  [
    'platform.getHeight',
    'of the newest block',
    () => node.pChain.getHeight(),
    () => ({ height: String(world.chains.P.head()) }),
  ],
  [
    'platform.getProposedHeight',
    'of the newest block',
    () => node.pChain.getProposedHeight(),
    () => ({ height: String(world.chains.P.head()) }),
  ],
  [
    'avm.getHeight',
    'of the newest block',
    () => node.xChain.getHeight(),
    () => ({ height: String(world.chains.X.head()) }),
  ],
  [
    'platform.getTimestamp',
    'of the newest block',
    () => node.pChain.getTimestamp(),
    () => ({ timestamp: isoOf(world.chains.P.time(world.chains.P.head())!) }),
  ],
  [
    'platform.getSubnets',
    'one of them',
    () => node.pChain.getSubnets({ ids: [orchard().subnetId] }),
    () => ({ subnets: [{ id: orchard().subnetId, controlKeys: [`P-${orchard().owner}`], threshold: '1' }] }),
  ],
  [
    'platform.validatedBy',
    'of an L1',
    () => node.pChain.validatedBy({ blockchainID: orchard().blockchainId }),
    () => ({ subnetID: orchard().subnetId }),
  ],
  [
    'platform.validates',
    'of an L1',
    () => node.pChain.validates({ subnetID: orchard().subnetId }),
    () => ({ blockchainIDs: [orchard().blockchainId] }),
  ],
  [
    'platform.getStakingAssetID',
    'of the primary network',
    () => node.pChain.getStakingAssetID({ subnetID: PRIMARY_NETWORK_ID }),
    () => ({ assetID: AVAX.id }),
  ],
  [
    'platform.getStake',
    'of a wallet',
    () => node.pChain.getStake({ addresses: [`P-${staker()}`] }),
    () => {
      const staked = [...world.ledger.unspentOf(staker())].filter(
        ({ stake }) => stake !== undefined && stake.end > world.now(),
      )
      return { staked: String(staked.reduce((sum, { amount }) => sum + amount, 0n)) }
    },
  ],
  [
    'platform.getTx',
    'the newest',
    async () => (await node.pChain.getTx({ txID: accepted().id, encoding: 'json' })).tx,
    () => ({ id: accepted().id }),
  ],
  [
    'platform.getTxStatus',
    'of the newest',
    () => node.pChain.getTxStatus({ txID: accepted().id }),
    () => ({ status: 'Committed' }),
  ],
  [
    'platform.getAllValidatorsAt',
    'of an L1 at the newest height',
    () => node.pChain.getAllValidatorsAt({ height: world.chains.P.head() }),
    () => ({
      validatorSets: {
        [orchard().subnetId]: {
          totalWeight: String(orchard().validators.reduce((sum, { weight }) => sum + weight, 0n)),
        },
      },
    }),
  ],
]

test.each([...info, ...health, ...ofEvm, ...ofPlatform])('%s: %s', async (_, _what, ask, told) => {
  expect({ answer: await ask() }).toMatchObject({ answer: told() })
})
