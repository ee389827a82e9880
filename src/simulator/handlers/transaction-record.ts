// Transactions of the simulated primary network in the document's form, which the live service has for the P-Chain alone.

import { blockchainsOf } from '../world/blockchains.ts'
import { AVAX, chainIds } from '../world/fixed-ids.ts'
import { exactFromBase58 } from '../world/random.ts'
import type { Facts, L1Fact, Transaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import type { Dialect } from '../handler.ts'
import { renewalFacts } from './auto-renew.ts'
import { genesisOf } from './genesis-record.ts'
import { amountsOf, burnedIn, outputsOf } from './transaction-amounts.ts'
import { utxoRecord } from './utxo-record.ts'

export function transactionRecord(transaction: Transaction, world: World, dialect: Dialect) {
  const { id, chain, type, height, time, consumed, emitted, facts } = transaction
  return {
    txHash: id,
    txType: type,
    blockTimestamp: time,
    blockNumber: String(height),
    blockHash: world.chains[chain].block(height)!.hash,
    consumedUtxos: consumed.map((utxo) => utxoRecord(utxo, chain, dialect)),
    emittedUtxos: emitted.map((utxo) => utxoRecord(utxo, chain, dialect)),
    ...amounts(transaction),
    memo: facts.memo === undefined ? undefined : memoRecord(facts.memo),
    ...stakeFacts(facts),
    ...subnetFacts(facts),
    ...(dialect === 'live' && renewalFacts(transaction)),
    blockchainInfo: facts.blockchainId === undefined ? undefined : blockchainInfo(facts.blockchainId, world, dialect),
  }
}

function amounts(transaction: Transaction) {
  const { emitted, facts } = transaction
  return {
    value: amountsOf(outputsOf(transaction)),
    amountBurned: amountsOf(burnedIn(transaction)),
    amountStaked: amountsOf(emitted.filter(({ stake }) => stake !== undefined)),
    amountL1ValidatorBalanceBurned: amountsOf([{ asset: AVAX, amount: facts.l1Balance ?? 0n }]),
  }
}

/** What is undefined goes missing in JSON. */
function stakeFacts({ start, end, delegationFee, estimatedReward, rewardAddresses, ...facts }: Facts) {
  return {
    startTimestamp: start,
    endTimestamp: end,
    nodeId: facts.nodeId,
    delegationFeePercent: delegationFee === undefined ? undefined : String(delegationFee),
    estimatedReward: estimatedReward === undefined ? undefined : String(estimatedReward),
    rewardAddresses: rewardAddresses && [...rewardAddresses],
    stakingTxHash: facts.stakingTxId,
    rewardTxHash: facts.rewardTxId,
    blsCredentials: facts.bls,
  }
}

function subnetFacts({ sourceChain, destinationChain, subnetId, subnetOwners, l1Manager, l1Validators }: Facts) {
  return {
    sourceChain: sourceChain && chainIds[sourceChain],
    destinationChain: destinationChain && chainIds[destinationChain],
    subnetId,
    subnetOwnershipInfo: subnetOwners && { locktime: 0, ...subnetOwners, addresses: [...subnetOwners.addresses] },
    l1ValidatorManagerDetails: l1Manager,
    l1ValidatorDetails: l1Validators?.map(l1Record),
  }
}

/** What the transaction that creates a blockchain says of it. */
function blockchainInfo(blockchainId: string, world: World, dialect: Dialect) {
  const { name, vmId, evm } = blockchainsOf(world).find(({ id }) => id === blockchainId)!
  return { chainName: name, vmId, genesisData: evm && genesisOf(evm, dialect) }
}

function l1Record({ weight, bls, ...rest }: L1Fact) {
  return { ...rest, validationIdHex: hexOf(rest.validationId), weight: Number(weight), blsCredentials: bls }
}

/** An id is 32 bytes and a checksum of four, in base58. */
function hexOf(id: string): string {
  return `0x${exactFromBase58(id).toString(16).padStart(72, '0').slice(0, 64)}`
}

export function memoRecord(memo: string): string {
  return `0x${Buffer.from(memo).toString('hex')}`
}
