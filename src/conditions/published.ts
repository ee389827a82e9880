// The verdicts as series: sparse, so that healthy objects cost nothing, with counts that guard against silence.

import type { Reading } from './board.ts'
import { nameOf } from './condition.ts'
import { type Judged, states, type Verdicts } from './judge.ts'
import { conditionMetrics } from '../metrics/daemon-metrics.ts'
import type { Sample } from '../metrics/define.ts'

const [condition, measured, unknownSince, counted] = conditionMetrics

export function conditionSamples({ measured, judged, counts }: Verdicts): Sample[] {
  return [
    ...measured.map(({ metric, labels, value }) => metric.sample(labels, value)),
    ...judged.filter(({ state }) => state === 'problem').flatMap(samplesOf),
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
    ...unknownSince.ifKnown(labels, one.unknownSince),
  ]
}

/** The same by metric, for rules that are evaluated without a scrape. */
export function conditionReadings(verdicts: Verdicts): Map<string, Reading[]> {
  return new Map(
    [...Map.groupBy(conditionSamples(verdicts), ({ metric }) => metric.name)].map(([name, some]) => [
      name,
      some.map(({ labels, value }) => ({ labels, value: value as number })),
    ]),
  )
}
