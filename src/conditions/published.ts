// The verdicts as series: sparse, so that healthy objects cost nothing, with counts that guard against silence.

import type { Labels } from '../lib/label-text.ts'
import type { Reading } from './board.ts'
import type { Said } from './details.ts'
import { nameOf } from './condition.ts'
import type { Verdicts } from './judge.ts'
import { type Judged, states } from './settle.ts'
import { conditionMetrics } from '../self/judge-metrics.ts'
import type { Sample } from '../metrics/define.ts'

const [condition, measured, detail, unknownSince, ended, counted] = conditionMetrics

export function conditionSamples({ measured, judged, over, counts }: Verdicts): Sample[] {
  return [
    ...measured.map(({ metric, labels, value }) => metric.sample(labels, value)),
    ...judged.filter(({ state }) => state === 'problem').flatMap(samplesOf),
    ...over.map(({ name, labels }) => ended.sample({ ...labels, condition: name }, 1)),
    ...[...counts].flatMap(([network, byCondition]) =>
      [...byCondition].flatMap(([name, count]) =>
        states
          .filter((state) => state === 'problem' || count[state] > 0)
          .map((state) => counted.sample({ network, condition: name, state }, count[state])),
      ),
    ),
  ]
}

function samplesOf(one: Judged): Sample[] {
  const labels = { ...one.labels, condition: nameOf(one.condition) }
  return [
    condition.sample({ ...labels, severity: one.condition.severity }, 1),
    measured.sample(labels, one.value),
    ...Object.entries(one.details ?? {}).flatMap(([name, found]) => detailSamples({ ...labels, detail: name }, found)),
    ...unknownSince.ifKnown(labels, one.unknownSince),
  ]
}

function detailSamples(labels: Labels & { detail: string }, found: number | string | undefined): Sample[] {
  if (typeof found === 'string') return [detail.sample({ ...labels, text: found }, 1)]
  return detail.ifKnown({ ...labels, text: '' }, found)
}

interface Value extends Reading, Said {
  since: number
}

/** The verdicts of a condition as its rule reads them, by the condition's name. */
export function valuesOf(judged: readonly Judged[]): Map<string, Value[]> {
  const problems = judged.filter(({ state }) => state === 'problem')
  return new Map(
    [...Map.groupBy(problems, ({ condition }) => condition)].map(([condition, some]) => [
      nameOf(condition),
      some.map(({ labels, value, since, details, unknownSince }) => ({ labels, value, since, details, unknownSince })),
    ]),
  )
}
