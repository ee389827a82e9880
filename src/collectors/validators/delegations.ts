// delegations: when delegated stake leaves the tracked validators. platform.getCurrentValidators lists delegators only
// for a single node id (document 2).

import { BaseError } from '../../errors.ts'
import { sumOf } from '../../lib/units.ts'
import { ofShownValidator, ofValidator } from '../../metrics/define.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { isUnreadable } from '../answers/not-found.ts'
import { defineCollector } from '../define.ts'
import { refusesIds } from '../answers/asked-validators.ts'
import { validatorsOnPrimary } from '../subjects/subnets.ts'
import { least } from '../../lib/statistics.ts'

const nextEnd = ofShownValidator.gauge('stakewatch_validator_delegation_next_end_timestamp_seconds', {
  is: 'end',
  help: 'When the next delegation to the validator ends; absent without delegations (platform.getCurrentValidators).',
})
const endingRatio = ofValidator.gauge('stakewatch_validator_delegated_ending_ratio', {
  is: 'share',
  help: 'Share of the delegated stake that leaves the validator within the time `within`; absent without delegations (platform.getCurrentValidators).',
  labels: ['within'],
})

const DAY = 86_400
const windows = { '7d': 7 * DAY, '30d': 30 * DAY }
/** Each call lists all delegators of a validator: more of them would keep the node busy. */
const MOST = 100

export const delegations = defineCollector({
  name: 'delegations',
  about: `When delegations to the first ${MOST} tracked validators of the primary network end.`,
  every: '1h',
  uses: [getCurrentValidators],
  metrics: [nextEnd, endingRatio],
  subjects: (network) => validatorsOnPrimary(network).slice(0, MOST),
  estimate: () => ({ series: 3 }),
  async collect({ subject: { nodeId }, call }) {
    const answer = await call(getCurrentValidators, { nodeIDs: [nodeId] }).catch((error: unknown) => {
      throw isUnreadable(error) ? refusesIds([nodeId]) : error
    })
    const record = answer.value.validators.find((one) => one.nodeID === nodeId)
    // A node may return null for an empty list.
    const delegators = record?.delegators ?? (record?.delegatorCount === 0n ? [] : undefined)
    if (!delegators) return { samples: [] }
    const now = answer.at.wall / 1_000
    const running = delegators.map(stakeOf).filter(({ end }) => end > now)
    const all = sumOf(running.map(({ weight }) => weight))
    const samples = Object.entries(windows).flatMap(([within, seconds]) => {
      const leaving = sumOf(running.flatMap(({ end, weight }) => (end - now <= seconds ? weight : [])))
      return all > 0n ? [endingRatio.sample({ within }, Number(leaving) / Number(all))] : []
    })
    if (running.length > 0) samples.push(nextEnd.sample({}, least(running.map(({ end }) => end))))
    return { samples }
  },
})

function stakeOf({ endTime: end, weight }: { endTime?: number | undefined; weight?: bigint | undefined }) {
  // Without this delegation the sums would be too small.
  if (end === undefined || weight === undefined) {
    throw new BaseError('bad_response', 'a delegation has no weight or no end')
  }
  return { end, weight }
}
