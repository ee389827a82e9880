// What Alertmanager does with each alert by its configuration: whom it reaches, and what swallows it.

import { listed } from '../../../lib/figures.ts'
import { JOB } from '../../../alerts/groups.ts'
import { rulesOf } from '../../../alerts/rules.ts'
import { WATCHDOG } from '../../../alerts/self.ts'
import type { Thresholds } from '../../../alerts/thresholds.ts'
import { formatDuration } from '../../../lib/duration.ts'
import type { Labels } from '../../../lib/label-text.ts'
import { matchersText } from '../../monitoring/alertmanager.ts'
import {
  type AlertmanagerConfig,
  fits,
  type Integration,
  type Route,
  readAlertmanagerConfig,
  routesFor,
} from '../../monitoring/routes.ts'
import { bad, check, fact, failed, type Result, unlessOk, warning } from '../check.ts'
import { sentAlerts } from '../facts.ts'

const config = fact('alertmanager', async (alertmanager) => readAlertmanagerConfig(await alertmanager.config()))

const EXAMPLE = 'alertmanager.example.yml'
/** A dead man's switch that is slower notices too late (milliseconds). */
const SLOWEST_WATCHDOG = 600_000
const SLOWEST_PAGE = 300_000
/** These call when a group opens, and stay silent when it grows. */
const CALLING = new Set(['pagerduty', 'opsgenie', 'victorops'])

export const alertmanagerRoutes = [
  check({
    name: 'alertmanager/critical',
    why: 'A page that reaches no one is no page.',
    needs: { config, sentAlerts },
    judge: ({ config, sentAlerts }, { limits }) =>
      receiversOf('critical', 'failed', config, alertsOf('critical', limits, sentAlerts)),
  }),
  check({
    name: 'alertmanager/warnings',
    why: 'Warnings become pages if no one reads them.',
    needs: { config, sentAlerts },
    judge: ({ config, sentAlerts }, { limits }) =>
      receiversOf('warning', 'warning', config, alertsOf('warning', limits, sentAlerts)),
  }),
  check({
    name: 'alertmanager/inhibition',
    why: 'An alert that is suppressed wakes no one, and its end is not reported.',
    needs: { config, sentAlerts },
    judge({ config, sentAlerts }, { limits }) {
      const critical = alertsOf('critical', limits, sentAlerts)
      const results = config.inhibitions.flatMap(({ source, target }) => {
        const names = critical.filter((labels) => fits(target, labels) !== 'no').map(({ alertname = '' }) => alertname)
        if (names.length === 0) return []
        const which = names.length === critical.length ? 'every page' : listed(names)
        const rule = `source_matchers [${matchersText(source)}], target_matchers [${matchersText(target)}]`
        return failed(
          `an inhibition may suppress ${which}: ${rule}`,
          `remove it from inhibit_rules, or add severity!="critical" to its target_matchers`,
        )
      })
      return unlessOk(results, 'no rule suppresses a page')
    },
  }),
  check({
    name: 'alertmanager/grouping',
    why: 'The pager calls when a group opens, and not when another validator joins it.',
    needs: { config, sentAlerts },
    judge({ config, sentAlerts }, { limits, example }) {
      const ours = readAlertmanagerConfig(example)
      const lacking = alertsOf('critical', limits, sentAlerts).flatMap((labels) => {
        const wanted = routesFor(ours.route, labels).map(({ groupBy }) => groupBy)
        return routesFor(config.route, labels)
          .filter(({ receiver }) => config.receivers.get(receiver)?.some(({ kind }) => CALLING.has(kind)))
          .flatMap((route) => lackOf(route.groupBy, wanted).map((label) => ({ receiver: route.receiver, label })))
      })
      const results = [...Map.groupBy(lacking, ({ receiver }) => receiver)].flatMap(([receiver, some]) => {
        const labels = [...new Set(some.map(({ label }) => label))]
        return warning(
          `the receiver ${receiver} gets pages about different things as one group: group_by lacks ${listed(labels, 9)}`,
          `add to group_by of the route to ${receiver}: ${labels.join(', ')} (as in ${EXAMPLE})`,
        )
      })
      return unlessOk(results, 'what needs its own page has its own group')
    },
  }),
  check({
    name: 'alertmanager/delay',
    why: 'The person on call learns of it too late.',
    needs: { config, sentAlerts },
    judge({ config, sentAlerts }, { limits }) {
      const routes = new Set(
        alertsOf('critical', limits, sentAlerts).flatMap((labels) => routesFor(config.route, labels)),
      )
      return unlessOk([...routes].flatMap(delayOf), 'pages are sent at once, and at any time')
    },
  }),
  check({
    name: 'alertmanager/watchdog',
    why: 'If Prometheus or Alertmanager is down, only a service outside can tell you.',
    needs: { config, sentAlerts },
    judge({ config, sentAlerts }, { limits }) {
      const labels = { ...commonOf(sentAlerts), alertname: WATCHDOG, severity: 'none' }
      const pagers = alertsOf('critical', limits, sentAlerts).flatMap((one) =>
        routesFor(config.route, one).map(({ receiver }) => receiver),
      )
      const results = routesFor(config.route, labels).flatMap((route) => watchdogOf(route, config, new Set(pagers)))
      return unlessOk(results, 'goes to a service outside')
    },
  }),
]

/** What all alerts have in common: external labels of Prometheus, which its watchdog shows, and the job. */
function commonOf(sent: readonly { labels: Labels }[]): Labels {
  const {
    alertname: _,
    severity: __,
    ...external
  } = sent.find(({ labels }) => labels['alertname'] === WATCHDOG)?.labels ?? {}
  return external
}

