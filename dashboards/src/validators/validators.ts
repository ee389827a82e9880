// All tracked validators side by side.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { expectationStates, met } from '../expectations.ts'
import { timeline } from '../panels.ts'
import { OBSERVED, ofFleet, VALIDATOR, whole } from '../select.ts'
import { type Column, table } from '../table.ts'
import { COUNT, SECONDS, SHARE, TOKENS } from '../units.ts'
import { keysOfValidators } from './keys.ts'
import { maintenance } from './maintenance.ts'
import { leavesIn, observersSaying, renewsIn, rewardByMajority, rewardStates } from './reward.ts'

const { grown, least, left, one } = ofFleet
const tracked = one(VALIDATOR, 'validator_tracked')
const pending = (name: string) => `sum by (${VALIDATOR}) (${one(`${VALIDATOR}, reward_type`, name)})`

export const ENDS = ['red', [thresholds.stakeEndLast, 'orange'], [thresholds.stakeEndNear, 'text']] as const
export const BUDGET = ['red', [thresholds.budgetEnding, 'orange'], [thresholds.budgetSmall, 'text']] as const
const ANSWERS = ['red', [thresholds.reachable, 'text']] as const

const version = one(`${VALIDATOR}, version`, 'validator_listed_info')
const outside = [
  {
    title: 'Listed',
    expr: one(VALIDATOR, 'validator_listed_active'),
    states: { 1: ['yes', 'text'], 0: ['NO', 'orange'] },
  },
  { title: 'Answers', expr: one(VALIDATOR, 'validator_listed_reachable_ratio'), unit: SHARE, marks: ANSWERS },
  {
    title: 'Benched',
    expr: one(VALIDATOR, 'validator_listed_benched_ratio'),
    unit: SHARE,
    marks: ['text', [0.01, 'orange']],
  },
  { title: 'Uptime', expr: one(VALIDATOR, 'validator_listed_uptime_ratio'), unit: SHARE },
  { title: 'Room', expr: one(VALIDATOR, 'validator_listed_delegation_capacity_tokens'), unit: TOKENS },
  { title: 'Ends in', expr: left(VALIDATOR, 'validator_listed_end_timestamp_seconds'), unit: SECONDS },
  { title: 'Delegated', expr: one(VALIDATOR, 'validator_listed_delegated_tokens'), unit: TOKENS },
  { title: 'In a week', expr: one(VALIDATOR, 'validator_listed_delegated_ending_tokens'), unit: TOKENS },
  {
    title: 'Next leaves',
    expr: left(VALIDATOR, 'validator_listed_delegation_next_end_timestamp_seconds'),
    unit: SECONDS,
  },
] satisfies Column[]

