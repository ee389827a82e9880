// The actions that the control endpoint can order. Transactions take effect with the next P-Chain block, everything else
// at once.

import { z } from 'zod'

const nodeId = z.string().min(1)
/** By its name. */
const subnet = z.string().min(1)
/** In the smallest unit. */
const amount = z.int().min(0)
const weight = z.int().min(0)
const seconds = z.int().positive()
/** Seconds of the next period, 0 to leave instead, and the millionths of the reward that are staked again. */
const renewal = z.strictObject({ period: z.int().min(0), shares: z.int().min(0).max(1_000_000) })
/** Seconds for which services and nodes know the past: 8 days. */
export const RETENTION = 8 * 86_400

/** P, X or C, or the id of a blockchain. */
const chain = z.string().min(1)

export const actionTypes = [
  /** There is no new block of the chain anywhere, until it goes on. */
  z.strictObject({ kind: z.enum(['halt-chain', 'resume-chain']), chain }),
  /** From its next block on, or from a height on, a node has other blocks of the chain than the others. */
  z.strictObject({ kind: z.literal('fork'), nodeId, chain, from: z.int().min(0).optional() }),
  z.strictObject({ kind: z.literal('unfork'), nodeId, chain }),
  /**
   * Something leaves a wallet with the next block, or comes to it: on the P- or X-Chain, or on an EVM chain, where only the
   * wallets with a name can. The amount is in the smallest unit; of a token, by its symbol, it is in that one's.
   */
  z.strictObject({
    kind: z.enum(['drain', 'fund']),
    chain,
    address: z.string().min(1),
    amount: z.string().regex(/^\d+$/).optional(),
    token: z.string().optional(),
  }),
  /** From its next block on an EVM chain has `factor` times the usual transactions. */
  z.strictObject({ kind: z.literal('set-traffic'), chain, factor: z.number().min(0).max(5) }),
  /** A node's index of a chain stops growing, catches up, or restarts at position 0. */
  z.strictObject({
    kind: z.enum(['stall-index', 'resume-index', 'begin-index']),
    nodeId,
    chain: z.enum(['P', 'X', 'C']),
  }),
  /**
   * The data service lists the blocks and transactions of `seconds` ago: its lists stop until then, with `relist` they go
   * back at once. With 0 it is up to date.
   */
  z.strictObject({ kind: z.enum(['lag', 'relist']), seconds: z.int().min(0).max(RETENTION) }),
  z.strictObject({ kind: z.enum(['disconnect', 'reconnect']), nodeId }),
  /** A validator lets its turns to build blocks pass while it stays connected, or builds again. */
  z.strictObject({ kind: z.enum(['stop-building', 'resume-building']), nodeId }),
  /** Another rule draws whose turn it is, as after an upgrade of the network that an observer does not know; or the usual one. */
  z.strictObject({ kind: z.enum(['change-draw', 'restore-draw']) }),
  /** One node has no connection to a validator any more, or has it again. */
  z.strictObject({ kind: z.enum(['part', 'meet']), nodeId, observer: nodeId }),
  /** One node loses its peers, the last of the set first, until it has lost this share of the stake; or it has them again. */
  z.strictObject({ kind: z.literal('isolate'), nodeId, share: z.number().min(0).max(1) }),
  z.strictObject({ kind: z.literal('rejoin'), nodeId }),
  /** Sets the seconds of downtime of a validator since its start, as one node or all nodes see it. */
  z.strictObject({ kind: z.literal('set-past'), nodeId, seconds: z.int().min(0), observer: nodeId.optional() }),
  /** The stake of a validator ends `seconds` from now. Without `isLast` its owner stakes again then, or it renews itself. */
  z.strictObject({ kind: z.literal('set-end'), nodeId, seconds, isLast: z.boolean().default(false) }),
  /** A validation is replaced by one with another owner or another BLS key. */
  z.strictObject({ kind: z.literal('set-reward-owner'), nodeId, owner: z.string().min(1) }),
  z.strictObject({ kind: z.literal('set-signer'), nodeId }),
  z.strictObject({ kind: z.literal('set-balance-owner'), subnet, nodeId, owner: z.string().min(1) }),
  z.strictObject({ kind: z.literal('set-l1-signer'), subnet, nodeId }),
  /** The balance of an L1 validator is used up `seconds` from now, as if it had been topped up with less. */
  z.strictObject({ kind: z.literal('set-balance'), subnet, nodeId, seconds }),
  /**
   * A release is out whose upgrade comes into force `seconds` from now. This share of the nodes has it, but none of those
   * given. Then a node installs the newest of these releases.
   */
  z.strictObject({
    kind: z.literal('schedule-upgrade'),
    seconds,
    share: z.number().min(0).max(1),
    without: z.array(nodeId).default([]),
  }),
  z.strictObject({ kind: z.literal('install-release'), nodeId }),
  /** What a second of an L1 validator costs from now on. It falls again while there are fewer validators than 10,000. */
  z.strictObject({ kind: z.literal('set-l1-price'), price: z.int().min(512) }),
  /** Adds validators of L1s that are not simulated one by one, or removes them below 0. */
  z.strictObject({ kind: z.literal('join-l1s'), count: z.int() }),
  /** What a unit of gas costs on the P-Chain; usually 1. */
  z.strictObject({ kind: z.literal('set-gas-price'), price: z.int().positive() }),
  /** The data service keeps the rewards of stakes that end from now on among the pending ones, or drops them. */
  z.strictObject({ kind: z.enum(['hold-rewards', 'drop-rewards']) }),
  /** The metrics service has computed no averages for `seconds`, and computes none until `thaw-averages`. */
  z.strictObject({ kind: z.literal('freeze-averages'), seconds: z.int().min(0).default(0) }),
  z.strictObject({ kind: z.literal('thaw-averages') }),
  /** Messages between chains stay where they are, or are brought over again. */
  z.strictObject({ kind: z.enum(['stop-relayer', 'start-relayer']) }),
  /** The validators of an L1 sign no messages, or sign them again. */
  z.strictObject({ kind: z.enum(['withhold-signatures', 'give-signatures']), subnet }),
  /** One node gives up on a validator on one chain for a while, and counts it as disconnected on all of them. */
  z.strictObject({ kind: z.enum(['bench', 'unbench']), nodeId, observer: nodeId, blockchainId: z.string().min(1) }),
  z.strictObject({ kind: z.literal('top-up'), validationId: z.string(), amount: amount.positive() }),
  /** On the primary network. Without `renewal` the stake is not renewed at its end: another `stake` begins a new term. */
  z.strictObject({
    kind: z.literal('stake'),
    nodeId,
    amount: amount.positive(),
    reward: amount,
    /** Percent. */
    fee: z.int().min(2).max(100),
    duration: seconds,
    renewal: renewal.optional(),
    /** What its node id was made from: with it, it has a certificate for the blocks that it builds. */
    name: z.string().optional(),
  }),
  /** A new delegation to a validator of the primary network. */
  z.strictObject({ kind: z.literal('delegate'), nodeId, amount: amount.positive(), duration: seconds }),
  /** The share of the requests of the data service's own node that a validator answers. */
  z.strictObject({ kind: z.literal('set-reachability'), nodeId, share: z.number().min(0).max(1) }),
  /** Of a validator that renews itself. */
  z.strictObject({ kind: z.literal('set-renewal'), nodeId, renewal }),
  /** A subnet begins as a permissioned one, without a validator and without a chain. */
  z.strictObject({ kind: z.literal('create-subnet'), subnet, evmChainId: z.int().positive() }),
  z.strictObject({ kind: z.literal('add-to-subnet'), subnet, nodeId, weight: weight.positive(), duration: seconds }),
  z.strictObject({ kind: z.literal('remove-from-subnet'), subnet, nodeId }),
  z.strictObject({ kind: z.literal('transfer-subnet'), subnet, owner: z.string().min(1) }),
  /** The first block of the chain comes `secondsPerBlock` after the transaction. */
  z.strictObject({ kind: z.literal('create-chain'), subnet, secondsPerBlock: seconds }),
  /** A node runs the chain of a subnet from now on. */
  z.strictObject({ kind: z.literal('follow'), subnet, nodeId }),
  z.strictObject({
    kind: z.literal('convert'),
    subnet,
    validators: z.array(z.strictObject({ nodeId, weight: weight.positive(), balance: amount })).min(1),
  }),
  z.strictObject({ kind: z.literal('register'), subnet, nodeId, weight: weight.positive(), balance: amount }),
  /** Of an L1 validator. A weight of 0 removes it. */
  z.strictObject({ kind: z.literal('set-weight'), subnet, nodeId, weight }),
  /**
   * A node restarts from a snapshot that is `behind` seconds old. Then it reads `pace` seconds of blocks per second. With
   * a `name` it restarts without its staking key, under this new node id.
   */
  z.strictObject({
    kind: z.literal('restore'),
    nodeId,
    behind: seconds.max(RETENTION),
    pace: z.number().min(1),
    name: nodeId.optional(),
  }),
] as const

const actionType = z.discriminatedUnion('kind', actionTypes)
export type Action = z.output<typeof actionType>
