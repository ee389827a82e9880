// A whole chain of monitoring without a network: what healthy programs answer to the commands, by the kind of the answer.

import { DRILL } from '../../../src/alerts/self.ts'

/** 03:20 on the first day of a month, so that a report has three hours (seconds since the epoch). */
export const NOW = Date.UTC(2026, 5, 1, 3, 20) / 1_000
export const NODE_ID = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const BEGAN = '1780284000123'
const JOB = { job: 'stakewatch', instance: 'watch-1:19650' }
const VALIDATOR = { network: 'fuji', subnet: 'primary', node_id: NODE_ID, validator: 'val-1' }

export interface Asked {
  method: string
  path: string
  query: string
  /** Of a request for a range. */
  times: readonly number[]
  /** How far a drill has come. */
  drill: 'none' | 'on' | 'over'
}

/** Text as it stands, or a value that is sent as JSON. */
type Good = (asked: Asked) => unknown

export interface Kind {
  /** As "answer of NAME". */
  name: string
  port: 9090 | 9093 | 3000 | 19_650
  path: RegExp
  method?: 'GET' | 'POST' | 'DELETE'
  /** What the query has to match. */
  query?: RegExp
  good: Good
}

const success = (data: unknown) => ({ status: 'success', data })
const vector = (...metrics: object[]) =>
  success({ resultType: 'vector', result: metrics.map((metric) => ({ metric, value: [NOW, '1'] })) })
const rule = (name: string, query: string, more: object = {}) => ({
  type: 'alerting',
  name,
  query,
  duration: 120,
  keepFiringFor: 600,
  labels: { severity: 'critical' },
  annotations: { dashboard_url: 'http://grafana:3000/d/stakewatch-validators' },
  health: 'ok',
  lastError: '',
  ...more,
})

function instant({ query, drill }: Asked): unknown {
  if (query.includes('ALERTS'))
    return drill === 'on' && !query.includes('over_time') ? vector({ began: BEGAN }) : vector()
  if (query.includes('stakewatch_drill')) return drill === 'on' ? vector({ began: BEGAN }) : vector()
  if (query.startsWith('topk')) return vector({ __name__: 'stakewatch_validator_tracked', ...JOB, ...VALIDATOR })
  return vector({ __name__: 'stakewatch_build_info', ...JOB, version: '0.0.0' })
}

function range({ query, times }: Asked): unknown {
  const result = (metric: object, value = '1') => ({ metric, values: times.map((time) => [time, value]) })
  const alert = { alertname: 'StakewatchDown', alertstate: 'firing', severity: 'critical', ...JOB, network: 'fuji' }
  const all = query.includes('ALERTS')
    ? [result(alert), result({ ...alert, alertname: 'StakewatchWatchdog', severity: 'none' })]
    : [result({ ...JOB, ...VALIDATOR, source: 'node-a', state: 'safe', currency: 'usd', address: 'vault' })]
  return success({ resultType: 'matrix', result: all })
}

const metricsOf = (samples: Readonly<Record<string, number | string>>) =>
  `# HELP a of\n${Object.entries(samples)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('')}`

export const ROUTES = `route:
  receiver: team
  group_by: [job, alertname]
  group_wait: 30s
  repeat_interval: 1w
  routes:
    - matchers: ['severity="critical"', 'source!~"a|b"', 'alertname=~"Stakewatch.{2,40}"']
      receiver: pager
      mute_time_intervals: [night]
      continue: true
    - match_re: { alertname: Stakewatch(Watchdog) }
      match: { job: stakewatch }
      receiver: dead
      routes: [{ matchers: ['alertname=~"("', 'a="\\x41\\u0042\\U0001F600\\U00ffffff\\n\\q"', 'b=c'] }]
inhibit_rules:
  - source_matchers: [alertname="A"]
    target_matchers: [severity="warning"]
    equal: [job]
receivers:
  - name: team
    webhook_configs: [{ url: http://127.0.0.1/hook }]
    other_configs: none
  - name: pager
    pagerduty_configs: [{ routing_key: <secret>, url: https://example.org/UUID }]
  - name: dead
    webhook_configs: [{ url: https://dead.example.net }]
`

const PROMETHEUS_YAML = `global:
  scrape_interval: 30s
  external_labels: { replica: a, site: b }
alerting:
  alert_relabel_configs: [{ action: labeldrop, regex: rep.*, source_labels: [a] }]
  alertmanagers: [{ static_configs: [{ targets: [alertmanager:9093] }] }]
scrape_configs:
  - job_name: stakewatch
    sample_limit: 1
    honor_labels: false
    metric_relabel_configs: [{ action: drop, source_labels: [__name__], regex: 'x.*', target_label: y }]
`

