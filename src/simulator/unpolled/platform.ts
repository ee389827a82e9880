// What the P-Chain's interface of a node tells besides the operations.

import { readId } from '../../lib/ids.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { pathOf } from '../../operations/define.ts'
import { getBlockchains } from '../../operations/node/platform.getBlockchains.ts'
import { type AtHeight, refuseUnknownHeight, weightsIn } from '../handlers/consensus-weights.ts'
import { hexOf } from '../handlers/hex.ts'
import { newestBlockTime } from '../handlers/newest-block.ts'
import { transactionContent } from '../handlers/platform-block.ts'
import { walletsOf } from '../handlers/utxos.ts'
import { refuseMalformed } from '../node/live-address.ts'
import { nodeTime, refusal } from '../node/node-words.ts'
import { bytesOfAddress } from '../world/addresses.ts'
import { bytesOf } from '../world/bytes.ts'
import { AVAX, chainIds } from '../world/fixed-ids.ts'
import { random } from '../world/random.ts'
import { isStaked, type Transaction, type Utxo } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { methodsAt, named, plain } from './define.ts'

interface Sampled {
  size: bigint
  subnetID: string
}

interface Staked {
  addresses: readonly string[]
  validatorsOnly: boolean
}

const height = plain(({ world }) => ({ height: String(world.chains.P.head()) }))

export const platformMethods = methodsAt(pathOf(getBlockchains), {
  'platform.getAllValidatorsAt': named<{ height: AtHeight }>(['height'], ({ world }, { height: at }) => {
    const subnets = [PRIMARY_NETWORK_ID, ...subnetsOf(world).map(({ subnetId }) => subnetId)]
    refuseUnknownHeight(world, at, 'failed to get validator sets')
    const sets = subnets.map((id) => [id, { validators: keysIn(world, id), totalWeight: totalIn(world, id) }])
    return { validatorSets: Object.fromEntries(sets) as object }
  }),
  'platform.getHeight': height,
  'platform.getProposedHeight': height,
  'platform.getRewardUTXOs': named<{ txID: string }>(['txID'], ({ world }, { txID }) => {
    const paidIn = world.ledger.find(txID)?.facts.rewardTxId
    const rewards = paidIn === undefined ? [] : world.ledger.find(paidIn)!.emitted
    const utxos = rewards.filter(({ rewardType }) => rewardType !== undefined).map(utxoInHex)
    return { numFetched: String(utxos.length), utxos, encoding: 'hex' }
  }),
  'platform.getStake': named<Staked>(['addresses', 'validatorsOnly'], (place, { addresses, validatorsOnly }) => {
    refuseMalformed(place, addresses)
    const { ledger, now } = place.world
    const isOfValidator = ({ txId }: Utxo) => ledger.find(txId)?.type !== 'AddPermissionlessDelegatorTx'
    const found = walletsOf(addresses.join(','))
      .flatMap((wallet) => [...ledger.unspentOf(wallet)])
      .filter((utxo) => isStaked(utxo, now()) && (!validatorsOnly || isOfValidator(utxo)))
    const staked = String(found.reduce((sum, { amount }) => sum + amount, 0n))
    return {
      staked,
      stakeds: found.length === 0 ? {} : { [AVAX.id]: staked },
      stakedOutputs: found.map((one) => hexOf(`0000${outputBytes(one)}`, 'live')),
      encoding: 'hex',
    }
  }),
  'platform.getStakingAssetID': named<{ subnetID: string }>(['subnetID'], (_, { subnetID }) => {
    if (subnetID === PRIMARY_NETWORK_ID) return { assetID: AVAX.id }
    throw refusal(`failed fetching subnet transformation for ${subnetID}: not found`)
  }),
  'platform.getSubnets': named<{ ids: readonly string[] }>(['ids'], ({ world }, { ids }) => {
    const all = [
      ...subnetsOf(world).map(({ subnetId: id, owner }) => ({ id, controlKeys: [`P-${owner}`], threshold: '1' })),
      { id: PRIMARY_NETWORK_ID, controlKeys: [], threshold: '0' },
    ]
    if (ids.length === 0) return { subnets: all }
    return { subnets: ids.map((id) => all.find((one) => one.id === id) ?? throwNoSubnet(id)) }
  }),
  'platform.getTimestamp': plain(({ world }) => ({ timestamp: nodeTime(newestBlockTime(world)) })),
  'platform.getTx': named<{ txID: string; encoding: 'hex' | 'json' }>(
    ['txID', 'encoding'],
    ({ world }, { txID, encoding }) => {
      const found = acceptedIn(world, txID)
      if (!found) throw refusal("couldn't get tx: not found")
      // As of blocks, the bytes of a transaction are as many as they are, and stand for nothing.
      const tx = encoding === 'json' ? transactionContent(found, world) : hexOf(bytesOf(found.id, 400), 'live')
      return { tx, encoding }
    },
  ),
  'platform.getTxStatus': named<{ txID: string }>(['txID'], ({ world }, { txID }) => ({
    status: acceptedIn(world, txID) ? 'Committed' : 'Unknown',
  })),
  'platform.sampleValidators': named<Sampled>(['size', 'subnetID'], ({ world }, { size, subnetID }) => {
    const all = weightsIn(world, subnetID).flatMap(({ nodeId }) => nodeId ?? [])
    if (size > BigInt(all.length)) throw refusal('insufficient validators to sample')
    const dice = random('sample', world.now())
    const shuffled = all.map((nodeId) => ({ nodeId, place: dice.next() })).toSorted((a, b) => a.place - b.place)
    return { validators: shuffled.slice(0, Number(size)).map(({ nodeId }) => nodeId) }
  }),
  'platform.validatedBy': named<{ blockchainID: string }>(['blockchainID'], ({ world }, { blockchainID: id }) => {
    if (Object.values(chainIds).includes(id)) return { subnetID: PRIMARY_NETWORK_ID }
    const subnet = world.l1s.all.find(({ blockchainId, hasChain }) => hasChain && blockchainId === id)
    if (!subnet) throw refusal(`problem retrieving blockchain "${id}": not found`)
    return { subnetID: subnet.subnetId }
  }),
  'platform.validates': named<{ subnetID: string }>(['subnetID'], ({ world }, { subnetID }) => {
    if (subnetID === PRIMARY_NETWORK_ID) return { blockchainIDs: [chainIds.X, chainIds.C] }
    const { hasChain, blockchainId } =
      subnetsOf(world).find(({ subnetId }) => subnetId === subnetID) ?? throwNoSubnet(subnetID)
    return { blockchainIDs: hasChain ? [blockchainId] : [] }
  }),
})

