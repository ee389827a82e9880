// How long an L1 validator's balance lasts, and its price per second (ACP-77, continuous fee).

/** Amounts in the smallest unit. All active L1 validators of the network pay the same price. */
export interface FeeMarket {
  /** Per second, now. */
  price: number
  /** Active L1 validators of the network; undefined when unknown. */
  active: number | undefined
  /** Above this number the price grows, below it falls. */
  target: number
  /** The price grows e-fold while (active - target) x seconds add up to this. */
  excessConstant: number
  /** The price does not fall below it. */
  minPrice: number
  /** Accumulated (active - target) x seconds, from which the price follows. Undefined where only the price is known. */
  excess?: number | undefined
}

/**
 * Seconds until the balance is used up, if no validator joins, leaves or tops up. Without the number of active
 * validators the price is taken as constant, which is too optimistic while it grows.
 */
export function runwaySeconds(balance: number, market: FeeMarket): number {
  return market.excess === undefined ? byPrice(balance, market) : byExcess(balance, market.excess, market)
}

function byPrice(balance: number, { price, active, target, excessConstant, minPrice }: FeeMarket): number {
  const growth = active === undefined ? 0 : (active - target) / excessConstant
  if (growth > 0) return Math.log1p((balance * growth) / price) / growth
  const aboveFloor = price - minPrice
  if (growth === 0 || aboveFloor <= 0) return balance / price
  // The price falls until it reaches the floor, and stays there.
  const fall = -growth
  const paidUntilFloor = aboveFloor / fall
  if (balance < paidUntilFloor) return -Math.log1p((-balance * fall) / price) / fall
  return Math.log(price / minPrice) / fall + (balance - paidUntilFloor) / minPrice
}

/** Number of prices to step through. Above it, a step is less than a thousandth of the price. */
const MOST_STEPS = 2_000

/** Prices are whole numbers: each holds until the excess has reached the next one. */
function byExcess(balance: number, excess: number, market: FeeMarket): number {
  const { active = market.target, target, excessConstant, minPrice } = market
  const speed = active - target
  let [left, at, price, seconds] = [balance, excess, market.price, 0]
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const isSteady = speed === 0 || (speed < 0 && price <= minPrice)
    const next = excessConstant * Math.log((speed > 0 ? price + 1 : price) / minPrice)
    const lasting = isSteady ? Number.POSITIVE_INFINITY : Math.max(0, (next - at) / speed)
    if (left <= lasting * price) return seconds + left / price
    left -= lasting * price
    seconds += lasting
    at += lasting * speed
    price += Math.sign(speed)
  }
  // Rounded down, prices are half a unit lower on average.
  return seconds + byPrice(left, { ...market, price: minPrice * Math.exp(at / excessConstant) - 0.5 })
}

/** The excess at a time (Unix seconds), and its change per second since the previous reading. */
export interface ExcessReading {
  time: number
  excess: number
  speed?: number | undefined
}

/** Adds a reading. One of the same block, or from a node that lags, changes nothing. */
export function withExcess(before: ExcessReading | undefined, time: number, excess: number): ExcessReading {
  if (!before) return { time, excess }
  if (time <= before.time) return before
  return { time, excess, speed: (excess - before.excess) / (time - before.time) }
}

export interface AccruedFees {
  /** Unix seconds of a P-Chain block. */
  time: number
  /** What one validator that was always active would have paid by then. */
  accrued: bigint
}

/**
 * Price per second from blocks of one page, newest first. Undefined unless the field proves to be a running total: it
 * never falls, and it is far more than the blocks' own span could have cost.
 */
export function accruedPrice(blocks: readonly AccruedFees[]): number | undefined {
  const [newest, oldest] = [blocks[0], blocks.at(-1)]
  if (!newest || !oldest || newest.time <= oldest.time) return undefined
  const falls = blocks.some(({ accrued }, at) => at > 0 && accrued > blocks[at - 1]!.accrued)
  const gained = newest.accrued - oldest.accrued
  if (falls || gained <= 0n || oldest.accrued < 10n * gained) return undefined
  return Number(gained) / (newest.time - oldest.time)
}

/** A validator's balances over chain time, oldest first, since its last top-up. */
export type BalanceTrack = readonly (readonly [time: number, balance: number])[]

/** Points kept per validator: the price is the mean over this many polls, and follows a change after as many. */
const MOST_POINTS = 12
const LEAST_SPAN = 60

/**
 * Adds a reading to the track. A balance above all of the track was topped up and starts a new track. A smaller rise
 * comes from a node that lags, and is left out.
 */
export function track(before: BalanceTrack, time: number, balance: number): BalanceTrack {
  const [first, last] = [before[0], before.at(-1)]
  if (first && balance > first[1]) return [[time, balance]]
  if (last && (time <= last[0] || balance > last[1])) return before
  return [...before, [time, balance] as const].slice(-MOST_POINTS)
}

/** Price per second as the median fall of all balances; undefined while no track is long enough. */
export function slopePrice(tracks: readonly BalanceTrack[]): number | undefined {
  const slopes = tracks.flatMap((points) => {
    const [first, last] = [points[0], points.at(-1)]
    if (!first || !last || last[0] - first[0] < LEAST_SPAN || last[1] >= first[1]) return []
    return [(first[1] - last[1]) / (last[0] - first[0])]
  })
  return slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)]
}
