// top: the validators of a running daemon as a live table in the terminal, for machines without a browser.

import { type Status, statusSchema, type Validator } from '../../status/value/status-schema.ts'
import { evaluationText, stateText } from '../../status/page/words.ts'
import {
  costText,
  coverageText,
  isCurrent,
  isExcused,
  shownMaintenance,
  whenText,
} from '../../status/page/maintenance.ts'
import { durationText, percent, timeText, UNKNOWN } from '../../lib/figures.ts'
import { printable } from '../../lib/printable.ts'
import { aligned, BETWEEN, counted, type Rows, widthsOf } from '../terminal-text.ts'
import type { Command } from 'commander'
import { BaseError } from '../../errors.ts'
import { secretUrl } from '../../lib/secret.ts'
import type { Http } from '../../upstream/http.ts'
import { durationFlag, durationOf, numberOf } from '../flag-values.ts'
import { askTarget, type DaemonFlags, daemonFlags, daemonOf, type Target, withHttp } from '../http-target.ts'
import type { Io } from '../io.ts'
import { readAs } from '../monitoring/foreign.ts'

const MOST_OBSERVERS = 3
/** Characters of a name, so that a row fits into a terminal. */
const LONGEST_NAME = 24

/** Columns in the order in which they are dropped from a narrow terminal. */
const LESS_NEEDED = ['SUBNET', 'TURNS', 'UPTIME BY OBSERVER', 'ENDS', 'DOWNTIME LEFT']
/** The least characters of an alert that still identify it. */
const LEAST_OF_ALERT = 28

interface Room {
  limit: number
  /** Characters in a line; unlimited by default. */
  width?: number | undefined
}

export function topText(status: Status, host: string, { limit, width = Infinity }: Room): string {
  const { version, timestamp_seconds: now, simulated, scheduler_stalled: isStalled, validators } = status
  const shown = validators.slice(0, limit)
  const left = validators.length - shown.length
  // A machine may have one name in several subnets.
  const isUnique = new Set(shown.map(({ name }) => name)).size === shown.length
  const lines = [
    `stakewatch ${version} at ${host}, ${timeText(now)}`,
    ...(simulated ? ['SIMULATED NETWORK: no validator here is real.'] : []),
    ...(isStalled ? ['POLLING HAS STOPPED: the scheduler is stuck.'] : []),
    `${counted(validators.length, 'validator')}; upstreams: ${upstreamsText(status)}`,
    evaluationText(status),
    ...[...maintenanceLines(status), ...alertLines(status, limit)].map((line) =>
      line.length > width ? `${line.slice(0, width - 3)}...` : line,
    ),
    '',
    ...fitted(
      without(shown.every((one) => one.turns === null) ? 'TURNS' : undefined, [
        ['VALIDATOR', 'SUBNET', 'STATE', 'UPTIME BY OBSERVER', 'TURNS', 'DOWNTIME LEFT', 'ENDS', 'ATTENTION'],
        ...shown.map((one) => row(one, now)),
      ]),
      width,
      LESS_NEEDED.filter((name) => isUnique || name !== 'SUBNET'),
    ),
    ...(left > 0 ? ['', `${left} more, none with more urgent alerts: --limit shows more.`] : []),
  ]
  return `${lines.map((line) => printable(line).trimEnd()).join('\n')}\n`
}

/** A line for each alert, up to the limit for validators. */
function alertLines({ alerts, timestamp_seconds: now }: Status, limit: number): string[] {
  const shown = alerts.slice(0, limit)
  const left = alerts.length - shown.length
  return [
    ...shown.map((one) => `  ${one.severity.toUpperCase()} ${one.alert}, ${stateText(one, now)}: ${one.description}`),
    ...(left > 0 ? [`  ${left} more, less urgent than these: --limit shows more.`] : []),
  ].map(printable)
}

/** A line for each open window, else for the next one. */
function maintenanceLines(status: Status): string[] {
  return shownMaintenance(status).map((one) => {
    const parts = [whenText(one, status.timestamp_seconds), coverageText(one), costText(one)]
    const title = isCurrent(one) ? 'IN MAINTENANCE' : 'Next maintenance'
    return printable(`  ${title} ${one.window}: ${parts.filter((part) => part !== '').join('; ')}`)
  })
}

