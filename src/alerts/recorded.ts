// What several rules read: first one series of what several replicas say, then the vote of those that watch. Never of a
// range: the daemon withdraws what is too old, and a rule that looked back would bring it to life again.

import { FOREIGN, NODES, STARTING } from './causes.ts'
import { latest, type Recorded } from './rule.ts'

const limitedWithin = (range: string) =>
  `sum without (instance, pod) (increase(stakewatch_upstream_rate_limited_total[${range}])) / sum without (instance, pod, operation, code) (increase(stakewatch_upstream_requests_total[${range}]))`

export const recorded: readonly Recorded[] = [
  /** 1 if the observer is connected to the validator. */
  { record: 'observer:stakewatch_validator_connected:max', expr: latest('stakewatch_validator_connected') },
  /** Share of the observers that are. */
  {
    record: 'validator:stakewatch_validator_connected:avg',
    expr: 'avg without (source) (observer:stakewatch_validator_connected:max)',
  },
  {
    record: 'observer:stakewatch_validator_downtime_budget_seconds:min',
    expr: 'min without (instance, pod) (stakewatch_validator_downtime_budget_seconds)',
  },
  {
    record: 'validator:stakewatch_validator_downtime_budget_seconds:median',
    expr: 'quantile without (source) (0.5, observer:stakewatch_validator_downtime_budget_seconds:min)',
  },
  /** Share of the observers that say so of the reward, by state. */
  {
    record: 'validator:stakewatch_validator_reward_state:avg',
    expr: `avg without (source) (${latest('stakewatch_validator_reward_state')})`,
  },
  /** 1 if the upstream answers one of the replicas. */
  { record: 'upstream:stakewatch_upstream_up:max', expr: latest('stakewatch_upstream_up') },
  /** 1 if one of the nodes of the network answers. */
  {
    record: 'nodes:stakewatch_upstream_up:max',
    expr: `max without (source) (upstream:stakewatch_upstream_up:max{${NODES}})`,
  },
  /** 1 if the upstream has answered anything within five minutes. */
  { record: 'upstream:stakewatch_upstream_up:max5m', expr: 'max_over_time(upstream:stakewatch_upstream_up:max[5m])' },
  /** 1 if the node can be asked about its network: it answers, belongs to it and has caught up since it started. */
  {
    record: 'upstream:stakewatch_upstream_up:ready',
    expr: `upstream:stakewatch_upstream_up:max5m{${NODES}}
  unless on (job, network, source) (${FOREIGN} or ${STARTING})
or 0 * upstream:stakewatch_upstream_up:max5m{${NODES}}`,
  },
  /** 1 if one of the nodes of the network can. */
  {
    record: 'nodes:stakewatch_upstream_up:ready',
    expr: 'max without (source) (upstream:stakewatch_upstream_up:ready)',
  },
  /** Share of the requests to the upstream that it answered with HTTP 429. */
  { record: 'upstream:stakewatch_upstream_rate_limited_total:ratio15m', expr: limitedWithin('15m') },
  { record: 'upstream:stakewatch_upstream_rate_limited_total:ratio1h', expr: limitedWithin('1h') },
  /** Requests to the upstream that its budget had no room for. */
  {
    record: 'upstream:stakewatch_upstream_requests_unsent_total:increase15m',
    expr: 'sum without (instance, pod, code) (increase(stakewatch_upstream_requests_unsent_total{code="over_budget"}[15m]))',
  },
]
