// The problems on the page, grouped by what causes them: what is urgent is open, the rest is collapsed.

import { stateText } from './words.ts'
import { type Html, markup, type Part, trusted } from './markup.ts'
import { type Links, runbook } from './parts.ts'
import { countText, isFiring, isUrgent, leastLeftFirst, titlesOf } from './verdict.ts'
import { keyOf } from '../value/readings.ts'
import type { Alert, Status } from '../value/status-schema.ts'

/** Objects of a group, and groups. */
const [MOST_OBJECTS, MOST_GROUPS] = [5, 30]

export function problemSection(status: Status, links: Links): Part[] {
  const { alerts, rules } = status
  const ordered = leastLeftFirst(status)
  const firing = new Set(alerts.filter((one) => isUrgent(one) && one.state === 'firing').map(objectOf))
  // An earlier step of a problem goes on firing for some minutes after the next one began.
  const isOver = (one: Alert) => one.state === 'held' && firing.has(objectOf(one))
  const needsYou = (one: Alert) => isUrgent(one) && !isOver(one)
  const [urgent, rest] = [alerts.filter(needsYou), alerts.filter((one) => !needsYou(one))]
  return [
    (urgent.length > 0 || rules.problems.length > 0) &&
      markup`<section aria-labelledby="problems">
        <h2 id="problems">What needs you</h2>
        ${rules.problems.map(({ rule, problem }) => markup`<p class="warning">${rule} cannot be judged, so its alerts keep their state: ${problem}</p>`)}
        ${groups(ordered(urgent), ordered, status, links)}
      </section>`,
    rest.length > 0 &&
      markup`<details class="rest"${urgent.length === 0 && rest.some(({ severity }) => severity === 'critical') && trusted(' open')}>
        <summary>${restText(rest)}</summary>
        ${groups(rest, ordered, status, links)}
      </details>`,
  ]
}

const objectOf = ({ labels }: Alert) => JSON.stringify(labels)

function restText(rest: readonly Alert[]): string {
  const count = (is: (one: Alert) => boolean) => rest.filter((one) => is(one)).length
  const ofSeverity = (severity: Alert['severity']) =>
    countText(
      count((one) => one.severity === severity && isFiring(one)),
      severity,
    )
  const of = (what: string, is: (one: Alert) => boolean) => (count(is) === 0 ? '' : `${count(is)} ${what}`)
  return [
    of('critical pending', ({ severity, state }) => severity === 'critical' && state === 'pending'),
    of('critical no longer true', ({ severity, state }) => severity === 'critical' && state === 'held'),
    ofSeverity('warning'),
    ofSeverity('info'),
    of('pending', ({ severity, state }) => severity !== 'critical' && state === 'pending'),
    of('unknown', ({ state }) => state === 'unknown'),
  ]
    .filter(Boolean)
    .join(', ')
}

function groups(
  alerts: readonly Alert[],
  ordered: (some: readonly Alert[]) => Alert[],
  status: Status,
  links: Links,
): Html {
  const all = [...Map.groupBy(alerts, ({ alert }) => alert).values()]
  const more = all.length - MOST_GROUPS
  return markup`<ul class="alerts attention">
    ${all.slice(0, MOST_GROUPS).map((some) => group(ordered(some), status, links))}
  </ul>
  ${more > 0 && markup`<p class="quiet">${more} more kinds of problems are in the JSON.</p>`}`
}

/** Where all objects of such alerts are. Of validators that are not configured only the JSON has a list. */
function placeOf(some: readonly Alert[], { validators }: Status, { prefix }: Links): string {
  const { alert, labels } = some[0]!
  if (labels['collector'] !== undefined) return `${prefix}/tasks`
  if (labels['node_id'] !== undefined) {
    const known = new Set(validators.map(({ network, node_id: id }) => keyOf(network, id)))
    const isListed = some.every(({ labels: { network = '', node_id: id = '' } }) => known.has(keyOf(network, id)))
    return isListed ? `${prefix}/?alert=${alert}#validators` : `${prefix}/api/v1/status`
  }
  return labels['source'] === undefined ? `${prefix}/watched` : `${prefix}/upstreams`
}

function group(some: readonly Alert[], status: Status, links: Links): Html {
  const { timestamp_seconds: now } = status
  const first = some[0]!
  const more = some.length - MOST_OBJECTS
  const titles = titlesOf(some)
  return markup`<li class="is-${first.severity}">
    <h3><span class="${first.severity}">${first.severity}</span> ${some.length === 1 ? first.title : first.summary}</h3>
    ${
      some.length === 1
        ? markup`<p>${first.description}</p><p class="quiet small">${stateText(first, now)}</p>`
        : markup`<ul>${some
            .slice(0, MOST_OBJECTS)
            .map(
              (one, at) =>
                markup`<li>${titles[at]}, <span class="quiet">${stateText(one, now)}</span>${at === 0 && markup`<p>${one.description}</p>`}</li>`,
            )}${more > 0 && markup`<li><a href="${placeOf(some, status, links)}">and ${more} more</a></li>`}</ul>`
    }
    <p>${first.action !== '' && markup`<strong>Do first:</strong> ${first.action} `}${runbook(first, links)}</p>
  </li>`
}
