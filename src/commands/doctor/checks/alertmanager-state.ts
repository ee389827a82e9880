// What Alertmanager does now: what it has got, could not send, or keeps silent about.

import { listed } from '../../../lib/figures.ts'
import { WATCHDOG } from '../../../alerts/self.ts'
import { HOUR } from '../../../lib/seconds.ts'
import { greatest } from '../../../lib/statistics.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { Series } from '../../../metrics/read-exposition.ts'
import { isoOf, type SentAlert, type Silence } from '../../monitoring/alertmanager.ts'
import { fits } from '../../monitoring/routes.ts'
import {
  bad,
  check,
  fact,
  failed,
  type Gate,
  type Given,
  ok,
  type Result,
  unknown,
  unlessOk,
  warning,
} from '../check.ts'
import { sentAlerts } from '../facts.ts'
import { alertsOf } from './alertmanager-routes.ts'

const silences = fact('alertmanager', (alertmanager) => alertmanager.silences())
const metrics = fact('alertmanager', (alertmanager) => alertmanager.metrics())
const failures = fact('alertmanager', async (alertmanager, given) => failuresIn(await alertmanager.metrics(), given))

export const alertmanagerGate: Gate = {
  name: 'alertmanager/answers',
  why: 'Alertmanager sends the pages.',
  fact: sentAlerts,
}

const ITSELF = 'give the address of Alertmanager itself, whose /metrics has it'
const START = 'since it started'
const SCRAPE_IT = 'let Prometheus scrape Alertmanager, so that doctor sees when it was'

export const alertmanagerState = [
  check({
    name: 'alertmanager/alerts',
    why: 'Alerts that do not arrive here wake no one.',
    needs: { sentAlerts },
    judge: ({ sentAlerts }) =>
      sentAlerts.some(({ labels }) => labels['alertname'] === WATCHDOG)
        ? ok('the watchdog of Prometheus arrives')
        : failed(
            `Alertmanager has no alert ${WATCHDOG}, which always fires`,
            'name this Alertmanager under alerting: alertmanagers: in prometheus.yml, and load the rules; after a start it takes a minute',
          ),
  }),
  check({
    name: 'alertmanager/reload',
    why: 'Alertmanager still runs with the configuration before it.',
    needs: { metrics },
    judge({ metrics }) {
      const isAccepted = valueIn(metrics, 'alertmanager_config_last_reload_successful')
      if (isAccepted === undefined) return unknown('its page of metrics does not say', ITSELF)
      return isAccepted === 0
        ? failed('Alertmanager refused its changed configuration', 'correct it (amtool check-config), and reload')
        : ok('the configuration is the one that was last loaded')
    },
  }),
  check({
    name: 'alertmanager/notifications',
    why: 'What cannot be sent reaches no one.',
    needs: { failures },
    judge({ failures: { since, counts } }) {
      if (counts.length === 0) return unknown('its page of metrics does not count them', ITSELF)
      return unlessOk(
        counts
          .filter(({ failed }) => failed > 0)
          .flatMap(({ to, failed, all }) =>
            bad(
              // Alertmanager tries again: a request that failed now and then was sent later.
              failed > all / 2 ? 'failed' : 'note',
              `${failed} of ${all} ${all === 1 ? 'request' : 'requests'} to ${to} failed ${since}`,
              `look at its log for the reason, correct the address or key of ${to}, and reload${since === START ? `; ${SCRAPE_IT}` : ''}`,
            ),
          ),
        `none failed ${since}`,
      )
    },
  }),
  check({
    name: 'alertmanager/silences',
    why: 'A silence hides a page, and is easily forgotten.',
    needs: { silences, sentAlerts },
    judge({ silences, sentAlerts }, { limits }) {
      const critical = alertsOf('critical', limits, sentAlerts)
      const active = silences.filter(({ status }) => status.state === 'active')
      return unlessOk(
        active.flatMap((one) => hidingOf(one, madeWith(one, active), critical, sentAlerts)),
        'none hides a critical alert',
      )
    },
  }),
]

