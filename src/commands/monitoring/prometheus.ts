// The HTTP API of Prometheus, which Thanos, Mimir and VictoriaMetrics speak in part:
// https://prometheus.io/docs/prometheus/latest/querying/api/

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import type { Labels } from '../../lib/label-text.ts'
import { DAY } from '../../lib/seconds.ts'
import type { Http, HttpAnswer } from '../../upstream/http.ts'
import { type Asked, askTarget, exchangeWith, shownOf, statusError, type Target } from '../http-target.ts'
import {
  httpUrlText,
  jsonOf,
  lengthOf,
  numberText,
  readYaml,
  samplesOf,
  seconds,
  timestamp,
  withHosts,
} from './foreign.ts'
import { printable } from '../../lib/printable.ts'

/** Prometheus quotes whole URLs. */
const errorText = z.string().transform(withHosts)

const answered = z.object({
  status: z.enum(['success', 'error']),
  /** Errors have none. */
  data: z.unknown().optional(),
  error: errorText.default(''),
  /** What Thanos says where a store did not answer. Prometheus has remarks about a query in `infos`. */
  warnings: z.array(z.string()).default([]),
  /** What a cluster of VictoriaMetrics says then. */
  isPartial: z.boolean().default(false),
})

const labels = z.record(z.string(), z.string())
/** vmalert leaves empty ones out, Mimir may say null. */
const labelsOrNone = labels.nullish().transform((some) => some ?? {})
const texts = z.array(z.string())
const point = z.tuple([timestamp, numberText])
const clock = z.tuple([timestamp, numberText.pipe(timestamp)])

/** Times in seconds since the epoch. */
interface Series {
  labels: Labels
  values: readonly (readonly [time: number, value: number])[]
}

const vector = z.object({
  resultType: z.literal('vector'),
  result: z.array(z.object({ metric: labels, value: point })),
})
/** VictoriaMetrics answers with the only element of a vector. */
const timeAnswer = z.discriminatedUnion('resultType', [
  z.object({ resultType: z.literal('scalar'), result: clock }),
  z.object({ resultType: z.literal('vector'), result: z.tuple([z.object({ value: clock })]) }),
])
const matrix = z.object({
  resultType: z.literal('matrix'),
  result: z.array(z.object({ metric: labels, values: z.array(point) })),
})

const target = z.object({
  labels,
  scrapePool: z.string(),
  scrapeUrl: httpUrlText,
  lastError: errorText,
  health: z.enum(['up', 'down', 'unknown']),
  /** In milliseconds; Prometheus 2.28 or later. */
  scrapeInterval: z.string().transform(lengthOf).optional(),
})
export type ScrapeTarget = z.output<typeof target>

/** Times in seconds. */
const alertingRule = z.object({
  type: z.literal('alerting'),
  name: z.string(),
  query: z.string(),
  duration: seconds,
  keepFiringFor: seconds.optional(),
  /** As vmalert says it. */
  keep_firing_for: seconds.default(0),
  labels: labelsOrNone,
  annotations: labelsOrNone,
  health: z.string(),
  lastError: errorText.default(''),
})
const recordingRule = z.object({
  type: z.literal('recording'),
  name: z.string(),
  query: z.string(),
  labels: labelsOrNone,
  health: z.string(),
  lastError: errorText.default(''),
})
/** A rule that is evaluated less often than once a day is none. */
const LONGEST_INTERVAL = DAY

const ruleGroup = z.object({
  name: z.string(),
  interval: z.number().min(0.001).max(LONGEST_INTERVAL),
  evaluationTime: seconds.default(0),
  rules: z.array(z.discriminatedUnion('type', [alertingRule, recordingRule])),
})
export type LoadedGroup = z.output<typeof ruleGroup>
export type LoadedRule = LoadedGroup['rules'][number]

const relabelling = z.object({
  action: z.string().default('replace'),
  source_labels: z.array(z.string()).default([]),
  separator: z.string().default(';'),
  regex: z.string().default('(.*)'),
  target_label: z.string().optional(),
})
export type Relabelling = z.output<typeof relabelling>
const relabellings = z.array(relabelling).default([])

/** The loaded configuration, as far as it matters here; Prometheus fills in its defaults. */
const prometheusConfig = z.object({
  /** VictoriaMetrics has none. */
  global: z.object({ external_labels: labels.default({}) }).default({ external_labels: {} }),
  alerting: z
    .object({ alert_relabel_configs: relabellings, alertmanagers: z.array(z.unknown()).default([]) })
    .default({ alert_relabel_configs: [], alertmanagers: [] }),
  scrape_configs: z
    .array(
      z.object({
        job_name: z.string(),
        sample_limit: z.number().default(0),
        honor_labels: z.boolean().default(false),
        metric_relabel_configs: relabellings,
      }),
    )
    .default([]),
})
export type PrometheusConfig = z.output<typeof prometheusConfig>

const runtime = z.object({
  reloadConfigSuccess: z.boolean(),
  /** Such as `15d`, `1h or 512MB`, or empty. */
  storageRetention: z.string(),
})

/** Milliseconds: a query over a month takes longer than the status of a server. */
const QUERY_TIMEOUT = 120_000

export type Prometheus = ReturnType<typeof prometheusAt>

