// The tasks and the upstreams on pages of their own.

import { bar, type Html, markup, type Shown } from './markup.ts'
import { cardSection, entry, headRow, leftOut, type Links, narrowLabel, runbook, when } from './parts.ts'
import type { Status, TaskRow, Upstream } from '../value/status-schema.ts'
import { amount, durationText, percent, relative, UNKNOWN } from '../../lib/figures.ts'
import { withWindow } from './maintenance.ts'
import { noneText } from './words.ts'

const MOST = 150
/** Of those whose last run went alike. */
const MOST_ALIKE = 3

export function taskSection({ tasks, timestamp_seconds: now }: Status, links: Links): Html {
  const groups = [...Map.groupBy(tasks, alikeKey).values()]
  const shown = groups.slice(0, MOST / MOST_ALIKE)
  return markup`<p class="quiet">${taskCounts(tasks)}.</p>
    <div class="scroll" role="region" aria-label="Tasks" tabindex="0">
      <table class="wide stacked">
        ${headRow(columns)}
        <tbody>
          ${shown.map((some) => rowsOf(some, now, links))}
        </tbody>
      </table>
    </div>
    ${leftOut(groups.length - shown.length, 'kind of task', 'none with a worse result')}`
}

/** `40 planned, 2 failing, 1 without a result yet`. */
export function taskCounts(tasks: readonly TaskRow[]): string {
  const failing = tasks.filter(({ result }) => result === 'failure').length
  const waiting = tasks.filter(({ result }) => result === null).length
  return `${tasks.length} planned, ${failing} failing${waiting === 0 ? '' : `, ${waiting} without a result yet`}`
}

/** One cause, such as a limit of requests, fails hundreds of tasks. */
const alikeKey = ({ network, collector, source, result, reason, alerts }: TaskRow) =>
  JSON.stringify([network, collector, source, result, reason, alerts.length > 0])

function rowsOf(alike: readonly TaskRow[], now: number, links: Links): Html[] {
  const more = alike.length - MOST_ALIKE
  const rows = alike.slice(0, more > 1 ? MOST_ALIKE : undefined).map((one) => row(one, now, links))
  const { collector, result } = alike[0]!
  const last = markup`<tr><td colspan="${columns.length}" class="quiet">${more} more ${collector}: ${resultText(result)}</td></tr> `
  return more > 1 ? [...rows, last] : rows
}

const resultText = (result: TaskRow['result']) => (result === null ? 'no result yet' : results[result])

const columns = ['task', 'last result', 'last run', 'took', 'age of the data', 'next run', 'answered by']

const results: Readonly<Record<NonNullable<TaskRow['result']>, string>> = {
  success: 'success',
  failure: 'failure',
  unsupported: 'not supported',
}

function row(one: TaskRow, now: number, links: Links): Html {
  const { result, reason, duration_seconds: took } = one
  return markup`<tr>
    <th scope="row">
      ${one.collector}
      <span class="quiet">${one.network}/${one.target}${one.source !== null && ` by ${one.source}`}</span>
    </th>
    <td class="${result ?? 'plain'}">
      ${resultText(result)}${reason !== '' && `: ${reason}`}${one.alerts.map(
        (alert) => markup` ${runbook(alert, links)}`,
      )}
    </td>
    <td class="short">${narrowLabel('run')}${when(one.last_run_timestamp_seconds, now)}</td>
    <td class="short">${narrowLabel('took')}${took === null ? UNKNOWN : tookText(took)}</td>
    <td>${narrowLabel('age')}${ageText(one, now)}</td>
    <td>${narrowLabel('next')}${nextRun(one, now)}</td>
    <td>${one.answered_by && markup`${narrowLabel('by')}${one.answered_by}`}</td>
  </tr> `
}

/** The age of the newest successful answers. */
function ageText({ result, last_success_timestamp_seconds: success, ttl_seconds: ttl }: TaskRow, now: number): string {
  if (result === 'unsupported') return 'no data'
  if (success === null) return UNKNOWN
  return `${durationText(now - success)}${now - success > ttl ? ', expired' : ''}`
}

function tookText(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(seconds < 10 ? 2 : 0)} s` : durationText(seconds)
}

function nextRun({ result, schedule, ...one }: TaskRow, now: number): string {
  const { next_run_timestamp_seconds: next, interval_seconds: every } = one
  const when = next === null ? '' : next <= now ? 'due, ' : `about ${relative(next, now)}, `
  // Most runs in between ask nothing, as the answer is known.
  const again = result === 'unsupported' ? '; asked again within an hour' : ''
  return `${when}${schedule === null ? `every ${durationText(every)}` : `at ${schedule}`}${again}`
}

const MOST_CARDS = 50

export function upstreamSection(status: Status, links: Links): Html {
  const { upstreams: all, timestamp_seconds: now } = status
  const about = all.length === 0 && markup`<p class="quiet">${noneText(status, 'upstreams')}</p>`
  const cardOf = (one: Upstream) => {
    // A refusal has nothing to do with the window.
    const { text, tone } = withWindow(healthOf(one), one.maintenance, one.up !== true && !one.refusing)
    return {
      heading: markup`${one.network}/${one.source} <span class="state ${tone}">${text}</span>`,
      identity: markup`${one.host}${one.node_id !== null && markup`<br />${one.node_id}`}${one.version !== null && `, ${one.version}`}`,
      entries: [one.budgets.map(budget), entry('Last error', lastError(one, now))],
    }
  }
  return cardSection({ title: 'Upstreams', thing: 'upstream', all, most: MOST_CARDS, about, cardOf }, status, links)
}

function healthOf({ up, refusing, circuit_open: isOpen, open_operations: open }: Upstream): Shown {
  if (refusing) return { text: 'refuses access (HTTP 401 or 403)', tone: 'critical' }
  if (up === null) return { text: UNKNOWN, tone: 'plain' }
  if (!up) return { text: isOpen ? 'down, requests paused' : 'down', tone: 'critical' }
  if (isOpen) return { text: 'requests paused', tone: 'warning' }
  if (open.length > 0) return { text: `up, requests paused for ${open.join(', ')}`, tone: 'warning' }
  return { text: 'up', tone: 'good' }
}

function budget({ window, units, remaining_units: remaining }: Upstream['budgets'][number]): Html {
  const share = units > 0 ? remaining / units : null
  const left = `${amount(remaining)} of ${amount(units)} units left`
  return entry(`Request budget per ${window}`, left, share !== null && ` (${percent(share)})`, bar(share, 'plain'))
}

function lastError({ last_error: error }: Upstream, now: number): Html {
  if (error === null) return markup`none since start`
  return markup`${when(error.timestamp_seconds, now)}: ${error.text} (${error.code}, ${error.operation})`
}
