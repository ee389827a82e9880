// What needs attention first: all green is a quiet night.

import { met, metByWallets, notMet } from './expectations.ts'
import { DAY, tile } from './panels.ts'
import { CHAIN, NODE, NODE_CHAIN, ofFleet, one, ROUTE, RUN, select, VALIDATOR } from './select.ts'
import { leavesIn, observersSaying } from './validators/reward.ts'

const OBSERVED = `${VALIDATOR}, source`
const NONE = ['green', [1, 'red']] as const

const inSet = one(VALIDATOR, 'stakewatch_validator_in_set')
const tracked = one(VALIDATOR, 'stakewatch_validator_tracked')
const depletion = `${one(VALIDATOR, 'stakewatch_l1_validator_depletion_timestamp_seconds')} - time()`
const open = one(OBSERVED, 'stakewatch_validator_reward_state', 'state=~"on_track|at_risk"')
const budget = `${one(OBSERVED, 'stakewatch_validator_downtime_budget_seconds')} and on (${OBSERVED}) ${open} == 1`

/** Nodes differ in what they say of a chain: the majority counts. */
const statusMet = `avg by (${CHAIN}, expectation) (${met(ofFleet, NODE_CHAIN, 'blockchain_status')})`
const expectations = [
  met(ofFleet, VALIDATOR, 'validator'),
  met(ofFleet, CHAIN, 'chain'),
  statusMet,
  ...metByWallets(ofFleet).map(([, expr]) => expr),
]

/** The latest of what the two lists of the data service and the nodes tell of a chain. */
const heads = ['chain', 'evm', 'node_evm'].map(
  (by) => `label_replace(${one(CHAIN, `stakewatch_${by}_head_timestamp_seconds`)}, "by", "${by}", "", "")`,
)
const head = `max by (${CHAIN}) (${heads.join(' or ')})`

