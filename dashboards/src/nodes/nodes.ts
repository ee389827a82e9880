// Nodes: who each is, whether it is healthy, whether it has the blocks that the data service lists, and how far its indexes reach.

import { graph, type States, table, timeline } from '../panels.ts'
import { NODE, NODE_CHAIN, ofFleet, one, select, VALIDATOR } from '../select.ts'

const INDEX = `${NODE_CHAIN}, index`
const NODE_CHECK = `${NODE}, check`
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

const voteStates: States = {
  0: ['granted', 'green'],
  1: ['undecided', 'orange'],
  2: ['refused', 'red'],
}
const voteByNode = ['undecided', 'refused']
  .map((state, at) => `${at + 1} * ${one(NODE, 'stakewatch_node_vote_state', `state="${state}"`)}`)
  .join(' + ')

/** Whether a chain of each node has caught up since the node started. */
const caughtUp = (blockchain: string) =>
  ({
    title: `${blockchain}-Chain`,
    expr: one(NODE, 'stakewatch_node_bootstrapped', `blockchain="${blockchain}"`),
    states: { 1: ['caught up', 'text'], 0: ['CATCHING UP', 'orange'] },
  }) as const

export const nodes = [
  table({
    text: {
      title: 'Nodes themselves',
      description:
        'The network of each node, and whether it is the configured one. Changes: how often another node than before answered at its address in the time shown. The chains: whether they have caught up with the network since the node started.',
    },
    height: 6,
    keys: [
      ['source', 'Node'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'Network id', expr: one(NODE, 'stakewatch_node_network_id'), unit: 'none' },
      {
        title: 'Configured one',
        expr: one(NODE, 'stakewatch_node_in_network'),
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'] },
      },
      {
        title: 'Changes',
        expr: ofFleet.grown(NODE, 'stakewatch_node_id_changes_total'),
        unit: 'short',
        marks: ['text', [1, 'orange']],
      },
      ...['P', 'X', 'C'].map(caughtUp),
    ],
    sortBy: ['Node'],
  }),
  table({
    text: {
      title: 'Software of nodes',
      description: 'The version that each node runs, and the id of the node that answers.',
    },
    height: 6,
    keys: [
      ['version', 'Version'],
      ['source', 'Node'],
      ['network', 'Network'],
      ['id', 'Node id'],
    ],
    columns: [
      {
        title: 'Now',
        expr: one(`${NODE}, id, version`, 'stakewatch_node_info'),
        states: { 1: ['yes', 'text'] },
      },
    ],
    sortBy: ['Version', 'Node'],
  }),
  timeline(
    {
      title: 'Health checks over time',
      description:
        'When checks of each node passed and failed. P, X, C and ids are chains. A node that bootstraps fails `bootstrapped`; a chain fails when too little of its stake is connected to the node.',
    },
    24,
    { 0: ['FAILS', 'red'], 1: ['passes', 'green'] },
    [['{{network}} {{source}} {{check}}', one(NODE_CHECK, 'stakewatch_node_health_check_passing')]],
  ),
  table({
    text: {
      title: 'Health checks of nodes',
      description:
        'Whether each check passes, for how long it has failed, and how long ago the node made it. A node that is stuck goes on saying that all is well, and its checks grow old.',
    },
    height: 8,
    keys: [
      ['check', 'Check'],
      ['source', 'Node'],
      ['network', 'Network'],
    ],
    columns: [
      {
        title: 'Passes',
        expr: one(NODE_CHECK, 'stakewatch_node_health_check_passing'),
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'] },
      },
      {
        title: 'Failing for',
        // For no time while it passes.
        expr: `(${ofFleet.age(NODE_CHECK, 'stakewatch_node_health_check_failing_since_timestamp_seconds')}) or (${one(NODE_CHECK, 'stakewatch_node_health_check_passing')} == 1) * 0`,
        unit: 's',
      },
      {
        title: 'Age',
        expr: ofFleet.age(NODE_CHECK, 'stakewatch_node_health_check_timestamp_seconds'),
        unit: 's',
        marks: ['text', [120, 'orange']],
      },
    ],
    sortBy: ['Passes', 'Node', 'Check'],
  }),
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
  graph(
    {
      title: 'Votes about the reward, as the peers tell them',
      description:
        'For each node that is a validator: the share of the stake that would vote for its reward, against it, and of which nothing is known, as it is not connected or has been only just. What is unknown may still vote either way.',
      unit: 'percentunit',
    },
    8,
    [['{{network}} {{source}} {{vote}}', one(`${NODE}, vote`, 'stakewatch_node_vote_stake_ratio')]],
  ).min(0),
  timeline(
    {
      title: 'Vote about the reward, if it were held now',
      description:
        'For each node that is a validator: what more than half of the stake would vote for, whatever is unknown of the rest. The vote is held at the end of the period; until then an uptime can still rise or fall. Where both sides are nearly as great nobody knows how it ends, as no node counts votes.',
    },
    8,
    voteStates,
    [['{{network}} {{source}}', voteByNode]],
  ),
  graph(
    {
      title: 'Stake of the peers by version',
      description:
        'The share of the stake that each node is connected to, by the version that it runs. A new version that grows is a release that you need too.',
      unit: 'percentunit',
    },
    8,
    [['{{network}} {{source}} {{version}}', one(`${NODE}, version`, 'stakewatch_node_peer_stake_ratio')]],
  ).min(0),
  table({
    text: {
      title: 'Peers of nodes and the next upgrade',
      description:
        'How many peers each node has, and how many of them it has benched. Ready: whether its software knows the upgrade that most of the stake knows, and how much of the stake knows it; empty while no upgrade is scheduled.',
    },
    height: 6,
    keys: [
      ['source', 'Node'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'Peers', expr: one(NODE, 'stakewatch_node_peers'), unit: 'locale' },
      {
        title: 'Benched',
        expr: one(NODE, 'stakewatch_node_benched_peers'),
        unit: 'locale',
        marks: ['text', [1, 'orange']],
      },
      {
        title: 'Ready',
        expr: one(NODE, 'stakewatch_node_upgrade_ready'),
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'] },
      },
      { title: 'Stake ready', expr: one(NODE, 'stakewatch_node_peers_upgrade_ready_ratio'), unit: 'percentunit' },
    ],
    sortBy: ['Node'],
  }),
  table({
    text: {
      title: 'Next upgrades',
      description:
        'The upgrades that each node knows, and in how long they come into force; `unknown` is one that its peers know and its own software does not.',
    },
    height: 6,
    keys: [
      ['upgrade', 'Upgrade'],
      ['source', 'Node'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'In', expr: ofFleet.left(`${NODE}, upgrade`, 'stakewatch_node_upgrade_timestamp_seconds'), unit: 's' },
    ],
    sortBy: ['In'],
  }),
  timeline(
    {
      title: 'Tracked validators and the next upgrade',
      description:
        'Whether the software of each tracked validator knows the upgrade that most of the stake knows, as it told the nodes that are connected to it. Empty while no upgrade is scheduled.',
    },
    24,
    { 1: ['ready', 'green'], 0: ['NOT READY', 'orange'] },
    [['{{network}} {{validator}} {{source}}', one(`${VALIDATOR}, source`, 'stakewatch_validator_upgrade_ready')]],
  ),
  timeline(
    {
      title: 'Tracked validators that nodes have benched',
      description:
        'A node benches a peer that does not answer it, and counts it as disconnected meanwhile. Where all nodes bench the same validator, it does not keep up.',
    },
    24,
    { 1: ['BENCHED', 'orange'], 0: ['not benched', 'green'] },
    [['{{network}} {{validator}} {{source}}', one(`${VALIDATOR}, source`, 'stakewatch_validator_benched')]],
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
