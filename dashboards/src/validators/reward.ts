// The reward state of a validator by the nodes that vote, and what follows for its end. The majority counts.

import type { States } from '../panels.ts'
import { OBSERVED, ofFleet, VALIDATOR } from '../select.ts'
import { voted } from '../verdicts.ts'

const { one } = ofFleet

function said(states: string): string {
  return one(OBSERVED, 'validator_reward_state', `state=~"${states}"`)
}

/** Share of the votes for one of the states. */
export function votesFor(states: string): string {
  return `avg by (${VALIDATOR}) (${voted(said(states))})`
}

export const rewardStates: States = {
  0: ['safe', 'green'],
  1: ['on track', 'purple'],
  2: ['at risk', 'orange'],
  3: ['lost', 'red'],
}

/** The worst state such that half of the votes are for it or a worse one; lost only by more than half, as the alert has it. */
export const rewardByMajority = [
  `(${votesFor('on_track|at_risk|lost')} >= bool 0.5)`,
  `(${votesFor('at_risk|lost')} >= bool 0.5)`,
  `(${votesFor('lost')} > bool 0.5)`,
].join(' + ')

/** From 0 for safe to 3 for lost, by observer. */
export const rewardByObserver = ['on_track|at_risk|lost', 'at_risk|lost', 'lost'].map(said).join(' + ')

const ends = one(VALIDATOR, 'validator_end_timestamp_seconds')
/** Auto-renewed validators that continue after this period: those with a lost reward leave, whatever their next period is. */
const goesOn = `(${one(VALIDATOR, 'validator_next_period_seconds')} > 0 unless ${votesFor('lost')} > 0.5)`

/** Seconds until a validator leaves. */
export const leavesIn = `${ends} - time() unless ${goesOn}`

/** Seconds until a validator starts its next period. */
export const renewsIn = `${ends} - time() and ${goesOn}`
