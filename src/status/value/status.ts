// The status as one plain value, from the metrics, the tasks and the configuration. The page, the JSON and `top` show it.

import { alertsAbout, alertsOf, attentionFirst, rulesOf } from './alerts.ts'
import { inMaintenance, maintenanceOf } from './maintenance.ts'
import type { Input } from './readings.ts'
import type { Status } from './status-schema.ts'
import { tasksOf } from './tasks.ts'
import { upstreamsOf } from './upstreams.ts'
import { validatorsOf } from './validators.ts'
import { watchedOf } from './watched.ts'

/** In each list, what needs attention comes first, the rest in the order of the configuration. */
export function statusOf(input: Input): Status {
  const alerts = alertsOf(input)
  const alerted = { ...input, alerts: alertsAbout(alerts), maintenance: inMaintenance(input.readings) }
  return {
    version: input.version,
    timestamp_seconds: input.now,
    simulated: input.isSimulated,
    shard: input.shard,
    scheduler_stalled: input.isStalled,
    rules: rulesOf(input),
    alerts,
    maintenance: maintenanceOf(input),
    validators: attentionFirst(validatorsOf(alerted)),
    ...watchedOf(alerted),
    upstreams: attentionFirst(upstreamsOf(alerted)),
    tasks: attentionFirst(tasksOf(alerted)),
  }
}
