// One validator as each observer sees it, and its stake.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { dashboard } from '../dashboard.ts'
import { expectationStates, met } from '../expectations.ts'
import { toPanel } from '../links.ts'
import { bars, DAY, graph, NEUTRAL, tile, timeline } from '../panels.ts'
import { daysLeft, inDays, inRows, OBSERVED, ofFleet, SUBNET, VALIDATOR, whole, withShortIds } from '../select.ts'
import { online } from '../subnets/weight.ts'
import { table } from '../table.ts'
import { COUNT, DAYS, SECONDS, SHARE, TOKENS, WEIGHT } from '../units.ts'
import { mayStop, verdicts } from './maintenance.ts'
import { leavesIn, renewsIn, rewardByMajority, rewardByObserver, rewardStates } from './reward.ts'
import { firingTable, texts } from '../firing.ts'
import { voted } from '../verdicts.ts'
import { windowsOfValidator } from '../windows.ts'
import { budget, BUDGET, connected, ENDS, seenBy } from './validators.ts'

const { came, least, left, one } = ofFleet
const WHERE = '{{validator}} {{subnet}} {{network}}'
const BY = '{{validator}} by {{source}} {{subnet}} {{network}}'
const info = one(`${VALIDATOR}, kind, node_id`, 'validator_info')
const ONLY_L1 = 'Only for L1 validators'
/** While all of them are selected, a tile is about the worst. */
const WHICH = ['validator']

/** Infinite if all of them are of other kinds; no data for unknown ones of these kinds. */
function onlyOthers(...kinds: readonly string[]): string {
  const these = kinds.join('|')
  const info = (matcher: string) => one(VALIDATOR, 'validator_info', matcher)
  return `(count(${info(`kind!~"${these}"`)}) * Inf unless count(${info(`kind=~"${these}"`)}))`
}

/** Billionths of a token are no weight to read. */
const weight = `(${one(VALIDATOR, 'validator_weight')} / 1e9 and on (${VALIDATOR}) ${one(VALIDATOR, 'validator_info', 'kind="primary"')}) or ${one(VALIDATOR, 'validator_weight')}`
const subnetWeight = `sum by (${SUBNET}) (${one(`${SUBNET}, state`, 'subnet_weight')})`
const ofL1s = one(VALIDATOR, 'validator_info', 'kind="l1"')
const notAnL1 = { [Infinity]: ['not an L1', 'grey'] } as const
const unrewarded = { [Infinity]: ['none', 'grey'] } as const