/** `timeout` is that of a query. Each call throws a BaseError, with code `unsupported` where the server does not have that part of the API. */
export function prometheusAt(http: Http, server: Target, timeout: number = QUERY_TIMEOUT) {
  const get = <T>(path: string, form: z.ZodType<T>) => ask(http, server, { path }, form)
  // A form, as queries outgrow a URL. Thanos then fails where a part of the answer is missing.
  const query = <T>(path: string, fields: Record<string, string>, form: z.ZodType<T>) =>
    ask(http, server, { path, method: 'POST', form: { ...fields, partial_response: 'false' }, timeout }, form)
  const at = (time?: number) => (time === undefined ? {} : { time: String(time) })
  return {
    /** What its clock says (seconds since the epoch): the shortest answer of all. */
    async time() {
      const { resultType, result } = await get('/api/v1/query?query=time()', timeAnswer)
      return resultType === 'scalar' ? result[1] : result[0].value[1]
    },
    /** An instant query at `time` (seconds since the epoch), by default now. */
    async query(expression: string, time?: number) {
      const { result } = await query('/api/v1/query', { query: expression, ...at(time) }, vector)
      return result.map(({ metric, value: [, value] }) => ({ labels: metric, value }))
    },
    /** The samples of an instant query for a range, such as `up[1h]`. */
    async samples(expression: string, time: number) {
      const { result } = await query('/api/v1/query', { query: expression, ...at(time) }, matrix)
      return result.map(seriesOf)
    },
    /** Only with times that were asked for, in their order. */
    async queryRange(expression: string, range: Range) {
      const fields = { query: expression, start: String(range.start), end: String(range.end), step: String(range.step) }
      const { result } = await query('/api/v1/query_range', fields, matrix)
      const problem = problemIn(result, range)
      if (problem === undefined) return result.map(seriesOf)
      throw new BaseError('bad_response', `${shownOf(server)} answers /api/v1/query_range unlike Prometheus`, {
        details: problem,
      })
    },
    targets: async () =>
      (await get('/api/v1/targets?state=active', z.object({ activeTargets: z.array(target) }))).activeTargets,
    rules: async () => (await get('/api/v1/rules', z.object({ groups: z.array(ruleGroup) }))).groups,
    /** URLs of the Alertmanagers that it sends to. */
    async alertmanagers() {
      const list = z.object({ activeAlertmanagers: z.array(z.object({ url: httpUrlText })) })
      return (await get('/api/v1/alertmanagers', list)).activeAlertmanagers.map(({ url }) => url)
    },
    /** Command-line flags. */
    flags: () => get('/api/v1/status/flags', labels),
    async config() {
      const { yaml } = await get('/api/v1/status/config', z.object({ yaml: z.string() }))
      return readYaml(prometheusConfig, yaml, 'the configuration of Prometheus')
    },
    runtime: () => get('/api/v1/status/runtimeinfo', runtime),
    labelValues: (label: string, selector: string) =>
      get(`/api/v1/label/${label}/values?match[]=${encodeURIComponent(selector)}`, texts),
    /** What it says about itself on its page of metrics. */
    metrics: async () => samplesOf(await askTarget(http, server, { path: '/metrics' })),
  }
}

/** Seconds since the epoch, and from one time to the next. */
interface Range {
  start: number
  end: number
  step: number
}

/** Servers print milliseconds. */
const SLACK = 0.002

function problemIn(result: z.output<typeof matrix>['result'], { start, end, step }: Range): string | undefined {
  const seen = new Set<string>()
  for (const { metric, values } of result) {
    const key = JSON.stringify(Object.entries(metric).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    if (seen.has(key)) return 'a series is there twice'
    seen.add(key)
    let last = -1
    for (const [time] of values) {
      const at = Math.round((time - start) / step)
      const isAsked = at >= 0 && time <= end + SLACK && Math.abs(start + at * step - time) <= SLACK
      if (!isAsked) return `the time ${time} was not asked for`
      if (at <= last) return `the time ${time} is not in its order`
      last = at
    }
  }
  return undefined
}

const seriesOf = ({ metric, values }: z.output<typeof matrix>['result'][number]): Series => ({ labels: metric, values })

async function ask<T>(http: Http, server: Target, asked: Asked, form: z.ZodType<T>): Promise<T> {
  const answer = await exchangeWith(http, server, asked)
  const parsed = answered.safeParse(jsonOf(answer.text))
  if (!parsed.success) throw unlikePrometheus(server, answer)
  const { status, error, warnings, isPartial, data } = parsed.data
  if (status === 'error') {
    throw new BaseError('rpc_error', `${shownOf(server)} refuses ${asked.path}`, { details: printable(error) })
  }
  const [warning] = isPartial ? ['a part of its storage does not answer'] : warnings
  if (warning !== undefined) {
    throw new BaseError('bad_response', `${shownOf(server)} answers in part only`, { details: printable(warning) })
  }
  const read = form.safeParse(data)
  if (read.success) return read.data
  throw unlike(server, asked.path, read.error)
}

function unlike(server: Target, path: string, { issues: [issue] }: z.ZodError): BaseError {
  return new BaseError('bad_response', `${shownOf(server)} answers ${path} unlike Prometheus`, {
    details: printable(`${issue!.path.join('.')}: ${issue!.message}`),
  })
}

function unlikePrometheus(server: Target, answer: HttpAnswer): BaseError {
  if (answer.status >= 200 && answer.status < 300) {
    return new BaseError('bad_response', `${shownOf(server)} does not answer like Prometheus: is this its URL?`)
  }
  // So says vmalert.
  if (answer.status === 400 && /unsupported path/.test(answer.text)) {
    return new BaseError('unsupported', `${shownOf(server)} does not have this part of the API`)
  }
  const error = statusError(server, answer)
  return answer.status === 404 ? new BaseError('unsupported', error.message) : error
}
