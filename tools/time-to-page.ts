// How long after a problem begins its alert is sent: from what the definitions and the shipped files say.

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { metricsOf, type Rule } from '../src/alerts/rule.ts'
import { collectors } from '../src/collectors/index.ts'
import { HEAD_READS } from '../src/conditions/heads.ts'
import { WINDOW_READS } from '../src/conditions/maintenance.ts'
import { OWN_READS, VOTE_READS } from '../src/conditions/nodes.ts'
import { OUT_OF_DATE_READS } from '../src/conditions/out-of-date.ts'
import { INTERVAL } from '../src/daemon/judging.ts'
import { UPSTREAM_READS } from '../src/conditions/upstreams.ts'
import { parseDuration } from '../src/lib/duration.ts'

const seconds = (text: string) => parseDuration(text)! / 1_000
const shipped = (path: string): unknown =>
  parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'), { merge: true })

const { global: prometheus } = shipped('deploy/compose/prometheus.yml') as {
  global: { scrape_interval: string; evaluation_interval: string }
}
const { route } = shipped('alerts/alertmanager.example.yml') as { route: { group_wait: string } }

/** Seconds that every alert takes. */
const steps = {
  scrape: seconds(prometheus.scrape_interval),
  evaluation: seconds(prometheus.evaluation_interval),
  groupWait: seconds(route.group_wait),
}

const intervals = new Map(
  collectors.flatMap(({ metrics, every }) => metrics.map(({ name }) => [name, seconds(every)] as const)),
)

/** What stakewatch knows of an upstream is as new as its last request: to a node or the data service, whichever it asks less often. */
const REQUESTS = Math.max(
  ...['node', 'data'].map((service) =>
    Math.min(...collectors.filter(({ uses }) => uses[0]?.service === service).map(({ every }) => seconds(every))),
  ),
)
const intervalOf = (metric: string) =>
  intervals.get(metric) ?? (metric.startsWith('stakewatch_upstream_') ? REQUESTS : undefined)

/** Which conditions share, most of them to decide whom to believe. Where a condition reads nothing else, they are what shows it. */
const excuses = [[...OUT_OF_DATE_READS, ...HEAD_READS, ...UPSTREAM_READS], [...VOTE_READS, ...OWN_READS], WINDOW_READS]

/** Seconds between two looks at what shows the problem: by the most and by the least frequent collector. */
function pollsOf(rule: Rule): [number, number] {
  let metrics = metricsOf({ ...rule, readsForText: [] })
  for (const group of excuses) {
    const left = metrics.filter((metric) => !group.includes(metric))
    if (left.some((metric) => intervals.has(metric))) metrics = left
  }
  const polled = metrics.flatMap((metric) => intervalOf(metric) ?? [])
  return polled.length === 0 ? [0, 0] : [Math.min(...polled), Math.max(...polled)]
}

/** Seconds within which it fires; the second number is for what only the least frequent collector shows. */
export const firesWithin = (rule: Rule): [number, number] => {
  const [least, most] = pollsOf(rule)
  const judged = rule.condition === undefined ? 0 : INTERVAL / 1_000
  const rest = judged + steps.scrape + steps.evaluation + rule.for
  return [least + rest, most + rest]
}

/** The same until Alertmanager sends it. Nothing sends an info, and the watchdog is sent all the time. */
export function sentWithin(rule: Rule): [number, number] | undefined {
  if (rule.severity === 'info' || rule.severity === 'none') return undefined
  const [least, most] = firesWithin(rule)
  return [least + steps.groupWait, most + steps.groupWait]
}
