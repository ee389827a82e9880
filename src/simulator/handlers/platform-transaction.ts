// P-Chain transactions in the node's JSON: members that most types share, and members of each type. The document shows
// the export only; the other types are as AvalancheGo 1.14.2 gives them.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { rawJson } from '../../lib/raw-json.ts'
import { bytesOfAddress, bytesOf } from '../world/ids.ts'
import { blockchainsOf } from '../world/blockchains.ts'
import { readNodeId, toCb58 } from '../../lib/ids.ts'
import { chainIds } from '../world/fixed-ids.ts'
import type { L1Fact, Transaction, Utxo } from '../world/transactions.ts'
import type { World } from '../world/world.ts'

type Members = Record<string, unknown>
type ByType = (transaction: Transaction, world: World) => Members

/** The test network's number among the networks. */
const NETWORK = 5
/** The id of the usual kind of coins. */
const SECP256K1 = 'spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ'
const AUTHORIZED = { signatureIndices: [0] }

/** A reward has neither inputs nor signatures. */
export function isReward({ type }: Transaction): boolean {
  return type === 'RewardValidatorTx' || type === 'RewardAutoRenewedValidatorTx'
}

export function isAuthorized({ type }: Transaction): boolean {
  return AUTHORIZED_TYPES.has(type)
}

export function unsignedTx(transaction: Transaction, world: World): Members {
  const own = byType[transaction.type]?.(transaction, world) ?? {}
  return WITHOUT_INPUTS.has(transaction.type) ? own : { ...base(transaction), ...own }
}

/** The document's form: the shared members are inside `inputs`. */
export function wrappedInputs(content: Members): Members {
  if (!('inputs' in content)) return content
  const { networkID, blockchainID, outputs, inputs, memo, ...own } = content
  return { inputs: { networkID, blockchainID, outputs, inputs, memo }, ...own }
}

function base({ consumed, emitted, facts: { memo = '' } }: Transaction) {
  const isChange = ({ destination, stake }: Utxo) => destination === 'P' && stake === undefined
  return {
    networkID: NETWORK,
    blockchainID: chainIds.P,
    outputs: emitted.filter(isChange).map(output),
    inputs: consumed.filter(({ chain }) => chain === 'P').map(input),
    memo: `0x${Buffer.from(memo).toString('hex')}`,
  }
}