const now = [
  firingTable({
    title: 'Alerts about it',
    about: 'the validator',
    height: 6,
    of: [['validator=~"$validator"', 'subnet=~"$subnet|"']],
  }),
  tile(
    {
      title: 'Connected',
      description:
        "Share of the nodes with a vote that are connected to it; the lowest of several validations. For an L1 validator, the nodes that run the L1's chain.",
      unit: SHARE,
    },
    {
      expr: `bottomk(1, ${seenBy})`,
      names: WHICH,
      marks: ['red', [0.5, 'orange'], [1, 'green']],
      to: toPanel('validator', 'Connection by observer'),
    },
  ),
  tile(
    { title: 'In its set', description: 'Whether it is in the current set of its subnet.', unit: COUNT },
    {
      expr: `bottomk(1, ${one(VALIDATOR, 'validator_in_set')} or ${one(VALIDATOR, 'validator_info')})`,
      marks: ['red', [1, 'green']],
      states: { 1: ['yes', 'green'], 0: ['NO', 'red'] },
      to: toPanel('validator', 'Term'),
    },
  ),
  tile(
    {
      title: 'May stop',
      description:
        'Whether it may stop for an hour now without losing a reward or stalling an L1. Details are in the table Which validators may stop now on Fleet.',
      unit: COUNT,
    },
    {
      expr: `bottomk(1, (${mayStop}) or ${least(VALIDATOR, 'l1_validator_may_stop')})`,
      names: WHICH,
      marks: ['red', [1, 'green']],
      states: { ...verdicts, 0.5: ['no data', 'grey'] },
      to: toPanel('fleet', 'Which validators may stop now'),
    },
  ),
  tile(
    {
      title: 'Reward',
      description:
        'Its reward by most votes, at risk if they tie. The network pays none to validators of L1s and of permissioned subnets.',
      unit: COUNT,
    },
    {
      expr: `topk(1, ${rewardByMajority}) or on () ${onlyOthers('primary', 'elastic')}`,
      names: WHICH,
      marks: ['green', [1, 'purple'], [2, 'orange'], [3, 'red']],
      states: { ...rewardStates, ...unrewarded },
      to: toPanel('validator', 'Reward by observer'),
    },
  ),
  tile(
    {
      title: 'Budget left',
      description:
        'How long it may still be down before its reward is lost, by the vote in the middle. None: it waits for no reward of the network.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${budget}) or on () ${onlyOthers('primary', 'elastic')}`,
      names: WHICH,
      marks: ['red', [thresholds.budgetEnding, 'orange'], [thresholds.budgetSmall, 'green']],
      states: unrewarded,
      to: toPanel('validator', 'Downtime budget by observer'),
    },
  ),
  tile(
    {
      title: 'Leaves in',
      description:
        'Time until it leaves the set. An auto-renewed validation starts its next period instead, and an L1 validator stays as long as its balance lasts.',
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${leavesIn}) or on () (count(${renewsIn}) * -Inf) or on () ${onlyOthers('primary', 'elastic', 'permissioned')}`,
      names: WHICH,
      marks: ['red', [thresholds.stakeEndLast, 'orange'], [thresholds.stakeEndNear, 'green']],
      states: { [-Infinity]: ['renews', 'grey'], [Infinity]: ['no end', 'grey'] },
      to: toPanel('validator', 'Time to the end of the stake'),
    },
  ),
  tile(
    {
      title: 'Runway left',
      description: "How long an L1 validator's balance lasts at the current price; 0 once it has run out.",
      unit: SECONDS,
    },
    {
      expr: `bottomk(1, ${one(VALIDATOR, 'l1_validator_runway_seconds')}) or on () ${onlyOthers('l1')}`,
      names: WHICH,
      marks: ['red', [thresholds.runwayLast, 'orange'], [thresholds.runwayNear, 'green']],
      states: notAnL1,
      to: toPanel('validator', 'Runway'),
    },
  ),
  tile(
    {
      title: 'Balance',
      description:
        'Remaining balance of an L1 validator, in tokens. Purple, as only the runway shows whether it is enough.',
      unit: TOKENS,
    },
    {
      expr: `min(${one(VALIDATOR, 'l1_validator_balance_tokens')}) or ${onlyOthers('l1')}`,
      marks: ['purple'],
      states: notAnL1,
      to: toPanel('validator', 'Balance of the validator'),
    },
  ),
  tile(
    { title: 'Active', description: 'Whether an L1 validator has balance left and is active.', unit: COUNT },
    {
      expr: `bottomk(1, ${one(VALIDATOR, 'l1_validator_active')}) or on () ${onlyOthers('l1')}`,
      names: WHICH,
      marks: ['red', [1, 'green']],
      states: { 1: ['yes', 'green'], 0: ['NO', 'red'], ...notAnL1 },
      to: toPanel('l1s', 'L1 validators'),
    },
  ),
  tile(
    {
      title: 'L1 weight',
      description:
        'Share of the weight of its L1 that is online, by the node that sees most; the lowest of several L1s. Blocks need 75 %.',
      unit: SHARE,
    },
    {
      expr: `min(${online} and on (${SUBNET}) ${ofL1s}) or ${onlyOthers('l1')}`,
      marks: ['red', [thresholds.l1Blocks, 'orange'], [thresholds.l1Healthy, 'green']],
      states: notAnL1,
      to: toPanel('l1s', 'Weight of L1s by their own chain'),
    },
  ),
  tile(
    {
      title: 'Its weight',
      description: "Its share of its subnet's weight, which goes missing while it is down.",
      unit: SHARE,
    },
    {
      expr: `max(${one(VALIDATOR, 'validator_weight')} / on (${SUBNET}) group_left () ${subnetWeight})`,
      marks: ['purple'],
      to: toPanel('validator', 'Term'),
    },
  ),
  tile(
    {
      title: 'Renews in',
      description: 'Time until an auto-renewed validator starts its next period.',
      unit: SECONDS,
    },
    {
      expr: `min(${renewsIn}) or count(${one(VALIDATOR, 'validator_info')}) * Inf`,
      marks: ['purple'],
      states: { [Infinity]: ['does not', 'grey'] },
      to: toPanel('validator', 'Term'),
    },
  ),
  table({
    text: {
      title: 'Observers',
      description:
        "Each node's view of it, smallest downtime budget first. Benched: the node skips it for a while, as it did not answer. Ready: its software knows the upgrade that most of the stake knows; empty while none is scheduled. May stop for: before the reward is lost.",
    },
    height: 6,
    keys: [
      { label: 'source', title: 'Observer' },
      { label: 'validator', title: 'Validator' },
      { label: 'subnet', title: 'Subnet', letters: 12 },
    ],
    hidden: ['network'],
    rows: connected,
    columns: [
      { title: 'Connected', expr: connected, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      { title: 'Reward', expr: rewardByObserver, states: rewardStates },
      { title: 'Budget', expr: one(OBSERVED, 'validator_downtime_budget_seconds'), unit: SECONDS, marks: BUDGET },
      {
        title: 'Uptime',
        expr: `${one(OBSERVED, 'validator_uptime_ratio')} or ${one(OBSERVED, 'l1_validator_uptime_ratio')}`,
        unit: SHARE,
      },
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
        states: { 1: ['yes', 'text'], 0: ['not yet', 'orange'] },
      },
    ],
    sortBy: ['Budget'],
    first: ['Observer', 'Connected', 'Budget', 'Reward'],
  }),
  windowsOfValidator,
  timeline(
    {
      title: 'Connection by observer',
      description: 'When each node was connected to it. A gap: the node did not report it.',
    },
    { 1: ['connected', 'green'], 0: ['AWAY', 'red'] },
    [[BY, withShortIds(connected)]],
    { columns: 12 },
  ),
  timeline(
    {
      title: 'Reward by observer',
      description:
        'Its reward by the judgement of each observer. The network decides by stake-weighted vote; a single observer is often wrong after its own downtime.',
    },
    rewardStates,
    [[BY, withShortIds(rewardByObserver)]],
    { columns: 12 },
  ),
  graph(
    {
      title: 'Runway',
      description:
        'For an L1 validator: time until its balance runs out at the current price, by its node and by the data service. It jumps up with a top-up.',
      unit: DAYS,
    },
    [
      [WHERE, daysLeft(one(VALIDATOR, 'l1_validator_runway_seconds'))],
      [`${WHERE} listed`, daysLeft(left(VALIDATOR, 'l1_validator_listed_depletion_timestamp_seconds'))],
    ],
    {
      columns: 24,
      isBadWhenLow: true,
      limits: [
        [thresholds.runwayLast / DAY, 'red'],
        [thresholds.runwayNear / DAY, 'orange'],
        [thresholds.runwayPlanned / DAY, 'purple'],
      ],
    },
  )
    .min(0)
    .noValue(ONLY_L1),
]

const uptime = [
  graph(
    {
      title: 'Uptime by observer',
      description:
        'Share of its time that each observer saw it, and what the network requires for the reward. In an L1 the nodes that run its chain see it; that share does not grow while there is no balance.',
      unit: SHARE,
    },
    [
      [BY, one(OBSERVED, 'validator_uptime_ratio')],
      [`${BY} in the L1`, one(OBSERVED, 'l1_validator_uptime_ratio')],
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
        [thresholds.budgetEnding / DAY, 'red'],
        [thresholds.budgetSmall / DAY, 'orange'],
      ],
    },
  ),
  graph(
    {
      title: 'Disagreement of the observers',
      description:
        'Highest minus lowest uptime among the observers. If it grows, an observer or its connection is at fault, not the validator.',
      unit: SHARE,
    },
    [[WHERE, `${one(VALIDATOR, 'validator_uptime_ratio')} - ${least(VALIDATOR, 'validator_uptime_ratio')}`]],
  ).min(0),
  graph(
    {
      title: 'Answers to the data service',
      description: "Share of the data service's requests that it answered; only for the primary network.",
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
      title: 'Stake timeline',
      description: 'When it was in the set of its subnet. A gap: unknown.',
    },
    { 1: ['in the set', 'green'], 0: ['NOT in the set', 'red'] },
    [[WHERE, one(VALIDATOR, 'validator_in_set')]],
    { height: 8 },
  ),
  graph(
    {
      title: 'Stake with delegations',
      description: 'Tokens staked on it: its own and delegated ones.',
      unit: TOKENS,
    },
    [
      [`${WHERE} own`, one(VALIDATOR, 'validator_stake_tokens')],
      [`${WHERE} delegated`, one(VALIDATOR, 'validator_delegated_tokens')],
    ],
    { isStacked: true },
  ).colorScheme(NEUTRAL),
  graph(
    {
      title: 'Time to the end of the stake',
      description: 'Time until its stake ends. It jumps up when the validator is staked again or renews itself.',
      unit: DAYS,
    },
    [
      [WHERE, daysLeft(left(VALIDATOR, 'validator_end_timestamp_seconds'))],
      [`${WHERE} of the next delegation`, daysLeft(left(VALIDATOR, 'validator_delegation_next_end_timestamp_seconds'))],
    ],
    {
      isBadWhenLow: true,
      limits: [
        [thresholds.stakeEndLast / DAY, 'red'],
        [thresholds.stakeEndNear / DAY, 'orange'],
        [thresholds.stakeEndPlanned / DAY, 'purple'],
      ],
    },
  ).min(0),
  graph(
    {
      title: 'Delegations that end',
      description:
        'Share of its delegated stake that leaves within the given time. The line marks the limit for a week.',
      unit: SHARE,
    },
    [[`${WHERE} within {{within}}`, one(`${VALIDATOR}, within`, 'validator_delegated_ending_ratio')]],
    { limits: [[thresholds.delegationEnding, 'purple']] },
  ).min(0),
  graph(
    {
      title: 'Pending rewards of validators',
      description: 'Tokens that the validator itself gets if it is rewarded, without those of its delegators.',
      unit: TOKENS,
    },
    [[`${WHERE} {{reward_type}}`, one(`${VALIDATOR}, reward_type`, 'validator_pending_reward_tokens')]],
    { isStacked: true },
  ).colorScheme(NEUTRAL),
  bars(
    {
      title: 'Turns to build blocks',
      description:
        'Its turns on the chains of the primary network, per step of the graph: made, missed while the chain had work, idle, or unknown. Needs a node with an index. Proposed: P-Chain blocks by the data service.',
      unit: COUNT,
    },
    '10m',
    [
      [`${WHERE} {{chain}} {{outcome}}`, whole(came(`${VALIDATOR}, chain, outcome`, 'validator_turns_total'))],
      [`${WHERE} proposed`, whole(came(VALIDATOR, 'validator_blocks_proposed_total'))],
    ],
    24,
  ),
  graph(
    {
      title: 'Turns missed and blocks due',
      description:
        'Since its last block of each chain: turns that it let pass while the chain had work (red limit), and how many blocks it should have built by its share of the stake (orange limit), on quiet chains too.',
      unit: COUNT,
    },
    [
      [`${WHERE} {{chain}} missed in a row`, one(`${VALIDATOR}, chain`, 'validator_turns_missed_in_row')],
      [`${WHERE} {{chain}} blocks due`, one(`${VALIDATOR}, chain`, 'validator_blocks_due')],
    ],
    {
      columns: 24,
      limits: [
        [thresholds.turnsMissed, 'red'],
        [thresholds.blocksDue, 'orange'],
      ],
    },
  ).min(0),
  table({
    text: {
      title: 'Term',
      description:
        'Kind, time so far, and end of the validation. Renews in: until an auto-renewed validation starts its next period. Delegators: their number; Fee: what they pay. Weight: its voting weight, on the primary network in tokens. Turns: its share of the turns to build blocks. Last block: of any chain, by a node with an index.',
    },
    height: 5,
    keys: [
      { label: 'validator', title: 'Validator' },
      { label: 'subnet', title: 'Subnet', letters: 12 },
      { label: 'kind', title: 'Kind', letters: 12 },
      { label: 'node_id', title: 'Node ID' },
    ],
    hidden: ['network'],
    rows: info,
    columns: (
      [
        ['Validates', `time() - ${one(VALIDATOR, 'validator_start_timestamp_seconds')}`, SECONDS],
        ['Leaves in', leavesIn, SECONDS],
        ['Renews in', renewsIn, SECONDS],
        ['Delegators', one(VALIDATOR, 'validator_delegators'), COUNT],
        ['Fee', one(VALIDATOR, 'validator_delegation_fee_ratio'), SHARE],
        ['Weight', weight, WEIGHT],
        ['Turns', one(VALIDATOR, 'validator_turns_expected_ratio'), SHARE],
        ['Last block', `time() - ${one(VALIDATOR, 'validator_last_block_timestamp_seconds')}`, SECONDS],
      ] as const
    ).map(([title, expr, unit]) => ({
      title,
      expr: inRows(info, VALIDATOR, expr),
      unit,
      ...(title === 'Leaves in' && { marks: ENDS }),
    })),
    sortBy: ['Leaves in'],
  }),
]

const l1 = [
  graph(
    {
      title: 'Balance of the validator',
      description: 'Remaining balance, by its node and by the data service.',
      unit: TOKENS,
    },
    [
      [WHERE, one(VALIDATOR, 'l1_validator_balance_tokens')],
      [`${WHERE} listed`, one(VALIDATOR, 'l1_validator_listed_balance_tokens')],
    ],
    { isBadWhenLow: true },
  )
    .min(0)
    .noValue(ONLY_L1),
  bars({ title: 'Top-ups', description: 'Tokens paid in, per step of the graph.', unit: TOKENS }, '1h', [
    [WHERE, came(VALIDATOR, 'l1_validator_topup_tokens_total')],
  ]).noValue(ONLY_L1),
  graph(
    {
      title: 'Observers connected in the L1',
      description:
        "Share of the nodes running the L1's chain that are connected to it. A single node may have lost its own network.",
      unit: SHARE,
    },
    [[WHERE, `avg by (${VALIDATOR}) (${voted(one(OBSERVED, 'l1_validator_connected'))})`]],
    { isBadWhenLow: true },
  )
    .min(0)
    .max(1)
    .noValue(ONLY_L1),
]

const others = [
  timeline(
    {
      title: 'What is declared of it',
      description: 'Whether it meets its expectations. A gap: they could not be judged.',
    },
    expectationStates,
    [['{{validator}} {{expectation}} {{subnet}} {{network}}', met(ofFleet, VALIDATOR, 'validator')]],
    { height: 7 },
  ),
]

export const validator = dashboard(
  {
    page: 'validator',
    title: 'Validator',
    description: 'One validator as each observer sees it, and its stake.',
    single: 'validator',
    texts,
  },
  ofFleet,
  {
    'View of the observers': now,
    'Uptime and budget': uptime,
    'Stake and rewards': stake,
    'L1 validation': l1,
    'What is declared of it': others,
  },
)
