// stakewatch itself: whether the other pages can be believed.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { dashboard } from '../dashboard.ts'
import { toPanel } from '../links.ts'
import { bars, graph, RATHER_NONE, tile, timeline } from '../panels.ts'
import { CHAIN, NODE, ofNetwork, PLACE, RUN, WALLET, whole } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { BYTES, COUNT, REQUESTS_PER_SECOND, SECONDS, SHARE } from '../units.ts'
import { instances, oldestData, polled, runsFailing, upstreamsDown } from './tiles.ts'

const { least, one, select } = ofNetwork
const INSTANCE = 'job, instance'
const SINCE = `time() - ${select('collector_last_success_timestamp_seconds')}`
const UPSTREAM = '{{network}} {{source}}'
const run = (name: string) => least(RUN, name)
const info = `max by (${INSTANCE}, version, node_version) (${select('build_info')})`
const ofInstance = (expr: string) => `(${expr}) * on (${INSTANCE}) group_left (version, node_version) ${info}`

/** Metrics that other programs have as well: only of our own instances. */
const ours = (name: string) => `max by (${INSTANCE}) (${select(name)} and on (${INSTANCE}) ${select('build_info')})`

const quantile = (of: number) =>
  `histogram_quantile(${of}, sum by (network, source, le) (rate(${select('upstream_request_duration_seconds_bucket')}[$__rate_interval])))`

const lost = (name: string, by = INSTANCE) => `sum by (${by}) (increase(${select(name)}[$__interval]))`

const withheld = (collector: string, by: string) =>
  [`{{network}} ${collector}`, `sum by (network) (${one(by, `${collector}_chain_mismatch`)})`] as const

/** What is left out of counters, by name. */
const leftOut = [
  ['items', 'upstream_items_dropped_total'],
  ['fields', 'upstream_fields_dropped_total'],
  ['blocks', 'chain_blocks_missed_total'],
  ['EVM blocks', 'evm_blocks_missed_total'],
  ['EVM blocks walked', 'evm_transactions_blocks_missed_total'],
  ['rewards', 'rewards_gaps_total'],
  ['transactions', 'address_transactions_gaps_total'],
  ['ERC-20 transfers', 'erc20_transfer_gaps_total'],
  ['series', 'series_dropped_total'],
  ['log lines', 'log_lines_dropped_total'],
] as const
const dropped = `sum(${leftOut.map(([, name]) => `label_replace(sum(increase(${select(name)}[$__range])), "of", "${name}", "", "")`).join(' or ')})`

const budgetLeft = `min by (network, source, window) (${select('upstream_budget_remaining_units')} / ${select('upstream_budget_units')})`

