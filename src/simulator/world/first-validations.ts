// The validations that are under way when the simulated time begins, and how their nodes did until then.

import { addressOf, LETTERS } from './ids.ts'
import { random } from './random.ts'
import { signerOf, type Validator } from './stakes.ts'

const DAY = 86_400
const TOKEN = 1_000_000_000n
/** After the beginning: the first of those that renew themselves does so during the demo. */
const FIRST_RENEWAL = 3_600 + 600

/**
 * Of ten validators one has been away too often in everybody's eyes, and one in the eyes of the first observer alone;
 * one has been away more than most.
 */
export function pastUptime(seed: number, at: number, observer: number, nodeId: string): number {
  const luck = random(seed, 'past', nodeId, observer).next()
  const isPoor = at % 10 === 4 || (at % 10 === 3 && observer === 0)
  return isPoor ? 0.6 + 0.15 * luck : (at % 10 === 5 ? 0.97 : 0.99) + 0.01 * luck
}

export function firstValidation(seed: number, nodeId: string, txId: string, at: number, begin: number): Validator {
  const dice = random(seed, 'validator', at)
  const start = Math.max(0, begin - dice.between(1, 200) * DAY)
  const end = begin + dice.between(1, 160) * DAY + dice.between(0, DAY)
  return {
    nodeId,
    txId,
    start,
    end: at === 5 ? begin + FIRST_RENEWAL : end,
    weight: BigInt(dice.between(2_000, 1_000_000)) * TOKEN,
    reward: BigInt(dice.between(40, 20_000)) * TOKEN,
    fee: dice.pick([2, 2, 5, 10]),
    accrued: 0n,
    compounded: 0n,
    signer: at % 10 === 8 ? undefined : signerOf(`${seed}/${nodeId}`),
    owner: addressOf(dice.bech32(LETTERS)),
    delegations: [],
    isLast: false,
    renewal: at % 10 === 5 ? { period: 30 * DAY, shares: 500_000 } : undefined,
    views: new Map(),
  }
}