export const validators = [
  table({
    text: {
      title: 'Tracked validators',
      description:
        'Every tracked validator, smallest downtime budget first; the name links to its page. Seen by: share of the observers connected to it. Reward: judgement of most observers; Against: share of the observers that judge it at risk or lost. Budget: how long it may still be down, by the strictest observer. Leaves in: empty while an auto-renewed validation continues. Unmet: unmet expectations.',
    },
    height: 10,
    keys: keysOfValidators,
    hidden: ['node_id'],
    rows: tracked,
    columns: [
      {
        title: 'In the set',
        expr: `${one(VALIDATOR, 'validator_in_set')} or ${tracked} - 2`,
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'], [-1]: ['no data', 'orange'] },
      },
      {
        title: 'Seen by',
        expr: `avg by (${VALIDATOR}) (${one(OBSERVED, 'validator_connected')})`,
        unit: SHARE,
        marks: ['red', [0.5, 'orange'], [1, 'text']],
      },
      { title: 'Reward', expr: rewardByMajority, states: rewardStates },
      {
        title: 'Against',
        expr: observersSaying('at_risk|lost'),
        unit: SHARE,
        marks: ['text', [0.01, 'orange'], [0.51, 'red']],
      },
      { title: 'Budget', expr: least(VALIDATOR, 'validator_downtime_budget_seconds'), unit: SECONDS, marks: BUDGET },
      { title: 'Uptime', expr: least(VALIDATOR, 'validator_uptime_ratio'), unit: SHARE },
      { title: 'Leaves in', expr: leavesIn, unit: SECONDS, marks: ENDS },
      {
        title: 'Unmet',
        expr: `sum by (${VALIDATOR}) (${met(ofFleet, VALIDATOR, 'validator')} == bool 0)`,
        unit: COUNT,
        marks: ['text', [1, 'red']],
      },
    ],
    sortBy: ['Budget'],
  }),
  maintenance,
  table({
    text: {
      title: 'Terms and rewards to come',
      description:
        'Stake, end and pending rewards of each tracked validator. Leaves in: until it leaves the set; Renews in: until an auto-renewed validation starts its next period; it leaves instead if that period is 0 or most observers judge its reward lost. Planned end: the configured end, which silences alerts. Room: what can still be delegated. Waits for: its own stakes and fees that wait for a reward.',
    },
    height: 8,
    keys: keysOfValidators,
    hidden: ['node_id'],
    rows: tracked,
    columns: [
      { title: 'Leaves in', expr: leavesIn, unit: SECONDS, marks: ENDS },
      { title: 'Renews in', expr: renewsIn, unit: SECONDS },
      { title: 'Planned end', expr: left(VALIDATOR, 'validator_planned_end_timestamp_seconds'), unit: SECONDS },
      { title: 'Own stake', expr: one(VALIDATOR, 'validator_stake_tokens'), unit: TOKENS },
      { title: 'Delegated', expr: one(VALIDATOR, 'validator_delegated_tokens'), unit: TOKENS },
      { title: 'Room', expr: one(VALIDATOR, 'validator_delegation_capacity_tokens'), unit: TOKENS },
      { title: 'Waits for', expr: pending('validator_pending_rewards'), unit: COUNT },
      {
        title: 'Next reward',
        expr: left(VALIDATOR, 'validator_pending_reward_next_end_timestamp_seconds'),
        unit: SECONDS,
      },
      { title: 'If rewarded', expr: one(VALIDATOR, 'validator_potential_reward_tokens'), unit: TOKENS },
    ],
    sortBy: ['Leaves in'],
  }),
  table({
    text: {
      title: 'Validators that renew themselves',
      description:
        'Ended periods of auto-renewed validators in the time shown. Compounded: the next period started with more stake; Same stake: with the same, as all of the reward was paid out. Removed: the reward was lost and there is no next period. Left: it was set to leave. Unseen: stakewatch did not poll in time.',
    },
    height: 6,
    keys: keysOfValidators,
    hidden: ['node_id'],
    rows: one(VALIDATOR, 'validator_next_period_seconds'),
    columns: [
      { title: 'Renews in', expr: renewsIn, unit: SECONDS },
      { title: 'Next period', expr: one(VALIDATOR, 'validator_next_period_seconds'), unit: SECONDS },
      ...(
        [
          ['Compounded', 'compounded', 'text'],
          ['Same stake', 'not_compounded', 'text'],
          ['Removed', 'removed', 'red'],
          ['Left', 'left', 'text'],
          ['Unseen', 'unseen', 'orange'],
        ] as const
      ).map(([title, outcome, colour]) => ({
        title,
        expr: whole(grown(VALIDATOR, 'validator_renewals_total', `outcome="${outcome}"`)),
        unit: COUNT,
        marks: ['text', [1, colour]] as const,
      })),
    ],
    sortBy: ['Renews in'],
  }),
  table({
    text: {
      title: 'Tracked validators from outside',
      description:
        "The data service's records of each tracked primary network validator, including what its own node sees. Answers: share of the last requests that the validator answered; Benched: share of requests for which it was benched, on the worst chain. Delegated: sum of all listed delegations; In a week: the part that leaves by then. Version: as the validator reports it.",
    },
    height: 8,
    keys: [...keysOfValidators.slice(0, 2), { label: 'version', title: 'Version', letters: 18 }],
    hidden: ['subnet', 'node_id'],
    rows: version,
    columns: outside.map((column) => ({
      ...column,
      expr: `(${column.expr}) * on (${VALIDATOR}) group_left (version) ${version}`,
    })),
    sortBy: ['Answers'],
  }),
]

export const declared = timeline(
  {
    title: 'Expectations of validators',
    description: 'Whether each validator meets its expectations. A gap: they could not be judged.',
  },
  expectationStates,
  [['{{network}} {{validator}} {{expectation}}', met(ofFleet, VALIDATOR, 'validator')]],
)
