// Turns to build blocks: validators that are connected and build none.

import { validator } from '../../alerts/rule.ts'
import { DAY, MINUTE } from '../../lib/seconds.ts'
import {
  type Condition,
  NOT_APPLICABLE,
  OK,
  onlyParts,
  type Parts,
  problem,
  unknown,
  type Verdict,
} from '../condition.ts'
import { CONTRADICTED, isContradicted, TURNS } from '../chains/late-blocks.ts'
import { connectedShare, CONNECTION_READS, hasEnded, isTracked } from './connections.ts'
import { HEAD_READS, headAge, stallThreshold } from '../heads.ts'
import { validatorInMaintenance } from '../maintenance.ts'
import { latestKnown } from '../track.ts'
import type { Remembered, View } from '../view.ts'

const IN_ROW = 'stakewatch_validator_turns_missed_in_row'
const DUE = 'stakewatch_validator_blocks_due'

const isAway = (view: View) => (view.fact(connectedShare) ?? 1) < 0.5 || view.fact(validatorInMaintenance)

function isStalled(chain: View): boolean {
  const [threshold, age] = [stallThreshold(chain), headAge(chain)]
  return threshold !== undefined && age !== undefined && age > threshold
}

const NONE: ReadonlyMap<string, number> = new Map()

/** How much of a number, by chain, came while the validator was away: it grows until the validator builds its next block. */
function excusedOf(name: string, metric: string): Remembered {
  const remembered: Remembered = {
    name,
    of: 'validator',
    for: DAY,
    read(view) {
      const reports = isTracked(view) ? view.all(metric) : []
      if (reports.length === 0) return NONE
      const away = view.fact(isAway)
      return new Map(
        reports.map(({ labels, value }) => {
          const chain = labels['chain']!
          return [chain, away ? value : Math.min(value, excused(view, remembered, chain))]
        }),
      )
    },
  }
  return remembered
}

const excused = (view: View, remembered: Remembered, chain: string) =>
  latestKnown(view.track(remembered, chain), view.now, DAY) ?? 0

const NOTHING = onlyParts([])

/** A verdict about each chain: a problem where the number, without what is excused, reaches the limit. */
function judgeChains(view: View, metric: string, remembered: Remembered, limit: number, name: string): Verdict | Parts {
  if (!isTracked(view) || hasEnded(view)) return NOT_APPLICABLE
  const [reports, fired] = [view.all(metric), view.firedParts(name)]
  if (reports.length + fired.length === 0) return NOTHING
  const known = reports.map(({ labels, value }) => {
    const chain = labels['chain']!
    const own = value - excused(view, remembered, chain)
    const isProblem = own >= limit && !view.fact(isAway) && !isStalled(view.of('chain', { chain }))
    return { labels: { chain }, verdict: isProblem ? problem(own) : OK }
  })
  const missing = fired
    .map((labels) => ({ chain: labels['chain']! }))
    .filter(({ chain }) => known.every(({ labels }) => labels.chain !== chain))
    .map((labels) => ({ labels, verdict: unreported(view.of('chain', labels)) }))
  return onlyParts([...known, ...missing])
}

/** A reload may have taken out the chain, or the indexes of nodes: the data service knows of blocks that were made, and no others. */
function unreported(chain: View): Verdict {
  const isListed = chain.has(TURNS) && chain.value(TURNS, { outcome: 'missed' }) === undefined
  if (!chain.has('stakewatch_chain_tracked') || isListed) return NOT_APPLICABLE
  return isContradicted(chain) ? OK : unknown('no node reports its turns')
}

const missedAway = excusedOf('turns_missed_away', IN_ROW)
const dueAway = excusedOf('blocks_due_away', DUE)

const TURN_READS = [
  ...CONNECTION_READS,
  ...HEAD_READS,
  'stakewatch_validator_in_set',
  'stakewatch_chain_tracked',
  CONTRADICTED,
  TURNS,
]

export const turnsMissed: Condition = {
  alert: 'StakewatchTurnsMissed',
  panel: 'validator: Turns missed and blocks due',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'validator',
  heldBy: ['block-turns'],
  parts: ['chain'],
  reads: [IN_ROW, ...TURN_READS, missedAway],
  explainedBy: ['validator_disconnected'],
  judge: {
    validator: (view) => judgeChains(view, IN_ROW, missedAway, view.limits.turnsMissed, 'turns_missed'),
  },
  title: '{{ $labels.validator }}: no {{ $labels.chain }} blocks',
  summary: 'The validator is connected and builds no blocks.',
  action:
    'Compare the height of {{ $labels.chain }} on {{ $labels.validator }} with the network, and restart the node if it hangs.',
  description: `Validator ${validator} missed its last {{ if eq $value 1.0 }}turn{{ else }}{{ $value }} turns{{ end }} to build a block of chain {{ $labels.chain }}, while its peers are connected to it: it runs, but is behind or cannot build. Its uptime and reward do not suffer; the chain waits five seconds for each turn.`,
}

export const validatorSilent: Condition = {
  alert: 'StakewatchValidatorSilent',
  panel: 'validator: Turns missed and blocks due',
  severity: 'warning',
  for: 10 * MINUTE,
  quietFor: 'validator',
  parts: ['chain'],
  reads: [DUE, ...TURN_READS, dueAway],
  explainedBy: ['validator_disconnected', 'turns_missed'],
  judge: {
    validator: (view) => judgeChains(view, DUE, dueAway, view.limits.blocksDue, 'validator_silent'),
  },
  title: '{{ $labels.validator }} builds no blocks',
  summary: 'The validator has built no block for far longer than its stake explains.',
  action: 'Look at the height of {{ $labels.chain }}, the clock and the disk of {{ $labels.validator }}.',
  description: `By its stake validator ${validator} should have built {{ humanize $value }} block{{ if ne (humanize $value) "1" }}s{{ end }} of chain {{ $labels.chain }} since its last one, and it has built none. That is no accident of the draw.`,
}
