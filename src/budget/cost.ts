// Estimates the cost of a plan: request units by upstream, and series, as the collectors estimate ordinary runs.

import type { Network } from '../config/schema.ts'
import type { Source } from '../upstream/source.ts'
import type { Task } from '../scheduler/plan.ts'
import { greatest } from '../lib/statistics.ts'

export interface UpstreamCost {
  /** 'mainnet/data-api' */
  upstream: string
  source: Source
  /** In a busy minute: an ordinary minute plus the dearest request, or for a node plus all requests at once. */
  perMinute: number
  /** A day on which every task runs at least once. */
  perDay: number
  /** Every task once. */
  atOnce: number
  budget: { per_minute?: number | undefined; per_day?: number | undefined }
  /** Units a day, the dearest first. */
  collectors: readonly (readonly [name: string, perDay: number])[]
}

const MINUTES_A_DAY = 1_440
/** Without a configured budget the limit is this factor times the cost of the plan. */
export const ALLOWANCE = 1.2

interface Share {
  source: Source
  /** Of one run. */
  units: number
  dearest: number
}

/** Cost of one run for each of its sources; facts count for the source that is asked first. */
export function sharesOf({ collector, subject, sources }: Task): Share[] {
  const calls = collector.estimate(subject).calls.flatMap(({ operation, times }) => {
    const source = sources.find(({ service }) => service === operation.service)
    return source && times > 0 ? [{ source, units: operation.cost * times, dearest: operation.cost }] : []
  })
  return [...Map.groupBy(calls, ({ source }) => source)].map(([source, ofSource]) => ({
    source,
    units: ofSource.reduce((sum, { units }) => sum + units, 0),
    dearest: greatest(ofSource.map(({ dearest }) => dearest)),
  }))
}

/** Upstreams in configured order. */
export function costOf(tasks: readonly Task[]): UpstreamCost[] {
  const shares = tasks.flatMap((task) =>
    sharesOf(task).map((share) => ({
      ...share,
      network: task.network,
      collector: task.collector.name,
      perDay: share.units * Math.max(1, task.settings.runsPerDay),
    })),
  )
  const byUpstream = Map.groupBy(shares, ({ network, source }) => `${network.name}/${source.name}`)
  return [...byUpstream].map(([upstream, ofUpstream]) => {
    const { network, source } = ofUpstream[0]!
    const perDay = total(ofUpstream)
    const ordinary = perDay / MINUTES_A_DAY
    const atOnce = ofUpstream.reduce((sum, { units }) => sum + units, 0)
    // A node has no quota, and may get all requests at the start. A service gets them one by one.
    const extra = source.service === 'node' ? atOnce : greatest(ofUpstream.map((share) => share.dearest))
    const byCollector = Map.groupBy(ofUpstream, ({ collector }) => collector)
    return {
      upstream,
      source,
      perDay,
      perMinute: Math.max(ordinary, (ordinary + extra) / ALLOWANCE),
      atOnce,
      budget: budgetOf(network, source) ?? {},
      collectors: [...byCollector]
        .map(([name, ofCollector]) => [name, total(ofCollector)] as const)
        .toSorted(([, a], [, b]) => b - a),
    }
  })
}

/** Series of the collectors, without those about runs, upstreams and the process. */
export function seriesOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, { collector, subject }) => sum + collector.estimate(subject).series, 0)
}

/** One warning for each collector with more series than it may have. */
export function seriesWarnings(tasks: readonly Task[]): string[] {
  const byCollector = Map.groupBy(tasks, ({ collector }) => collector.name)
  return [...byCollector].flatMap(([name, ofCollector]) => {
    const [series, most] = [seriesOf(ofCollector), ofCollector[0]!.settings.maxSeries]
    if (series <= most) return []
    const advice = `raise collectors.${name}.max_series, or the last ones are dropped`
    return [`${name}: about ${whole(series)} series are more than the ${whole(most)} that it may have; ${advice}`]
  })
}

/** Says why a budget is too small and what to slow down; undefined when it is sufficient. */
export function warningOf({ upstream, perMinute, perDay, budget, collectors }: UpstreamCost): string | undefined {
  const exceeded = [...over(perMinute, budget.per_minute, 'minute'), ...over(perDay, budget.per_day, 'day')]
  if (exceeded.length === 0) return undefined
  const dearest = collectors.slice(0, 3).map(([name, units]) => `${name} (${whole(units)} a day)`)
  return `${upstream}: ${exceeded.join(' and ')}; slow down, with collectors.NAME.every: ${dearest.join(', ')}`
}

function over(units: number, limit: number | undefined, period: string): string[] {
  if (limit === undefined || units <= limit) return []
  return [`${whole(units)} units a ${period} are more than the budget of ${whole(limit)}`]
}

export function whole(units: number): string {
  return Math.ceil(units).toLocaleString('en-US')
}

function budgetOf({ data_api, metrics_api }: Network, { service }: Source): UpstreamCost['budget'] | undefined {
  if (service === 'node') return undefined
  return (service === 'data' ? data_api : metrics_api)?.budget
}

function total(shares: readonly { perDay: number }[]): number {
  return shares.reduce((sum, { perDay }) => sum + perDay, 0)
}
