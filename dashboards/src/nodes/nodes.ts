// Nodes: whether each has the blocks that the data service lists, and how far its indexes reach.

import { graph, type States, table, timeline } from '../panels.ts'
import { NODE, NODE_CHAIN, ofFleet, one, select } from '../select.ts'

const INDEX = `${NODE_CHAIN}, index`
const accepted = 'stakewatch_index_acceptance_interval_seconds_bucket'
const indexAge = ofFleet.age(INDEX, 'stakewatch_index_last_accepted_timestamp_seconds')
const evmAge = ofFleet.age(NODE_CHAIN, 'stakewatch_node_evm_head_timestamp_seconds')
const onChain = `min by (${NODE_CHAIN}) (${select('stakewatch_node_on_canonical_chain')})`

/** Of `stakewatch_node_evm_chain_state`, by number. */
const evmStates: States = {
  0: ['running', 'green'],
  1: ['bootstrapping', 'yellow'],
  2: ['dead', 'red'],
  3: ['untracked', 'text'],
}

export const nodes = [
  table({
    text: {
      title: 'Heads of nodes',
      description:
        'The newest block of each node on each chain, and that of its index. Behind: how many blocks the data service lists beyond it. Same chain: whether the node has the blocks that the service lists; empty while it is behind. Index: whether a node that is configured with an index has one. EVM head: that of the interface of a chain with an EVM. Gaps: how often blocks of the index went uncounted in the time shown.',
    },
    height: 8,
    keys: [
      ['source', 'Node'],
      ['network', 'Network'],
      ['chain', 'Chain'],
    ],
    columns: [
      { title: 'Head', expr: one(NODE_CHAIN, 'stakewatch_node_head_height'), unit: 'locale' },
      {
        title: 'Behind',
        expr: one(NODE_CHAIN, 'stakewatch_node_behind_blocks'),
        marks: ['text', [20, 'orange'], [100, 'red']],
      },
      { title: 'Same chain', expr: onChain, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      {
        title: 'Index',
        expr: one(NODE_CHAIN, 'stakewatch_node_index_reachable'),
        states: { 1: ['yes', 'text'], 0: ['MISSING', 'red'] },
      },
      {
        title: 'Index head',
        expr: one(NODE_CHAIN, 'stakewatch_index_last_accepted', 'index="block"'),
        unit: 'locale',
      },
      { title: 'Index age', expr: `max by (${NODE_CHAIN}) (${indexAge})`, unit: 's' },
      { title: 'EVM head', expr: one(NODE_CHAIN, 'stakewatch_node_evm_head_height'), unit: 'locale' },
      { title: 'EVM head age', expr: evmAge, unit: 's' },
      { title: 'Gaps', expr: ofFleet.grown(NODE_CHAIN, 'stakewatch_index_acceptance_gaps_total'), unit: 'short' },
    ],
    sortBy: ['Node', 'Chain'],
  }),
  graph(
    {
      title: 'Stake that would vote for the reward',
      description:
        'For each node that is a validator: the share of the stake that has seen enough uptime of it, and the mean uptime that the others see. Below 95 % the alert StakewatchRewardingStakeLow fires.',
      unit: 'percentunit',
    },
    24,
    [
      ['{{network}} {{source}}', one(NODE, 'stakewatch_node_rewarding_stake_ratio')],
      ['{{network}} {{source}} mean uptime', one(NODE, 'stakewatch_node_observed_uptime_ratio')],
    ],
  ),
  timeline(
    {
      title: 'On the chain that the data service lists',
      description:
        'A node on another chain has a block of its own in the place of a listed one. If one node is affected, it has forked; if all are, the service has.',
    },
    24,
    { 1: ['yes', 'green'], 0: ['NO', 'red'] },
    [['{{network}} {{chain}} {{source}}', onChain]],
  ),
  timeline(
    {
      title: 'EVM chains on nodes',
      description:
        'What each EVM chain does on each node: it runs, is not done bootstrapping, its process has died, or the node does not track it.',
    },
    24,
    evmStates,
    [
      [
        '{{network}} {{chain}} {{source}}',
        Object.entries(evmStates)
          .map(([at, [state]]) => `${at} * ${one(NODE_CHAIN, 'stakewatch_node_evm_chain_state', `state="${state}"`)}`)
          .join(' + '),
      ],
    ],
  ),
  graph(
    {
      title: 'Age of the EVM heads',
      description:
        'Time since the newest block of each EVM chain on each node. If the line of a single node climbs, that node lags; if those of all climb, the chain stands still.',
      unit: 's',
    },
    8,
    [['{{network}} {{chain}} {{source}}', evmAge]],
  ).min(0),
  graph(
    {
      title: 'Blocks behind the data service',
      description: 'What each node has to catch up on. A few blocks are usual: the two are not asked at the same time.',
      unit: 'none',
    },
    8,
    [['{{network}} {{chain}} {{source}}', one(NODE_CHAIN, 'stakewatch_node_behind_blocks')]],
  ).min(0),
  graph(
    {
      title: 'Age of the indexes',
      description:
        'Time since each node put a block into its index. If the line of a single node climbs, that node no longer follows its chain.',
      unit: 's',
    },
    8,
    [['{{network}} {{chain}} {{source}} {{index}}', indexAge]],
  ).min(0),
  graph(
    {
      title: 'Time between accepted blocks',
      description: 'The 95th percentile of the time from one accepted block to the next, by the clock of each node.',
      unit: 's',
    },
    8,
    [
      [
        '{{network}} {{chain}} {{source}} {{index}}',
        `histogram_quantile(0.95, ${ofFleet.perSecond(`${INDEX}, le`, accepted)})`,
      ],
    ],
  ).min(0),
  table({
    text: {
      title: 'Admin interfaces',
      description:
        'Whether the admin interface answers, for each node that is configured with `admin: on` or `admin: forbidden`.',
    },
    height: 6,
    keys: [
      ['source', 'Node'],
      ['network', 'Network'],
    ],
    columns: [
      {
        title: 'Answers',
        expr: one(NODE, 'stakewatch_node_admin_api_reachable'),
        states: { 1: ['yes', 'text'], 0: ['no', 'text'] },
      },
      {
        title: 'Expected to',
        expr: one(NODE, 'stakewatch_node_admin_api_expected'),
        states: { 1: ['yes', 'text'], 0: ['no', 'text'] },
      },
      {
        title: 'As expected',
        expr: `${one(NODE, 'stakewatch_node_admin_api_reachable')} == bool ${one(NODE, 'stakewatch_node_admin_api_expected')}`,
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'] },
      },
    ],
    sortBy: ['As expected'],
  }),
  table({
    text: {
      title: 'Loggers of nodes',
      description:
        'The lowest level that each logger writes to its file (log) and to the console (display). A logger that was left at debug or below fills the disk.',
    },
    height: 8,
    keys: [
      ['level', 'Level'],
      ['logger', 'Logger'],
      ['output', 'Output'],
      ['source', 'Node'],
      ['network', 'Network'],
    ],
    columns: [
      {
        title: 'Now',
        expr: one(`${NODE}, logger, output, level`, 'stakewatch_node_logger_level'),
        states: { 1: ['yes', 'text'] },
      },
    ],
    sortBy: ['Level'],
  }),
  table({
    text: {
      title: 'Names of chains on nodes',
      description: 'The names of each tracked chain on each node, besides its id.',
    },
    height: 6,
    keys: [
      ['chain', 'Chain'],
      ['alias', 'Name'],
      ['source', 'Node'],
      ['network', 'Network'],
    ],
    columns: [
      {
        title: 'Known',
        expr: one(`${NODE_CHAIN}, alias`, 'stakewatch_chain_alias_info'),
        states: { 1: ['yes', 'text'] },
      },
    ],
    sortBy: ['Chain', 'Node'],
  }),
]