const byType: Readonly<Record<string, ByType>> = {
  ExportTx: ({ emitted }) => {
    const leaving = emitted.filter(({ destination }) => destination !== 'P')
    return { destinationChain: chainIds[leaving[0]!.destination], exportedOutputs: leaving.map(output) }
  },
  ImportTx: ({ consumed, facts }) => ({
    sourceChain: facts.sourceChain && chainIds[facts.sourceChain],
    importedInputs: consumed.filter(({ chain }) => chain !== 'P').map(input),
  }),
  CreateSubnetTx: ({ facts }) => ({ owner: ownersOf(facts.subnetOwners?.addresses) }),
  CreateChainTx: ({ facts: { subnetId, blockchainId } }, world) => {
    const chain = blockchainsOf(world).find(({ id }) => id === blockchainId)
    return {
      subnetID: subnetId,
      chainName: chain?.name,
      vmID: chain?.vmId,
      fxIDs: [],
      genesisData: Buffer.from(bytesOf(`genesis of ${blockchainId}`, 48), 'hex').toString('base64'),
      subnetAuthorization: AUTHORIZED,
    }
  },
  TransferSubnetOwnershipTx: ({ facts }) => ({
    subnetID: facts.subnetId,
    subnetAuthorization: AUTHORIZED,
    newOwner: ownersOf(facts.subnetOwners?.addresses),
  }),
  AddSubnetValidatorTx: (one) => ({
    validator: { ...staker(one), subnetID: one.facts.subnetId },
    subnetAuthorization: AUTHORIZED,
  }),
  RemoveSubnetValidatorTx: ({ facts }) => ({
    nodeID: facts.nodeId,
    subnetID: facts.subnetId,
    subnetAuthorization: AUTHORIZED,
  }),
  AddPermissionlessValidatorTx: (one) => ({
    validator: staker(one),
    subnetID: PRIMARY_NETWORK_ID,
    signer: one.facts.bls ?? {},
    stake: staked(one),
    validationRewardsOwner: ownersOf(one.facts.rewardAddresses),
    delegationRewardsOwner: ownersOf(one.facts.rewardAddresses),
    shares: (one.facts.delegationFee ?? 0) * 10_000,
  }),
  AddPermissionlessDelegatorTx: (one) => ({
    validator: staker(one),
    subnetID: PRIMARY_NETWORK_ID,
    stake: staked(one),
    rewardsOwner: ownersOf(one.facts.rewardAddresses),
  }),
  RewardValidatorTx: ({ facts }) => ({ txID: facts.stakingTxId }),
  RewardAutoRenewedValidatorTx: ({ facts, time }) => ({ txID: facts.stakingTxId, timestamp: time }),
  SetAutoRenewedValidatorConfigTx: ({ facts: { stakingTxId, renewal } }) => ({
    txID: stakingTxId,
    auth: AUTHORIZED,
    autoCompoundRewardShares: renewal?.shares,
    period: renewal?.period,
  }),
  ConvertSubnetToL1Tx: ({ consumed, facts }) => ({
    subnetID: facts.subnetId,
    chainID: facts.l1Manager?.blockchainId,
    address: facts.l1Manager?.contractAddress,
    validators: facts.l1Validators?.map((one) => founder(one, consumed[0]!.owner)),
    subnetAuthorization: AUTHORIZED,
  }),
  RegisterL1ValidatorTx: ({ id, facts }) => ({
    balance: bare(facts.l1Balance ?? 0n),
    proofOfPossession: [...Buffer.from(facts.bls!.proofOfPossession.slice(2), 'hex')],
    message: `0x${bytesOf(`message of ${id}`, 300)}`,
  }),
  SetL1ValidatorWeightTx: ({ id }) => ({ message: `0x${bytesOf(`message of ${id}`, 200)}` }),
  IncreaseL1ValidatorBalanceTx: ({ facts }) => ({
    validationID: facts.l1Validators?.[0]?.validationId,
    balance: bare(facts.l1Balance ?? 0n),
  }),
  DisableL1ValidatorTx: ({ facts }) => ({
    validationID: facts.l1Validators?.[0]?.validationId,
    disableAuthorization: AUTHORIZED,
  }),
}

const WITHOUT_INPUTS = new Set(['RewardValidatorTx', 'RewardAutoRenewedValidatorTx'])
const AUTHORIZED_TYPES = new Set([
  'SetAutoRenewedValidatorConfigTx',
  'CreateChainTx',
  'TransferSubnetOwnershipTx',
  'AddSubnetValidatorTx',
  'RemoveSubnetValidatorTx',
  'ConvertSubnetToL1Tx',
  'DisableL1ValidatorTx',
])

function staker({ emitted, facts }: Transaction) {
  const { nodeId, start, end, weight } = facts
  const stake = emitted.reduce((sum, utxo) => sum + (utxo.stake ? utxo.amount : 0n), 0n)
  return { nodeID: nodeId, start, end, weight: bare(weight ?? stake) }
}

function staked({ emitted }: Transaction) {
  return emitted.filter(({ stake }) => stake !== undefined).map(output)
}

/** A first validator of an L1: node id as bytes, owners without the prefix of an address. */
function founder({ nodeId, weight, remainingBalance: balance, bls: signer }: L1Fact, owner: string) {
  const owners = { threshold: 1, addresses: [toCb58(bytesOfAddress(owner))] }
  return {
    nodeID: `0x${Buffer.from(readNodeId(nodeId).value!).toString('hex')}`,
    weight: bare(weight),
    balance,
    signer,
    remainingBalanceOwner: owners,
    deactivationOwner: owners,
  }
}

function ownersOf(addresses: readonly string[] = []) {
  return { addresses: addresses.map((address) => `P-${address}`), locktime: 0, threshold: 1 }
}

function input({ txId, index, asset, amount }: Utxo) {
  return {
    txID: txId,
    outputIndex: index,
    assetID: asset.id,
    fxID: SECP256K1,
    input: { amount: bare(amount), signatureIndices: [0] },
  }
}

function output({ asset, owner, amount, destination, platformLocktime = 0 }: Utxo) {
  return {
    assetID: asset.id,
    fxID: SECP256K1,
    output: {
      addresses: [`${destination}-${owner}`],
      amount: bare(amount),
      locktime: platformLocktime,
      threshold: 1,
    },
  }
}

/** A JSON number, however large. */
function bare(amount: bigint): number {
  return rawJson(String(amount)) as number
}
