// L1s and subnets: balances that run out, participating weight, owners and size.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { dashboard } from '../dashboard.ts'
import { toPage, toPanel } from '../links.ts'
import { countBad, type Colour, DAY, graph, NONE, RATHER_NONE, tile, timeline } from '../panels.ts'
import { daysLeft, inRows, OBSERVED, ofFleet, SUBNET, VALIDATOR, whole } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { COUNT, DAYS, SECONDS, SHARE, TOKENS, WEIGHT } from '../units.ts'
import { keysOfValidators } from '../validators/keys.ts'
import { firingTable, texts } from '../firing.ts'
import { leastWeight, orNoL1 } from './weight.ts'

const { age, grown, least, left, one, select, stateNumber } = ofFleet
const OF_NODE = `${SUBNET}, source`
const STATES = { active: 'green', connected: 'green', inactive: 'red', disconnected: 'red', unknown: 'grey' } as const
const BY_STATE = `${SUBNET}, state`
const weight = one(BY_STATE, 'subnet_weight')
const total = `sum by (${SUBNET}) (${weight})`
const active = one(VALIDATOR, 'l1_validator_active')
/** From the node's last block; 0 for depleted balances. */
const runway = one(VALIDATOR, 'l1_validator_runway_seconds')
const depletion = `${one(VALIDATOR, 'l1_validator_depletion_timestamp_seconds')} - time()`
const RUNWAY = ['red', [thresholds.runwayLast, 'orange'], [thresholds.runwayNear, 'text']] as const
const RUNWAYS = [
  [thresholds.runwayLast / DAY, 'red'],
  [thresholds.runwayNear / DAY, 'orange'],
  [thresholds.runwayPlanned / DAY, 'purple'],
] as const
/** Shares that an L1 needs: for a healthy node, for blocks, for messages to other chains. */
const WEIGHTS: readonly (readonly [number, Colour])[] = [
  [thresholds.l1Messages, 'red'],
  [thresholds.l1Blocks, 'red'],
  [thresholds.l1Healthy, 'orange'],
]
/** Of each L1, by the node that sees most. */
const margin = (when: string) =>
  `max by (${SUBNET}) (${select('l1_liveness_margin', 'threshold="blocks"', `when="${when}"`)})`
const belowUptime = (what: string) => one(OF_NODE, `subnet_${what}_below_uptime`, 'threshold="0.8"')
const changes = `sum by (${SUBNET}) (${whole(grown(`${SUBNET}, what`, 'subnet_changes_total'))})`

