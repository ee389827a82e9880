// stakewatch itself: whether the data on the other pages can be trusted.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { groupsOf } from '../../../src/alerts/rules.ts'
import { dashboard } from '../dashboard.ts'
import { firingTable, texts } from '../firing.ts'
import { toPanel } from '../links.ts'
import { bars, graph, RATHER_NONE, tile, timeline } from '../panels.ts'
import { CHAIN, inRows, NODE, ofNetwork, PLACE, quantileOf, RUN, VALIDATOR, WALLET, whole } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { BYTES, COUNT, REQUESTS_PER_SECOND, SECONDS, SHARE } from '../units.ts'
import { dataAge, dataLate, instances, ON_COLLECTOR, polled, runsFailing, upstreamsDown } from './tiles.ts'

const { least, one, select } = ofNetwork
const INSTANCE = 'job, instance'
const SINCE = `time() - ${select('collector_last_success_timestamp_seconds')}`
const UPSTREAM = '{{source}} {{network}}'
const run = (name: string) => least(RUN, name)
/** What is published of the collector, for each of its runs. */
const ofCollector = (name: string) =>
  `max by (${RUN}) (0 * ${select('collector_success')} + ${ON_COLLECTOR} ${select(name)})`
const info = `max by (${INSTANCE}, version, node_version) (${select('build_info')})`
const ofInstance = (expr: string) => inRows(info, INSTANCE, expr)

/** Metrics that other programs export too: only of our own instances. */
const ours = (name: string) => `max by (${INSTANCE}) (${select(name)} and on (${INSTANCE}) ${select('build_info')})`

const quantile = (of: number) =>
  quantileOf(
    of,
    `sum by (network, source, le) (rate(${select('upstream_request_duration_seconds_bucket')}[$__rate_interval]))`,
  )

const lost = (name: string, by = INSTANCE) => `sum by (${by}) (increase(${select(name)}[$__interval]))`

const withheld = (collector: string, by: string) =>
  [`{{network}} ${collector}`, `sum by (network) (${one(by, `${collector}_chain_mismatch`)})`] as const

/** Counters of dropped data, by name. */
const leftOut = [
  ['items', 'upstream_items_dropped_total'],
  ['fields', 'upstream_fields_dropped_total'],
  ['blocks', 'chain_blocks_missed_total'],
  ['EVM blocks', 'evm_blocks_missed_total'],
  ['EVM blocks walked', 'evm_transactions_blocks_missed_total'],
  ['blocks of proposers', 'chain_turns_gaps_total'],
  ['rewards', 'rewards_gaps_total'],
  ['transactions', 'address_transactions_gaps_total'],
  ['ERC-20 transfers', 'erc20_transfer_gaps_total'],
  ['series', 'series_dropped_total'],
  ['log lines', 'log_lines_dropped_total'],
] as const
const dropped = `sum(${leftOut.map(([, name]) => `label_replace(sum(increase(${select(name)}[$__range])), "of", "${name}", "", "")`).join(' or ')})`

const budgetLeft = `min by (network, source, window) (${select('upstream_budget_remaining_units')} / ${select('upstream_budget_units')})`

const alerts = groupsOf()
  .flatMap(({ rules }) => rules)
  .filter(({ panel }) => panel.startsWith('self: '))
  .map(({ alert }) => alert)

