// The reward state of a validator by all observers, and what follows for its end. The majority of the observers counts.

import type { States } from '../panels.ts'
import { OBSERVED, ofFleet, VALIDATOR } from '../select.ts'

const { one } = ofFleet

function said(states: string): string {
  return one(OBSERVED, 'validator_reward_state', `state=~"${states}"`)
}

/** Share of the observers that see the reward in one of the states. */
export function observersSaying(states: string): string {
  return `avg by (${VALIDATOR}) (${said(states)})`
}

export const rewardStates: States = {
  0: ['safe', 'green'],
  1: ['on track', 'purple'],
  2: ['at risk', 'orange'],
  3: ['lost', 'red'],
}

/** The worst state such that more than half of the observers see it or a worse one. */
export const rewardByMajority = ['on_track|at_risk|lost', 'at_risk|lost', 'lost']
  .map((states) => `(${observersSaying(states)} > bool 0.5)`)
  .join(' + ')

/** From 0 for safe to 3 for lost, by observer. */
export const rewardByObserver = ['on_track|at_risk|lost', 'at_risk|lost', 'lost'].map(said).join(' + ')

const ends = one(VALIDATOR, 'validator_end_timestamp_seconds')
/** Auto-renewed validators that continue after this period: those with a lost reward leave, whatever their next period is. */
const goesOn = `(${one(VALIDATOR, 'validator_next_period_seconds')} > 0 unless ${observersSaying('lost')} > 0.5)`

/** Seconds until a validator leaves. */
export const leavesIn = `${ends} - time() unless ${goesOn}`

/** Seconds until a validator starts its next period. */
export const renewsIn = `${ends} - time() and ${goesOn}`