const first = [
  firingTable({
    title: 'Alerts about L1s',
    about: 'L1s and their validators',
    height: 6,
    of: [['subnet=~"$subnet"', 'subnet!="primary"', 'validator=~"$validator|"']],
  }),
  tile(
    {
      title: 'Inactive',
      description: 'L1 validators without balance. Their weight still counts in the total of the L1.',
      unit: COUNT,
    },
    {
      ...orNoL1(countBad(`${active} == bool 0`)),
      names: ['validator'],
      marks: NONE,
      to: toPanel('l1s', 'L1 validators'),
    },
  ),
  tile(
    {
      title: 'Out in 7 days',
      description: 'Active L1 validators whose balance runs out within seven days without a top-up.',
      unit: COUNT,
    },
    {
      ...orNoL1(countBad(`${depletion} < bool ${thresholds.runwayNear}`)),
      names: ['validator'],
      marks: RATHER_NONE,
      to: toPanel('l1s', 'L1 validators'),
    },
  ),
  tile(
    {
      title: 'L1 runway',
      description: "Time until the first active L1 validator's balance runs out at the current price.",
      unit: SECONDS,
    },
    {
      ...orNoL1(`bottomk(1, ${depletion})`),
      marks: ['red', [thresholds.runwayLast, 'orange'], [thresholds.runwayNear, 'green']],
      names: ['subnet', 'validator'],
      to: toPage('validator', 'Validator', 'network', 'subnet', 'validator'),
    },
  ),
  leastWeight,
  tile(
    {
      title: 'To spare',
      description:
        'Share of the weight that can still go missing before blocks stop once the largest validator stops, of the weakest L1. Below zero, one stop is enough.',
      unit: SHARE,
    },
    {
      ...orNoL1(`bottomk(1, ${margin('greatest_stops')})`),
      // Further below, the L1 has stalled already.
      marks: ['red', [-thresholds.spareWeight, 'orange'], [0, 'green']],
      names: ['subnet'],
      to: toPanel('l1s', 'Weight that an L1 may still lose', 'network', 'subnet'),
    },
  ),
  tile(
    {
      title: 'Changes',
      description: 'Changes of owners and managers in the time shown. You should know the reason of each.',
      unit: COUNT,
    },
    { expr: `sum(${changes})`, marks: RATHER_NONE, to: toPanel('l1s', 'Who decides on subnets') },
  ),
  table({
    text: {
      title: 'L1 validators',
      description:
        'Every watched L1 validator, shortest runway first; the name links to its page. The runway is empty while the price is unknown, and 0 for an inactive validator. Paid in: top-ups of configured validators in the time shown. May stop: enough weight stays connected without it, as all nodes that run the chain see it; for one stop at a time. Counts off: difference between its weight and that in consensus; for some minutes after a change, blocks and messages still need the previous signatures.',
    },
    height: 9,
    keys: keysOfValidators,
    rows: active,
    columns: [
      { title: 'Runway', expr: runway, unit: SECONDS, marks: RUNWAY },
      { title: 'Active', expr: active, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      { title: 'Balance', expr: one(VALIDATOR, 'l1_validator_balance_tokens'), unit: TOKENS },
      { title: 'Paid in', expr: grown(VALIDATOR, 'l1_validator_topup_tokens_total'), unit: TOKENS },
      { title: 'Weight', expr: one(VALIDATOR, 'validator_weight'), unit: WEIGHT },
      {
        title: 'May stop',
        // A single node that sees too little is reason enough not to stop it.
        expr: least(VALIDATOR, 'l1_validator_may_stop'),
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'] },
      },
      { title: 'Counts off', expr: one(VALIDATOR, 'validator_weight_difference'), unit: WEIGHT },
      { title: 'Next nonce', expr: one(VALIDATOR, 'l1_validator_min_nonce'), unit: COUNT },
    ],
    sortBy: ['Runway'],
  }),
]

const liveness = [
  graph(
    {
      title: 'Weight of L1s by their own chain',
      description:
        'Share of the weight of each L1 that is active, and that each node running its chain is connected to. Messages to other chains need 67 %, blocks 75 %, a healthy node 80 %.',
      unit: SHARE,
    },
    [
      [
        '{{subnet}} {{of}} by {{source}} {{network}}',
        `${one(`${OF_NODE}, of`, 'l1_weight', 'of!="total"')} / on (${OF_NODE}) group_left () ${one(OF_NODE, 'l1_weight', 'of="total"')}`,
      ],
    ],
    { isBadWhenLow: true, limits: WEIGHTS },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Weight that an L1 may still lose',
      description:
        'Share of the weight of each L1 that may go missing before blocks stop, as each node running its chain sees it: now, when the largest validator stops, and when the next balance has run out. Below zero the L1 has stalled.',
      unit: SHARE,
    },
    [
      [
        '{{subnet}} {{when}} by {{source}} {{network}}',
        one(`${OF_NODE}, when`, 'l1_liveness_margin', 'threshold="blocks"'),
      ],
    ],
    { isBadWhenLow: true, limits: [[0, 'red']] },
  ),
  graph(
    {
      title: 'Uptime of L1 validators',
      description:
        "Share of its time that each node running the L1's chain saw the validator connected, which is the only source. It does not grow while a validator has no balance.",
      unit: SHARE,
    },
    [['{{validator}} {{subnet}} by {{source}} {{network}}', one(OBSERVED, 'l1_validator_uptime_ratio')]],
    { isBadWhenLow: true },
  ).max(1),
  graph(
    {
      title: 'Connections to L1 validators',
      description: 'Number of validators of each L1 that each node running its chain is connected to.',
      unit: COUNT,
    },
    [['{{subnet}} by {{source}} {{network}}', `sum by (${OF_NODE}) (${one(OBSERVED, 'l1_validator_connected')})`]],
    { isBadWhenLow: true },
  )
    .min(0)
    .decimals(0),
  timeline(
    {
      title: 'Chains of L1s on nodes',
      description: "State of each L1's chain on each node: running, bootstrapping, dead, failed or not tracked.",
    },
    {
      0: ['running', 'green'],
      1: ['bootstrapping', 'orange'],
      2: ['dead', 'red'],
      3: ['failed', 'red'],
      4: ['untracked', 'grey'],
    },
    [
      [
        '{{subnet}} on {{source}} {{network}}',
        stateNumber(OF_NODE, 'l1_chain_state', ['bootstrapping', 'dead', 'failed', 'untracked'], 1),
      ],
    ],
    { height: 7 },
  ),
]