const first = [
  firingTable({
    title: 'Alerts about stakewatch',
    about: 'stakewatch and its sources',
    height: 6,
    of: [[`alertname=~"${alerts.join('|')}"`]],
  }),
  instances(ofNetwork),
  upstreamsDown(ofNetwork),
  runsFailing(ofNetwork),
  dataLate(ofNetwork),
  tile(
    {
      title: 'API budget',
      description: "Smallest remaining share of an upstream's daily request budget.",
      unit: SHARE,
    },
    {
      expr: `bottomk(1, min by (network, source) ((${polled(ofNetwork, 'upstream_budget_remaining_units', 'window="day"')}) / ${select('upstream_budget_units', 'window="day"')}))`,
      marks: ['red', [thresholds.budgetLeft, 'green']],
      names: ['source'],
      to: toPanel('self', 'API budget left', 'network'),
    },
  ),
  tile(
    {
      title: 'Left out',
      description:
        'Items, fields, blocks and series dropped in the time shown, as an upstream sent them malformed or too late.',
      unit: COUNT,
    },
    { expr: whole(dropped), marks: RATHER_NONE, to: toPanel('self', 'What was left out') },
  ),
  table({
    text: {
      title: 'Instances of stakewatch',
      description:
        'Every scraped instance. Lag: 99th percentile of the event loop delay; above a tenth of a second it is overloaded. Written: time since the last write to its storage, if it has one. Shard: its part of the configuration, from 0; each part needs the same number of instances. Series: those that the alert rules read.',
    },
    height: 5,
    keys: [
      { label: 'instance', title: 'Instance', letters: 16 },
      { label: 'job', title: 'Job' },
      { label: 'version', title: 'Version', letters: 6 },
      { label: 'node_version', title: 'Node', letters: 9 },
    ],
    rows: info,
    columns: [
      { title: 'Shard', expr: ofInstance(one(INSTANCE, 'shard_ordinal')), unit: COUNT },
      {
        title: 'Config',
        expr: ofInstance(one(INSTANCE, 'config_last_reload_successful')),
        states: { 1: ['as on disk', 'text'], 0: ['REFUSED', 'red'] },
      },
      {
        title: 'Loaded',
        expr: ofInstance(`time() - ${one(INSTANCE, 'config_last_reload_success_timestamp_seconds')}`),
        unit: SECONDS,
      },
      {
        title: 'Polls',
        expr: ofInstance(one(INSTANCE, 'scheduler_stalled')),
        states: { 0: ['ticks', 'text'], 1: ['STALLED', 'red'] },
      },
      { title: 'Series', expr: ofInstance(one(INSTANCE, 'alerting_series')), unit: COUNT },
      { title: 'Drill', expr: ofInstance(one(INSTANCE, 'drill')), states: { 1: ['goes on', 'text'] } },
      { title: 'Up for', expr: ofInstance(`time() - ${ours('process_start_time_seconds')}`), unit: SECONDS },
      { title: 'Memory', expr: ofInstance(ours('process_resident_memory_bytes')), unit: BYTES },
      {
        title: 'Lag',
        expr: ofInstance(ours('nodejs_eventloop_lag_p99_seconds')),
        unit: SECONDS,
        // It is 0.05 without any delay.
        marks: ['text', [0.15, 'orange']],
      },
      {
        title: 'Written',
        expr: ofInstance(`time() - ${least(INSTANCE, 'storage_last_commit_timestamp_seconds')}`),
        unit: SECONDS,
      },
    ],
    sortBy: ['Instance'],
    first: ['Instance', 'Polls', 'Config'],
  }),
  table({
    text: {
      title: 'Collectors',
      description:
        'The last run of every collector on every target, failed ones first. Of TTL: age of its data as a share of its time to live; at 100 % its series vanish. Took, Series: of the slowest target, and of all.',
    },
    height: 9,
    keys: [
      { label: 'collector', title: 'Collector' },
      NETWORK_KEY,
      { label: 'source', title: 'Source' },
      { label: 'target', title: 'Target' },
    ],
    rows: run('collector_success'),
    columns: [
      {
        title: 'Last run',
        expr: run('collector_success'),
        states: { 1: ['success', 'text'], 0: ['FAILED', 'red'] },
      },
      { title: 'Last success', expr: `max by (${RUN}) (${SINCE})`, unit: SECONDS },
      {
        title: 'Of TTL',
        expr: `max by (${RUN}) (${dataAge(ofNetwork)})`,
        unit: SHARE,
        marks: ['text', [0.7, 'orange'], [1, 'red']],
      },
      { title: 'Every', expr: run('collector_interval_seconds'), unit: SECONDS },
      { title: 'Took', expr: ofCollector('collector_duration_seconds'), unit: SECONDS },
      { title: 'Series', expr: ofCollector('collector_series'), unit: COUNT },
    ],
    sortBy: ['Last run'],
    first: ['Collector', 'Last run', 'Target'],
  }),
]

