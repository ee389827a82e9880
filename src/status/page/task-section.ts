// The tasks on the page.

import { type Html, markup } from './markup.ts'
import { leftOut, type Links, narrowLabel, runbook, when } from './parts.ts'
import type { Status, TaskRow } from '../value/status-schema.ts'
import { durationText, relative, UNKNOWN } from '../../lib/figures.ts'

const MOST = 150
/** Of those whose last run went alike. */
const MOST_ALIKE = 3

export function taskSection({ tasks, timestamp_seconds: now }: Status, links: Links): Html {
  const groups = [...Map.groupBy(tasks, alikeKey).values()]
  const shown = groups.slice(0, MOST / MOST_ALIKE)
  const failing = tasks.filter(({ result }) => result === 'failure').length
  const waiting = tasks.filter(({ result }) => result === null).length
  const rest = waiting === 0 ? '' : `, ${waiting} without a result yet`
  return markup`<p class="quiet">${tasks.length} planned, ${failing} failing${rest}.</p>
    <div class="scroll" role="region" aria-label="Tasks" tabindex="0">
      <table class="wide stacked">
        <thead>
          <tr>
            ${columns.map((name) => markup`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map((some) => rowsOf(some, now, links))}
        </tbody>
      </table>
    </div>
    ${leftOut(groups.length - shown.length, 'kind of task', 'none with a worse result')}`
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

function nextRun({ next_run_timestamp_seconds: next, interval_seconds: every }: TaskRow, now: number): string {
  if (next === null) return `every ${durationText(every)}`
  return `${next <= now ? 'due' : `about ${relative(next, now)}`}, every ${durationText(every)}`
}
