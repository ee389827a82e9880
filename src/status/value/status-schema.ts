// The schema of the status that the status page, `/api/v1/status` and `stakewatch top` show. Names and units are those of the
// metrics. An unknown value is null, never 0.

import { z } from 'zod'

const number = z.number().nullable()
const flag = z.boolean().nullable()
const seconds = number.describe('in seconds')
const timestamp = number.describe('in seconds since 1970')
const ratio = number.describe('from 0 to 1')

const alert = z.object({
  severity: z.enum(['critical', 'warning', 'info']),
  alert: z.string().describe('the name of the alert, and of its runbook under /runbooks'),
  state: z
    .enum(['pending', 'firing', 'held', 'unknown'])
    .describe(
      'pending: the condition is true, but not yet for long enough; held: still firing for some minutes after the condition became false or unknown; unknown: nothing has been judged for two minutes',
    ),
  title: z.string().describe('the object, and what is wrong with it, in a few words'),
  summary: z.string(),
  description: z.string(),
  action: z.string().describe('what to do first'),
  labels: z.record(z.string(), z.string()),
  time_left_seconds: number.describe('before the harm is done; null where that is not known, and once it is done'),
  active_timestamp_seconds: z.number().describe('when the condition became true, in seconds since 1970'),
  firing_timestamp_seconds: timestamp.describe('when the alert started firing, in seconds since 1970'),
  held_timestamp_seconds: timestamp.describe('when the condition became false, in seconds since 1970'),
})

const alerts = z.array(alert).describe('alerts about it, the most urgent first')

const maintenance = z
  .string()
  .nullable()
  .describe('the maintenance window that suppresses alerts about it, until its time to recover is over')

const rules = z.object({
  evaluated_timestamp_seconds: timestamp.describe('when the conditions were last judged; null before the first time'),
  current: z.boolean().describe('false if that is more than two minutes ago, or polling has stopped'),
  alerts: z.number().describe('conditions that this instance judges'),
  problems: z
    .array(z.object({ rule: z.string(), problem: z.string() }))
    .describe('conditions that could not be judged because of a defect; their alerts keep their previous state'),
})

const observer = z.object({
  source: z.string().describe('the configured node, or data-api'),
  votes: z
    .boolean()
    .describe(
      'whether its report counts: not of data-api, nor of a node that is down, starting, isolated or of another network',
    ),
  uptime_ratio: ratio,
  required_uptime_ratio: ratio,
  connected: flag,
  downtime_budget_seconds: number.describe('negative when the reward is lost'),
  reward_state: z.string().nullable().describe('safe, on_track, at_risk or lost'),
  reachable_ratio: ratio.describe('share of the requests that the validator answered'),
})

const turnCounts = {
  made: number.describe('null while it is not known'),
  missed: number.describe('null while it is not known'),
  since_timestamp_seconds: z.number().describe('from when on all are counted, in seconds since 1970'),
  whole_week: z.boolean().describe('whether that is a week'),
}

const turns = z.object({
  ...turnCounts,
  chains: z.array(z.object({ chain: z.string(), ...turnCounts })).describe('each as long as it is counted'),
})

const validator = z.object({
  network: z.string(),
  subnet: z.string(),
  node_id: z.string(),
  name: z.string(),
  kind: z.string().nullable().describe('primary, elastic, permissioned or l1'),
  state: z
    .enum(['connected', 'disputed', 'disconnected', 'in_set', 'inactive', 'not_in_set', 'unknown'])
    .describe(
      'in_set: in the validator set, connection unknown; disputed: only some of the observers that vote are connected to it; those in maintenance count where no other reports',
    ),
  observers: z.array(observer).describe('the sources that report on the validator'),
  stake_tokens: number,
  weight: number,
  start_timestamp_seconds: timestamp,
  end_timestamp_seconds: timestamp,
  planned_end_timestamp_seconds: timestamp.describe('by the configuration, in seconds since 1970'),
  next_period_seconds: seconds.describe('of an auto-renewed validation; 0 when it ends'),
  downtime_budget_seconds: number.describe(
    'median of the observers that vote; negative when the reward is lost, or when half of them see it lost',
  ),
  downtime_allowed_seconds: seconds.describe('the downtime budget at the start of the validation'),
  active: flag.describe('whether an L1 validator has a balance left'),
  balance_tokens: number.describe('of an L1 validator'),
  depletion_timestamp_seconds: timestamp.describe('when the balance runs out, in seconds since 1970'),
  expectations: z.array(z.object({ expectation: z.string(), met: flag })),
  turns: turns
    .nullable()
    .describe(
      'turns to build blocks within the last week, of all chains since the same time; null where none is counted',
    ),
  maintenance,
  alerts,
})

const upstream = z.object({
  network: z.string(),
  source: z.string(),
  service: z.enum(['node', 'data', 'metrics']),
  host: z.string().describe('host and port only: the rest of the URL may be secret'),
  node_id: z.string().nullable(),
  version: z.string().nullable(),
  up: flag,
  refusing: flag.describe('whether it refuses access with HTTP 401 or 403'),
  circuit_open: flag.describe('whether requests to it are paused'),
  open_operations: z.array(z.string()).describe('operations for which requests are paused'),
  budgets: z.array(z.object({ window: z.string(), units: z.number(), remaining_units: z.number() })),
  last_error: z
    .strictObject({ code: z.string(), text: z.string(), operation: z.string(), timestamp_seconds: z.number() })
    .nullable(),
  maintenance,
  alerts,
})

