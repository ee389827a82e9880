// stakewatch itself: whether what stands above can be trusted.

import { graph, table, timeline } from '../panels.ts'
import { CHAIN, NODE, one, PLACE, RUN, select, WALLET } from '../select.ts'

const REQUESTS = 'stakewatch_upstream_requests_total'
const DURATION = 'stakewatch_upstream_request_duration_seconds_bucket'
const SINCE = `time() - ${select('stakewatch_collector_last_success_timestamp_seconds')}`
const INSTANCE = 'job, instance'
const run = (name: string) => `min by (${RUN}) (${select(name)})`

/** Metrics that other programs have as well: only of our own instances. */
const ours = (name: string) => `${select(name)} and on (${INSTANCE}) ${select('stakewatch_build_info')}`

const quantile = (of: number) =>
  `histogram_quantile(${of}, sum by (network, source, le) (rate(${select(DURATION)}[$__rate_interval])))`

const lost = (name: string) => `sum by (job, instance) (rate(${select(name)}[$__rate_interval]))`

const withheld = (collector: string, by: string) =>
  [`{{network}} ${collector}`, `sum by (network) (${one(by, `stakewatch_${collector}_chain_mismatch`)})`] as const

export const self = [
  table({
    text: {
      title: 'Collectors',
      description:
        'The last run of every collector on every target, failed ones first. Of TTL: age of its data as a share of its time to live; at 100 % its series vanish.',
    },
    height: 9,
    keys: [
      ['collector', 'Collector'],
      ['network', 'Network'],
      ['source', 'Source'],
      ['target', 'Target'],
    ],
    columns: [
      {
        title: 'Last run',
        expr: run('stakewatch_collector_success'),
        states: { 1: ['success', 'text'], 0: ['FAILED', 'red'] },
      },
      {
        title: 'Last success',
        expr: `max by (${RUN}) (${SINCE})`,
        unit: 's',
      },
      {
        title: 'Of TTL',
        expr: `max by (${RUN}) ((${SINCE}) / ${select('stakewatch_collector_ttl_seconds')})`,
        unit: 'percentunit',
        marks: ['text', [0.7, 'orange'], [1, 'red']],
      },
      { title: 'Every', expr: run('stakewatch_collector_interval_seconds'), unit: 's' },
      { title: 'Took', expr: one(RUN, 'stakewatch_collector_duration_seconds'), unit: 's' },
      { title: 'Series', expr: one(RUN, 'stakewatch_collector_series') },
    ],
    sortBy: ['Last run'],
  }),
  table({
    text: {
      title: 'Expectations known',
      description:
        'Whether what the configuration declares is known to be so or not, unknown ones first. No alert about an unknown one can fire: the collector that reads the thing fails, or no upstream supports it.',
    },
    height: 6,
    keys: [
      ['network', 'Network'],
      ['subnet', 'Subnet'],
      ['validator', 'Validator'],
      ['chain', 'Chain'],
      ['address', 'Wallet'],
      ['expectation', 'Expectation'],
    ],
    columns: [
      {
        title: 'Known',
        expr: ['validator', 'chain', 'address']
          .map((of) => `min without (job, instance) (${select(`stakewatch_${of}_expectation_known`)})`)
          .join(' or '),
        states: { 1: ['known', 'text'], 0: ['UNKNOWN', 'red'] },
      },
    ],
    sortBy: ['Known'],
  }),
  timeline(
    {
      title: 'Upstreams',
      description: 'Whether the last request to each node and service got a valid answer of its protocol.',
    },
    12,
    { 1: ['up', 'green'], 0: ['down', 'red'] },
    [['{{network}} {{source}}', `min by (network, source) (${select('stakewatch_upstream_up')})`]],
  ),
  timeline(
    {
      title: 'Not asked',
      description:
        'Operations that are left alone because they failed again and again, and upstreams that refuse who asks (HTTP 401 or 403). Now and then one request finds out whether they are back.',
    },
    12,
    { 1: ['not asked', 'red'], 0: ['asked', 'green'] },
    [
      [
        '{{network}} {{source}} {{operation}}',
        `max by (network, source, operation) (${select('stakewatch_upstream_circuit_open')})`,
      ],
      ['{{network}} {{source}} credentials', `max by (network, source) (${select('stakewatch_upstream_refusing')})`],
    ],
  ),
  graph(
    {
      title: 'Budget left',
      description:
        'Request units that are left of what may be spent in a minute and in a day. At zero requests wait, collectors run less often, and what is not essential fails.',
      unit: 'percentunit',
    },
    12,
    [
      [
        '{{network}} {{source}} {{window}}',
        `min by (network, source, window) (${select('stakewatch_upstream_budget_remaining_units')} / ${select('stakewatch_upstream_budget_units')})`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Credits of the data service used',
      description:
        'Credits that all who share the configured key used on the newest day that the data service tells of, and those that went to invalid requests. Budget left, in units, is what stakewatch itself has left.',
      unit: 'short',
    },
    12,
    [['{{network}} {{credits}}', one('network, credits', 'stakewatch_data_usage_credits')]],
  ).min(0),
  graph(
    {
      title: 'Requests to the data service by key',
      description:
        'Requests of all who share the configured key on the newest day that the data service tells of, and those that were invalid; and the age of the beginning of that day, in hours.',
      unit: 'short',
    },
    12,
    [
      ['{{network}} {{requests}}', one('network, requests', 'stakewatch_data_usage_requests')],
      ['{{network}} hours', `(time() - ${one('network', 'stakewatch_data_usage_timestamp_seconds')}) / 3600`],
    ],
  ).min(0),
  graph(
    {
      title: 'Requests not sent',
      description:
        'Requests per second that were needed and not sent: the circuit was open, or the budget had no room. All should be zero.',
      unit: 'reqps',
    },
    12,
    [
      [
        '{{network}} {{source}} {{code}}',
        `sum by (network, source, code) (rate(${select('stakewatch_upstream_requests_unsent_total')}[$__rate_interval]))`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Requests that were too many',
      description:
        'Share of the requests to each upstream that it answered with HTTP 429: it wants to be asked less often.',
      unit: 'percentunit',
    },
    12,
    [
      [
        '{{network}} {{source}}',
        `sum by (network, source) (rate(${select('stakewatch_upstream_rate_limited_total')}[$__rate_interval])) / sum by (network, source) (rate(${select(REQUESTS)}[$__rate_interval]))`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Requests by outcome',
      description: 'Requests per second to the upstreams by outcome: ok, or the code of the error.',
      unit: 'reqps',
    },
    12,
    [
      [
        '{{network}} {{source}} {{code}}',
        `sum by (network, source, code) (rate(${select(REQUESTS)}[$__rate_interval])) > 0`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Latency of the upstreams',
      description: 'Time from asking to the last byte of the answer, retries and waiting in line included.',
      unit: 's',
    },
    12,
    [
      ['{{network}} {{source}} p50', quantile(0.5)],
      ['{{network}} {{source}} p99', quantile(0.99)],
    ],
  ).min(0),
  graph(
    {
      title: 'Duration of collectors',
      description: 'How long the slowest last run of each collector took. It has to stay below its interval.',
      unit: 's',
    },
    12,
    [['{{network}} {{collector}}', one('network, collector', 'stakewatch_collector_duration_seconds')]],
  ).min(0),
  graph(
    {
      title: 'Runs that did not succeed',
      description:
        'Runs per second that failed, or were skipped because the one before was still going on. The table Collectors names them.',
      unit: 'ops',
    },
    8,
    [
      [
        '{{network}} {{result}}',
        `sum by (network, result) (rate(${select('stakewatch_collector_runs_total', 'result=~"failure|skipped"')}[$__rate_interval]))`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Series',
      description: 'Series that each collector published, over all its targets: what Prometheus has to keep.',
      unit: 'none',
    },
    8,
    [['{{network}} {{collector}}', `sum by (network, collector) (${one(RUN, 'stakewatch_collector_series')})`]],
  ).min(0),
  graph(
    {
      title: 'Left out',
      description:
        'Per second: items of lists and optional fields that did not have the documented form, blocks that were not listed in time or not walked, lists that did not reach back to what was counted before, series produced twice or too many, log lines that could not be written. All should be zero.',
      unit: 'ops',
    },
    8,
    [
      ['{{instance}} items', lost('stakewatch_upstream_items_dropped_total')],
      ['{{instance}} fields', lost('stakewatch_upstream_fields_dropped_total')],
      ['{{instance}} blocks', lost('stakewatch_chain_blocks_missed_total')],
      ['{{instance}} EVM blocks', lost('stakewatch_evm_blocks_missed_total')],
      ['{{instance}} EVM blocks walked', lost('stakewatch_evm_transactions_blocks_missed_total')],
      ['{{instance}} rewards', lost('stakewatch_rewards_gaps_total')],
      ['{{instance}} transactions', lost('stakewatch_address_transactions_gaps_total')],
      ['{{instance}} ERC-20 transfers', lost('stakewatch_erc20_transfer_gaps_total')],
      ['{{instance}} series', lost('stakewatch_series_dropped_total')],
      ['{{instance}} log lines', lost('stakewatch_log_lines_dropped_total')],
    ],
  ).min(0),
  graph(
    {
      title: 'Refused answers',
      description:
        'Answers per second that were not believed, by reason: older than one already seen, most often those of a replica that lags, or something that cannot be true. When three agree, most are believed.',
      unit: 'ops',
    },
    8,
    [
      [
        '{{network}} {{source}} {{reason}}',
        `sum by (${NODE}, reason) (rate(${select('stakewatch_upstream_answers_refused_total')}[$__rate_interval]))`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Answers of another chain',
      description:
        'Answers that named another chain or network than the one asked for and so are withheld, by collector: an upstream that is wired wrongly. All should be zero.',
      unit: 'none',
    },
    8,
    [
      withheld('primary_blocks', CHAIN),
      withheld('balances', PLACE),
      withheld('utxos', CHAIN),
      withheld('stakes', WALLET),
      withheld('transactions', PLACE),
    ],
  ).min(0),
  graph(
    {
      title: 'Requests to stakewatch',
      description:
        'HTTP requests per second to each instance, by what was asked for and by status (499: the client left or was cut off), and connections that it closed itself: unread and pipelined are rude clients, crowded means that there are too many.',
      unit: 'reqps',
    },
    8,
    [
      [
        '{{instance}} {{handler}} {{code}}',
        `sum by (job, instance, handler, code) (rate(${select('stakewatch_http_requests_total')}[$__rate_interval]))`,
      ],
      [
        '{{instance}} cut off: {{reason}}',
        `sum by (job, instance, reason) (rate(${select('stakewatch_http_connections_cut_total')}[$__rate_interval]))`,
      ],
    ],
  ).min(0),
  graph(
    {
      title: 'Jumps and restarts',
      description:
        'How often a clock jumped (it was set, or the machine slept or stood still), and what polls ran out of memory and was started again. Both should be zero.',
      unit: 'none',
    },
    8,
    [
      [
        '{{instance}} clock {{direction}}',
        `sum by (job, instance, direction) (increase(${select('stakewatch_clock_jumps_total')}[$__rate_interval]))`,
      ],
      [
        '{{instance}} restarts',
        `sum by (job, instance) (increase(${select('stakewatch_poller_restarts_total')}[$__rate_interval]))`,
      ],
    ],
  ).min(0),
  timeline(
    {
      title: 'Storage',
      description:
        'Whether each instance that has a storage can write what it counts to it. While it cannot, that is in memory alone.',
    },
    8,
    { 1: ['written', 'green'], 0: ['in memory', 'red'] },
    [['{{instance}}', `min by (${INSTANCE}) (${select('stakewatch_storage_up')})`]],
  ),
  graph(
    {
      title: 'Time since the last write',
      description:
        'How long ago each instance last wrote to its storage. It is written when something was counted, so it grows while nothing happens, and while the storage does not work.',
      unit: 's',
    },
    8,
    [['{{instance}}', `time() - min by (${INSTANCE}) (${select('stakewatch_storage_last_commit_timestamp_seconds')})`]],
  ).min(0),
  graph(
    {
      title: 'Failures of the storage',
      description:
        'Per second, how often the storage could not be opened, read or written, by reason. All should be zero.',
      unit: 'ops',
    },
    8,
    [
      [
        '{{instance}} {{reason}}',
        `sum by (${INSTANCE}, reason) (rate(${select('stakewatch_storage_failures_total')}[$__rate_interval])) > 0`,
      ],
    ],
  ).min(0),
  table({
    text: {
      title: 'Instances',
      description:
        'Every scraped instance of stakewatch. Loop lag: how late its timers fire, at the 99th percentile; above a tenth of a second it is overloaded.',
    },
    height: 5,
    keys: [
      ['instance', 'Instance'],
      ['job', 'Job'],
      ['version', 'Version'],
      ['node_version', 'Node'],
    ],
    columns: [
      {
        title: 'Running',
        expr: `max by (${INSTANCE}, version, node_version) (${select('stakewatch_build_info')})`,
        states: { 1: ['yes', 'text'] },
      },
      {
        title: 'Configuration',
        expr: one(INSTANCE, 'stakewatch_config_last_reload_successful'),
        states: { 1: ['as on disk', 'text'], 0: ['REFUSED', 'red'] },
      },
      {
        title: 'Loaded',
        expr: `time() - ${one(INSTANCE, 'stakewatch_config_last_reload_success_timestamp_seconds')}`,
        unit: 's',
      },
      {
        title: 'Scheduler',
        expr: one(INSTANCE, 'stakewatch_scheduler_stalled'),
        states: { 0: ['ticks', 'text'], 1: ['STANDS STILL', 'red'] },
      },
      { title: 'Up for', expr: `max by (${INSTANCE}) (time() - (${ours('process_start_time_seconds')}))`, unit: 's' },
      { title: 'Memory', expr: `max by (${INSTANCE}) (${ours('process_resident_memory_bytes')})`, unit: 'bytes' },
      {
        title: 'Loop lag',
        expr: `max by (${INSTANCE}) (${ours('nodejs_eventloop_lag_p99_seconds')})`,
        unit: 's',
        marks: ['text', [0.1, 'orange']],
      },
    ],
    sortBy: ['Instance'],
  }),
]
