// What is published, what the tasks say and what is configured, as one plain value: the page, the JSON and `top` show it.

import type { Config } from '../config/schema.ts'
import type { Shard } from '../lib/shard.ts'
import type { TaskStatus, UpstreamError } from '../metrics/snapshot.ts'
import type { Task } from '../scheduler/plan.ts'
import type { Source } from '../upstream/source.ts'
import { NODES_DOWN, urgency } from './findings.ts'
import { keyOf, type Readings } from './readings.ts'
import type { Finding, Status, TaskRow, Upstream } from './schema.ts'
import { tasksOf } from './tasks.ts'
import { upstreamsOf } from './upstreams.ts'
import { validatorsOf } from './validators.ts'
import { watchedOf, withNodes } from './watched.ts'

export interface Told {
  version: string
  shard: Shard
  isSimulated: boolean
  config: Config
  tasks: readonly Task[]
  sources: readonly Source[]
  readings: Readings
  rows: readonly TaskStatus[]
  errors: readonly UpstreamError[]
  isStalled: boolean
  /** Both in seconds. */
  now: number
  startedAt: number
}

/** The collector that tells who is in the set of a subnet. */
const WHO_IS_IN_THE_SET = 'validators'

export function statusOf(told: Told): Status {
  const { version, shard, isSimulated, config, tasks, sources, readings, rows, errors, isStalled, now, startedAt } =
    told
  const upstreams = upstreamsOf({ sources, readings, errors })
  const attempted = new Set(rows.map(({ key }) => key))
  const asked = new Set(
    tasks
      .filter(({ key, collector }) => collector.name === WHO_IS_IN_THE_SET && attempted.has(key))
      .map((task) => keyOf(task.network.name, task.subject.name)),
  )
  // That no node answers, or that nothing is polled, is said once and not of each validator.
  const isAsked = (network: string, subnet: string) =>
    asked.has(keyOf(network, subnet)) && !isStalled && !areNodesDown(network, upstreams)
  const validators = validatorsOf({ networks: config.networks, readings, now, isAsked })
  const rowsOfTasks = tasksOf({ tasks, rows, upstreams, readings, now, since: startedAt })
  return {
    version,
    timestamp_seconds: now,
    simulated: isSimulated,
    shard,
    scheduler_stalled: isStalled,
    // In the order of the configuration, but what needs attention first.
    validators: attentionFirst(validators),
    upstreams: attentionFirst(withNodes({ readings, validators, upstreams, tasks: rowsOfTasks, now })),
    // Where nothing is polled, that is the news: nobody tells of anything.
    watched: isStalled ? [] : attentionFirst(watchedOf({ config, readings, upstreams, tasks: rowsOfTasks })),
    tasks: failingFirst(rowsOfTasks),
  }
}

function areNodesDown(network: string, upstreams: readonly Upstream[]): boolean {
  return upstreams.some((one) => one.network === network && one.findings.some(({ alert }) => alert === NODES_DOWN))
}

function attentionFirst<T extends { findings: readonly Finding[] }>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => urgency(a.findings) - urgency(b.findings))
}

const results: readonly TaskRow['result'][] = ['failure', null, 'unsupported', 'success']

function failingFirst(all: readonly TaskRow[]): TaskRow[] {
  const rank = ({ result }: TaskRow) => results.indexOf(result)
  return attentionFirst(all.toSorted((a, b) => rank(a) - rank(b)))
}