const upstreams = [
  timeline(
    {
      title: 'Upstreams',
      description: 'Whether the last request to each node and service got a valid answer of its protocol.',
    },
    { 1: ['up', 'green'], 0: ['down', 'red'] },
    [[UPSTREAM, `min by (network, source) (${select('upstream_up')})`]],
    { columns: 12 },
  ),
  timeline(
    {
      title: 'Not asked',
      description:
        'Operations paused after repeated failures, and upstreams that reject the credentials (HTTP 401 or 403). An occasional request checks for recovery.',
    },
    { 1: ['not asked', 'red'], 0: ['asked', 'green'] },
    [
      [`${UPSTREAM} {{operation}}`, one(`${NODE}, operation`, 'upstream_circuit_open')],
      [`${UPSTREAM} credentials`, one(NODE, 'upstream_refusing')],
    ],
    { columns: 12 },
  ),
  graph(
    {
      title: 'Clock ahead of upstreams',
      description:
        "How far stakewatch's clock is ahead of each upstream's, from the Date of its answers. If most agree on an instance, its clock is wrong.",
      unit: SECONDS,
    },
    [[`${UPSTREAM} at {{instance}}`, one(`${INSTANCE}, ${NODE}`, 'upstream_clock_offset_seconds')]],
  ),
  graph(
    {
      title: 'Requests by outcome',
      description: 'Requests per second to the upstreams by outcome: ok, or the code of the error.',
      unit: REQUESTS_PER_SECOND,
    },
    [
      [
        `${UPSTREAM} {{code}}`,
        `sum by (network, source, code) (rate(${select('upstream_requests_total')}[$__rate_interval])) > 0`,
      ],
    ],
    { isStacked: true },
  ),
  graph(
    {
      title: 'Requests that were too many',
      description: 'Share of the requests to each upstream that were rate limited (HTTP 429).',
      unit: SHARE,
    },
    [
      [
        UPSTREAM,
        `sum by (network, source) (rate(${select('upstream_rate_limited_total')}[$__rate_interval])) / sum by (network, source) (rate(${select('upstream_requests_total')}[$__rate_interval]))`,
      ],
    ],
    { limits: [[thresholds.rateLimited, 'orange']] },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Latency of the upstreams',
      description: 'Time from a call to the last byte of the answer, including retries and queueing.',
      unit: SECONDS,
    },
    [
      [`${UPSTREAM} p50`, quantile(0.5)],
      [`${UPSTREAM} p99`, quantile(0.99)],
    ],
    { scale: 'log' },
  ),
  graph(
    {
      title: 'API budget left',
      description:
        'Request units left for the minute and the day, and the share of the configured polls that the budget allows, by what matters most. At zero requests wait, and non-essential runs fail.',
      unit: SHARE,
    },
    [
      [`${UPSTREAM} {{window}}`, budgetLeft],
      [
        `${UPSTREAM} polls, {{rank}}`,
        `1 / max by (network, source, rank) (${select('upstream_interval_stretch_ratio')})`,
      ],
    ],
    { isBadWhenLow: true, limits: [[thresholds.budgetLeft, 'red']] },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Requests to the data service by key',
      description:
        "Credits and requests of all users of the configured key on the newest reported day, the wasted ones, and how many days ago that day began. API budget left has stakewatch's own.",
      unit: COUNT,
    },
    [
      ['{{network}} credits {{credits}}', one('network, credits', 'data_usage_credits')],
      ['{{network}} requests {{requests}}', one('network, requests', 'data_usage_requests')],
      ['{{network}} days ago', `(time() - ${one('network', 'data_usage_timestamp_seconds')}) / 86400`],
    ],
    { scale: 'symlog' },
  ),
  bars(
    {
      title: 'Requests not sent',
      description:
        'Requests that could not be sent, per step of the graph, by reason: repeated failures (circuit_open), budget used up (over_budget), too many in flight (busy), or a pause that the upstream asked for (paused). All should be zero.',
      unit: COUNT,
    },
    '5m',
    [[`${UPSTREAM} {{code}}`, whole(lost('upstream_requests_unsent_total', 'network, source, code'))]],
  ),
  bars(
    {
      title: 'Refused answers',
      description:
        'Rejected answers per step of the graph, by reason: older than a previous one, usually from a lagging replica, or impossible. Most are accepted once three runs agree.',
      unit: COUNT,
    },
    '5m',
    [[`${UPSTREAM} {{reason}}`, whole(lost('upstream_answers_refused_total', `${NODE}, reason`))]],
  ),
  graph(
    {
      title: 'Answers of another chain',
      description:
        'Withheld answers about another chain or network than requested, by collector: the upstream is misconfigured. All should be zero.',
      unit: COUNT,
    },
    [
      withheld('primary_blocks', CHAIN),
      withheld('balances', PLACE),
      withheld('utxos', CHAIN),
      withheld('stakes', WALLET),
      withheld('transactions', PLACE),
    ],
  )
    .min(0)
    .axisSoftMax(1)
    .decimals(0),
]

const expectationsKnown = [
  least(`${VALIDATOR}, node_id, expectation`, 'validator_expectation_known'),
  least(`${CHAIN}, expectation`, 'chain_expectation_known'),
  least(`${WALLET}, expectation`, 'address_expectation_known'),
].join(' or ')