/** `stakewatch silence` makes several at a time. Alertmanager says of each when it began by its own clock. */
function madeWith({ createdBy, comment, endsAt }: Silence, all: readonly Silence[]): readonly string[] {
  return all
    .filter((one) => one.createdBy === createdBy && one.comment === comment && one.endsAt === endsAt)
    .map(({ id }) => id)
}

function hidingOf(
  silence: Silence,
  together: readonly string[],
  critical: readonly Labels[],
  sent: readonly SentAlert[],
): readonly Result[] {
  const { id, matchers, createdBy, endsAt, comment } = silence
  const hidden = sent
    .filter(({ labels, status }) => labels['severity'] === 'critical' && status.silencedBy.includes(id))
    .map(({ labels }) => labels['alertname'] ?? '')
  const of = `the silence ${id} (by ${createdBy}, until ${isoOf(endsAt)}: ${comment})`
  const fix = `expire ${together.length === 1 ? 'it' : 'all that were made with it'}: amtool silence expire ${together.join(' ')}`
  if (critical.every((labels) => fits(matchers, labels) === 'yes')) return failed(`${of} hides every page`, fix)
  if (hidden.length === 0) return []
  const count = hidden.length === 1 ? 'a critical alert' : `${hidden.length} critical alerts`
  return warning(`${of} hides ${count} now: ${listed([...new Set(hidden)])}`, fix)
}

const REQUESTS = 'alertmanager_notification_requests_total'
const FAILED = 'alertmanager_notification_requests_failed_total'
const LOADED = 'alertmanager_config_last_reload_success_timestamp_seconds'

interface Failures {
  /** `in the last hour`. */
  since: string
  counts: readonly { to: string; failed: number; all: number }[]
}

/**
 * Alertmanager counts since its start. If Prometheus scrapes it, its history shows what failed lately with the configuration
 * of now: what was repaired is no finding.
 */
async function failuresIn(readings: readonly Series[], { prometheus }: Given): Promise<Failures> {
  const now = Date.now() / 1_000
  const loaded = valueIn(readings, LOADED) ?? 0
  const start = Math.max(loaded, now - HOUR)
  const history = (await prometheus?.samples(`{__name__=~"${REQUESTS}|${FAILED}"}[1h]`, now)) ?? []
  const increaseOf = (metric: string, of: Labels) => {
    const value = readings.find(({ name, labels }) => name === metric && isAlike(labels, of))?.value ?? 0
    const series = history.filter(({ labels }) => labels['__name__'] === metric && isAlike(labels, of))
    // Several instances have a history each, some of them from before. Before the first scrape with this configuration nothing
    // is known to have failed.
    const counts = series.flatMap(({ values }) => values.find(([time]) => time >= start)?.[1] ?? [])
    if (series.length > 0 && counts.length === 0) return 0
    const own = counts.filter((count) => count <= value)
    return value - greatest(own, 0)
  }
  const counted = readings.flatMap(({ name, labels }) => (name === FAILED ? [labels] : []))
  const since = start === loaded ? 'since its configuration was loaded' : 'in the last hour'
  return {
    since: history.length === 0 ? START : since,
    counts: counted.map((one) => ({
      to: shownOf(one),
      failed: increaseOf(FAILED, one),
      all: increaseOf(REQUESTS, one),
    })),
  }
}

/** Alertmanager counts by receiver as well with a feature flag. */
const isAlike = (one: Labels, other: Labels) =>
  ['integration', 'receiver_name'].every((name) => one[name] === other[name])

const shownOf = ({ integration = '', receiver_name: receiver }: Labels) =>
  receiver === undefined ? integration : `${receiver} by ${integration}`

const valueIn = (readings: readonly Series[], metric: string) => readings.find(({ name }) => name === metric)?.value