const first = [
  instances(ofNetwork),
  upstreamsDown(ofNetwork),
  runsFailing(ofNetwork),
  oldestData(ofNetwork),
  tile(
    {
      title: 'Least budget',
      description: 'Share that is left of what may be asked of an upstream in a day, of the one that has least.',
      unit: SHARE,
    },
    {
      expr: `bottomk(1, min by (network, source) ((${polled(ofNetwork, 'upstream_budget_remaining_units', 'window="day"')}) / ${select('upstream_budget_units', 'window="day"')}))`,
      marks: ['red', [thresholds.budgetLeft, 'green']],
      legend: UPSTREAM,
      to: toPanel('self', 'Budget left', 'network'),
    },
  ),
  tile(
    {
      title: 'Left out',
      description:
        'Items, fields, blocks and series that were left out in the time shown: an upstream sent them in a form that is not documented, or not in time.',
      unit: COUNT,
    },
    { expr: whole(dropped), marks: RATHER_NONE, to: toPanel('self', 'What was left out') },
  ),
  table({
    text: {
      title: 'Instances of stakewatch',
      description:
        'Every scraped instance. Loop lag: how late its timers fire, at the 99th percentile; above a tenth of a second it is overloaded. Written: how long ago it last wrote to its storage, where it has one. Shard: which part of the configuration it has, from 0; each has to be there, and as often as the others.',
    },
    height: 5,
    keys: [
      { label: 'instance', title: 'Instance' },
      { label: 'job', title: 'Job' },
      { label: 'version', title: 'Version', letters: 9 },
      { label: 'node_version', title: 'Node', letters: 9 },
    ],
    rows: info,
    columns: [
      { title: 'Shard', expr: ofInstance(one(INSTANCE, 'shard_ordinal')), unit: COUNT },
      {
        title: 'Configuration',
        expr: ofInstance(one(INSTANCE, 'config_last_reload_successful')),
        states: { 1: ['as on disk', 'text'], 0: ['REFUSED', 'red'] },
      },
      {
        title: 'Loaded',
        expr: ofInstance(`time() - ${one(INSTANCE, 'config_last_reload_success_timestamp_seconds')}`),
        unit: SECONDS,
      },
      {
        title: 'Scheduler',
        expr: ofInstance(one(INSTANCE, 'scheduler_stalled')),
        states: { 0: ['ticks', 'text'], 1: ['STANDS STILL', 'red'] },
      },
      { title: 'Up for', expr: ofInstance(`time() - ${ours('process_start_time_seconds')}`), unit: SECONDS },
      { title: 'Memory', expr: ofInstance(ours('process_resident_memory_bytes')), unit: BYTES },
      {
        title: 'Loop lag',
        expr: ofInstance(ours('nodejs_eventloop_lag_p99_seconds')),
        unit: SECONDS,
        // Without any delay it is 0.05.
        marks: ['text', [0.15, 'orange']],
      },
      {
        title: 'Written',
        expr: ofInstance(`time() - ${least(INSTANCE, 'storage_last_commit_timestamp_seconds')}`),
        unit: SECONDS,
      },
    ],
    sortBy: ['Instance'],
  }),
  table({
    text: {
      title: 'Collectors',
      description:
        'The last run of every collector on every target, failed ones first. Of TTL: age of its data as a share of its time to live; at 100 % its series vanish.',
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
        expr: `max by (${RUN}) ((${SINCE}) / ${select('collector_ttl_seconds')})`,
        unit: SHARE,
        marks: ['text', [0.7, 'orange'], [1, 'red']],
      },
      { title: 'Every', expr: run('collector_interval_seconds'), unit: SECONDS },
      { title: 'Took', expr: one(RUN, 'collector_duration_seconds'), unit: SECONDS },
      { title: 'Series', expr: one(RUN, 'collector_series'), unit: COUNT },
    ],
    sortBy: ['Last run'],
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
        'Operations that are left alone because they failed again and again, and upstreams that refuse who asks (HTTP 401 or 403). Now and then one request finds out whether they are back.',
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
        'By how much the clock of stakewatch is ahead of the clock of each upstream, from the Date of its answers. Where most agree, it is our clock that is wrong.',
      unit: SECONDS,
    },
    [[UPSTREAM, one(NODE, 'upstream_clock_offset_seconds')]],
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
      description:
        'Share of the requests to each upstream that it answered with HTTP 429: it wants to be asked less often.',
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
      description: 'Time from asking to the last byte of the answer, retries and waiting in line included.',
      unit: SECONDS,
    },
    [
      [`${UPSTREAM} p50`, quantile(0.5)],
      [`${UPSTREAM} p99`, quantile(0.99)],
    ],
    { isLog: true },
  ),
  graph(
    {
      title: 'Budget left',
      description:
        'Request units that are left of what may be spent in a minute and in a day. At zero requests wait, collectors run less often, and what is not essential fails.',
      unit: SHARE,
    },
    [[`${UPSTREAM} {{window}}`, budgetLeft]],
    { isBadWhenLow: true, limits: [[thresholds.budgetLeft, 'red']] },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Requests to the data service by key',
      description:
        'Credits and requests of all who share the configured key on the newest day that the data service tells of, those that were wasted, and how many days ago that day began. Budget left, in units, is what stakewatch itself has left.',
      unit: COUNT,
    },
    [
      ['{{network}} credits {{credits}}', one('network, credits', 'data_usage_credits')],
      ['{{network}} requests {{requests}}', one('network, requests', 'data_usage_requests')],
      ['{{network}} days ago', `(time() - ${one('network', 'data_usage_timestamp_seconds')}) / 86400`],
    ],
    { isLog: true },
  ),
  bars(
    {
      title: 'Requests not sent',
      description:
        'Requests that were needed and not sent, in each step of the graph: by reason: the circuit was open (circuit_open), the budget was used up (over_budget), too many were in flight (busy), or the upstream asked for a pause (paused). All should be zero.',
      unit: COUNT,
    },
    '5m',
    [[`${UPSTREAM} {{code}}`, whole(lost('upstream_requests_unsent_total', 'network, source, code'))]],
  ),
  bars(
    {
      title: 'Refused answers',
      description:
        'Answers that were not believed, in each step of the graph, by reason: older than one already seen, most often those of a replica that lags, or something that cannot be true. When three agree, most are believed.',
      unit: COUNT,
    },
    '5m',
    [[`${UPSTREAM} {{reason}}`, whole(lost('upstream_answers_refused_total', `${NODE}, reason`))]],
  ),
  graph(
    {
      title: 'Answers of another chain',
      description:
        'Answers that named another chain or network than the one asked for and so are withheld, by collector: an upstream that is wired wrongly. All should be zero.',
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
    .decimals(0),
]

const collectors = [
  table({
    text: {
      title: 'Expectations known',
      description:
        'Whether what the configuration declares is known to be so or not, unknown ones first. No alert about an unknown one can fire: the collector that reads the thing fails, or no upstream supports it.',
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
    rows: ['validator', 'chain', 'address']
      .map((of) => `min without (job, instance) (${select(`${of}_expectation_known`)})`)
      .join(' or '),
    columns: [
      {
        title: 'Known',
        expr: ['validator', 'chain', 'address']
          .map((of) => `min without (job, instance) (${select(`${of}_expectation_known`)})`)
          .join(' or '),
        states: { 1: ['known', 'text'], 0: ['UNKNOWN', 'red'] },
      },
    ],
    sortBy: ['Known'],
  }),
  bars(
    {
      title: 'Runs that did not succeed',
      description:
        'Runs that failed, or were skipped because the one before was still going on, in each step of the graph. The table Collectors names them.',
      unit: COUNT,
    },
    '5m',
    [
      [
        '{{network}} {{result}}',
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
        'In each step of the graph: items of lists and optional fields that did not have the documented form, blocks that were not listed in time or not walked, lists that did not reach back to what was counted before, series produced twice or too many, log lines that could not be written. All should be zero.',
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
      title: 'Duration of collectors',
      description: 'How long the slowest last run of each collector took. It has to stay below its interval.',
      unit: SECONDS,
    },
    [['{{network}} {{collector}}', one('network, collector', 'collector_duration_seconds')]],
    { isLog: true },
  ),
]

const processes = [
  graph(
    {
      title: 'Requests to stakewatch',
      description:
        'HTTP requests per second to each instance, by what was asked for and by status (499: the client left or was cut off).',
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
        'In each step of the graph: how often a clock jumped (it was set, or the machine slept or stood still), what polls ran out of memory and was started again, a connection was closed (unread and pipelined are rude clients, crowded means that there are too many), the storage could not be used. All should be zero.',
      unit: COUNT,
    },
    '5m',
    [
      ['{{instance}} clock {{direction}}', whole(lost('clock_jumps_total', `${INSTANCE}, direction`))],
      ['{{instance}} restarts', whole(lost('poller_restarts_total'))],
      ['{{instance}} cut off: {{reason}}', whole(lost('http_connections_cut_total', `${INSTANCE}, reason`))],
      ['{{instance}} storage: {{reason}}', whole(lost('storage_failures_total', `${INSTANCE}, reason`))],
    ],
    8,
  ),
  timeline(
    {
      title: 'Configuration and storage',
      description:
        'Whether each instance took its configuration when it last read it, or refused it and goes on with the one before; and whether one that has a storage can write what it counts to it. While it cannot, that is in memory alone.',
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
    description: 'Whether the other dashboards can be believed.',
  },
  ofNetwork,
  {
    'What needs attention': first,
    Upstreams: upstreams,
    Collectors: collectors,
    'The process': processes,
  },
)
