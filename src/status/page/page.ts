// The page at `/`: whether something is wrong, with what, how much time is left, and what to do first. It needs no script, and loads
// nothing.

import { evaluationText, noneText } from './words.ts'
import { documentOf } from './document.ts'
import { currentText, isCurrent, maintenanceSection } from './maintenance.ts'
import { type Html, markup, type Part } from './markup.ts'
import { type Links, simulatedBanner } from './parts.ts'
import { taskCounts } from './polling.ts'
import { problemSection } from './problem-section.ts'
import { addressOf, type DayOf, type Filter, validatorTable } from './validator-table.ts'
import { isFiring, verdictOf } from './verdict.ts'
import { watchedTable } from './watched.ts'
import type { Status } from '../value/status-schema.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { timeText } from '../../lib/figures.ts'

/** Seconds between reloads of the page. */
const REFRESH = 30

export interface Asked {
  status: Status
  links: Links
  filter: Filter
  connectedDay: DayOf
  limits: Thresholds
}

export function statusPage({ status, links, filter, connectedDay, limits }: Asked): string {
  const { version, shard, timestamp_seconds: now } = status
  const { tone, text, more } = verdictOf(status, limits)
  return documentOf(
    titleOf(status),
    markup`<header>
            <h1>stakewatch</h1>
            ${status.simulated && simulatedBanner}
            <p class="verdict is-${tone}" role="status"><strong>${text}</strong>${more !== '' && ` ${more}`}</p>
          </header>
          <main>
            ${firstSections(status, links)} ${validatorTable(status, filter, links, connectedDay, limits)} ${watchedTable(status, links)}
            <section aria-labelledby="sources">
              <h2 id="sources">Where it comes from</h2>
              <p>${upstreamLine(status, links)} ${taskLine(status, links)} ${evaluationText(status)}</p>
            </section>
          </main>
          <footer class="quiet small">
            <p>As of ${timeText(now)}, version ${version}${shardOf(shard)}. ${refreshLink(links, filter)}</p>
            <nav aria-label="Endpoints">
              <ul>
                ${endpoints(links).map(([path, text]) => markup`<li><a href="${path}">${text}</a></li>`)}
              </ul>
            </nav>
            <p>
              This instance judges what it sees itself. Prometheus may see more instances, and use rules that you have changed.
            </p>
          </footer>`,
    !filter.isStill && markup`<meta http-equiv="refresh" content="${REFRESH}" />`,
  )
}

function upstreamLine(status: Status, { prefix }: Links): Html {
  const { upstreams } = status
  const bad = upstreams.filter(({ up, refusing }) => up === false || refusing)
  const unknown = upstreams.filter(({ up, refusing }) => up === null && !refusing).length
  const link = markup`<a href="${prefix}/upstreams">Upstreams</a>`
  if (upstreams.length === 0) return markup`${noneText(status, 'upstreams')}`
  if (bad.length === 0 && unknown === 0) return markup`${link}: all ${upstreams.length} answer.`
  const names = bad.slice(0, 5).map(({ network, source }) => `${network}/${source}`)
  return markup`${link}: ${upstreams.length - bad.length - unknown} of ${upstreams.length} answer${bad.length > 0 && markup`; <span class="critical">not ${names.join(', ')}${bad.length > names.length && ' and others'}</span>`}${unknown > 0 && `; ${unknown} unknown`}.`
}

function taskLine({ tasks }: Status, { prefix }: Links): Html {
  return markup`<a href="${prefix}/tasks">Tasks</a>: ${taskCounts(tasks)}.`
}

/** An open window explains what the rest of the page lacks; the next one comes after it. */
function firstSections(status: Status, links: Links): Part[] {
  const [urgent, rest] = problemSection(status, links)
  const windows = maintenanceSection(status)
  return status.maintenance.some(isCurrent) ? [urgent, windows, rest] : [urgent, rest, windows]
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

function refreshLink(links: Links, filter: Filter): Html {
  const { isStill } = filter
  const other = addressOf({ ...filter, isStill: !isStill }, links)
  return isStill
    ? markup`<a href="${other}">Reload every ${REFRESH} seconds</a>`
    : markup`Reloads every ${REFRESH} seconds. <a href="${other}">Stop reloading</a>`
}

function titleOf(status: Status): string {
  const { simulated, scheduler_stalled: isStalled } = status
  return `${simulated ? 'SIMULATED: ' : ''}${isStalled ? 'polling has stopped' : headline(status)} - stakewatch`
}

const count = (number: number, what: string) => (number > 0 ? [`${number} ${what}`] : [])

function headline({ alerts, rules, maintenance }: Status): string {
  const fires = alerts.filter(isFiring)
  const pending = alerts.filter(({ state }) => state === 'pending')
  const parts = [
    ...(['critical', 'warning', 'info'] as const).flatMap((severity) =>
      count(fires.filter((one) => one.severity === severity).length, severity),
    ),
    ...count(pending.length, 'pending'),
  ]
  if (!rules.current) return 'nothing is being judged'
  const current = currentText({ maintenance })
  return [...(parts.length > 0 ? parts : ['no alerts']), ...(current === '' ? [] : [current])].join(', ')
}