const silences = [
  {
    id: 'a1b2-3',
    status: { state: 'active' },
    matchers: [
      { name: 'alertname', value: 'Stakewatch.*', isRegex: true, isEqual: true },
      { name: 'node_id', value: NODE_ID, isRegex: false },
      { name: 'source', value: 'data-api', isRegex: false, isEqual: false },
      { name: 'chain', value: '.+', isRegex: true, isEqual: false },
    ],
    startsAt: '2026-06-01T03:00:00.000Z',
    endsAt: '2026-06-01T05:00:00.000Z',
    createdBy: 'stakewatch',
    comment: 'new disk',
  },
]
const sent = (drill: Asked['drill']) => ({
  fingerprint: 'f',
  labels: { alertname: drill === 'on' ? DRILL : 'StakewatchWatchdog', began: BEGAN, severity: 'critical', ...JOB },
  receivers: [{ name: 'pager' }],
  status: { state: 'active', silencedBy: [], inhibitedBy: [] },
})

const dashboard = {
  dashboard: {
    uid: 'stakewatch-validators',
    title: 'a',
    panels: [{ title: 'b', targets: [{ expr: 'up' }], panels: [{ title: 'c', targets: [{ expr: 'down' }] }] }],
    templating: {
      list: [
        { name: 'job', type: 'query', query: 'label_values(stakewatch_build_info{job="$x"}, job)' },
        { name: 'source', type: 'datasource', current: { value: 'gone' } },
      ],
    },
  },
}

const daemonMetrics = ({ drill }: Asked) =>
  metricsOf({
    'stakewatch_build_info{version="0.0.1"}': 1,
    process_start_time_seconds: 1.7e9,
    stakewatch_config_last_reload_successful: 0,
    stakewatch_config_last_reload_success_timestamp_seconds: '1.7e+09',
    [`stakewatch_validator_tracked{network="fuji",subnet="primary",node_id="${NODE_ID}",validator="val-1"}`]: 1,
    [`stakewatch_validator_may_stop_seconds{network="fuji",subnet="primary",node_id="${NODE_ID}",validator="val-1"}`]: 3_000,
    'stakewatch_upstream_budget_units{network="fuji",source="data-api",window="day"}': 100,
    'stakewatch_upstream_budget_remaining_units{network="fuji",source="data-api",window="day"}': 1,
    ...(drill === 'on' && { [`stakewatch_drill{began="${BEGAN}"}`]: 1 }),
  })

