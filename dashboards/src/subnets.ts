// Subnets and L1s: who is about to run out of balance, and how much of the weight goes with it.

import { DAY, graph, table } from './panels.ts'
import { one, SUBNET, VALIDATOR } from './select.ts'

const BY_STATE = `${SUBNET}, state`
const weight = one(BY_STATE, 'stakewatch_subnet_weight')
const total = `sum by (${SUBNET}) (${weight})`
const active = one(VALIDATOR, 'stakewatch_l1_validator_active')
/** Chain time, and 0 for those that have run out. */
const runway = one(VALIDATOR, 'stakewatch_l1_validator_runway_seconds')

export const subnets = [
  table({
    words: {
      title: 'L1 validators',
      description:
        'Every watched L1 validator, shortest runway first. Without a known price the runway is empty; inactive ones have none left.',
    },
    height: 9,
    keys: [
      ['validator', 'Validator'],
      ['network', 'Network'],
      ['subnet', 'L1'],
      ['node_id', 'Node ID'],
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
        title: 'Weight',
        // Of L1 validators alone: what the L1 has besides them pays nothing.
        expr: `${one(VALIDATOR, 'stakewatch_validator_weight')} and ${active}`,
        unit: 'short',
      },
    ],
    sortBy: ['Runway'],
  }),
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
        'Share of the weight that each observer saw for less than 80 % of its time. What one observer alone sees is its own trouble.',
      unit: 'percentunit',
    },
    8,
    [
      [
        '{{network}} {{subnet}} by {{source}}',
        `${one(`${SUBNET}, source`, 'stakewatch_subnet_weight_below_uptime', 'threshold="0.8"')} / on (${SUBNET}) group_left () ${total}`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Validators that hold a third',
      description: 'Least number of validators with more than a third of the weight: so few can stop the subnet.',
      unit: 'none',
    },
    8,
    [['{{network}} {{subnet}}', one(SUBNET, 'stakewatch_subnet_nakamoto_coefficient')]],
  ).min(0),
  graph(
    {
      title: 'Price of an L1 validator',
      description:
        'Tokens that an active L1 validator pays in 30 days at the current price, by the way it was found out.',
      unit: 'short',
    },
    8,
    [
      [
        '{{network}} {{method}}',
        `${one('network, method', 'stakewatch_l1_fee_price_tokens_per_second')} * ${30 * DAY}`,
      ],
    ],
  ).min(0),
]
