// Prometheus itself: its clock, what it keeps, and where it sends alerts.

import { listed } from '../../../lib/figures.ts'
import { rulesOf } from '../../../alerts/rules.ts'
import { formatDuration, parseDuration } from '../../../lib/duration.ts'
import { greatest } from '../../../lib/statistics.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { Series } from '../../../metrics/read-exposition.ts'
import { lengthOf } from '../../monitoring/foreign.ts'
import type { Relabelling } from '../../monitoring/prometheus.ts'
import { isMatch } from '../../monitoring/routes.ts'
import { check, fact, failed, type Gate, note, ok, type Result, unknown, unlessOk, warning } from '../check.ts'
import { answers, prometheusConfig } from '../facts.ts'
import { shownOf } from './prometheus-scrapes.ts'

const times = fact('prometheus', async (prometheus) => {
  const before = Date.now()
  return { its: 1_000 * (await prometheus.time()), ours: (before + Date.now()) / 2 }
})
const runtime = fact('prometheus', (prometheus) => prometheus.runtime())
const metrics = fact('prometheus', (prometheus) => prometheus.metrics())
const receivers = fact('prometheus', (prometheus) => prometheus.alertmanagers())

export const prometheusGate: Gate = {
  name: 'prometheus/answers',
  why: 'Prometheus evaluates the rules: without it nothing fires.',
  fact: fact('prometheus', answers),
}

export const prometheusServer = [
  check({
    name: 'prometheus/clock',
    why: 'Rules compare times in series with the clock of Prometheus: ends of stakes and ages of data come out wrong.',
    needs: { times },
    judge: ({ times: { its, ours } }, { limits }) => clockResult('Prometheus', its - ours, limits.clockWrong),
  }),
  check({
    name: 'prometheus/reload',
    why: 'Prometheus still runs with the configuration before it.',
    needs: { runtime },
    judge: ({ runtime }) =>
      runtime.reloadConfigSuccess
        ? ok('the configuration is the one that was last loaded')
        : failed('Prometheus refused its changed configuration', 'correct it (promtool check config), and reload'),
  }),
  check({
    name: 'prometheus/retention',
    why: 'Rules look back further than what Prometheus keeps.',
    needs: { runtime },
    judge({ runtime: { storageRetention } }, { limits }) {
      const ranges = rulesOf({ limits }).flatMap(({ expr }) =>
        [...expr.matchAll(/\[(\w+)[\]:]/g)].map(([, range]) => parseDuration(range!)!),
      )
      const needed = greatest(ranges)
      const [time = ''] = /^\w+/.exec(storageRetention) ?? []
      const kept = lengthOf(time)
      if (kept === undefined) return []
      if (kept >= 2 * needed) return ok(`Prometheus keeps ${storageRetention}`)
      return failed(
        `Prometheus keeps ${storageRetention}, and rules look back ${formatDuration(needed)}`,
        'start Prometheus with --storage.tsdb.retention.time=15d',
      )
    },
  }),
  check({
    name: 'prometheus/alertmanager',
    why: 'Alerts that Prometheus sends nowhere wake no one.',
    needs: { receivers, config: prometheusConfig },
    judge({ receivers, config: { alerting } }) {
      // It finds them some seconds after it has loaded its configuration.
      if (receivers.length === 0 && alerting.alertmanagers.length > 0) {
        return note('Prometheus knows no Alertmanager yet', 'run doctor again after some seconds')
      }
      if (receivers.length > 0) return ok(`Prometheus sends alerts to ${listed(receivers.map(hostOf))}`)
      const fix = 'name its address under alerting: alertmanagers: in prometheus.yml, and reload'
      return failed('Prometheus has no Alertmanager', fix)
    },
  }),
  check({
    name: 'prometheus/deliveries',
    why: 'Alerts that Prometheus cannot send wake no one.',
    needs: { receivers, metrics },
    judge({ receivers, metrics }) {
      if (receivers.length === 0) return []
      return unlessOk(
        receivers.flatMap((url) => deliveryTo(url, metrics)),
        'none fails each time',
      )
    },
  }),
  check({
    name: 'prometheus/replica-label',
    why: 'Two replicas of Prometheus send each alert twice, and Alertmanager takes alerts with different labels for two.',
    needs: { config: prometheusConfig },
    judge({ config: { global, alerting } }) {
      const drops = alerting.alert_relabel_configs.filter(({ action }) => action === 'labeldrop')
      const left = Object.keys(global.external_labels)
        .filter((name) => /replica/i.test(name))
        .filter((name) => !drops.some(({ regex }) => isMatch(regex, name)))
      if (left.length === 0) return ok('no label of a replica is in the alerts')
      return left.flatMap((name) =>
        warning(
          `the external label ${name} is in each alert`,
          `add to alerting: in prometheus.yml: alert_relabel_configs: [{ action: labeldrop, regex: ${name} }]`,
        ),
      )
    },
  }),
  check({
    name: 'prometheus/alert-relabelling',
    why: 'Alerts that Prometheus drops before it sends them wake no one, and without their labels they reach the wrong receiver.',
    needs: { config: prometheusConfig },
    judge({ config: { global, alerting } }, { limits }) {
      const rules = alerting.alert_relabel_configs
      if (rules.length === 0) return []
      const critical = rulesOf({ limits })
        .filter(({ severity }) => severity === 'critical')
        .map(({ alert, severity }) => ({ ...global.external_labels, alertname: alert, severity }))
      return unlessOk(
        rules.flatMap((rule) => droppedBy(rule, critical)),
        'no rule drops a page',
      )
    },
  }),
]

