// The status as one plain value, from the metrics, the tasks and the configuration. The page, the JSON and `top` show it.

import type { Config } from '../../config/schema.ts'
import type { Shard } from '../../lib/shard.ts'
import type { TaskStatus, UpstreamError } from '../../metrics/publication.ts'
import type { Task } from '../../scheduler/plan.ts'
import type { Source } from '../../upstream/source.ts'
import { inMaintenance, maintenanceOf } from './maintenance.ts'
import { alertsAbout, alertsOf, attentionFirst, type Rules, rulesOf } from './alerts.ts'
import type { Readings } from '../../metrics/read-exposition.ts'
import type { Status, TaskRow } from './status-schema.ts'
import { tasksOf } from './tasks.ts'
import { upstreamsOf } from './upstreams.ts'
import { validatorsOf } from './validators.ts'
import { chainsOf, probesOf, routesOf, subnetsOf, walletsOf } from './watched.ts'

export interface Input {
  version: string
  shard: Shard
  isSimulated: boolean
  config: Config
  tasks: readonly Task[]
  sources: readonly Source[]
  readings: Readings
  rows: readonly TaskStatus[]
  errors: readonly UpstreamError[]
  rules: Rules
  isStalled: boolean
  /** In seconds. */
  now: number
}

export function statusOf(input: Input): Status {
  const { version, shard, isSimulated, config, tasks, sources, readings, rows, errors, rules, isStalled, now } = input
  const all = alertsOf(rules)
  const alerts = alertsAbout(all)
  const maintenance = inMaintenance(readings)
  const watched = { config, readings, alerts, maintenance }
  return {
    version,
    timestamp_seconds: now,
    simulated: isSimulated,
    shard,
    scheduler_stalled: isStalled,
    rules: rulesOf(rules),
    alerts: all,
    maintenance: maintenanceOf({ config, readings, now }),
    // What needs attention comes first, the rest in the order of the configuration.
    validators: attentionFirst(validatorsOf({ networks: config.networks, readings, alerts, maintenance })),
    subnets: attentionFirst(subnetsOf(watched)),
    chains: attentionFirst(chainsOf(watched)),
    wallets: attentionFirst(walletsOf(watched)),
    routes: attentionFirst(routesOf(watched)),
    probes: attentionFirst(probesOf(watched)),
    upstreams: attentionFirst(upstreamsOf({ sources, readings, errors, alerts, maintenance })),
    tasks: failingFirst(tasksOf({ tasks, rows, readings, alerts })),
  }
}

const results: readonly TaskRow['result'][] = ['failure', null, 'unsupported', 'success']

function failingFirst(all: readonly TaskRow[]): TaskRow[] {
  const rank = ({ result }: TaskRow) => results.indexOf(result)
  return attentionFirst(all.toSorted((a, b) => rank(a) - rank(b)))
}
