// The market for L1 validation as the newest P-Chain blocks show it (document 1, operation 14).

import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { accruedPrice, type FeeMarket } from '../../judgements/runway.ts'
import { type BlockCall, listedBlocks } from './listed-blocks.ts'

export interface PChain {
  /** Unix seconds of the newest block: chain time. */
  time: number
  /** Active L1 validators of the network; undefined where the service does not say. */
  active: number | undefined
  /** Smallest unit per second by the accrued fees; undefined where they prove nothing. */
  accrued: number | undefined
}

/** Blocks of one page: the price is the mean over the time that they span. */
const PAGE = 50

/** Throws BaseError; `unsupported` without a data service. */
export async function newestPChain({ data_api }: Network, call: BlockCall): Promise<PChain> {
  const network = data_api?.network ?? 'mainnet'
  const asked = { chain: 'P', network, blockchainId: 'p-chain', pageSize: PAGE } as const
  const blocks = await listedBlocks(call, asked, { maxAge: '20s' })
  const [newest] = blocks
  // Without chain time every balance would seem to have run out in 1970.
  if (!newest) throw new BaseError('bad_response', 'the data service lists no P-Chain blocks')
  const fees = blocks.flatMap(({ blockTimestamp: time, l1ValidatorsAccruedFees: accrued }) =>
    accrued === undefined ? [] : [{ time, accrued }],
  )
  return { time: newest.blockTimestamp, active: newest.activeL1Validators, accrued: accruedPrice(fees) }
}

/** Undefined while the price is unknown. */
export function marketOf(
  price: number | undefined,
  active: number | undefined,
  { l1_fee }: Network,
): FeeMarket | undefined {
  if (price === undefined) return undefined
  return {
    price,
    active,
    target: l1_fee.target,
    excessConstant: l1_fee.excess_constant,
    minPrice: l1_fee.min_price,
  }
}
