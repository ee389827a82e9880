// All tracked validators side by side.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { expectationStates, met } from '../expectations.ts'
import { type Colour, DAY, graph, type States, timeline } from '../panels.ts'
import { inDays, inRows, OBSERVED, ofFleet, VALIDATOR, whole, withShortIds } from '../select.ts'
import { type Column, table } from '../table.ts'
import { COUNT, DAYS, SECONDS, SHARE, TOKENS } from '../units.ts'
import { keysOfValidators } from './keys.ts'
import { maintenance } from './maintenance.ts'
import { leavesIn, renewsIn, rewardByMajority, rewardStates, votesFor } from './reward.ts'
import { problems, voted } from '../verdicts.ts'

const { grown, least, left, one } = ofFleet
const tracked = one(VALIDATOR, 'validator_tracked')
/** From nodes, or for an L1 validator from the L1's chain on them. */
export const connected = `${one(OBSERVED, 'validator_connected')} or ${one(OBSERVED, 'l1_validator_connected')}`
export const seenBy = `avg by (${VALIDATOR}) (${voted(`(${connected})`)})`
/** By the vote in the middle, as the judge has it. */
export const budget = `quantile by (${VALIDATOR}) (0.5, ${voted(one(OBSERVED, 'validator_downtime_budget_seconds'))})`
const pending = (name: string) => `sum by (${VALIDATOR}) (${one(`${VALIDATOR}, reward_type`, name)})`

export const ENDS = ['red', [thresholds.stakeEndLast, 'orange'], [thresholds.stakeEndNear, 'text']] as const
export const BUDGET = ['red', [thresholds.budgetEnding, 'orange'], [thresholds.budgetSmall, 'text']] as const
const ANSWERS = ['red', [thresholds.reachable, 'text']] as const

const inSet = one(VALIDATOR, 'validator_in_set')
const judged = (...names: readonly string[]) => problems(ofFleet, VALIDATOR, ...names)
const ofSeverity = (severity: string) => one(VALIDATOR, 'condition', `severity="${severity}"`)

/** The worst that holds of each validator, the first one to look at on top. */
const worstFirst: readonly (readonly [text: string, colour: Colour, expr: string])[] = [
  ['no data', 'grey', `${tracked} unless ${inSet}`],
  ['not in the set', 'red', `${inSet} == 0`],
  ['offline', 'red', judged('validator_disconnected', 'l1_validator_disconnected')],
  ['inactive', 'red', `${one(VALIDATOR, 'l1_validator_active')} == 0`],
  ['critical', 'red', ofSeverity('critical')],
  ['reward lost', 'red', judged('reward_lost')],
  ['at risk', 'orange', `${votesFor('at_risk|lost')} >= 0.5`],
  ['warning', 'orange', ofSeverity('warning')],
  ['in maintenance', 'blue', `${one(`${VALIDATOR}, window`, 'validator_in_maintenance')} == 1`],
  ['fine', 'green', tracked],
]
const validatorStates: States = Object.fromEntries(
  worstFirst.map(([text, colour], at) => [at + 1, [text, colour] as const]),
)
const worst = worstFirst
  .map(([, , expr], at) => `(${tracked} and on (${VALIDATOR}) (${expr})) * 0 + ${at + 1}`)
  .join(' or ')

