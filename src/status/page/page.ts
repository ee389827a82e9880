// The page at `/`: what needs attention first, then each validator, upstream and task. It needs no script, and loads nothing.

import { evaluationText, stateText } from './alert-words.ts'
import { documentOf } from './document.ts'
import { maintenanceSection } from './maintenance-section.ts'
import { currentText, isCurrent } from './maintenance-words.ts'
import { type Html, markup, type Part } from './markup.ts'
import { leftOut, type Links, runbook, simulatedBanner } from './parts.ts'
import type { Alert, Status } from '../value/status-schema.ts'
import { taskSection } from './task-section.ts'
import { upstreamSection } from './upstream-section.ts'
import { validatorSection } from './validator-section.ts'
import { watchedSections } from './watched-sections.ts'
import { timeText } from './numbers.ts'

/** Alerts in the list: what is urgent comes first. */
const MOST_ALERTS = 50

/** Seconds between reloads of the page, for users who asked for them. */
const REFRESH = 30

export function statusPage(status: Status, links: Links, isRefreshing = false): string {
  const { version, shard, timestamp_seconds: now } = status
  return documentOf(
    titleOf(status),
    markup`<header>
            <h1>stakewatch</h1>
            <p class="quiet">As of ${timeText(now)}, version ${version}${shardOf(shard)}. ${refreshLink(links, isRefreshing)}</p>
            ${banners(status)}
            <nav aria-label="Endpoints">
              <ul>
                ${endpoints(links).map(([path, text]) => markup`<li><a href="${path}">${text}</a></li>`)}
              </ul>
            </nav>
          </header>
          <main>
            ${firstSections(status, links)} ${validatorSection(status, links)} ${watchedSections(status, links)}
            ${upstreamSection(status, links)} ${taskSection(status, links)}
          </main>
          <footer class="quiet small">
            <p>
              This instance evaluates the built-in alert rules on its own metrics. Prometheus may see more instances, and use
              rules that you have changed.
            </p>
          </footer>`,
    isRefreshing && markup`<meta http-equiv="refresh" content="${REFRESH}" />`,
  )
}

/** This page shows only the targets of this shard. */
function shardOf({ ordinal, shards }: Status['shard']): string {
  return shards > 1 ? `, shard ${ordinal} of ${shards} (0 to ${shards - 1})` : ''
}

function endpoints({ prefix, telemetryPath }: Links): [string, string][] {
  return [
    [telemetryPath, 'Metrics'],
    ['/config', 'Configuration'],
    ['/api/v1/status', 'Status as JSON'],
    ['/sd', 'Service discovery'],
    ['/runbooks', 'Runbooks'],
    ['/-/ready', 'Ready'],
    ['/-/healthy', 'Healthy'],
  ].map(([path, text]) => [`${prefix}${path}`, text!])
}

function refreshLink({ prefix }: Links, isRefreshing: boolean): Html {
  return isRefreshing
    ? markup`Reloads every ${REFRESH} seconds. <a href="${prefix}/">Stop reloading</a>`
    : markup`<a href="${prefix}/?refresh">Reload every ${REFRESH} seconds</a>`
}

function banners({ simulated, scheduler_stalled: isStalled }: Status): Part[] {
  return [
    simulated && simulatedBanner,
    isStalled &&
      markup`<p class="banner critical" role="alert">
        <strong>Polling has stopped.</strong> The scheduler is stuck, so the state of validators, chains and wallets is unknown.
      </p>`,
  ]
}

function titleOf(status: Status): string {
  const { simulated, scheduler_stalled: isStalled } = status
  return `${simulated ? 'SIMULATED: ' : ''}${isStalled ? 'polling has stopped' : headline(status)} - stakewatch`
}

const count = (number: number, what: string) => (number > 0 ? [`${number} ${what}`] : [])

function headline({ alerts, rules, maintenance }: Status): string {
  const fires = alerts.filter(({ state }) => state === 'firing' || state === 'held')
  const pending = alerts.filter(({ state }) => state === 'pending')
  const parts = [
    ...(['critical', 'warning', 'info'] as const).flatMap((severity) =>
      count(fires.filter((one) => one.severity === severity).length, severity),
    ),
    ...count(pending.length, 'pending'),
  ]
  if (!rules.current) return 'alerts are not being evaluated'
  const current = currentText({ maintenance })
  return [...(parts.length > 0 ? parts : ['no alerts']), ...(current === '' ? [] : [current])].join(', ')
}

/** An open window explains what the page lacks, so that it comes before the alerts; the next one comes after them. */
function firstSections(status: Status, links: Links): Part[] {
  const sections = [maintenanceSection(status), alertSection(status, links)]
  return status.maintenance.some(isCurrent) ? sections : sections.toReversed()
}

function alertSection(status: Status, links: Links): Html {
  const { alerts, rules, timestamp_seconds: now } = status
  const shown = alerts.slice(0, MOST_ALERTS)
  return markup`<section aria-labelledby="alerts">
    <h2 id="alerts">Alerts</h2>
    <p class="quiet">${evaluationText(status)}</p>
    ${rules.problems.map(
      ({ rule, problem }) =>
        markup`<p class="warning">${rule} could not be evaluated, so its alerts keep their previous state: ${problem}</p>`,
    )}
    ${
      shown.length > 0 &&
      markup`<ul class="alerts attention">
            ${shown.map((one) => alertItem(one, now, links))}
          </ul>`
    }
    ${leftOut(alerts.length - shown.length, 'alert', 'less urgent than these')}
  </section>`
}

function alertItem(one: Alert, now: number, links: Links): Html {
  const labels = Object.entries(one.labels).map(([name, value]) => `${name}=${value}`)
  return markup`<li class="is-${one.severity}">
        <strong class="${one.severity}">${one.severity}</strong>, ${stateText(one, now)}: ${runbook(one, links)}<br />
        ${one.description}
        <span class="quiet small">${labels.join(', ')}</span>
      </li>`
}
