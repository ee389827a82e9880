// The page at `/`: what needs attention first, then each validator, upstream and task. It needs no script, and loads nothing.

import { documentOf } from './document.ts'
import { mostUrgentFirst, urgency } from './findings.ts'
import { type Html, markup, type Part } from './markup.ts'
import { leftOut, type Links, runbook } from './parts.ts'
import type { Finding, Status, Watched } from './schema.ts'
import { taskSection } from './task-section.ts'
import { upstreamSection } from './upstream-section.ts'
import { validatorSection } from './validator-section.ts'
import { timeText } from './words.ts'

/** Of what needs attention: nobody reads more of it at once, and what is urgent comes first. */
const MOST_FINDINGS = 50

/** Seconds after which the page loads itself again, for those who asked for it. */
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
            ${attentionSection(status, links)} ${validatorSection(status, links)} ${upstreamSection(status, links)}
            ${taskSection(status, links)}
          </main>
          <footer class="quiet small">
            <p>
              The conditions are those of the alert rules at this moment. The rules also wait and compare with earlier,
              and watch more: subnets as a whole, and stakewatch itself.
            </p>
          </footer>`,
    isRefreshing && markup`<meta http-equiv="refresh" content="${REFRESH}" />`,
  )
}

/** What falls to other shards is not on this page. */
function shardOf({ ordinal, shards }: Status['shard']): string {
  return shards > 1 ? `, shard ${ordinal} of ${shards}, from 0 to ${shards - 1}` : ''
}

function endpoints({ prefix, telemetryPath }: Links): [string, string][] {
  return [
    [telemetryPath, 'Metrics'],
    ['/config', 'Configuration'],
    ['/api/v1/status', 'This as JSON'],
    ['/sd', 'Service discovery'],
    ['/runbooks', 'Runbooks'],
    ['/-/ready', 'Ready'],
    ['/-/healthy', 'Healthy'],
  ].map(([path, text]) => [`${prefix}${path}`, text!])
}

function refreshLink({ prefix }: Links, isRefreshing: boolean): Html {
  return isRefreshing
    ? markup`It is loaded again every ${REFRESH} seconds. <a href="${prefix}/">Stop that</a>`
    : markup`<a href="${prefix}/?refresh">Load it again every ${REFRESH} seconds</a>`
}

function banners({ simulated, scheduler_stalled: isStalled }: Status): Part[] {
  return [
    simulated &&
      markup`<p class="banner" role="note">
        <strong>Simulated network.</strong> Nothing on this page is about a real validator.
      </p>`,
    isStalled &&
      markup`<p class="banner critical" role="alert">
        <strong>Nothing is polled.</strong> The scheduler stands still, so that nothing is known of what is watched.
      </p>`,
  ]
}

interface About {
  kind: string
  name: string
  finding: Finding
}

const kinds: Readonly<Record<Watched['kind'], string>> = {
  network: 'Network',
  chain: 'Chain',
  wallet: 'Wallet',
  route: 'Route',
  probe: 'Probe',
}

function attentionOf({ validators, upstreams, watched, tasks }: Status): About[] {
  const of = (kind: string, name: string, findings: readonly Finding[]) =>
    findings.map((finding) => ({ kind, name, finding }))
  return [
    ...upstreams.flatMap((one) => of('Upstream', `${one.network}/${one.source}`, one.findings)),
    ...validators.flatMap((one) => of('Validator', `${one.network}/${one.subnet}/${one.name}`, one.findings)),
    ...watched.flatMap((one) =>
      of(kinds[one.kind], one.kind === 'network' ? one.name : `${one.network}/${one.name}`, one.findings),
    ),
    ...tasks.flatMap((one) => of('Task', `${one.collector} of ${one.network}/${one.target}`, one.findings)),
  ].toSorted((a, b) => urgency([a.finding]) - urgency([b.finding]))
}

function titleOf(status: Status): string {
  const [first] = mostUrgentFirst(attentionOf(status).map(({ finding }) => finding))
  const count = attentionOf(status).length
  return [
    status.simulated ? 'SIMULATED: ' : '',
    status.scheduler_stalled
      ? 'nothing is polled'
      : first
        ? `${count} to look at, ${first.severity}`
        : 'nothing to look at',
    ' - stakewatch',
  ].join('')
}

function attentionSection(status: Status, links: Links): Html {
  const all = attentionOf(status)
  const shown = all.slice(0, MOST_FINDINGS)
  const items = shown.map(
    ({ kind, name, finding }) =>
      markup`<li class="is-${finding.severity}">
        <strong class="${finding.severity}">${finding.severity}</strong> ${kind} <strong>${name}</strong>:
        ${finding.text}. ${runbook(finding, links)}
      </li>`,
  )
  return markup`<section aria-labelledby="attention">
    <h2 id="attention">Needs attention</h2>
    ${
      all.length === 0
        ? markup`<p>${nothingFound(status)}</p>`
        : markup`<ul class="findings attention">
            ${items}
          </ul>`
    }
    ${leftOut(all.length - shown.length, 'finding', 'less urgent than these')}
  </section>`
}

function nothingFound({ scheduler_stalled: isStalled, validators }: Status): string {
  if (isStalled) return 'Nothing can be told.'
  const unknown = validators.filter(({ state }) => state === 'unknown').length
  return unknown === 0 ? 'Nothing.' : `Nothing that is known. Of ${unknown} validators nothing is known yet.`
}
