// Series that no rule can tell from their absence, by what they say together. Each of them costs at every evaluation.

import { thresholds } from '../../src/alerts/thresholds.ts'
import { readersOf } from './read.ts'

type Values = readonly (number | undefined)[]

const SUCCESS = 'stakewatch_collector_last_success_timestamp_seconds'
const INTERVAL = 'stakewatch_collector_interval_seconds'
const START = 'process_start_time_seconds'
const REQUESTS = 'stakewatch_upstream_requests_total'
const LIMITED = 'stakewatch_upstream_rate_limited_total'
const BUDGET = 'stakewatch_upstream_budget_units'
const REMAINING = 'stakewatch_upstream_budget_remaining_units'
const CHECKED = 'stakewatch_node_health_check_timestamp_seconds'

/** Seconds: StakewatchCollectorFailing says nothing of a younger success, and neither with half of one of its limits. */
function quietFor(interval: number): number {
  const { collectorFailing, collectorIntervals } = thresholds
  const late = collectorIntervals * interval
  return Math.min(Math.max(late, collectorFailing / 2), Math.max(late / 2, collectorFailing))
}

const isOfOneCollector = ({ label, isExact }: { label: string; isExact: boolean }) => label === 'collector' && isExact

const named = (series: ReadonlyMap<string, Values>, metric: string) =>
  [...series].flatMap(([key, values]) =>
    key.startsWith(`${metric}{`) ? [{ labels: key.slice(metric.length), values }] : [],
  )

/** Keys of series, whose times are seconds after the beginning; from one value to the next it is `step` seconds. */
export function unobservable(series: ReadonlyMap<string, Values>, step: number): string[] {
  const [{ values: starts } = { values: [] }] = named(series, START)
  return [...promptTasks(), ...promptChecks(), ...ampleBudgets(), ...divisors()]

  /** StakewatchCollectorFailing alone reads both of a task, unless another rule asks for its collector by name. */
  function promptTasks(): string[] {
    return named(series, INTERVAL).flatMap(({ labels, values }) => {
      if (!isPrompt(values, series.get(SUCCESS + labels) ?? [])) return []
      const isNamed = (metric: string) =>
        readersOf(metric, labels).some(({ matchers }) => matchers.some(isOfOneCollector))
      // An interval without a success is a task that has never had one.
      if (isNamed(INTERVAL)) return []
      return isNamed(SUCCESS) ? [INTERVAL + labels] : [INTERVAL + labels, SUCCESS + labels]
    })
  }

  /** Whether the task has succeeded of late at all times at which there is one; before its first success the start counts. */
  function isPrompt(intervals: Values, successes: Values): boolean {
    let last: number | undefined
    return intervals.every((interval, at) => {
      last = successes[at] ?? last
      return interval === undefined || at * step - (last ?? starts[at] ?? -Infinity) <= quietFor(interval)
    })
  }

  /** Of a node that makes them: of their ages the rules look at the greatest, and no answer is late by half of their limit. */
  function promptChecks(): string[] {
    const asked = named(series, SUCCESS).filter(({ labels }) => labels.includes('collector="node-health"'))
    return named(series, CHECKED).flatMap(({ labels, values }) => {
      const answers = asked.filter((one) => upstreamOf(one.labels) === upstreamOf(labels))
      const isLate = values.some((made, at) =>
        answers.some((one) => made !== undefined && (one.values[at] ?? 0) - made > thresholds.healthStill / 2),
      )
      return isLate ? [] : [CHECKED + labels]
    })
  }

  /** StakewatchBudgetExhausted alone reads both, and twice its limit was left of them at all times. */
  function ampleBudgets(): string[] {
    return named(series, BUDGET).flatMap(({ labels, values }) => {
      const remaining = series.get(REMAINING + labels) ?? []
      const isAmple = values.every((units = 0, at) => (remaining[at] ?? units) >= 2 * thresholds.budgetLeft * units)
      return isAmple ? [BUDGET + labels, REMAINING + labels] : []
    })
  }

  /** All requests to an upstream that has limited none of them. */
  function divisors(): string[] {
    const limited = new Set(named(series, LIMITED).map(({ labels }) => upstreamOf(labels)))
    return named(series, REQUESTS).flatMap(({ labels }) => (limited.has(upstreamOf(labels)) ? [] : [REQUESTS + labels]))
  }
}

const upstreamOf = (labels: string) =>
  ['network', 'source'].map((name) => new RegExp(`\\b${name}="([^"]*)"`).exec(labels)?.[1]).join(' ')
