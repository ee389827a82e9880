// One validator through the eyes of every observer, and what became of its stake.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { dashboard } from '../dashboard.ts'
import { expectationStates, met } from '../expectations.ts'
import { toPanel } from '../links.ts'
import { bars, graph, tile, timeline } from '../panels.ts'
import { inDays, OBSERVED, ofFleet, VALIDATOR, whole } from '../select.ts'
import { table } from '../table.ts'
import { COUNT, DAYS, SECONDS, SHARE, TOKENS, WEIGHT } from '../units.ts'
import { mayStop, verdicts } from './maintenance.ts'
import { leavesIn, renewsIn, rewardByMajority, rewardByObserver, rewardStates } from './reward.ts'
import { BUDGET, ENDS } from './validators.ts'

const { came, least, left, one } = ofFleet
const WHERE = '{{network}} {{subnet}}'
const BY = `${WHERE} by {{source}}`
const connected = one(OBSERVED, 'validator_connected')
const info = one(`${VALIDATOR}, kind`, 'validator_info')
const days = 1 / 86_400

const now = [
  tile(
    {
      title: 'Connected to',
      description: 'Share of the observers that are connected to it; in several subnets the least.',
      unit: SHARE,
    },
    {
      expr: `min(avg by (${VALIDATOR}) (${connected}))`,
      marks: ['red', [0.5, 'orange'], [1, 'green']],
      to: toPanel('validator', 'Connection by observer'),
    },
  ),
  tile(
    { title: 'In its set', description: 'Whether it is in the current set of its subnet.', unit: COUNT },
    {
      expr: `min(${one(VALIDATOR, 'validator_in_set')})`,
      marks: ['red', [1, 'green']],
      states: { 1: ['yes', 'green'], 0: ['NO', 'red'] },
      to: toPanel('validator', 'Term'),
    },
  ),
  tile(
    { title: 'Reward', description: 'How most of the observers judge its reward.', unit: COUNT },
    {
      expr: `max(${rewardByMajority})`,
      marks: ['green', [1, 'blue'], [2, 'orange'], [3, 'red']],
      states: rewardStates,
      to: toPanel('validator', 'Reward by observer'),
    },
  ),
  tile(
    {
      title: 'Budget left',
      description: 'How long it may still be down before its reward is lost, by the observer that leaves it least.',
      unit: SECONDS,
    },
    {
      expr: `min(${least(VALIDATOR, 'validator_downtime_budget_seconds')})`,
      marks: ['red', [thresholds.budgetEnding, 'orange'], [thresholds.budgetSmall, 'green']],
      to: toPanel('validator', 'Downtime budget by observer'),
    },
  ),
  tile(
    {
      title: 'Leaves in',
      description: 'Until it leaves the set; no data while it renews itself, and of an L1 validator.',
      unit: SECONDS,
    },
    {
      expr: `min(${leavesIn})`,
      marks: ['red', [thresholds.stakeEndLast, 'orange'], [thresholds.stakeEndNear, 'green']],
      to: toPanel('validator', 'Time to the end of the stake'),
    },
  ),
  tile(
    {
      title: 'May stop',
      description:
        'Whether it may stop for an hour now: no reward is lost, and no L1 stands still. On Fleet, the table Maintenance tells more.',
      unit: COUNT,
    },
    {
      expr: `min(${mayStop})`,
      marks: ['red', [1, 'green']],
      states: verdicts,
      to: toPanel('fleet', 'Maintenance: which validators may stop now'),
    },
  ),
  table({
    text: {
      title: 'Observers',
      description:
        'What each node says of it, least downtime budget first. Benched: the node leaves it alone for a while, as it did not answer. Ready: its software knows the upgrade that most of the stake knows; empty while none is scheduled. May stop for: before the reward is lost.',
    },
    height: 6,
    keys: [
      { label: 'source', title: 'Observer' },
      { label: 'network', title: 'Network' },
      { label: 'subnet', title: 'Subnet' },
    ],
    hidden: ['node_id', 'validator'],
    rows: connected,
    columns: [
      { title: 'Connected', expr: connected, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      { title: 'Reward', expr: rewardByObserver, states: rewardStates },
      { title: 'Budget', expr: one(OBSERVED, 'validator_downtime_budget_seconds'), unit: SECONDS, marks: BUDGET },
      { title: 'Uptime', expr: one(OBSERVED, 'validator_uptime_ratio'), unit: SHARE },
      { title: 'Required', expr: one(OBSERVED, 'validator_required_uptime_ratio'), unit: SHARE },
      { title: 'May stop for', expr: one(OBSERVED, 'validator_may_stop_seconds'), unit: SECONDS },
      {
        title: 'Benched',
        expr: one(OBSERVED, 'validator_benched'),
        states: { 0: ['no', 'text'], 1: ['YES', 'orange'] },
      },
      {
        title: 'Ready',
        expr: one(OBSERVED, 'validator_upgrade_ready'),
        states: { 1: ['yes', 'text'], 0: ['NO', 'orange'] },
      },
    ],
    sortBy: ['Budget'],
  }),
  timeline(
    {
      title: 'Connection by observer',
      description: 'When each node was connected to it. A gap: the node did not tell.',
    },
    { 1: ['connected', 'green'], 0: ['AWAY', 'red'] },
    [[BY, connected]],
    { columns: 12, height: 7 },
  ),
  timeline(
    {
      title: 'Reward by observer',
      description:
        'How each observer judges its reward. The network decides by a vote weighted with stake: one observer alone is often wrong after it was down itself.',
    },
    rewardStates,
    [[BY, rewardByObserver]],
    { columns: 12, height: 7 },
  ),
]

const uptime = [
  graph(
    {
      title: 'Uptime by observer',
      description: 'Share of its time that each observer saw it, and what the network requires for the reward.',
      unit: SHARE,
    },
    [
      [BY, one(OBSERVED, 'validator_uptime_ratio')],
      [`${WHERE} required`, one(VALIDATOR, 'validator_required_uptime_ratio')],
    ],
    { isBadWhenLow: true, bound: 'required' },
  ).max(1),
  graph(
    {
      title: 'Downtime budget by observer',
      description: 'How long it may still be down. Below zero the observer will vote against its reward.',
      unit: DAYS,
    },
    [[BY, inDays(one(OBSERVED, 'validator_downtime_budget_seconds'))]],
    {
      isBadWhenLow: true,
      limits: [
        [thresholds.budgetEnding * days, 'red'],
        [thresholds.budgetSmall * days, 'orange'],
      ],
    },
  ),
  graph(
    {
      title: 'Disagreement of the observers',
      description:
        'Highest minus lowest uptime that the observers saw. Where it grows, an observer or its way to the validator is broken, not the validator.',
      unit: SHARE,
    },
    [[WHERE, `${one(VALIDATOR, 'validator_uptime_ratio')} - ${least(VALIDATOR, 'validator_uptime_ratio')}`]],
  ).min(0),
  graph(
    {
      title: 'Answers to the data service',
      description:
        "Share of the requests of the data service's own node that it answered; only of the primary network.",
      unit: SHARE,
    },
    [[WHERE, one(VALIDATOR, 'validator_listed_reachable_ratio')]],
    { isBadWhenLow: true, limits: [[thresholds.reachable, 'orange']] },
  )
    .min(0)
    .max(1),
]

const stake = [
  timeline(
    {
      title: 'Time line of the stake',
      description: 'When it was in the set of its subnet, and when it was not. A gap: nobody told.',
    },
    { 1: ['in the set', 'green'], 0: ['NOT in the set', 'red'] },
    [[WHERE, one(VALIDATOR, 'validator_in_set')]],
    { height: 5 },
  ),
  graph(
    {
      title: 'Stake with delegations',
      description: 'Tokens that validate with it: its own, and those delegated to it.',
      unit: TOKENS,
    },
    [
      [`${WHERE} own`, one(VALIDATOR, 'validator_stake_tokens')],
      [`${WHERE} delegated`, one(VALIDATOR, 'validator_delegated_tokens')],
    ],
    { isStacked: true },
  ),
  graph(
    {
      title: 'Time to the end of the stake',
      description: 'It jumps up when the validator stakes anew or renews itself.',
      unit: DAYS,
    },
    [
      [WHERE, inDays(left(VALIDATOR, 'validator_end_timestamp_seconds'))],
      [`${WHERE} of the next delegation`, inDays(left(VALIDATOR, 'validator_delegation_next_end_timestamp_seconds'))],
    ],
    {
      isBadWhenLow: true,
      limits: [
        [thresholds.stakeEndLast * days, 'red'],
        [thresholds.stakeEndNear * days, 'orange'],
        [thresholds.stakeEndPlanned * days, 'blue'],
      ],
    },
  ).min(0),
  graph(
    {
      title: 'Delegations that end',
      description:
        'Share of what is delegated to it that leaves within the time given. The line is for those that leave within a week.',
      unit: SHARE,
    },
    [[`${WHERE} within {{within}}`, one(`${VALIDATOR}, within`, 'validator_delegated_ending_ratio')]],
    { limits: [[thresholds.delegationEnding, 'blue']] },
  ).min(0),
  graph(
    {
      title: 'Pending rewards of validators',
      description: 'Tokens that the validator itself gets if it is rewarded, without those of its delegators.',
      unit: TOKENS,
    },
    [[`${WHERE} {{reward_type}}`, one(`${VALIDATOR}, reward_type`, 'validator_pending_reward_tokens')]],
    { isStacked: true },
  ),
  bars(
    {
      title: 'Blocks that it proposed',
      description:
        'P-Chain blocks that it proposed, in each step of the graph. One that proposes none does not follow.',
      unit: COUNT,
    },
    '10m',
    [[WHERE, whole(came(VALIDATOR, 'validator_blocks_proposed_total'))]],
  ),
  table({
    text: {
      title: 'Term',
      description:
        'What it is, how long it has validated, and what happens at the end. Renews in: until an auto-renewed validation begins its next period. Delegators: their number; Fee: what they pay. Weight: what it votes with.',
    },
    height: 5,
    keys: [
      { label: 'network', title: 'Network' },
      { label: 'subnet', title: 'Subnet' },
      { label: 'kind', title: 'Kind' },
      { label: 'node_id', title: 'Node ID' },
    ],
    hidden: ['validator'],
    rows: info,
    columns: (
      [
        ['Validates', `time() - ${one(VALIDATOR, 'validator_start_timestamp_seconds')}`, SECONDS],
        ['Leaves in', leavesIn, SECONDS],
        ['Renews in', renewsIn, SECONDS],
        ['Delegators', one(VALIDATOR, 'validator_delegators'), COUNT],
        ['Fee', one(VALIDATOR, 'validator_delegation_fee_ratio'), SHARE],
        ['Weight', one(VALIDATOR, 'validator_weight'), WEIGHT],
      ] as const
    ).map(([title, expr, unit]) => ({
      title,
      expr: `(${expr}) * on (${VALIDATOR}) group_left (kind) ${info}`,
      unit,
      ...(title === 'Leaves in' && { marks: ENDS }),
    })),
    sortBy: ['Leaves in'],
  }),
]

const l1 = [
  graph(
    {
      title: 'Runway',
      description:
        'Until its balance runs out at the current price: by its node, and as the data service lists it. It jumps up with a top-up.',
      unit: DAYS,
    },
    [
      [WHERE, inDays(one(VALIDATOR, 'l1_validator_runway_seconds'))],
      [`${WHERE} listed`, inDays(left(VALIDATOR, 'l1_validator_listed_depletion_timestamp_seconds'))],
    ],
    {
      isBadWhenLow: true,
      limits: [
        [thresholds.runwayLast * days, 'red'],
        [thresholds.runwayNear * days, 'orange'],
        [thresholds.runwayPlanned * days, 'blue'],
      ],
    },
  ).min(0),
  graph(
    {
      title: 'Balance',
      description: 'What is left to pay with: by its node, and as the data service lists it.',
      unit: TOKENS,
    },
    [
      [WHERE, one(VALIDATOR, 'l1_validator_balance_tokens')],
      [`${WHERE} listed`, one(VALIDATOR, 'l1_validator_listed_balance_tokens')],
    ],
    { isBadWhenLow: true },
  ).min(0),
  bars({ title: 'Top-ups', description: 'What was paid in, in each step of the graph.', unit: TOKENS }, '1h', [
    [WHERE, came(VALIDATOR, 'l1_validator_topup_tokens_total')],
  ]),
  graph(
    {
      title: 'Uptime in the L1',
      description:
        'Share of its time that each node which runs the chain of the L1 saw it connected; nobody else tells. It counts nothing while there is no balance.',
      unit: SHARE,
    },
    [[BY, one(OBSERVED, 'l1_validator_uptime_ratio')]],
    { isBadWhenLow: true },
  ).max(1),
]

const others = [
  timeline(
    {
      title: 'What is declared of it',
      description: 'Whether it is as the configuration declares it. A gap: it could not be judged.',
    },
    expectationStates,
    [[`${WHERE} {{expectation}}`, met(ofFleet, VALIDATOR, 'validator')]],
    { height: 7 },
  ),
]

export const validator = dashboard(
  {
    page: 'validator',
    title: 'Validator',
    description: 'One validator through the eyes of every observer, and what became of its stake.',
    single: 'validator',
  },
  ofFleet,
  {
    'What its observers say': now,
    'Uptime and budget': uptime,
    'Stake and rewards': stake,
    'If it validates an L1': l1,
    'What is declared of it': others,
  },
)