const collectors = [
  table({
    text: {
      title: 'Expectations known',
      description:
        'Whether each configured expectation can be judged, unknown ones first. Alerts cannot fire for unknown ones: the collector fails, or no upstream supports it.',
    },
    height: 7,
    keys: [
      NETWORK_KEY,
      { label: 'subnet', title: 'Subnet' },
      { label: 'validator', title: 'Validator' },
      { label: 'chain', title: 'Chain' },
      { label: 'address', title: 'Wallet' },
      { label: 'expectation', title: 'Expectation' },
    ],
    hidden: ['node_id'],
    rows: expectationsKnown,
    columns: [
      {
        title: 'Known',
        expr: expectationsKnown,
        states: { 1: ['known', 'text'], 0: ['UNKNOWN', 'red'] },
      },
    ],
    sortBy: ['Known'],
    first: ['Expectation', 'Known', 'Validator', 'Chain', 'Wallet'],
  }),
  bars(
    {
      title: 'Unsuccessful runs',
      description:
        'Runs that failed, or were skipped because the previous one was still going on, per step of the graph. The table Collectors names them.',
      unit: COUNT,
    },
    '5m',
    [
      [
        '{{result}} {{network}}',
        whole(
          `sum by (network, result) (increase(${select('collector_runs_total', 'result=~"failure|skipped"')}[$__interval]))`,
        ),
      ],
    ],
  ),
  bars(
    {
      title: 'What was left out',
      description:
        'Per step of the graph: unreadable list items and optional fields, blocks listed too late or not walked, lists that did not reach back to counted items, duplicate or excess series, and log lines that could not be written. All should be zero.',
      unit: COUNT,
    },
    '5m',
    [
      ...leftOut.map(([what, name]) => [`{{instance}} ${what}`, whole(lost(name))] as const),
      [
        '{{instance}} blocks of the index of {{source}}',
        whole(lost('index_acceptance_gaps_total', `${INSTANCE}, source`)),
      ],
    ],
  ),
  graph(
    {
      title: 'Unknown fields',
      description:
        'Fields of answers that stakewatch does not know, by operation. A new release of the upstream brings them; a newer stakewatch may read them. At level debug, the log names them.',
      unit: COUNT,
    },
    [['{{source}} {{operation}} {{network}}', `${one('network, source, operation', 'upstream_unknown_fields')} > 0`]],
  ),
  graph(
    {
      title: 'Duration of collectors',
      description: 'Duration of the slowest last run of each collector, which has to stay below its interval.',
      unit: SECONDS,
    },
    [['{{collector}} {{network}}', one('network, collector', 'collector_duration_seconds')]],
    { scale: 'log' },
  ),
]

const processes = [
  graph(
    {
      title: 'Requests to stakewatch',
      description:
        'HTTP requests per second to each instance, by handler and status (499: the client left or was cut off).',
      unit: REQUESTS_PER_SECOND,
    },
    [
      [
        '{{instance}} {{handler}} {{code}}',
        `sum by (job, instance, handler, code) (rate(${select('http_requests_total')}[$__rate_interval]))`,
      ],
    ],
    { columns: 8, isStacked: true },
  ),
  bars(
    {
      title: 'Jumps, restarts and failures',
      description:
        'Per step of the graph: clock jumps (the clock was set, or the machine slept or stopped), closed connections (unread and pipelined: misbehaving clients, crowded: too many clients), and storage failures. All should be zero.',
      unit: COUNT,
    },
    '5m',
    [
      ['{{instance}} clock {{direction}}', whole(lost('clock_jumps_total', `${INSTANCE}, direction`))],
      ['{{instance}} cut off: {{reason}}', whole(lost('http_connections_cut_total', `${INSTANCE}, reason`))],
      ['{{instance}} storage: {{reason}}', whole(lost('storage_failures_total', `${INSTANCE}, reason`))],
    ],
    8,
  ),
  timeline(
    {
      title: 'Configuration and storage',
      description:
        'Whether each instance accepted its configuration at the last read or kept the previous one, and whether it can write to its storage. While it cannot, counters are in memory alone.',
    },
    { 1: ['in order', 'green'], 0: ['FAILS', 'red'] },
    [
      ['{{instance}} configuration', least(INSTANCE, 'config_last_reload_successful')],
      ['{{instance}} storage', least(INSTANCE, 'storage_up')],
    ],
    { columns: 8 },
  ),
]

export const self = dashboard(
  {
    page: 'self',
    subjects: ['source', 'collector', 'target'],
    title: 'stakewatch itself',
    description: 'Whether the data on the other dashboards can be trusted.',
    texts,
  },
  ofNetwork,
  {
    'What needs attention': first,
    Upstreams: upstreams,
    Collectors: collectors,
    'The process': processes,
  },
)