/** Routes and groups of Alertmanager are about these. */
const ROUTED = ['alertname', 'severity', 'network', 'subnet', 'node_id', 'validator', 'source', 'chain', 'address']

function droppedBy(rule: Relabelling, critical: readonly Labels[]): readonly Result[] {
  const { action, source_labels, separator, regex } = rule
  const bad = (what: string) =>
    failed(`Prometheus drops ${what}: ${shownOf(rule)}`, 'remove it from alert_relabel_configs in prometheus.yml')
  if (action === 'labeldrop' || action === 'labelkeep') {
    const names = ROUTED.filter((name) => isMatch(regex, name) === (action === 'labeldrop'))
    return names.length === 0 ? [] : bad(`the ${names.length === 1 ? 'label' : 'labels'} ${listed(names)} of alerts`)
  }
  if (action !== 'drop' && action !== 'keep') return []
  // The values of other labels are not known.
  const dropped = critical.filter(
    (labels) =>
      source_labels.every((name) => labels[name] !== undefined) &&
      isMatch(regex, source_labels.map((name) => labels[name]).join(separator)) === (action === 'drop'),
  )
  if (dropped.length === 0) return []
  return bad(dropped.length === critical.length ? 'every page' : listed(dropped.map(({ alertname = '' }) => alertname)))
}

const hostOf = (url: string) => URL.parse(url)?.host ?? url

/** Prometheus counts since its start: what failed each time fails now. */
function deliveryTo(url: string, metrics: readonly Series[]): readonly Result[] {
  const counted = (metric: string) =>
    metrics.find(({ name, labels }) => name === metric && labels['alertmanager'] === url)?.value
  const errors = counted('prometheus_notifications_errors_total')
  if (errors === 0) return []
  const requests = counted('prometheus_notifications_latency_seconds_count')
  if (errors === undefined || requests === undefined) {
    return unknown(
      `its page of metrics does not count them for the Alertmanager at ${hostOf(url)}`,
      'give the address of Prometheus itself, whose /metrics counts them',
    )
  }
  // Its errors are requests, or in later versions alerts, of which a request has several.
  const all = errors > requests ? (counted('prometheus_notifications_sent_total') ?? Infinity) : requests
  if (errors < all) return []
  return failed(
    `no alert has reached the Alertmanager at ${hostOf(url)}`,
    'start it there, or correct its address under alerting: alertmanagers: in prometheus.yml, with path_prefix, scheme and password; the log of Prometheus has the reason',
  )
}

/** `ahead` in milliseconds, `wrong` in seconds. */
export function clockResult(whose: string, ahead: number, wrong: number) {
  const off = Math.round(Math.abs(ahead) / 1_000)
  if (off <= wrong) return ok(`the clock of ${whose} agrees with the one here`)
  return warning(
    `the clock of ${whose} is ${formatDuration(off * 1_000)} ${ahead > 0 ? 'ahead of' : 'behind'} the one here`,
    `let ${whose} and this machine take their time from a time server (timedatectl set-ntp true)`,
  )
}