/** Those that a block has created. */
function subnetsOf({ l1s }: World) {
  return l1s.all.filter(({ owner }) => owner !== undefined)
}

function throwNoSubnet(id: string): never {
  throw refusal(`"${id}" is not a subnet`)
}

/** Of the P-Chain, in one of its blocks. */
function acceptedIn({ ledger }: World, id: string): Transaction | undefined {
  const found = ledger.find(id)
  return found?.chain === 'P' ? found : undefined
}

/** Those who sign, by their keys: nodes without a key do not. */
function keysIn(world: World, subnetId: string) {
  const signers = weightsIn(world, subnetId).filter(
    ({ nodeId, publicKey }) => nodeId !== undefined && publicKey !== undefined,
  )
  return [...Map.groupBy(signers, ({ publicKey }) => publicKey!)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([publicKey, some]) => ({
      publicKey,
      weight: String(some.reduce((sum, { weight }) => sum + weight, 0n)),
      nodeIDs: some.map(({ nodeId }) => nodeId!),
    }))
}

function totalIn(world: World, subnetId: string): string {
  return String(weightsIn(world, subnetId).reduce((sum, { weight }) => sum + weight, 0n))
}

const uint = (value: bigint | number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
const idBytes = (id: string) => Buffer.from(readId(id).value!).toString('hex')

/** Coins of one owner, as nodes write them: asset, kind, amount, when they are free, and who can spend them. */
function outputBytes({ asset, amount, owner, platformLocktime = 0 }: Utxo): string {
  const address = Buffer.from(bytesOfAddress(owner)).toString('hex')
  return `${idBytes(asset.id)}${uint(7, 4)}${uint(amount, 8)}${uint(platformLocktime, 8)}${uint(1, 4)}${uint(1, 4)}${address}`
}

function utxoInHex(utxo: Utxo): string {
  return hexOf(`0000${idBytes(utxo.txId)}${uint(utxo.index, 4)}${outputBytes(utxo)}`, 'live')
}