const version = one(`${VALIDATOR}, version`, 'validator_listed_info')
const outside = [
  {
    title: 'Listed',
    expr: one(VALIDATOR, 'validator_listed_active'),
    states: { 1: ['yes', 'text'], 0: ['UNLISTED', 'orange'] },
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
        'Every tracked validator, the worst state first, then the smallest downtime budget; the name links to its page. State: the worst that holds, as stakewatch judges it; critical and warning stand for any other problem of that severity. Seen by: share of the nodes with a vote that are connected to it. Reward: by most votes, at risk if they tie; Against: share of the votes that it is at risk or lost. Budget: how long it may still be down, by the vote in the middle. Leaves in: empty while an auto-renewed validation continues. Unmet: unmet expectations.',
    },
    height: 10,
    keys: keysOfValidators,
    rows: tracked,
    columns: [
      { title: 'State', expr: worst, states: validatorStates },
      {
        title: 'Seen by',
        expr: seenBy,
        unit: SHARE,
        marks: ['red', [0.5, 'orange'], [1, 'text']],
      },
      { title: 'Reward', expr: rewardByMajority, states: rewardStates },
      {
        title: 'Against',
        expr: votesFor('at_risk|lost'),
        unit: SHARE,
        marks: ['text', [0.01, 'orange'], [0.51, 'red']],
      },
      { title: 'Budget', expr: budget, unit: SECONDS, marks: BUDGET },
      { title: 'Uptime', expr: least(VALIDATOR, 'validator_uptime_ratio'), unit: SHARE },
      { title: 'Leaves in', expr: leavesIn, unit: SECONDS, marks: ENDS },
      {
        title: 'Unmet',
        expr: `sum by (${VALIDATOR}) (${met(ofFleet, VALIDATOR, 'validator')} == bool 0)`,
        unit: COUNT,
        marks: ['text', [1, 'red']],
      },
    ],
    sortBy: ['State', 'Budget'],
  }),
  maintenance,
  table({
    text: {
      title: 'Terms and rewards to come',
      description:
        'Stake, end and pending rewards of each tracked validator. Leaves in: until it leaves the set; Renews in: until an auto-renewed validation starts its next period; it leaves instead if that period is 0 or its reward is lost by most votes. Planned end: the configured end, which silences alerts. Room: what can still be delegated. Waits for: its own stakes and fees that wait for a reward.',
    },
    height: 8,
    keys: keysOfValidators,
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
        'Ended periods of auto-renewed validators in the time shown. Compounded: the next period started with more stake; Same stake: with the same, as all of the reward was paid out. Removed: the reward was lost and there is no next period. Left: it was set to leave. Unseen: stakewatch did not poll in time. Listed period and Listed stake, with the rewards that are staked again: by the data service.',
    },
    height: 6,
    keys: keysOfValidators,
    rows: one(VALIDATOR, 'validator_next_period_seconds'),
    columns: [
      { title: 'Renews in', expr: renewsIn, unit: SECONDS },
      { title: 'Next period', expr: one(VALIDATOR, 'validator_next_period_seconds'), unit: SECONDS },
      { title: 'Listed period', expr: one(VALIDATOR, 'validator_listed_next_period_seconds'), unit: SECONDS },
      { title: 'Listed stake', expr: one(VALIDATOR, 'validator_listed_compounded_weight_tokens'), unit: TOKENS },
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
    hidden: ['subnet'],
    rows: version,
    columns: outside.map((column) => ({
      ...column,
      expr: inRows(version, VALIDATOR, column.expr),
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
  [['{{validator}} {{expectation}} {{subnet}} {{network}}', met(ofFleet, VALIDATOR, 'validator')]],
)

/** Since when, and whether it gets worse. */
export const overTime = [
  timeline(
    {
      title: 'Who was offline',
      description:
        'Whether most of the nodes that have a vote were connected to each tracked validator. A gap: no data.',
    },
    { 1: ['connected', 'green'], 0: ['OFFLINE', 'red'] },
    [['{{validator}} {{subnet}} {{network}}', withShortIds(`${seenBy} >= bool 0.5 and on (${VALIDATOR}) ${tracked}`)]],
    { columns: 12 },
  ),
  graph(
    {
      title: 'Downtime budget left',
      description:
        'How long each validator may still be down before it loses its reward: the median of its observers. It falls while the validator is down.',
      unit: DAYS,
    },
    [['{{validator}} {{subnet}} {{network}}', inDays(budget)]],
    {
      limits: [
        [thresholds.budgetEnding / DAY, 'red'],
        [thresholds.budgetSmall / DAY, 'orange'],
      ],
      isBadWhenLow: true,
    },
  ),
]
