// What several rules read: first one series of what several replicas say, then the vote of those that watch. Never of a
// range: the daemon withdraws what is too old, and a rule that looked back would bring it to life again.

import { latest, type Recorded } from './rule.ts'

const SERVICES = 'data-api|metrics-api'

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
    expr: `max without (source) (upstream:stakewatch_upstream_up:max{source!~"${SERVICES}"})`,
  },
]
