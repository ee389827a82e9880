// Subnets and L1s: which validators run out of balance, and how much of the weight goes with them.

import { DAY, graph, table } from '../panels.ts'
import { ofFleet, one, select, SUBNET, VALIDATOR } from '../select.ts'

const BY_STATE = `${SUBNET}, state`
const weight = one(BY_STATE, 'stakewatch_subnet_weight')
const total = `sum by (${SUBNET}) (${weight})`
const active = one(VALIDATOR, 'stakewatch_l1_validator_active')
/** From the last block of the node on; 0 for those that have run out. */
const runway = one(VALIDATOR, 'stakewatch_l1_validator_runway_seconds')

const belowUptime = (what: string) =>
  one(`${SUBNET}, source`, `stakewatch_subnet_${what}_below_uptime`, 'threshold="0.8"')

export const subnets = [
  table({
    text: {
      title: 'Subnets',
      description:
        'Size of each watched subnet. Weight: what its validators vote with, on the primary network own and delegated stake in the smallest unit; By the node: the same as the node sums it up. Supply: upper bound on the tokens that can stake it; Off by: how much that differs from what the data service says, which should be nothing.',
    },
    height: 6,
    keys: [
      ['subnet', 'Subnet'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'Weight', expr: total, unit: 'short' },
      { title: 'By the node', expr: one(SUBNET, 'stakewatch_subnet_total_weight'), unit: 'short' },
      { title: 'Stake', expr: one(SUBNET, 'stakewatch_subnet_stake_tokens'), unit: 'short' },
      { title: 'Delegators', expr: one(SUBNET, 'stakewatch_subnet_delegators'), unit: 'short' },
      { title: 'Blockchains', expr: one(SUBNET, 'stakewatch_subnet_blockchains') },
      { title: 'Supply', expr: one(SUBNET, 'stakewatch_supply_tokens'), unit: 'short' },
      { title: 'Off by', expr: one(SUBNET, 'stakewatch_supply_difference_tokens'), unit: 'short' },
      {
        title: 'Least stake',
        expr: one(SUBNET, 'stakewatch_subnet_min_validator_stake_tokens'),
        unit: 'short',
      },
      {
        title: 'Least delegation',
        expr: one(SUBNET, 'stakewatch_subnet_min_delegator_stake_tokens'),
        unit: 'short',
      },
    ],
    sortBy: ['Subnet'],
  }),
  table({
    text: {
      title: 'L1 validators',
      description:
        'Every watched L1 validator, shortest runway first. The runway is empty while the price is unknown, and 0 for an inactive validator. Paid in: top-ups in the time shown, of validators that the configuration names. May stop: enough weight stays connected without it, as all nodes that run the chain see it; not of two at a time.',
    },
    height: 9,
    keys: [
      ['validator', 'Validator'],
      ['network', 'Network'],
      ['subnet', 'L1'],
      ['node_id', 'Node ID'],
      ['validation_id', 'Validation'],
    ],
    columns: [
      {
        title: 'Runway',
        expr: runway,
        unit: 's',
        marks: ['red', [7 * DAY, 'orange'], [30 * DAY, 'text']],
      },
      { title: 'Active', expr: active, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      { title: 'Balance', expr: one(VALIDATOR, 'stakewatch_l1_validator_balance_tokens'), unit: 'short' },
      {
        title: 'Paid in',
        expr: ofFleet.grown(VALIDATOR, 'stakewatch_l1_validator_topup_tokens_total'),
        unit: 'short',
      },
      {
        title: 'Weight',
        // Of L1 validators alone: the legacy validators of an L1 pay nothing.
        expr: `${one(VALIDATOR, 'stakewatch_validator_weight')} * on (${VALIDATOR}) group_left (validation_id) ${one(`${VALIDATOR}, validation_id`, 'stakewatch_validator_info', 'kind="l1"')}`,
        unit: 'short',
      },
      {
        title: 'May stop',
        // One node that sees too little is enough to leave it alone.
        expr: `min by (${VALIDATOR}) (${select('stakewatch_l1_validator_may_stop')})`,
        states: { 1: ['yes', 'text'], 0: ['NO', 'orange'] },
      },
      { title: 'Next nonce', expr: one(VALIDATOR, 'stakewatch_l1_validator_min_nonce') },
    ],
    sortBy: ['Runway'],
  }),
  table({
    text: {
      title: 'Who decides on subnets',
      description:
        'Keys of the owner of each subnet, and how many of them have to sign; the contract that manages the validators of an L1. Changes: of the owner or the manager in the time shown.',
    },
    height: 6,
    keys: [
      ['subnet', 'Subnet'],
      ['network', 'Network'],
      ['kind', 'Kind'],
      ['manager_chain_id', 'Manager chain'],
      ['manager_address', 'Manager'],
    ],
    columns: [
      {
        title: 'Keys',
        expr: `${one(SUBNET, 'stakewatch_subnet_owner_keys')} * on (${SUBNET}) group_left (kind, manager_chain_id, manager_address) ${one(`${SUBNET}, kind, manager_chain_id, manager_address`, 'stakewatch_subnet_info')}`,
      },
      { title: 'Have to sign', expr: one(SUBNET, 'stakewatch_subnet_owner_threshold') },
      {
        title: 'Changes',
        expr: `sum by (${SUBNET}) (${ofFleet.grown(`${SUBNET}, what`, 'stakewatch_subnet_changes_total')})`,
      },
    ],
    sortBy: ['Subnet'],
  }),
  graph(
    {
      title: 'Weight that an L1 may still lose',
      description:
        'Share of the weight of each L1 that may be lost before it makes no blocks, as each node that runs its chain sees it: now, when the heaviest validator stops, when the next balance has run out. Below zero it stands still.',
      unit: 'percentunit',
    },
    12,
    [
      [
        '{{network}} {{subnet}} {{when}} by {{source}}',
        one(`${SUBNET}, source, when`, 'stakewatch_l1_liveness_margin', 'threshold="blocks"'),
      ],
    ],
  ),
  graph(
    {
      title: 'Weight of L1s by their own chain',
      description:
        'Share of the weight of each L1 that is active, and that each node which runs its chain is connected to. Messages to other chains need 67 %, blocks 75 %, a healthy node 80 %.',
      unit: 'percentunit',
    },
    12,
    [
      [
        '{{network}} {{subnet}} {{of}} by {{source}}',
        `${one(`${SUBNET}, source, of`, 'stakewatch_l1_weight', 'of!="total"')} / on (${SUBNET}, source) group_left () ${one(`${SUBNET}, source`, 'stakewatch_l1_weight', 'of="total"')}`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Uptime of L1 validators',
      description:
        'Share of its time that each node which runs the chain of the L1 saw the validator connected; nobody else tells. It counts nothing while a validator has no balance.',
      unit: 'percentunit',
    },
    12,
    [
      [
        '{{network}} {{subnet}} {{validator}} by {{source}}',
        one(`${VALIDATOR}, source`, 'stakewatch_l1_validator_uptime_ratio'),
      ],
    ],
  ),
  graph(
    {
      title: 'Connections to L1 validators',
      description: 'Number of the validators of each L1 that each node which runs its chain is connected to.',
      unit: 'none',
    },
    6,
    [
      [
        '{{network}} {{subnet}} by {{source}}',
        `sum by (${SUBNET}, source) (${one(`${VALIDATOR}, source`, 'stakewatch_l1_validator_connected')})`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Chains of L1s on nodes',
      description:
        'What the chain of each L1 does on each node: it runs, bootstraps, its process has died, or the node does not track it.',
      unit: 'none',
    },
    6,
    [
      [
        '{{network}} {{subnet}} {{state}} on {{source}}',
        `${one(`${SUBNET}, source, state`, 'stakewatch_l1_chain_state')} == 1`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Runway of L1 validators',
      description: 'Time until the balance of each L1 validator runs out; it jumps up with a top-up and ends at zero.',
      unit: 's',
    },
    12,
    [['{{network}} {{subnet}} {{validator}}', runway]],
  ).min(0),
  graph(
    {
      title: 'Runway of L1 validators by the data service',
      description:
        'The same as the data service lists it, without a node; by L1 also for the next balance of all, be its validator watched or not. What differs from the panel before has been topped up lately, or one of the two is behind.',
      unit: 's',
    },
    12,
    [
      [
        '{{network}} {{subnet}} {{validator}}',
        ofFleet.left(VALIDATOR, 'stakewatch_l1_validator_listed_depletion_timestamp_seconds'),
      ],
      ['{{network}} {{subnet}} next', ofFleet.left(SUBNET, 'stakewatch_l1_listed_next_depletion_timestamp_seconds')],
    ],
  ).min(0),
  graph(
    {
      title: 'Balances of L1 validators by the data service',
      description: 'What is left of the balance of each L1 validator as the data service lists it; 0 is inactive.',
      unit: 'short',
    },
    8,
    [['{{network}} {{subnet}} {{validator}}', one(VALIDATOR, 'stakewatch_l1_validator_listed_balance_tokens')]],
  ).min(0),
  graph(
    {
      title: 'Weight of L1s by the data service',
      description:
        'Share of the weight of each L1 that has a balance, and that will have one when the next balance has run out, as the data service lists it. Below 75 % an L1 makes no blocks. Validators from before the conversion of the L1 are not counted.',
      unit: 'percentunit',
    },
    8,
    [
      [
        '{{network}} {{subnet}} {{of}}',
        `${one(`${SUBNET}, of`, 'stakewatch_l1_listed_weight', 'of!="total"')} / on (${SUBNET}) group_left () ${one(SUBNET, 'stakewatch_l1_listed_weight', 'of="total"')}`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Age of listed balances',
      description: 'How long ago the P-Chain block was that the balances of each L1 in the data service are of.',
      unit: 's',
    },
    8,
    [['{{network}} {{subnet}}', ofFleet.age(SUBNET, 'stakewatch_l1_listed_timestamp_seconds')]],
  ).min(0),
  graph(
    {
      title: 'Weight about to go inactive',
      description:
        'Share of the weight of each L1 that goes inactive within the time given. The L1 stops once too little of its weight takes part.',
      unit: 'percentunit',
    },
    12,
    [
      [
        '{{network}} {{subnet}} within {{within}}',
        `${one(`${SUBNET}, within`, 'stakewatch_subnet_weight_depleting')} / on (${SUBNET}) group_left () ${total}`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Weight by state',
      description:
        'Share of the weight of each subnet by state of its validators, as the answering node sees them; of an L1 it may know only who is inactive.',
      unit: 'percentunit',
    },
    12,
    [['{{network}} {{subnet}} {{state}}', `${weight} / on (${SUBNET}) group_left () ${total}`]],
  ).min(0),
  graph(
    {
      title: 'Weight that consensus counts otherwise',
      description:
        'Weight by the records of watched validators less the weight with which consensus counts them, and the same of all that are inactive. It is 0 but for some minutes after a change: then blocks and messages to other chains still need the signatures of before.',
      unit: 'short',
    },
    12,
    [
      ['{{network}} {{subnet}} {{validator}}', one(VALIDATOR, 'stakewatch_validator_weight_difference')],
      ['{{network}} {{subnet}} inactive', one(SUBNET, 'stakewatch_subnet_inactive_weight_difference')],
    ],
  ),
  graph(
    {
      title: 'Validators by state',
      description: 'Number of validators of each subnet by state, as the answering node sees them.',
      unit: 'none',
    },
    12,
    [['{{network}} {{subnet}} {{state}}', one(BY_STATE, 'stakewatch_subnet_validators')]],
  ).min(0),
  graph(
    {
      title: 'Weight below 80 % uptime',
      description:
        'Share of the weight that each observer saw for less than 80 % of its time. When one observer alone sees it, the observer has the problem.',
      unit: 'percentunit',
    },
    8,
    [['{{network}} {{subnet}} by {{source}}', `${belowUptime('weight')} / on (${SUBNET}) group_left () ${total}`]],
  ).min(0),
  graph(
    {
      title: 'Validators below 80 % uptime',
      description: 'Number of the validators that each observer saw for less than 80 % of their time.',
      unit: 'none',
    },
    8,
    [['{{network}} {{subnet}} by {{source}}', belowUptime('validators')]],
  ).min(0),
  graph(
    {
      title: 'Weight of the heaviest',
      description: 'Share of the weight of each subnet that its heaviest validators hold, by their number.',
      unit: 'percentunit',
    },
    8,
    [['{{network}} {{subnet}} top {{top}}', one(`${SUBNET}, top`, 'stakewatch_subnet_top_weight_ratio')]],
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Validators that hold a third',
      description: 'Least number of validators with more than a third of the weight: so few can stop the subnet.',
      unit: 'none',
    },
    12,
    [['{{network}} {{subnet}}', one(SUBNET, 'stakewatch_subnet_nakamoto_coefficient')]],
  ).min(0),
  graph(
    {
      title: 'Price of an L1 validator',
      description:
        'Tokens that an active L1 validator pays in 30 days at the current price, by the way the price was determined.',
      unit: 'short',
    },
    12,
    [
      [
        '{{network}} {{method}}',
        `${one('network, method', 'stakewatch_l1_fee_price_tokens_per_second')} * ${30 * DAY}`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Active L1 validators',
      description:
        'Those of all L1s of the network. The price grows while there are more of them than the network aims at.',
      unit: 'none',
    },
    12,
    [['{{network}}', one('network', 'stakewatch_l1_active_validators')]],
  ),
  graph(
    {
      title: 'Accrued L1 fees',
      description:
        'Fees that one L1 validator would have paid since the start, as the newest P-Chain block states them; the price is how fast they grow.',
      unit: 'short',
    },
    12,
    [['{{network}}', one('network', 'stakewatch_l1_accrued_fees_tokens')]],
  ),
]