const balances = [
  graph(
    {
      title: 'Runway of L1 validators',
      description: 'Time until the balance of each L1 validator runs out; it jumps up with a top-up and ends at zero.',
      unit: DAYS,
    },
    [['{{validator}} {{subnet}} {{network}}', daysLeft(runway)]],
    { isBadWhenLow: true, limits: RUNWAYS },
  ).min(0),
  graph(
    {
      title: 'Next balance by the data service',
      description: 'Time until the next balance of any validator of the L1 runs out, as listed by the data service.',
      unit: DAYS,
    },
    [['{{subnet}} {{network}}', daysLeft(left(SUBNET, 'l1_listed_next_depletion_timestamp_seconds'))]],
    { isBadWhenLow: true, limits: [[thresholds.nextBalance / DAY, 'orange']] },
  ).min(0),
  graph(
    {
      title: 'Weight of L1s by the data service',
      description:
        "Share of the weight of each L1 with a balance, now and after the next balance has run out, as listed by the data service. Excludes validators from before the L1's conversion.",
      unit: SHARE,
    },
    [
      [
        '{{subnet}} {{of}} {{network}}',
        `${one(`${SUBNET}, of`, 'l1_listed_weight', 'of!="total"')} / on (${SUBNET}) group_left () ${one(SUBNET, 'l1_listed_weight', 'of="total"')}`,
      ],
    ],
    { isBadWhenLow: true, limits: WEIGHTS },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Weight about to go inactive',
      description:
        'Share of the weight of each L1 that goes inactive within the given time. The L1 stops once more than a quarter does not participate.',
      unit: SHARE,
    },
    [
      [
        '{{subnet}} within {{within}} {{network}}',
        `${one(`${SUBNET}, within`, 'subnet_weight_depleting')} / on (${SUBNET}) group_left () ${total}`,
      ],
    ],
    { limits: [[1 - thresholds.l1Blocks, 'red']] },
  ).min(0),
  graph(
    {
      title: 'Age of listed balances',
      description: "Age of the P-Chain block that the data service's balances of each L1 are from.",
      unit: SECONDS,
    },
    [['{{subnet}} {{network}}', age(SUBNET, 'l1_listed_timestamp_seconds')]],
    { limits: [[thresholds.listStale, 'orange']] },
  ).min(0),
  graph(
    {
      title: 'Price of an L1 validator',
      description:
        "Tokens that an active L1 validator pays in 30 days at the current price, by the method that determined it. It grows while there are more active validators than the network's target.",
      unit: TOKENS,
    },
    [['{{method}} {{network}}', `${one('network, method', 'l1_fee_price_tokens_per_second')} * ${30 * DAY}`]],
  ).min(0),
  graph(
    {
      title: 'Active L1 validators',
      description: 'Active validators of all L1s of the network.',
      unit: COUNT,
    },
    [['{{network}}', one('network', 'l1_active_validators')]],
    { columns: 24 },
  ).decimals(0),
]

