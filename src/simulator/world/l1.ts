// An L1, and how it is at the beginning: its ids, and who validates it first.

import { addressOf, LETTERS, idOf, nodeIdOf } from './ids.ts'
import { random } from './random.ts'
import type { View } from './views.ts'

/** The node id under which nodes report all L1 validators without a balance: it is never connected. */
export const INACTIVE_NODE_ID = 'NodeID-111111111111111111116DBWJs'

export interface L1Validator {
  validationId: string
  nodeId: string
  publicKey: string
  owner: string
  weight: bigint
  start: number
  minNonce: number
  /** Accrued fees at which the balance is used up. */
  paidUntil: number
  /** The second after which it could not pay one more. */
  inactiveSince: number | undefined
  /** What each node that runs the chain has seen of it, by the id of the node. */
  views: Map<string, View>
}

/** Of a permissioned subnet, or of an L1 from before its conversion: has no balance and pays nothing. */
interface LegacyValidator {
  txId: string
  nodeId: string
  weight: bigint
  start: number
  end: number
  views: L1Validator['views']
}

/** A subnet other than the primary network. It is permissioned until its conversion. */
export interface L1 {
  subnetId: string
  blockchainId: string
  name: string
  evmChainId: number
  /** Whether its chain was created already. */
  hasChain: boolean
  /** Node ids of those that run its chain without validating it. */
  followers: Set<string>
  validators: L1Validator[]
  legacy: LegacyValidator[]
  /** The address that may change it while it is permissioned; undefined before the block that creates it. */
  owner: string | undefined
  /** Undefined while it is permissioned. */
  conversion: Conversion | undefined
  /** Its validators sign no messages. */
  isSilent: boolean
}

interface Conversion {
  id: string
  managerChain: string
  /** Of the contract, hexadecimal. */
  managerAddress: string
}

const DAY = 86_400
/** The accrued fees at the beginning: the least price since the fee exists. */
export const ACCRUED = 27_000_000_000

interface L1Options {
  seed: number
  begin: number
  minPrice: number
  name: string
  evmChainId: number
  /** How long each validator's balance lasts at the least price. */
  days: readonly number[]
  legacy: number
}

export function l1({ seed, begin, minPrice, name, evmChainId, days, legacy }: L1Options): L1 {
  const dice = random(seed, 'l1', name)
  const id = () => idOf(dice.base58(50))
  return {
    subnetId: id(),
    blockchainId: id(),
    name,
    evmChainId,
    hasChain: true,
    followers: new Set(),
    owner: undefined,
    conversion: undefined,
    isSilent: false,
    validators: days.map((lasting, at) => ({
      validationId: id(),
      nodeId: nodeIdOf(dice.base58(33)),
      publicKey: blsKey(seed, name, at),
      owner: addressOf(dice.bech32(LETTERS)),
      weight: BigInt(dice.between(20, 200)),
      // With the L1 itself, which the first block makes.
      start: begin,
      minNonce: dice.between(0, 3),
      paidUntil: ACCRUED + Math.round(lasting * DAY) * minPrice,
      inactiveSince: undefined,
      views: new Map(),
    })),
    legacy: Array.from({ length: legacy }, () => ({
      txId: id(),
      nodeId: nodeIdOf(dice.base58(33)),
      weight: BigInt(dice.between(20, 60)),
      // With the subnet, in the first block as well.
      start: begin,
      end: begin + dice.between(30, 200) * DAY,
      views: new Map(),
    })),
  }
}

/** A BLS public key has 48 bytes. */
export function blsKey(seed: number, name: string, at: number): string {
  const dice = random(seed, 'bls', name, at)
  return `0x${Array.from({ length: 48 }, () => dice.between(0, 255).toString(16).padStart(2, '0')).join('')}`
}
