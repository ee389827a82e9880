// Transactions of the simulated P-Chain in the data service's words.

import { type Asset, AVAX, chainIds } from '../world/ids.ts'
import { exactFromBase58 } from '../world/random.ts'
import type { Facts, L1Fact, Transaction, Utxo } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import type { Dialect } from '../serve.ts'
import { amountOf, utxoRecord } from './utxo-record.ts'

export function pChainRecord(transaction: Transaction, world: World, dialect: Dialect) {
  const { id, chain, type, height, time, consumed, emitted, facts } = transaction
  return {
    txHash: id,
    txType: type,
    blockTimestamp: time,
    blockNumber: String(height),
    blockHash: world.chains[chain].block(height)!.hash,
    consumedUtxos: consumed.map((utxo) => utxoRecord(utxo, dialect)),
    emittedUtxos: emitted.map((utxo) => utxoRecord(utxo, dialect)),
    ...amounts(transaction),
    memo: facts.memo,
    ...stakeFacts(facts),
    ...subnetFacts(facts, world),
  }
}

function amounts({ consumed, emitted, facts }: Transaction) {
  const { l1Balance = 0n, l1Validators = [] } = facts
  const burned = new Map(sums(consumed))
  for (const [asset, amount] of sums(emitted)) burned.set(asset, (burned.get(asset) ?? 0n) - amount)
  // What goes into a balance is not burned, and what comes out of one is not new.
  const moved = l1Validators.reduce((sum, { balanceChange = 0 }) => sum + balanceChange, 0)
  if (moved !== 0) burned.set(AVAX, (burned.get(AVAX) ?? 0n) - BigInt(moved))
  return {
    value: listOf(sums(emitted)),
    // A reward comes out of nowhere, as what there was before the first block does.
    amountBurned: listOf([...burned].filter(([, amount]) => amount > 0n)),
    amountStaked: listOf(sums(emitted.filter(({ stake }) => stake !== undefined))),
    amountL1ValidatorBalanceBurned: l1Balance > 0n ? [amountOf(AVAX, l1Balance)] : [],
  }
}

/** What is in a list of UTXOs, by asset. */
export function sums(utxos: readonly Utxo[]): [Asset, bigint][] {
  const found = new Map<Asset, bigint>()
  for (const { asset, amount } of utxos) found.set(asset, (found.get(asset) ?? 0n) + amount)
  return [...found]
}

const listOf = (amounts: readonly [Asset, bigint][]) => amounts.map(([asset, amount]) => amountOf(asset, amount))

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

function subnetFacts(facts: Facts, { l1s }: World) {
  const { sourceChain, destinationChain, subnetId, subnetOwners, blockchainId, l1Manager, l1Validators } = facts
  const created = l1s.all.find((l1) => l1.blockchainId === blockchainId)
  return {
    sourceChain: sourceChain && chainIds[sourceChain],
    destinationChain: destinationChain && chainIds[destinationChain],
    subnetId,
    subnetOwnershipInfo: subnetOwners && { locktime: 0, ...subnetOwners, addresses: [...subnetOwners.addresses] },
    blockchainInfo: created && { chainName: created.name },
    l1ValidatorManagerDetails: l1Manager,
    l1ValidatorDetails: l1Validators?.map((one) => l1Record(one, facts)),
  }
}

function l1Record({ weight, ...told }: L1Fact, { bls }: Facts) {
  return { ...told, validationIdHex: hexOf(told.validationId), weight: Number(weight), blsCredentials: bls }
}

/** An id is 32 bytes and a checksum of four, in base58. */
function hexOf(id: string): string {
  return `0x${exactFromBase58(id).toString(16).padStart(72, '0').slice(0, 64)}`
}