const subnet = z.object({
  network: z.string(),
  name: z.string(),
  id: z.string(),
  weight_ratio: ratio.describe('share of the weight of an L1 that is online, from 0 to 1; null for other subnets'),
  first_depletion_timestamp_seconds: timestamp.describe('when the first known balance runs out, in seconds since 1970'),
  maintenance,
  alerts,
})

const chain = z.object({
  network: z.string(),
  name: z.string(),
  height: number.describe('the highest height that a source reports'),
  head_timestamp_seconds: timestamp.describe('of the newest block that a source reports, in seconds since 1970'),
  stall_threshold_seconds: seconds.describe('maximum age of the newest block; a chain with an older one has stalled'),
  maintenance,
  alerts,
})

const wallet = z.object({
  network: z.string(),
  name: z.string(),
  min_balance_tokens: number,
  balances: z.array(z.object({ chain: z.string(), tokens: z.number() })).describe('spendable balances'),
  maintenance,
  alerts,
})

const route = z.object({
  network: z.string(),
  name: z.string(),
  oldest_pending_timestamp_seconds: timestamp.describe('of the oldest undelivered message'),
  alerts,
})

const probe = z.object({
  network: z.string(),
  name: z.string(),
  signed: flag.describe('whether enough validators sign the message of the probe'),
  alerts,
})

const maintenanceWindow = z.object({
  network: z.string(),
  window: z.string(),
  state: z
    .enum(['open', 'recovering', 'next', 'over', 'unknown'])
    .describe('recovering: it has closed, and what it covers has time to recover; over: it never opens again'),
  start_timestamp_seconds: timestamp.describe('of the open window, else of the next one, in seconds since 1970'),
  end_timestamp_seconds: timestamp.describe('of the open window, else of the next one, in seconds since 1970'),
  left_seconds: seconds.describe('how long it takes, or is still open: the downtime that it may cost'),
  whole_network: z.boolean(),
  validators: z
    .array(
      z.object({
        name: z.string(),
        subnet: z.string(),
        node_id: z.string(),
        may_stop_seconds: seconds.describe(
          'median of the observers; null where there is no reward to lose, and where its period ends before the window opens',
        ),
      }),
    )
    .describe('the validators that it covers'),
  nodes: z.array(z.string()),
  chains: z.array(z.string()),
  subnets: z.array(z.string()),
  wallets: z.array(z.string()),
})

const task = z.object({
  network: z.string(),
  collector: z.string(),
  target: z.string(),
  source: z.string().nullable().describe('the observer, for tasks with one run for each source'),
  result: z
    .enum(['success', 'failure', 'unsupported'])
    .nullable()
    .describe('of the last run; null before the first one'),
  reason: z.string().describe('why it failed'),
  answered_by: z.string(),
  last_run_timestamp_seconds: timestamp,
  last_success_timestamp_seconds: timestamp,
  duration_seconds: seconds,
  interval_seconds: z.number().describe('the longest time between two runs, where there is a schedule'),
  schedule: z.string().nullable().describe('the pattern of a schedule that replaces the interval'),
  next_run_timestamp_seconds: timestamp.describe(
    'by the schedule, else an estimate: the interval after the last run; what is unsupported is asked again within an hour',
  ),
  ttl_seconds: z.number().describe('age at which data expires'),
  series: number,
  alerts,
})

export const statusSchema = z.object({
  version: z.string().describe('of stakewatch'),
  timestamp_seconds: z.number().describe('time of this status, in seconds since 1970'),
  simulated: z.boolean().describe('whether the network is simulated'),
  shard: z
    .object({ ordinal: z.number(), shards: z.number() })
    .describe('the shard that this instance runs, from 0; the targets of other shards are not shown'),
  scheduler_stalled: z.boolean().describe('whether polling has stopped; expired data is not shown'),
  rules: rules.describe('the judgement of the conditions by this instance'),
  alerts: z.array(alert).describe('all pending and firing alerts, the most urgent first'),
  maintenance: z
    .array(maintenanceWindow)
    .describe('the maintenance windows of the configuration: the open ones first, then the next ones'),
  validators: z.array(validator).describe('the configured validators; those that need attention first'),
  subnets: z.array(subnet),
  chains: z.array(chain),
  wallets: z.array(wallet),
  routes: z.array(route),
  probes: z.array(probe),
  upstreams: z.array(upstream),
  tasks: z.array(task),
})

export type Status = z.output<typeof statusSchema>
export type Validator = Status['validators'][number]
export type Turns = z.output<typeof turns>
export type Observer = Validator['observers'][number]
export type Upstream = Status['upstreams'][number]
export type Maintenance = Status['maintenance'][number]
export type Subnet = Status['subnets'][number]
export type Chain = Status['chains'][number]
export type Wallet = Status['wallets'][number]
export type TaskRow = Status['tasks'][number]
export type Alert = z.output<typeof alert>
