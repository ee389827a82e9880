// The programs that a page passes, how a drill begins and ends, and what was so before it began.

import { z } from 'zod'
import { DRILL } from '../../alerts/self.ts'
import { LONGEST_DRILL } from '../../server/drill.ts'
import { BaseError, type ErrorCode } from '../../errors.ts'
import { formatDuration } from '../../lib/duration.ts'
import { greatest } from '../../lib/statistics.ts'
import { printable } from '../../lib/printable.ts'
import type { Http } from '../../upstream/http.ts'
import { orNothing } from '../failure.ts'
import { askTarget, exchangeWith, shownOf, statusError, type Target } from '../http-target.ts'
import type { Alertmanager } from '../monitoring/alertmanager.ts'
import { readAs } from '../monitoring/foreign.ts'
import type { LoadedGroup, Prometheus } from '../monitoring/prometheus.ts'
import { everyRoute, readAlertmanagerConfig } from '../monitoring/routes.ts'

export interface Chain {
  http: Http
  daemon: Target
  prometheus: Prometheus
  /** Members of a cluster share the work: one of them sends the page. None if Prometheus has none. */
  managers: readonly Alertmanager[]
}

type Manager = Exclude<Awaited<ReturnType<typeof managerAt>>, BaseError>

/** What was so before the drill began. Times in milliseconds. */
export type Before = Awaited<ReturnType<typeof look>>

export interface Drill {
  /** The label of its series, which no other drill has. */
  began: string
  path: string
  /** When it ends by itself, as `performance.now()` has it. */
  endsAt: number
}

/** The link that is broken, and what to do about it. */
export interface Broken {
  found: string
  fix: string
}

export async function look(chain: Chain) {
  const { prometheus } = chain
  const [intervals, groups, managers, unsent] = await Promise.all([
    scrapeIntervals(prometheus),
    prometheus.rules(),
    Promise.all(chain.managers.map(managerAt)),
    unsentBy(prometheus),
  ])
  const reachable = managers.filter((one): one is Manager => !(one instanceof BaseError))
  return {
    scrapeInterval: greatest(intervals, 1_000),
    evaluationInterval: (groupOf(groups)?.interval ?? 60) * 1_000,
    /** Those that answer. */
    managers: reachable,
    /** The first that does not. */
    unreachable: managers.find((one): one is BaseError => one instanceof BaseError),
    /** Alerts that Prometheus could not send; undefined if it does not say. */
    unsent,
    /** Whether a drill ended so recently that Alertmanager may still have its group. */
    wasDrilled: await wasDrilled(prometheus, reachable),
  }
}

/** Of the jobs that scrape stakewatch, else of all. */
async function scrapeIntervals(prometheus: Prometheus): Promise<number[]> {
  const [targets, instances] = await Promise.all([prometheus.targets(), prometheus.query('stakewatch_build_info')])
  const jobs = new Set(instances.map(({ labels }) => labels['job']))
  const ours = targets.filter(({ labels }) => jobs.size === 0 || jobs.has(labels['job']))
  return ours.map(({ scrapeInterval = 60_000 }) => scrapeInterval)
}

const absences: readonly ErrorCode[] = ['network', 'timeout']

/** Whether a program does not answer at all. */
export const isAbsence = (error: unknown): error is BaseError =>
  error instanceof BaseError && absences.includes(error.code)

async function managerAt(client: Alertmanager) {
  try {
    const [yaml, sent] = await Promise.all([client.config(), client.sent()])
    return { client, configuration: readAlertmanagerConfig(yaml), sent }
  } catch (error) {
    if (isAbsence(error)) return error
    throw error
  }
}

/** As the page of metrics of Prometheus counts it, which other servers with its API lack, or which has no such count. */
export async function unsentBy(prometheus: Prometheus): Promise<number | undefined> {
  const samples = await orNothing(prometheus.metrics(), 'http_status')
  const errors = samples?.filter(({ name }) => name === 'prometheus_notifications_errors_total')
  return errors?.length ? errors.reduce((sum, { value }) => sum + value, 0) : undefined
}

async function wasDrilled(prometheus: Prometheus, managers: readonly Manager[]): Promise<boolean> {
  const routes = managers.flatMap(({ configuration }) => everyRoute(configuration.route))
  const longest = greatest(
    routes.map(({ groupInterval }) => groupInterval),
    60_000,
  )
  const drills = await prometheus.query(`max_over_time(ALERTS{alertname="${DRILL}"}[${formatDuration(longest)}])`)
  return drills.length > 0
}

export function groupOf(groups: readonly LoadedGroup[]): LoadedGroup | undefined {
  return groups.find(({ rules }) => rules.some(({ name }) => name === DRILL))
}

const begun = z.object({
  /** Becomes part of queries. */
  began: z.string().regex(/^[\w.:+-]+$/),
  seconds: z
    .number()
    .min(0)
    .max(LONGEST_DRILL / 1_000),
  /** Without the slash it would become part of the host. */
  telemetry_path: z.string().startsWith('/'),
})

export async function begin({ http, daemon }: Chain, query: URLSearchParams): Promise<Drill> {
  const answer = await exchangeWith(http, daemon, { method: 'POST', path: `/-/drill?${String(query)}` })
  const { status, text } = answer
  if (status !== 200) throw refusal(daemon, answer)
  const { began, seconds, telemetry_path: path } = readAs(begun, text, daemon, 'stakewatch')
  return { began, path, endsAt: performance.now() + seconds * 1_000 }
}

function refusal(daemon: Target, answer: Parameters<typeof statusError>[1]): BaseError {
  const said = `${shownOf(daemon)}: ${printable(answer.text.trim())}`
  // Servers with TLS answer 400 too, and name no flag.
  const isOfTls = /\bHTTPS\b/.test(answer.text)
  if (answer.status === 403 || (answer.status === 400 && !isOfTls)) return new BaseError('config', said)
  if (answer.status === 409) return new BaseError('busy', said)
  return statusError(daemon, answer)
}

/** Leaves a drill alone that has ended by itself: the next one may belong to someone else. */
export async function end({ http, daemon }: Chain, { endsAt }: Drill): Promise<void> {
  if (performance.now() < endsAt) await askTarget(http, daemon, { method: 'DELETE', path: '/-/drill' })
}