/** The rules of a severity as Alertmanager sees their alerts, without the labels that differ from alert to alert. */
export function alertsOf(severity: string, limits: Thresholds, sent: readonly { labels: Labels }[]): Labels[] {
  const ours = sent.filter(({ labels }) => labels['alertname']?.startsWith('Stakewatch'))
  const [job = JOB, ...others] = new Set(ours.flatMap(({ labels }) => labels['job'] ?? []))
  const common = { ...commonOf(sent), ...(others.length === 0 && { job }), severity }
  return rulesOf({ limits })
    .filter((rule) => rule.severity === severity)
    .map(({ alert }) => ({ ...common, alertname: alert }))
}

function receiversOf(
  severity: string,
  level: 'failed' | 'warning',
  { route, receivers }: AlertmanagerConfig,
  alerts: readonly Labels[],
): readonly Result[] {
  const ways = alerts.flatMap((labels) =>
    routesFor(route, labels).map(({ receiver }) => ({ receiver, alert: labels['alertname'] ?? '' })),
  )
  const byReceiver = [...Map.groupBy(ways, ({ receiver }) => receiver)]
  const results = byReceiver.flatMap(([receiver, some]) => {
    const names = [...new Set(some.map(({ alert }) => alert))]
    const which = names.length === alerts.length ? `${severity} alerts go` : `${listed(names)} may go`
    const integrations = receivers.get(receiver) ?? []
    if (integrations.length === 0) {
      return bad(
        level,
        `${which} to the receiver ${receiver}, which has no address`,
        `give the receiver ${receiver} one, such as pagerduty_configs, or route severity="${severity}" to a receiver that has`,
      )
    }
    return integrations
      .flatMap(placeholdersIn)
      .flatMap((text) =>
        bad(level, `the receiver ${receiver} still has the placeholder ${text}`, `write your own address in its place`),
      )
  })
  const reached = byReceiver.map(
    ([receiver]) => `${receiver} (${(receivers.get(receiver) ?? []).map(({ kind }) => kind).join(', ')})`,
  )
  return unlessOk(results, `go to ${listed(reached)}; only a drill proves the key`)
}

/** Those of the example that Alertmanager shows. */
function placeholdersIn({ settings }: Integration): string[] {
  const texts = ['url', 'to', 'from', 'smarthost', 'webhook_url', 'api_url'].flatMap((key) => settings[key] ?? [])
  const words = texts
    .filter((text) => typeof text === 'string')
    .filter((text) => /\bUUID\b|\bTOKEN\b|\bexample\.(org|com)\b/.test(text))
  return settings['chat_id'] === -1 ? [...words, 'chat_id: -1'] : words
}

/** The labels that it lacks to tell apart what the nearest of ours does. */
function lackOf(groupBy: readonly string[], wanted: readonly (readonly string[])[]): readonly string[] {
  if (groupBy.includes('...')) return []
  const lacks = wanted.map((labels) => labels.filter((label) => !groupBy.includes(label)))
  return lacks.toSorted((a, b) => a.length - b.length)[0] ?? []
}

function delayOf({ receiver, groupWait, muted }: Route): readonly Result[] {
  return [
    ...(groupWait > SLOWEST_PAGE
      ? warning(
          `the route to ${receiver} waits ${formatDuration(groupWait)} before it sends a page`,
          `set group_wait: 30s in the route to ${receiver}`,
        )
      : []),
    ...(muted.length > 0
      ? warning(
          `the route to ${receiver} sends no pages at some times: ${listed(muted)}`,
          `remove mute_time_intervals and active_time_intervals from the route to ${receiver}`,
        )
      : []),
  ]
}

function watchdogOf(route: Route, { receivers }: AlertmanagerConfig, pagers: ReadonlySet<string>): readonly Result[] {
  const { receiver, repeatInterval, groupInterval } = route
  const integrations = receivers.get(receiver) ?? []
  const advice = `route ${WATCHDOG} to a service outside, as ${EXAMPLE} does with dead-mans-switch`
  if (integrations.length === 0) {
    return failed(`the watchdog goes to the receiver ${receiver}, which has no address`, advice)
  }
  if (pagers.has(receiver)) return failed(`the watchdog goes to ${receiver}, which gets the pages`, advice)
  const placeholders = integrations.flatMap(placeholdersIn)
  if (placeholders.length > 0) {
    return failed(`the receiver ${receiver} still has the placeholder ${placeholders[0]}`, advice)
  }
  // Alertmanager repeats with the first group_interval that starts after repeat_interval.
  const every = Math.max(1, Math.ceil(repeatInterval / groupInterval)) * groupInterval
  const inside = integrations.map(({ settings }) => hostnameOf(settings['url'])).filter(isInside)
  return [
    ...(every > SLOWEST_WATCHDOG
      ? warning(
          `the watchdog is sent every ${formatDuration(every)}: a failure would go unnoticed for longer`,
          `set group_interval: 1m and repeat_interval: 30s in the route to ${receiver}`,
        )
      : []),
    ...inside.flatMap((host) =>
      warning(`the watchdog goes to ${host}, which may fail together with Alertmanager`, advice),
    ),
  ]
}

const hostnameOf = (url: unknown) => (typeof url === 'string' && URL.parse(url)?.hostname) || ''

const isInside = (host: string) =>
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[(::1|f[cde]))/.test(host) || /^[\w-]+$/.test(host)