function upstreamsText({ upstreams: all }: Status): string {
  const planned = all.filter(({ up, refusing, maintenance }) => maintenance !== null && up !== true && !refusing)
  const upstreams = all.filter((one) => !planned.includes(one))
  const down = upstreams.filter(({ up, refusing }) => up === false || refusing).map(({ source }) => source)
  const unknown = upstreams.filter(({ up, refusing }) => up === null && !refusing).map(({ source }) => source)
  const answering = upstreams.length - down.length - unknown.length
  return [
    `${answering} of ${all.length} up`,
    ...(planned.length > 0 ? [`in maintenance: ${planned.map(({ source }) => source).join(', ')}`] : []),
    ...(down.length > 0 ? [`down: ${down.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`${UNKNOWN}: ${unknown.join(', ')}`] : []),
  ].join('; ')
}

function row(one: Validator, now: number): string[] {
  const [alert] = one.alerts
  const more = one.alerts.length - 1
  return [
    shortened(one.name),
    shortened(`${one.network}/${one.subnet}`),
    `${isExcused(one) ? 'in maintenance: ' : ''}${one.state.replaceAll('_', ' ')}`,
    uptimes(one),
    turns(one),
    budget(one),
    ends(one, now),
    alert ? `${alert.severity} ${alert.state}: ${alert.summary}${more > 0 ? ` (+${more})` : ''}` : '',
  ]
}

function uptimes({ observers }: Validator): string {
  if (observers.length === 0) return UNKNOWN
  const shown = observers.slice(0, MOST_OBSERVERS).map((one) => `${one.source} ${percent(one.uptime_ratio, 2)}`)
  const left = observers.length - shown.length
  return [...shown, ...(left > 0 ? [`+${left}`] : [])].join(', ')
}

/** Those that it made, of the last week or of as much of it as is known. */
function turns({ turns: all }: Validator): string {
  if (all === null) return '-'
  if (all.made === null || all.missed === null) return UNKNOWN
  const count = all.made + all.missed
  return count === 0 ? 'none' : `${all.made} of ${count}`
}

function budget({ downtime_budget_seconds: seconds, kind }: Validator): string {
  if (seconds === null) return kind === 'l1' ? '-' : UNKNOWN
  return seconds < 0 ? 'none' : durationText(seconds)
}

/** The end of the stake; for an L1 validator, the end of its balance. */
function ends(one: Validator, now: number): string {
  const { end_timestamp_seconds: end, depletion_timestamp_seconds: depletion, next_period_seconds: next } = one
  const first = end ?? depletion
  if (first === null) return UNKNOWN
  const left = first > now ? durationText(first - now) : 'over'
  if (end === null) return `balance ${left}`
  return next !== null && next > 0 ? `renews ${left}` : left
}

function shortened(text: string): string {
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 3)}...` : text
}

function without(name: string | undefined, rows: Rows): string[][] {
  const left = rows[0]!.indexOf(name ?? '')
  return rows.map((row) => row.filter((_, at) => at !== left))
}

/** Fits the rows into the width: drops columns, and cuts the last one, the only one with texts of any length. */
function fitted(rows: Rows, width: number, lessNeeded: readonly string[]): string[] {
  // Names and texts come from elsewhere and are escaped first, as escaping makes them longer.
  let kept = rows.map((row) => row.map(printable))
  for (const name of lessNeeded) {
    const widths = widthsOf(kept)
    const before = widths.slice(0, -1).reduce((sum, one) => sum + one + BETWEEN.length, 0)
    if (before + Math.min(widths.at(-1)!, LEAST_OF_ALERT) <= width) break
    kept = without(name, kept)
  }
  return aligned(kept).map((line) => (line.length > width ? `${line.slice(0, width - 3)}...` : line))
}

interface TopFlags extends DaemonFlags {
  every: number
  limit: number
  once?: true
}

/** Moves the cursor to the top left and clears the screen below it. */
const CLEAR = '\u001b[H\u001b[J'

const interval = durationOf('Expected a duration of at least 1s, such as 5s.', 1_000)
const limit = numberOf(/^[1-9]\d{0,5}$/, 'Expected a number of at least 1.')

export function top(program: Command, io: Io): void {
  const command = program
    .command('top')
    .description("the validators of a running daemon as a table, from the daemon's own /api/v1/status")
  daemonFlags(command, 'the certificate of the daemon')
  durationFlag(command, '--every', 'refresh interval, at least 1s', interval, 5_000)
  command
    .option('--limit <number>', 'maximum number of validators to show, the most urgent first', limit, 30)
    .option('--once', 'print the table once and exit, as without a terminal')
    .action((flags: TopFlags) =>
      withHttp(flags, io, (http) => {
        const daemon = daemonOf(flags, io)
        return flags.once || io.columns() === undefined
          ? printOnce(http, daemon, flags, io)
          : printOn(http, daemon, flags, io)
      }),
    )
}

async function printOnce(http: Http, target: Target, { limit }: TopFlags, io: Io): Promise<void> {
  io.stdout(topText(await statusAt(http, target), String(secretUrl(target.url)), { limit, width: io.columns() }))
}

/** Runs until the process is stopped or its output goes nowhere. An error replaces the table, which is then out of date. */
async function printOn(http: Http, target: Target, { every, limit }: TopFlags, io: Io): Promise<void> {
  const shown = String(secretUrl(target.url))
  const stopping = new AbortController()
  const stopped = io.stopped.then(() => stopping.abort())
  while (!stopping.signal.aborted && !io.isOutputLost()) {
    const text = await statusAt(http, target).then(
      (status) => topText(status, shown, { limit, width: io.columns() }),
      (error: unknown) => {
        if (!(error instanceof BaseError)) throw error
        return `${error.message}\n`
      },
    )
    io.stdout(`${CLEAR}${onScreen(text, io.rows(), io.columns() ?? Infinity)}`)
    await Promise.race([stopped, io.sleep(every)])
  }
}

/** The first lines are the most urgent ones, and must not scroll away. The cursor needs a row of its own. */
function onScreen(text: string, rows: number, width: number): string {
  const lines = text.trimEnd().split('\n')
  const heightOf = (some: readonly string[]) =>
    some.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0)
  if (heightOf(lines) < rows) return text
  const withNote = (count: number) => [
    ...lines.slice(0, count),
    `${counted(lines.length - count, 'more line')}: enlarge the terminal.`,
  ]
  const most = lines.findLastIndex((_, count) => heightOf(withNote(count)) < rows)
  return `${withNote(Math.max(1, most)).join('\n')}\n`
}

const statusAt = async (http: Http, daemon: Target): Promise<Status> =>
  readAs(statusSchema, await askTarget(http, daemon, { path: '/api/v1/status' }), daemon, 'stakewatch')