export const attention = [
  tile(
    {
      title: 'Disconnected',
      description: 'Validators to which none of the observing nodes is connected. Look at the node itself first.',
      unit: 'none',
    },
    4,
    `sum(${one(VALIDATOR, 'stakewatch_validator_connected')} == bool 0)`,
    NONE,
  ),
  tile(
    {
      title: 'Not in the set',
      description: 'Tracked validators that are not in the current set of their subnet: ended, removed, or mistyped.',
      unit: 'none',
    },
    4,
    `sum(${inSet} == bool 0)`,
    NONE,
  ),
  tile(
    {
      title: 'Reward lost',
      description: 'Validators whose reward most of the observers judge lost: the required uptime is out of reach.',
      unit: 'none',
    },
    4,
    `sum(${observersSaying('lost')} > bool 0.5)`,
    NONE,
  ),
  tile(
    {
      title: 'Reward at risk',
      description: 'Validators whose reward most of the observers judge at risk or lost.',
      unit: 'none',
    },
    4,
    `sum(${observersSaying('at_risk|lost')} > bool 0.5)`,
    ['green', [1, 'orange']],
  ),
  tile(
    {
      title: 'Smallest downtime budget',
      description:
        'How long the validator with the least budget may still be down before it loses its reward, and which observer says so. Opinions that judge the reward safe or lost are left out; empty when there are no others.',
      unit: 's',
    },
    4,
    `bottomk(1, ${budget})`,
    ['red', [DAY / 4, 'orange'], [DAY, 'green']],
    '{{network}} {{validator}} by {{source}}',
  ),
  tile(
    {
      title: 'Next stake end',
      description:
        'Time until the first validator leaves. It has to stake anew to go on. An auto-renewed validation does not count, unless its next period is 0 or most observers judge its reward lost.',
      unit: 's',
    },
    4,
    `bottomk(1, ${leavesIn})`,
    ['red', [DAY, 'orange'], [7 * DAY, 'green']],
    '{{network}} {{validator}}',
  ),
  tile(
    {
      title: 'Validators without data',
      description: 'Tracked validators of which nothing current is known. The other tiles leave them out.',
      unit: 'none',
    },
    3,
    `count(${tracked} unless ${inSet}) or sum(${tracked}) * 0`,
    NONE,
  ),
  tile(
    {
      title: 'L1 validators inactive',
      description: 'L1 validators whose balance has run out. Their weight still counts for the total of the L1.',
      unit: 'none',
    },
    3,
    `sum(${one(VALIDATOR, 'stakewatch_l1_validator_active')} == bool 0)`,
    NONE,
  ),
  tile(
    {
      title: 'L1 balances out in 7 d',
      description: 'Active L1 validators whose balance runs out within seven days if nobody tops up.',
      unit: 'none',
    },
    3,
    `sum(${depletion} < bool ${7 * DAY})`,
    NONE,
  ),
  tile(
    {
      title: 'Shortest L1 runway',
      description: 'Time until the first active L1 validator runs out of balance at the current price.',
      unit: 's',
    },
    3,
    `bottomk(1, ${depletion})`,
    ['red', [7 * DAY, 'orange'], [30 * DAY, 'green']],
    '{{subnet}} {{validator}}',
  ),
  tile(
    {
      title: 'Upstreams down',
      description: 'Nodes and services that did not answer the last request, as any instance of stakewatch sees it.',
      unit: 'none',
    },
    3,
    `sum(min by (network, source) (${select('stakewatch_upstream_up')}) == bool 0)`,
    NONE,
  ),
  tile(
    {
      title: 'Collectors failing',
      description: 'Collectors and targets whose last run failed. The table Collectors names them.',
      unit: 'none',
    },
    3,
    `sum(min by (${RUN}) (${select('stakewatch_collector_success')}) == bool 0)`,
    NONE,
  ),
  tile(
    {
      title: 'Oldest data',
      description:
        'Time since the last success of the collector that is closest to its time to live, as a share of that. About a third is usual; at 100 % its series vanish.',
      unit: 'percentunit',
    },
    3,
    `topk(1, max by (${RUN}) ((time() - ${select('stakewatch_collector_last_success_timestamp_seconds')}) / ${select('stakewatch_collector_ttl_seconds')}))`,
    ['green', [0.7, 'orange'], [1, 'red']],
    '{{collector}} {{target}}',
  ),
  tile(
    {
      title: 'Instances of stakewatch',
      description: 'How many are being scraped. Without any, nobody watches, whatever else is green here.',
      unit: 'none',
    },
    3,
    `count(${select('stakewatch_build_info')})`,
    ['red', [1, 'green']],
  ),
  tile(
    {
      title: 'Expectations not met',
      description:
        'Expectations of validators, chains and wallets in the configuration that are not met. The rows below and the dashboard Wallets show which.',
      unit: 'none',
    },
    4,
    notMet(expectations),
    NONE,
  ),
  tile(
    {
      title: 'Chains stalled',
      description: 'Chains without a new block for longer than the configuration allows them.',
      unit: 'none',
    },
    4,
    `sum(time() - (${head}) > bool ${one(CHAIN, 'stakewatch_chain_stall_threshold_seconds')})`,
    NONE,
  ),
  tile(
    {
      title: 'Nodes on another chain',
      description:
        'Nodes, counted once for each chain, that have another block where the data service lists one: a fork.',
      unit: 'none',
    },
    4,
    `sum(min by (${NODE_CHAIN}) (${select('stakewatch_node_on_canonical_chain')}) == bool 0)`,
    NONE,
  ),
  tile(
    {
      title: 'Farthest behind',
      description: 'How many blocks the node has to catch up on that is farthest behind what the data service lists.',
      unit: 'none',
    },
    4,
    `topk(1, ${one(NODE_CHAIN, 'stakewatch_node_behind_blocks')})`,
    ['green', [20, 'orange'], [100, 'red']],
    '{{source}} {{network}} {{chain}}',
  ),
  tile(
    {
      title: 'Oldest pending message',
      description: 'Time since the oldest message between chains was sent that is not delivered yet.',
      unit: 's',
    },
    4,
    `topk(1, ${ofFleet.age(ROUTE, 'stakewatch_icm_oldest_pending_timestamp_seconds')})`,
    ['green', [1_800, 'orange']],
    '{{network}} {{route}}',
  ),
  tile(
    {
      title: 'Admin interfaces wrong',
      description: 'Nodes whose admin interface answers though it must not, or does not though it must.',
      unit: 'none',
    },
    4,
    `sum(${one(NODE, 'stakewatch_node_admin_api_reachable')} != bool ${one(NODE, 'stakewatch_node_admin_api_expected')})`,
    NONE,
  ),
]
