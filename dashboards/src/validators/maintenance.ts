// Maintenance: which tracked validators may stop now, and for how long. On the primary network a stop must not cost the
// reward; in an L1 it must not stall the chain. The strictest observer counts, as no single observer speaks for the
// network.

import { HOUR } from '../panels.ts'
import { inRows, ofFleet, VALIDATOR } from '../select.ts'
import { table } from '../table.ts'
import { COUNT, SECONDS } from '../units.ts'
import { keysOfValidators } from './keys.ts'

const { least, one } = ofFleet

/** A server may validate the primary network and L1s at once, and stops for all of them. */
const MACHINE = 'network, node_id'
const tracked = one(`${VALIDATOR}, node_id`, 'validator_tracked')
/** Of a validator, with its node id. */
const ofTracked = (expr: string) => inRows(tracked, VALIDATOR, expr)
const observers = one(VALIDATOR, 'validator_observers')

/** Seconds, by the strictest observer. */
const mayStopFor = least(VALIDATOR, 'validator_may_stop_seconds')
const l1Allows = least(VALIDATOR, 'l1_validator_may_stop')

/** Nothing can be lost after the end of the period. */
const longEnough = `clamp_max(${one(VALIDATOR, 'validator_end_timestamp_seconds')} - time(), ${HOUR})`

/** For an hour: 1 or 0; 0.5 if unknown. Untracked members of an L1 belong to others. */
export const mayStop = `${ofTracked(`${mayStopFor} >= bool ${longEnough} or ${mayStopFor} >= bool ${HOUR} or ${l1Allows}`)} or ${tracked} * 0.5`
/** For each validator, whether all validations of its node id allow it. */
export const nodeMayStop = `${tracked} * on (${MACHINE}) group_left () min by (${MACHINE}) (${mayStop})`

export const verdicts = { 1: ['yes', 'green'], 0.5: ['no data', 'text'], 0: ['NO', 'red'] } as const

export const maintenance = table({
  text: {
    title: 'Which validators may stop now',
    description:
      'Whether each tracked validator may stop for an hour now, or until its period ends if that is sooner; those that may not come first. For at most: how long it may be down before its reward is lost, at most to the end of its period, by the strictest observer. L1 goes on: enough weight of the L1 stays connected without it, as all nodes that run the chain see it; no data without such nodes, and for one stop at a time. Node may stop: all validations of its node id allow it. Observers: number of nodes that can observe it.',
  },
  height: 8,
  keys: [...keysOfValidators, { label: 'node_id', title: 'Node ID' }],
  rows: tracked,
  columns: [
    { title: 'May stop', expr: mayStop, states: verdicts },
    { title: 'For at most', expr: ofTracked(mayStopFor), unit: SECONDS },
    {
      title: 'L1 goes on',
      // Only validators of the primary network have these observers.
      expr: `${ofTracked(l1Allows)} or (${tracked} unless on (${VALIDATOR}) ${observers}) * 0.5`,
      states: verdicts,
    },
    { title: 'Node may stop', expr: nodeMayStop, states: verdicts },
    { title: 'Observers', expr: ofTracked(observers), unit: COUNT, marks: ['red', [1, 'text']] },
  ],
  sortBy: ['May stop', 'For at most'],
})