const sizes = [
  table({
    text: {
      title: 'Subnets',
      description:
        "Size of each watched subnet. Weight: voting weight, on the primary network own and delegated stake in the smallest unit; Node says: the total as stated by the node. Least stake and delegation: minimum to join as validator or delegator. Supply: upper bound of its staking token; Off by: difference to the data service, which should be 0; Inactive off: how much more weight is inactive in the validators' records than in consensus, for some minutes after a change.",
    },
    height: 6,
    keys: [{ label: 'subnet', title: 'Subnet' }, NETWORK_KEY],
    rows: total,
    columns: [
      { title: 'Weight', expr: total, unit: WEIGHT },
      { title: 'Node says', expr: one(SUBNET, 'subnet_total_weight'), unit: WEIGHT },
      { title: 'Stake', expr: one(SUBNET, 'subnet_stake_tokens'), unit: TOKENS },
      { title: 'Delegators', expr: one(SUBNET, 'subnet_delegators'), unit: COUNT },
      { title: 'Least stake', expr: one(SUBNET, 'subnet_min_validator_stake_tokens'), unit: TOKENS },
      { title: 'Delegation', expr: one(SUBNET, 'subnet_min_delegator_stake_tokens'), unit: TOKENS },
      { title: 'Supply', expr: one(SUBNET, 'supply_tokens'), unit: TOKENS },
      { title: 'Off by', expr: one(SUBNET, 'supply_difference_tokens'), unit: TOKENS },
      { title: 'Inactive off', expr: one(SUBNET, 'subnet_inactive_weight_difference'), unit: WEIGHT },
    ],
    sortBy: ['Subnet'],
  }),
  table({
    text: {
      title: 'Who decides on subnets',
      description:
        "Number of keys of each subnet's owner, and signatures required; the contract that manages an L1's validators. Changes: of owner or manager in the time shown. Chains: number of blockchains. Heaviest: share of the weight of the largest validator; Hold a third: number of validators that can stop the subnet together.",
    },
    height: 6,
    keys: [
      { label: 'subnet', title: 'Subnet' },
      NETWORK_KEY,
      { label: 'kind', title: 'Kind', letters: 12 },
      { label: 'manager_chain_id', title: 'Manager chain' },
      { label: 'manager_address', title: 'Manager', letters: 34 },
    ],
    rows: one(`${SUBNET}, kind, manager_chain_id, manager_address`, 'subnet_info'),
    columns: (
      [
        ['Keys', one(SUBNET, 'subnet_owner_keys'), COUNT],
        ['Must sign', one(SUBNET, 'subnet_owner_threshold'), COUNT],
        ['Changes', changes, COUNT],
        ['Chains', one(SUBNET, 'subnet_blockchains'), COUNT],
        ['Heaviest', one(SUBNET, 'subnet_top_weight_ratio', 'top="1"'), SHARE],
        ['Hold a third', one(SUBNET, 'subnet_nakamoto_coefficient'), COUNT],
      ] as const
    ).map(([title, expr, unit]) => ({
      title,
      expr: inRows(one(`${SUBNET}, kind, manager_chain_id, manager_address`, 'subnet_info'), SUBNET, expr),
      unit,
    })),
    sortBy: ['Subnet'],
  }),
  graph(
    {
      title: 'Weight below 80 % uptime',
      description:
        'Share of the weight that each observer saw for less than 80 % of its time. If only one observer reports it, the observer has the problem.',
      unit: SHARE,
    },
    [['{{subnet}} by {{source}} {{network}}', `${belowUptime('weight')} / on (${SUBNET}) group_left () ${total}`]],
  ).min(0),
  graph(
    {
      title: 'Validators below 80 % uptime',
      description: 'Number of the validators that each observer saw for less than 80 % of their time.',
      unit: COUNT,
    },
    [['{{subnet}} by {{source}} {{network}}', belowUptime('validators')]],
  )
    .min(0)
    .decimals(0),
  graph(
    {
      title: 'Weight by state: $subnet',
      description:
        'Share of the weight by state of the validators, as the answering node sees them; for an L1 it may only know inactive ones.',
      unit: SHARE,
    },
    [['{{network}} {{state}}', `${weight} / on (${SUBNET}) group_left () ${total}`]],
    { columns: 8, isStacked: true, colours: STATES },
  )
    .repeat('subnet')
    .maxPerRow(3),
  graph(
    {
      title: 'Validators by state: $subnet',
      description: 'Number of validators by state, as the answering node sees them.',
      unit: COUNT,
    },
    [['{{network}} {{state}}', one(BY_STATE, 'subnet_validators')]],
    { columns: 8, isStacked: true, colours: STATES },
  )
    .decimals(0)
    .repeat('subnet')
    .maxPerRow(3),
]

export const l1s = dashboard(
  {
    page: 'l1s',
    title: 'L1s',
    description: 'L1s and subnets: balances that run out, participating weight, and owners.',
    texts,
  },
  ofFleet,
  {
    'What needs attention': first,
    'Weight that takes part': liveness,
    'Balances and their price': balances,
    'Size and owners': sizes,
  },
)
