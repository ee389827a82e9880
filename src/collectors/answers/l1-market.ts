// What L1 validators pay, and the chain time of their balances. A node reports both as of its last block
// (platform.getValidatorFeeState, platform.getValidatorFeeConfig). Otherwise the time is that of its last block, and
// the price follows from the newest P-Chain blocks of the data service (document 1, operation 14) or from the balances.

import { z } from 'zod'
import type { Facts } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import {
  accruedPrice,
  type BalanceTrack,
  type ExcessReading,
  type FeeMarket,
  slopePrice,
  track,
  withExcess,
} from '../../judgements/runway.ts'
import { isInFuture } from '../../lib/clock.ts'
import { listLatestPrimaryNetworkBlocks } from '../../operations/data/primary-network-blocks.ts'
import { getValidatorFeeConfig, getValidatorFeeState } from '../../operations/node/platform-fees.ts'
import { inFuture } from '../counting/believed.ts'
import { countType, momentType } from '../counting/remembered.ts'
import { type Ask, type Attempt, FAILED, type Run } from '../define.ts'
import { asksChainTime, type ChainTime, chainTimeType, nodeChainTime } from './chain-time.ts'
import { type BlockCall, listedBlocks } from './listed-blocks.ts'

export const asksMarket = [
  getValidatorFeeState,
  getValidatorFeeConfig,
  ...asksChainTime,
  listLatestPrimaryNetworkBlocks,
] as const

/** Number of balances that are tracked for the price, which is the same for all. */
export const FOLLOWED = 20

/** Remembered: the node's last block, the excess of its fee, and balances over chain time by validation. */
export const marketMemory = z.object({
  chain: chainTimeType.optional(),
  excess: z.object({ time: momentType, excess: countType, speed: z.number().optional() }).optional(),
  tracks: z.record(z.string(), z.array(z.tuple([z.number(), z.number()]).readonly()).readonly()),
})
type Memory = z.output<typeof marketMemory>
type Tracks = Readonly<Record<string, BalanceTrack>>

/** As of the last block of a node. Amounts in the smallest unit. */
interface FeeState {
  /** Unix seconds. */
  time: number
  source: string
  /** Per second. */
  price: number
  excess: number
}

/** How the price follows from the excess. */
type FeeTerms = Pick<FeeMarket, 'target' | 'excessConstant' | 'minPrice'>

export interface Listed {
  /** Unix seconds of the newest block. */
  time: number
  /** Those of all blocks of the page, by height. */
  times: ReadonlyMap<bigint, number>
  /** Active L1 validators of the network; undefined where the service does not say. */
  active: number | undefined
  /** Smallest unit per second by the accrued fees; undefined if no price follows from them. */
  accrued: number | undefined
}

interface Paying {
  /** Constant for one validation. */
  key: string
  balance: bigint
}

/** A value with the attempts that it was made from, for the parts of a run that use it. */
export interface Made<T> {
  value: T | undefined
  of: readonly Attempt<unknown>[]
}

export interface Chain {
  fee: Attempt<FeeState>
  /** Undefined where the node reports no fee. */
  terms: Attempt<FeeTerms> | undefined
  /** Includes the reading of this run. */
  excess: ExcessReading | undefined
  /** Time of the node's last block: reported with the fee, else by the block itself. */
  node: Attempt<Pick<ChainTime, 'time' | 'source'> & Partial<ChainTime>>
  listed: Attempt<Listed>
  /** Chain time: Unix seconds. */
  time: Made<number>
}

type MarketRun = Pick<Run<(typeof asksMarket)[number], never, never>, 'attempt' | 'now'>

/**
 * A node's balances are as of its own last block, also when it lags, so the node's time applies. A node that reports no
 * time is assumed to be level with the data service.
 */
export async function askChain(
  network: Facts,
  { attempt, now }: MarketRun,
  before: Memory | undefined,
): Promise<Chain> {
  const fee = await attempt((ask) => feeState(ask.call, now))
  const terms = fee.value && (await attempt((ask) => feeTerms(ask.call)))
  const excess = fee.value ? withExcess(before?.excess, fee.value.time, fee.value.excess) : before?.excess
  const node = fee.state === 'known' ? fee : await attempt((ask) => nodeChainTime(ask.call, before?.chain, now))
  const listed = await attempt((ask) => newestListed(network, ask.call, now))
  const time =
    node.state === 'unsupported'
      ? { value: listed.value?.time, of: [node, listed] }
      : { value: node.value?.time, of: [node] }
  return { fee, terms, excess, node, listed, time }
}

/**
 * On a chain that makes a block in each of these tries, the blocks are so near that it does not matter. More would exceed the deadline
 * where answers are seconds late.
 */
const TRIES = 2

/**
 * The chain together with balances that belong to its time: if the node has another block after them, both are asked again. On a
 * quiet chain, blocks are hours apart.
 */
export async function askChainWith<T>(
  network: Facts,
  run: MarketRun,
  before: Memory | undefined,
  work: () => Promise<T>,
): Promise<{ chain: Chain; result: T }> {
  for (let tried = 1; ; tried += 1) {
    const chain = await askChain(network, run, before)
    const result = await work()
    if (tried === TRIES || !(await hasMoved(chain, run))) return { chain, result }
  }
}

/** Whether the node has another block by now. */
async function hasMoved({ fee, node }: Chain, { attempt, now }: MarketRun): Promise<boolean> {
  if (node.value === undefined) return false
  const { time, height } = node.value
  const last = height === undefined ? undefined : { height, time }
  const after = await attempt<Pick<ChainTime, 'time'>>((ask) =>
    fee.state === 'known' ? feeState(ask.call, now) : nodeChainTime(ask.call, last, now),
  )
  return after.value !== undefined && after.value.time !== time
}

