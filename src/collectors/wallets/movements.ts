// What a transaction of the primary network does to a wallet (document 1, PrimaryNetworkTransaction; on live services
// the X- and the C-Chain have their own form).

import { type DataNetwork, plainAddress } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import type { listLatestTransactions } from '../../operations/data/primary-network-transactions.ts'
import { stakingSum } from './staking-token.ts'

export type Transaction = AnswerOf<typeof listLatestTransactions>['transactions'][number]
type Utxo = NonNullable<Transaction['consumedUtxos']>[number]

interface Part {
  owners: readonly string[]
  assetId: string | undefined
  amount: bigint | undefined
}

/** All owners that it names; none if its form cannot name the wallet. */
export function partiesOf(transaction: Transaction, own: ReadonlySet<string>): string[] {
  if (isSilentOn(transaction, own)) return []
  const parts = [...(inputs(transaction) ?? []), ...(outputs(transaction) ?? [])]
  return [...parts.flatMap(({ owners }) => owners), ...(transaction.rewardAddresses ?? []).map(plainAddress)]
}

/** Whether less returns to the wallet than it spent. Undefined if unknown. */
export function isOutgoing(transaction: Transaction, own: ReadonlySet<string>): boolean | undefined {
  const losses = lossesOf(transaction, own)
  return losses && losses.size > 0
}

/**
 * What the wallet spent and did not get back, fees included, in the smallest unit of each asset. The end of a stake
 * returns all of it and needs no signature. Undefined if unknown.
 */
export function lossesOf(transaction: Transaction, own: ReadonlySet<string>): ReadonlyMap<string, bigint> | undefined {
  if (isSilentOn(transaction, own)) return undefined
  const ofWallet = (parts: readonly Part[]) => parts.filter(({ owners }) => owners.some((owner) => own.has(owner)))
  const spent = inputs(transaction)
  if (!spent) return undefined
  const put = ofWallet(spent)
  if (put.length === 0) return new Map()
  const made = outputs(transaction)
  if (!made) return undefined
  const back = ofWallet(made)
  if ([...put, ...back].some(({ assetId, amount }) => assetId === undefined || amount === undefined)) return undefined
  const assets = new Set(put.map(({ assetId }) => assetId!))
  const losses = [...assets].map((asset) => [asset, sumOf(put, asset) - sumOf(back, asset)] as const)
  return new Map(losses.filter(([, lost]) => lost > 0n))
}

/** The document's form has UTXOs only, and 0x addresses never own them. */
function isSilentOn({ evmInputs, evmOutputs }: Transaction, own: ReadonlySet<string>): boolean {
  return !evmInputs && !evmOutputs && [...own].some((address) => address.startsWith('0x'))
}

/** Staking tokens that it burned, in the smallest unit; undefined if it does not say. */
export function burnedBy(transaction: Transaction, network: DataNetwork): bigint | undefined {
  const stated = stakingSum(transaction.amountBurned, network)
  if (stated !== undefined) return stated
  const unlocked = stakingSum(transaction.amountUnlocked, network)
  const created = stakingSum(transaction.amountCreated, network)
  return unlocked === undefined || created === undefined || created > unlocked ? undefined : unlocked - created
}

function inputs({ consumedUtxos, evmInputs }: Transaction): Part[] | undefined {
  if (!consumedUtxos && !evmInputs) return undefined
  const ofEvm = (evmInputs ?? []).map(({ fromAddress, asset }) => evmPart(fromAddress, asset))
  return [...(consumedUtxos ?? []).map(utxoPart), ...ofEvm]
}

function outputs({ emittedUtxos, evmOutputs }: Transaction): Part[] | undefined {
  if (!emittedUtxos && !evmOutputs) return undefined
  const ofEvm = (evmOutputs ?? []).map(({ toAddress, asset }) => evmPart(toAddress, asset))
  return [...(emittedUtxos ?? []).map(utxoPart), ...ofEvm]
}

function utxoPart({ addresses = [], asset, assetId = asset?.assetId, amount = asset?.amount }: Utxo): Part {
  return { owners: addresses.map(plainAddress), assetId, amount }
}

function evmPart(address: string | undefined, asset: Utxo['asset']): Part {
  const owners = address === undefined ? [] : [plainAddress(address)]
  return { owners, assetId: asset?.assetId, amount: asset?.amount }
}

function sumOf(parts: readonly Part[], asset: string): bigint {
  return parts.reduce((sum, { assetId, amount = 0n }) => (assetId === asset ? sum + amount : sum), 0n)
}
