// What an active L1 validator pays, second by second (ACP-77): the excess moves first, then a second costs its price.

export interface FeeMarketOptions {
  begin: number
  /** Accrued fees and active validators at the beginning. */
  accrued: number
  active: number
  target: number
  excessConstant: number
  minPrice: number
}

export interface FeeState {
  time: number
  /** What one validator that was always active has paid by then, in the smallest unit. */
  accrued: number
  excess: number
  active: number
  minPrice: number
}

export interface FeeMarket extends Pick<FeeMarketOptions, 'target' | 'excessConstant'> {
  /** At any time from the beginning on; between two changes everything follows from the first. */
  at(time: number): FeeState
  /** From this time on. Changes come in order of time. */
  change(time: number, change: { active?: number; minPrice?: number; excess?: number }): void
}

/** While the excess moves, states are kept this often, so that no question needs more steps (seconds). */
const KEPT = 60

/** Of one second. */
export function priceOf({ minPrice, excess }: Pick<FeeState, 'minPrice' | 'excess'>, excessConstant: number): number {
  return Math.floor(minPrice * Math.exp(excess / excessConstant))
}

/** The least excess at which a second costs as much. */
export function excessAt(price: number, { minPrice }: Pick<FeeState, 'minPrice'>, excessConstant: number): number {
  return Math.max(0, Math.ceil(excessConstant * Math.log(price / minPrice)))
}

export function createFeeMarket({
  begin,
  accrued,
  active,
  target,
  excessConstant,
  minPrice,
}: FeeMarketOptions): FeeMarket {
  const kept: FeeState[] = [{ time: begin, accrued, excess: 0, active, minPrice }]

  const isSteady = ({ excess, active }: FeeState) => excess === 0 && active <= target

  function after(state: FeeState, seconds: number): FeeState {
    let { excess, accrued: sum } = state
    if (isSteady(state)) {
      return { ...state, time: state.time + seconds, accrued: sum + state.minPrice * seconds }
    }
    for (let second = 0; second < seconds; second += 1) {
      excess = Math.max(0, excess + state.active - target)
      sum += priceOf({ minPrice: state.minPrice, excess }, excessConstant)
    }
    return { ...state, time: state.time + seconds, accrued: sum, excess }
  }

  function at(time: number): FeeState {
    let last = kept.at(-1)!
    while (time - last.time > KEPT && !isSteady(last)) kept.push((last = after(last, KEPT)))
    let [low, high] = [0, kept.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (kept[middle]!.time <= time) low = middle
      else high = middle - 1
    }
    return after(kept[low]!, Math.max(0, time - kept[low]!.time))
  }

  return {
    target,
    excessConstant,
    at,
    change(time, change) {
      const changed = { ...at(time), ...change }
      // What was worked out for later times is no longer true.
      while (kept.at(-1)!.time > time) kept.pop()
      kept.push(changed)
    },
  }
}