type FeeCall = Ask<typeof getValidatorFeeState | typeof getValidatorFeeConfig>['call']

async function feeState(call: FeeCall, now: number): Promise<FeeState> {
  const { value, source } = await call(getValidatorFeeState, {})
  const { timestamp: time, price, excess } = value
  if (isInFuture(time, now)) throw inFuture('the last block of the node')
  // At a price of 0 every balance would last for ever.
  if (price === 0n) throw new BaseError('bad_response', 'the node reports a price of 0 for L1 validators')
  return { time, source, price: Number(price), excess: Number(excess) }
}

/** They change with an upgrade of the network. */
async function feeTerms(call: FeeCall): Promise<FeeTerms> {
  const { value } = await call(getValidatorFeeConfig, {}, { maxAge: '1h' })
  const { target, minPrice, excessConversionConstant } = value
  if (minPrice === 0n || excessConversionConstant === 0n) {
    throw new BaseError('bad_response', "the node's fee state gives no price for L1 validators")
  }
  return {
    target: Number(target),
    excessConstant: Number(excessConversionConstant),
    minPrice: Number(minPrice),
  }
}

export async function newestListed({ data_api }: Facts, call: BlockCall, now: number): Promise<Listed> {
  const network = data_api?.network ?? 'mainnet'
  const asked = { chain: 'P', network, blockchainId: 'p-chain' } as const
  const blocks = await listedBlocks(call, asked, now, { maxAge: '20s' })
  const [newest] = blocks
  // Without chain time every balance would seem to have run out in 1970.
  if (!newest) throw new BaseError('bad_response', 'the data service lists no P-Chain blocks')
  const fees = blocks.flatMap(({ blockTimestamp: time, l1ValidatorsAccruedFees: accrued }) =>
    accrued === undefined ? [] : [{ time, accrued }],
  )
  return {
    time: newest.blockTimestamp,
    times: new Map(blocks.map(({ blockNumber, blockTimestamp }) => [blockNumber, blockTimestamp])),
    active: newest.activeL1Validators,
    accrued: accruedPrice(fees),
  }
}

/** The balances over chain time, including those of this run; a validator without balance has none. */
export function tracksOf(
  before: Tracks,
  paying: readonly Paying[],
  { time }: Pick<Chain, 'time'>,
): Record<string, BalanceTrack> {
  const { value: now } = time
  if (now === undefined) return {}
  return Object.fromEntries(
    paying
      .filter(({ balance }) => balance > 0n)
      .map(({ key, balance }) => [key, track(before[key] ?? [], now, Number(balance))]),
  )
}

/**
 * The market as the node states it, else by the accrued fees, else by the fall of the balances. While the data service
 * fails and the balances give no price either, the value is undefined and `of` names that failure: what was published
 * stays.
 */
export function marketOf(
  chain: Pick<Chain, 'fee' | 'terms' | 'excess' | 'listed'>,
  tracks: Tracks,
  { l1_fee }: Facts,
): Made<FeeMarket> {
  const { fee, terms, listed, excess } = chain
  const configured = { target: l1_fee.target, excessConstant: l1_fee.excess_constant, minPrice: l1_fee.min_price }
  const active = listed.value?.active
  if (fee.value) {
    const known = terms?.value ?? configured
    // The excess grows by the validators above the target.
    const moved = excess?.speed === undefined ? undefined : known.target + excess.speed
    const { price, excess: now } = fee.value
    return { value: { price, excess: now, active: active ?? moved, ...known }, of: made([fee, terms, listed]) }
  }
  const price = listed.value?.accrued ?? slopePrice(Object.values(tracks))
  if (price === undefined) return { value: undefined, of: [listed] }
  return { value: { price, active, ...configured }, of: made([listed]) }
}

/** The market as the data service alone reports it. */
export function listedMarket(listed: Attempt<Listed>, tracks: Tracks, network: Facts): Made<FeeMarket> {
  const fee: Attempt<never> = { state: 'unsupported', value: undefined }
  return marketOf({ fee, terms: undefined, excess: undefined, listed }, tracks, network)
}

/** Attempts whose result was not needed do not count. */
function made(attempts: readonly (Attempt<unknown> | undefined)[]): Attempt<unknown>[] {
  return attempts.filter((one) => one !== undefined && one.state !== 'failed')
}

/** If different nodes reported the time and the balances, they do not belong together: what was published stays. */
export function ifOtherNode({ node }: Chain, balancesFrom: string | undefined): Attempt<never>[] {
  const isOther = node.value && balancesFrom !== undefined && node.value.source !== balancesFrom
  return isOther ? [FAILED] : []
}

/** The memory of the next run. Tracks that this run could not continue are kept unless all balances are known. */
export function nextMemory(chain: Chain, tracks: Tracks, before: Memory | undefined, isWhole: boolean): Memory {
  const isComplete = isWhole && chain.time.value !== undefined
  const kept = isComplete ? tracks : { ...before?.tracks, ...tracks }
  const { value: { height, time } = {} } = chain.node
  const last = height === undefined || time === undefined ? before?.chain : { height, time }
  return { chain: last, excess: chain.excess, tracks: kept }
}

/** Why it is unknown when balances run out. Undefined while it is known, or will be after a few runs. */
export function unknownRunwayError(chain: Chain, market: Made<FeeMarket>, { data_api }: Facts): BaseError | undefined {
  const { node, listed } = chain
  if (node.state === 'unsupported' && listed.state === 'unsupported') {
    return new BaseError('bad_response', 'no node or data service reports chain time, so no runway is known')
  }
  if (data_api && listed.state === 'unsupported' && market.value === undefined) {
    return new BaseError('bad_response', 'the data service lists no P-Chain blocks, and the balances give no price yet')
  }
  return undefined
}
