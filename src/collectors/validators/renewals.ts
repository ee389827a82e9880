// renewals: how the periods of tracked auto-renewed validators end. platform.getCurrentValidators (document 2,
// Validator record) reports the current period, so its end shows as the next one, or as a missing record.

import { z } from 'zod'
import { type Outcome, outcomeOfLeaving, outcomeOfRenewal, outcomes, type Period } from '../../judgements/renewals.ts'
import { isInFuture } from '../../lib/clock.ts'
import { ofValidator } from '../../metrics/define.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { updateDoubt, doubtType } from '../counting/believed.ts'
import { countType, momentType, sumType } from '../counting/remembered.ts'
import { defineCollector } from '../define.ts'
import { type ValidatorRecord, watchedMembers, watchedSubnets } from '../subjects/subnets.ts'
import { askWatched, refusedIdsType } from '../answers/asked-validators.ts'

const renewals = ofValidator.counter('stakewatch_validator_renewals_total', {
  help: 'Periods of the auto-renewed validation that ended since counting began, by outcome (platform.getCurrentValidators).',
  details:
    '`compounded`: the next period began with more stake; `not_compounded`: with the same stake; `removed`: the reward was lost; `left`: the validator was set to leave; `unseen`: missed by stakewatch, several in a row count as one.',
  labels: ['outcome'],
})

const countedType = z.object({
  totals: z.record(z.enum(outcomes), countType),
  /** The period at the last look; none after the validator has left. */
  period: z
    .object({
      txId: z.string(),
      start: momentType,
      end: momentType,
      weight: sumType,
      next: countType,
      /** Time of the last look: Unix seconds. */
      seen: momentType,
    })
    .optional(),
  /** Runs that no longer found it. */
  gone: doubtType.optional(),
  /** The transaction of the validation that was counted as gone: a node that lags may still list it. */
  over: z.string().optional(),
})
type Counted = z.output<typeof countedType>

const memory = z.object({
  /** By node id: validators whose record once had a next period. */
  counted: z.record(z.string(), countedType),
  refused: refusedIdsType.optional(),
})

const none: Counted['totals'] = { compounded: 0, not_compounded: 0, removed: 0, left: 0, unseen: 0 }

export const validatorRenewals = defineCollector({
  name: 'renewals',
  about: 'How the periods of tracked auto-renewed validators end: with a next period, or without.',
  every: '5m',
  uses: [getCurrentValidators],
  metrics: [renewals],
  memory,
  subjects: (network) => watchedSubnets(network).filter(({ isPrimary }) => isPrimary),
  estimate: ({ tracked }) => ({ series: outcomes.length * tracked.length }),
  async collect({ subject, memory: before, now, call, flawed }) {
    const { answer, refused } = await askWatched({ call, flawed, now }, subject, before?.refused)
    const found = new Map(watchedMembers(answer.value.validators, subject).map((record) => [record.nodeID, record]))
    const counted: Record<string, Counted> = {}
    for (const { node_id } of subject.tracked) {
      const record = found.get(node_id)
      // A missing validator may be among the dropped items, or have an id that the node refuses.
      const isUnknown = !record && (answer.dropped > 0 || refused?.ids.includes(node_id))
      const known = before?.counted[node_id]
      const next = isUnknown ? known : following(known, record, answer.at.wall)
      if (next) counted[node_id] = next
    }
    const samples = subject.tracked.flatMap(({ node_id, name }) =>
      Object.entries(counted[node_id]?.totals ?? {}).map(([outcome, count]) =>
        renewals.sample({ node_id, validator: name, outcome }, count),
      ),
    )
    return { samples, memory: { counted, refused } }
  },
})

/** The memory of a validator after one more look. Undefined while no record has had a next period. */
function following(known: Counted | undefined, record: ValidatorRecord | undefined, now: number): Counted | undefined {
  const found = record && periodOf(record, now)
  const { totals = none, period: before, over } = known ?? {}
  const next = found && found.txId !== over ? { ...found, weight: String(found.weight), seen: now / 1_000 } : undefined
  if (!before) return next ? { totals, period: next, over } : known
  const last = { ...before, weight: BigInt(before.weight) }
  if (record && (record.txID ?? before.txId) === before.txId) {
    if (!found || found.start < before.start) return { totals, period: before, over }
    return { totals: withOne(totals, outcomeOfRenewal(last, found)), period: next, over }
  }
  const outcome = outcomeOfLeaving(last, before.seen, (known?.gone?.since ?? now) / 1_000)
  const gone = outcome && updateDoubt('0', known?.gone, now)
  // It cannot have left yet, or a single answer may be wrong.
  if (!outcome || gone) return { totals, period: before, gone, over }
  return { totals: withOne(totals, outcome), period: next, over: before.txId }
}

function withOne(totals: Counted['totals'], outcome: Outcome | undefined): Counted['totals'] {
  return outcome ? { ...totals, [outcome]: totals[outcome] + 1 } : totals
}

/** Undefined for a fixed term, and for an incomplete record. */
function periodOf({ txID, startTime, endTime, weight, nextPeriod }: ValidatorRecord, now: number): Period | undefined {
  if (txID === undefined || startTime === undefined || endTime === undefined) return undefined
  if (weight === undefined || nextPeriod === undefined) return undefined
  if (endTime <= startTime || isInFuture(startTime, now)) return undefined
  return { txId: txID, start: startTime, end: endTime, weight, next: Number(nextPeriod) }
}