/** The first that fits an address is its kind. */
export const kinds: readonly Kind[] = [
  {
    name: 'Prometheus: its time',
    port: 9090,
    path: /\/query\?query=time/,
    good: () => success({ resultType: 'scalar', result: [NOW, String(NOW)] }),
  },
  {
    name: 'Prometheus: samples',
    port: 9090,
    path: /\/api\/v1\/query$/,
    query: /\[1h\]$/,
    good: () =>
      success({
        resultType: 'matrix',
        result: ['', '_failed'].map((what) => ({
          metric: { __name__: `alertmanager_notification_requests${what}_total`, integration: 'webhook' },
          values: [
            [NOW - 600, '0'],
            [NOW - 60, '1'],
          ],
        })),
      }),
  },
  { name: 'Prometheus: a query', port: 9090, path: /\/api\/v1\/query$/, good: instant },
  { name: 'Prometheus: a query for a range', port: 9090, path: /query_range$/, good: range },
  {
    name: 'Prometheus: rules',
    port: 9090,
    path: /\/rules$/,
    good: () =>
      success({
        groups: [
          {
            name: 'stakewatch-self',
            file: 'a.yml',
            interval: 3_600,
            evaluationTime: 4_000,
            rules: [
              rule('StakewatchDown', 'absent(up{job="stakewatch"})'),
              rule(DRILL, 'stakewatch_drill', { health: 'err', lastError: 'duplicate' }),
              {
                type: 'recording',
                name: 'instance:stakewatch_condition_value:held',
                query: 'up',
                labels: {},
                health: 'ok',
              },
            ],
          },
        ],
      }),
  },
  {
    name: 'Prometheus: targets',
    port: 9090,
    path: /\/targets\?/,
    good: () =>
      success({
        activeTargets: [
          {
            labels: JOB,
            scrapePool: 'stakewatch',
            scrapeUrl: 'http://watch-1:19650/metrics',
            lastError: '',
            health: 'up',
            scrapeInterval: '30s',
            scrapeTimeout: '10s',
          },
          {
            labels: { job: 'stakewatch', instance: 'watch-2:19650' },
            scrapePool: 'stakewatch',
            scrapeUrl: 'http://watch-2:19650/metrics',
            lastError: 'Get "http://a:b@watch-2:19650/metrics": connection refused',
            health: 'down',
            scrapeInterval: '5m',
          },
        ],
      }),
  },
  {
    name: 'Prometheus: Alertmanagers',
    port: 9090,
    path: /\/alertmanagers$/,
    good: () => success({ activeAlertmanagers: [{ url: 'http://alertmanager:9093/api/v2/alerts' }] }),
  },
  {
    name: 'Prometheus: flags',
    port: 9090,
    path: /\/flags$/,
    good: () => success({ 'rules.alert.for-grace-period': '10m' }),
  },
  {
    name: 'Prometheus: configuration',
    port: 9090,
    path: /\/status\/config$/,
    good: () => success({ yaml: PROMETHEUS_YAML }),
  },
  {
    name: 'Prometheus: runtime',
    port: 9090,
    path: /\/runtimeinfo$/,
    good: () => success({ reloadConfigSuccess: false, storageRetention: '1h or 512MB' }),
  },
  { name: 'Prometheus: label values', port: 9090, path: /\/label\//, good: () => success(['stakewatch']) },
  {
    name: 'Prometheus: metrics',
    port: 9090,
    path: /^\/metrics$/,
    good: () =>
      metricsOf({
        'prometheus_notifications_errors_total{alertmanager="http://alertmanager:9093/api/v2/alerts"}': 3,
        'prometheus_notifications_latency_seconds_count{alertmanager="http://alertmanager:9093/api/v2/alerts"}': 3,
      }),
  },
  {
    name: 'Alertmanager: configuration',
    port: 9093,
    path: /\/api\/v2\/status$/,
    good: () => ({ config: { original: ROUTES } }),
  },
  { name: 'Alertmanager: alerts', port: 9093, path: /\/alerts$/, good: () => [sent('none')] },
  {
    name: 'Alertmanager: groups',
    port: 9093,
    path: /\/alerts\/groups$/,
    good: ({ drill }) => (drill === 'on' ? [{ alerts: [sent('on')] }] : []),
  },
  { name: 'Alertmanager: silences', port: 9093, path: /\/silences$/, method: 'GET', good: () => silences },
  {
    name: 'Alertmanager: a new silence',
    port: 9093,
    path: /\/silences$/,
    method: 'POST',
    good: () => ({ silenceID: 'a1b2-4' }),
  },
  { name: 'Alertmanager: an ended silence', port: 9093, path: /\/silence\//, method: 'DELETE', good: () => '' },
  {
    name: 'Alertmanager: metrics',
    port: 9093,
    path: /^\/metrics$/,
    good: ({ drill }) =>
      metricsOf({
        alertmanager_config_last_reload_successful: 0,
        alertmanager_config_last_reload_success_timestamp_seconds: NOW - 7_200,
        'alertmanager_notification_requests_total{integration="webhook"}': 2,
        'alertmanager_notification_requests_total{integration="pagerduty"}': drill === 'none' ? 1 : 2,
        'alertmanager_notification_requests_failed_total{integration="webhook"}': 2,
      }),
  },
  { name: 'Grafana: health', port: 3000, path: /\/health$/, good: () => ({ database: 'ok' }) },
  {
    name: 'Grafana: settings',
    port: 3000,
    path: /\/settings$/,
    good: () => ({
      appUrl: 'http://localhost:3000/',
      datasources: {
        a: {
          uid: 'p',
          type: 'prometheus',
          name: 'a',
          isDefault: true,
          jsonData: { timeInterval: '5s', directUrl: 'http://prometheus:9090' },
        },
        b: { uid: 'q', type: 'loki', name: 'b' },
      },
    }),
  },
  { name: 'Grafana: dashboards', port: 3000, path: /\/dashboards\/uid\//, good: () => dashboard },
  { name: 'the daemon: ready', port: 19_650, path: /\/-\/ready$/, good: () => 'stakewatch is ready\n' },
  { name: 'the daemon: metrics', port: 19_650, path: /^\/metrics$/, good: daemonMetrics },
  {
    name: 'the daemon: a drill',
    port: 19_650,
    path: /\/-\/drill\?/,
    method: 'POST',
    good: () => ({ began: BEGAN, seconds: 300, telemetry_path: '/metrics' }),
  },
  { name: 'the daemon: the end of a drill', port: 19_650, path: /\/-\/drill$/, method: 'DELETE', good: () => '' },
]
