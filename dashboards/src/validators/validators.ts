// Each validator: what is known of it now, and how that developed.

import { expectationStates, met } from '../expectations.ts'
import { DAY, graph, limit, table, timeline } from '../panels.ts'
import { leavesIn, observersSaying, renewsIn, rewardByMajority, rewardByObserver, rewardStates } from './reward.ts'
import { ofFleet, one, select, VALIDATOR } from '../select.ts'

const OBSERVED = `${VALIDATOR}, source`
const UPTIME = 'stakewatch_validator_uptime_ratio'
const BUDGET = 'stakewatch_validator_downtime_budget_seconds'
const tracked = one(VALIDATOR, 'stakewatch_validator_tracked')

const left = (name: string) => ofFleet.left(VALIDATOR, name)
const ENDS = ['red', [DAY, 'orange'], [7 * DAY, 'text']] as const

export const validators = [
  table({
    text: {
      title: 'Tracked validators',
      description:
        'Every tracked validator, and every other one with an end of stake, least downtime budget first. Observed: whether any node but itself has an opinion of it; without one, nobody sees it go down. Seen by: share of the observers connected to it. Reward: as most observers judge it; Against: share of the observers that judge it at risk or lost. Budget: how long it may still be down; lowest and highest are those of the observers. Leaves in: empty while an auto-renewed validation goes on.',
    },
    height: 10,
    keys: [
      ['validator', 'Validator'],
      ['network', 'Network'],
      ['subnet', 'Subnet'],
      ['node_id', 'Node ID'],
    ],
    columns: [
      {
        title: 'In the set',
        // A tracked validator has its row, with -1, also when nothing is known of it.
        expr: `${one(VALIDATOR, 'stakewatch_validator_in_set')} or ${tracked} - 2`,
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'], [-1]: ['no data', 'orange'] },
      },
      {
        title: 'Observers',
        expr: one(VALIDATOR, 'stakewatch_validator_observers'),
        marks: ['red', [1, 'text']],
      },
      {
        title: 'Seen by',
        expr: `avg by (${VALIDATOR}) (${one(OBSERVED, 'stakewatch_validator_connected')})`,
        unit: 'percentunit',
        marks: ['red', [0.01, 'orange'], [1, 'text']],
      },
      { title: 'Reward', expr: rewardByMajority, states: rewardStates },
      {
        title: 'Against',
        expr: observersSaying('at_risk|lost'),
        unit: 'percentunit',
        marks: ['text', [0.01, 'orange'], [0.51, 'red']],
      },
      {
        title: 'Budget, lowest',
        expr: `min by (${VALIDATOR}) (${select(BUDGET)})`,
        unit: 's',
        marks: ['red', [DAY / 4, 'orange'], [DAY, 'text']],
      },
      { title: 'Budget, highest', expr: `max by (${VALIDATOR}) (${select(BUDGET)})`, unit: 's' },
      { title: 'Uptime, lowest', expr: `min by (${VALIDATOR}) (${select(UPTIME)})`, unit: 'percentunit' },
      { title: 'Uptime, highest', expr: `max by (${VALIDATOR}) (${select(UPTIME)})`, unit: 'percentunit' },
      {
        title: 'Required',
        expr: one(VALIDATOR, 'stakewatch_validator_required_uptime_ratio'),
        unit: 'percentunit',
      },
      { title: 'Leaves in', expr: leavesIn, unit: 's', marks: ENDS },
      { title: 'Own stake', expr: one(VALIDATOR, 'stakewatch_validator_stake_tokens'), unit: 'short' },
      { title: 'Delegated', expr: one(VALIDATOR, 'stakewatch_validator_delegated_tokens'), unit: 'short' },
      { title: 'Room', expr: one(VALIDATOR, 'stakewatch_validator_delegation_capacity_tokens'), unit: 'short' },
      { title: 'Delegators', expr: one(VALIDATOR, 'stakewatch_validator_delegators') },
      { title: 'Fee', expr: one(VALIDATOR, 'stakewatch_validator_delegation_fee_ratio'), unit: 'percentunit' },
      {
        title: 'Next delegation ends in',
        expr: left('stakewatch_validator_delegation_next_end_timestamp_seconds'),
        unit: 's',
      },
      { title: 'Reward if kept', expr: one(VALIDATOR, 'stakewatch_validator_potential_reward_tokens'), unit: 'short' },
    ],
    sortBy: ['Budget, lowest'],
  }),
  table({
    text: {
      title: 'Tracked validators from outside',
      description:
        'What the data service lists of each tracked validator of the primary network, and what its own node sees of it: one observer more, whose view is in no other panel. Answers: share of its last requests that the validator answered; Benched: share of those for which it had benched the validator, on the chain with the most. Room: what can still be delegated. Ends in: end of the term, also where it renews itself. Delegated: by all delegations that it lists; the last two columns say when they leave.',
    },
    height: 8,
    keys: [
      ['validator', 'Validator'],
      ['network', 'Network'],
      ['node_id', 'Node ID'],
    ],
    columns: [
      {
        title: 'Listed',
        expr: one(VALIDATOR, 'stakewatch_validator_listed_active'),
        states: { 1: ['yes', 'text'], 0: ['NO', 'orange'] },
      },
      {
        title: 'Answers',
        expr: one(VALIDATOR, 'stakewatch_validator_listed_reachable_ratio'),
        unit: 'percentunit',
        marks: ['red', [0.5, 'orange'], [0.9, 'text']],
      },
      {
        title: 'Benched',
        expr: one(VALIDATOR, 'stakewatch_validator_listed_benched_ratio'),
        unit: 'percentunit',
        marks: ['text', [0.01, 'orange']],
      },
      { title: 'Uptime', expr: one(VALIDATOR, 'stakewatch_validator_listed_uptime_ratio'), unit: 'percentunit' },
      {
        title: 'Room',
        expr: one(VALIDATOR, 'stakewatch_validator_listed_delegation_capacity_tokens'),
        unit: 'short',
      },
      { title: 'Ends in', expr: left('stakewatch_validator_listed_end_timestamp_seconds'), unit: 's' },
      {
        title: 'Delegated',
        expr: one(VALIDATOR, 'stakewatch_validator_listed_delegated_tokens'),
        unit: 'short',
      },
      {
        title: 'Leaves in a week',
        expr: one(VALIDATOR, 'stakewatch_validator_listed_delegated_ending_tokens'),
        unit: 'short',
      },
      {
        title: 'Next leaves in',
        expr: left('stakewatch_validator_listed_delegation_next_end_timestamp_seconds'),
        unit: 's',
      },
    ],
    sortBy: ['Validator'],
  }),
  graph(
    {
      title: 'Answers to the data service',
      description:
        "Share of the requests of the data service's own node that each tracked validator of the primary network answered.",
      unit: 'percentunit',
    },
    12,
    [['{{network}} {{validator}}', one(VALIDATOR, 'stakewatch_validator_listed_reachable_ratio')]],
  ).min(0),
  graph(
    {
      title: 'Versions by the data service',
      description:
        'Number of the tracked validators of the primary network by the version that they tell the data service.',
      unit: 'none',
    },
    12,
    [
      [
        '{{network}} {{version}}',
        `count by (network, version) (${one(`${VALIDATOR}, version`, 'stakewatch_validator_listed_info')})`,
      ],
    ],
  ).min(0),
  table({
    text: {
      title: 'Terms and rewards to come',
      description:
        'How long each validator has validated, what happens at the end, and which rewards it waits for. Leaves in: until it leaves the set; Renews in: until an auto-renewed validation begins its next period. It leaves instead when that period is 0 or when most observers judge its reward lost. Planned end in: for those that the configuration does not want to go on. Waits for: its own stakes and fees that have no reward yet. Proposed: P-Chain blocks in the time shown.',
    },
    height: 8,
    keys: [
      ['validator', 'Validator'],
      ['network', 'Network'],
      ['subnet', 'Subnet'],
      ['kind', 'Kind'],
    ],
    columns: [
      {
        title: 'Validates for',
        expr: `(time() - ${one(VALIDATOR, 'stakewatch_validator_start_timestamp_seconds')}) * on (${VALIDATOR}) group_left (kind) ${one(`${VALIDATOR}, kind`, 'stakewatch_validator_info')}`,
        unit: 's',
      },
      { title: 'Leaves in', expr: leavesIn, unit: 's', marks: ENDS },
      { title: 'Renews in', expr: renewsIn, unit: 's' },
      { title: 'Next period', expr: one(VALIDATOR, 'stakewatch_validator_next_period_seconds'), unit: 's' },
      { title: 'Planned end in', expr: left('stakewatch_validator_planned_end_timestamp_seconds'), unit: 's' },
      {
        title: 'Waits for',
        expr: `sum by (${VALIDATOR}) (${one(`${VALIDATOR}, reward_type`, 'stakewatch_validator_pending_rewards')})`,
      },
      {
        title: 'Next of them in',
        expr: left('stakewatch_validator_pending_reward_next_end_timestamp_seconds'),
        unit: 's',
      },
      {
        title: 'Proposed',
        expr: ofFleet.grown(VALIDATOR, 'stakewatch_validator_blocks_proposed_total'),
        unit: 'short',
      },
    ],
    sortBy: ['Leaves in'],
  }),
  table({
    text: {
      title: 'Validators that renew themselves',
      description:
        'How the periods of auto-renewed validators ended in the time shown. Compounded: the next one began with more stake; Same stake: with the same, as all of the reward was paid. Removed: the reward was lost, and there is no next one. Left: as it was told to. Unseen: stakewatch did not look in time.',
    },
    height: 5,
    keys: [
      ['validator', 'Validator'],
      ['network', 'Network'],
      ['subnet', 'Subnet'],
    ],
    columns: [
      { title: 'Renews in', expr: renewsIn, unit: 's' },
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
        expr: ofFleet.grown(VALIDATOR, 'stakewatch_validator_renewals_total', `outcome="${outcome}"`),
        unit: 'short',
        // Prometheus estimates growth: less than one is none.
        marks: ['text', [0.5, colour]] as const,
      })),
    ],
    sortBy: ['Renews in'],
  }),
  timeline(
    {
      title: 'Expectations of validators',
      description: 'Whether each validator is as the configuration declares it. A gap: it could not be judged.',
    },
    24,
    expectationStates,
    [['{{network}} {{validator}} {{expectation}}', met(ofFleet, VALIDATOR, 'validator')]],
  ),
  timeline(
    {
      title: 'Reward by observer',
      description:
        'How each observer judges the reward of each validator. The network decides by a vote weighted with stake: one observer alone is often wrong after it was down itself.',
    },
    24,
    rewardStates,
    [['{{network}} {{validator}} by {{source}}', rewardByObserver]],
  ),
  graph(
    {
      title: 'Uptime of validators',
      description: 'The lowest and the highest that any observer saw, and what the network requires for the reward.',
      unit: 'percentunit',
    },
    12,
    [
      ['{{network}} {{validator}} lowest', `min by (${VALIDATOR}) (${select(UPTIME)})`],
      ['{{network}} {{validator}} highest', `max by (${VALIDATOR}) (${select(UPTIME)})`],
      ['{{network}} {{validator}} required', one(VALIDATOR, 'stakewatch_validator_required_uptime_ratio')],
    ],
  )
    .max(1)
    .overrideByRegexp('/ required$/', limit),
  graph(
    {
      title: 'Downtime budget by observer',
      description: 'How long each validator may still be down. Below zero the observer will vote against its reward.',
      unit: 's',
    },
    12,
    [['{{network}} {{validator}} by {{source}}', one(OBSERVED, BUDGET)]],
  ),
  graph(
    {
      title: 'Disagreement of the observers',
      description:
        'Highest minus lowest uptime that the observers saw of each validator. Where it grows, an observer or its way to the validator is broken, not the validator.',
      unit: 'percentunit',
    },
    8,
    [
      [
        '{{network}} {{validator}}',
        `max by (${VALIDATOR}) (${select(UPTIME)}) - min by (${VALIDATOR}) (${select(UPTIME)})`,
      ],
    ],
  ),
  graph(
    {
      title: 'Stake with delegations',
      description: 'Tokens that validate with each validator, its own and those delegated to it.',
      unit: 'short',
    },
    8,
    [
      [
        '{{network}} {{validator}}',
        `${one(VALIDATOR, 'stakewatch_validator_stake_tokens')} + ${one(VALIDATOR, 'stakewatch_validator_delegated_tokens')}`,
      ],
    ],
  ),
  graph(
    {
      title: 'Delegations that end',
      description: 'Delegated tokens that leave each validator within the time given.',
      unit: 'short',
    },
    8,
    [
      [
        '{{network}} {{validator}} within {{within}}',
        one(`${VALIDATOR}, within`, 'stakewatch_validator_delegated_ending_tokens'),
      ],
    ],
  ),
  graph(
    {
      title: 'Pending rewards of validators',
      description: 'Tokens that each validator itself gets if it is rewarded, without those of its delegators.',
      unit: 'short',
    },
    24,
    [
      [
        '{{network}} {{validator}} {{reward_type}}',
        one(`${VALIDATOR}, reward_type`, 'stakewatch_validator_pending_reward_tokens'),
      ],
    ],
  ),
]
