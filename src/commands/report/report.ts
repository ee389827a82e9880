// report: the figures of a month from Prometheus, as documents for delegators and for spreadsheets.

import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { BaseError } from '../../errors.ts'
import { printable } from '../../lib/printable.ts'
import { meantOr } from '../../lib/suggestion.ts'
import { timeText } from '../../lib/figures.ts'
import type { Http } from '../../upstream/http.ts'
import { durationFlag, durationOf, folderOf } from '../flag-values.ts'
import {
  type DaemonFlags,
  headerFlag,
  neededServer,
  type ServerFlags,
  serverFlags,
  shownOf,
  withHttp,
} from '../http-target.ts'
import { fileModes, type Io, isFile } from '../io.ts'
import { type Prometheus, prometheusAt } from '../monitoring/prometheus.ts'
import { counted, progressBar } from '../terminal-text.ts'
import { ask, askAll } from './ask.ts'
import { type Report, reportOf } from './figures/figures.ts'
import { tokenText } from './figures/values.ts'
import { type ValidatorId, validatorsIn } from './figures/validators.ts'
import { csvOf } from './formats/csv.ts'
import { htmlOf } from './formats/html.ts'
import { markdownOf } from './formats/document.ts'
import { documentOf } from './formats/sections.ts'
import { HOUR } from '../../lib/seconds.ts'
import { isComplete, lastMonth, type Month, MONTH_FORM, monthOf } from './month.ts'
import { tracked } from './questions.ts'

interface ReportFlags extends Pick<DaemonFlags, 'tls.caFile'>, ServerFlags {
  month?: string
  validator?: readonly string[]
  output: string
  force?: true
  timeout: number
}

const EXAMPLE = `
Examples:
  stakewatch report --prometheus=http://localhost:9090
  stakewatch report --prometheus=http://localhost:9090 --month=2026-10 --validator=val-1 --output=reports`

const timeout = durationOf('Expected a duration of at least 1s, such as 2m.', 1_000)

export function report(program: Command, io: Io): void {
  const command = program
    .command('report')
    .description('write a month from Prometheus, Thanos, Mimir or VictoriaMetrics as Markdown, HTML, CSV and JSON')
    .option('--month <month>', 'calendar month in UTC, such as 2026-10; default: the last one that is over', monthText)
    .option('--validator <name>', 'name or node id of a validator, repeatable; default: all', listed)
    .option('--output <folder>', 'folder for report-<month>.md, .html, .csv and .json', folderOf, '.')
    .option('--force', 'write over files that are there')
  headerFlag(serverFlags(command, 'prometheus', 'Prometheus'))
  command.option('--tls.ca-file <file>', 'PEM file of the authorities that sign the certificate of this server')
  durationFlag(command, '--timeout', 'how long one query may take', timeout, 120_000)
    .addHelpText('after', EXAMPLE)
    .action((flags: ReportFlags) => withHttp(flags, io, (http) => run(http, flags, io)))
}

async function run(http: Http, flags: ReportFlags, io: Io): Promise<void> {
  const server = neededServer(flags, 'prometheus', ': the report is made of what it has stored', io)
  const now = Date.now() / 1_000
  const month = monthOf(flags.month ?? lastMonth(now), now)
  const files = filesOf(flags, month, io)
  const prometheus = prometheusAt(http, server, flags.timeout)
  const known = validatorsIn(await ask(prometheus, tracked, month, ''))
  if (known.length === 0) {
    const where = `${shownOf(server)} has no validator of stakewatch in ${month.name}`
    throw new BaseError('not_found', `${where}${await whyNone(prometheus, month, now)}`)
  }
  const validators = chosen(known, flags.validator)
  const isPartial = flags.validator !== undefined
  const progress = (done: number, all: number) =>
    io.progress(progressBar(done, all, `${done} of ${counted(all, 'question')}`))
  const asked = { prometheus, month, only: matcherOf(validators), isPartial, progress }
  const answers = await askAll(asked).finally(() => io.progress(''))
  const texts = textsOf(reportOf(answers, { month, validators, isPartial }))
  for (const [format, file] of files) io.writeFile(file, texts[format], fileModes.plain)
  const until = isComplete(month) ? '' : ', until now: the month is not over'
  io.stdout([...files.map(([, file]) => `${file}: written${until}`), ''].join('\n'))
}

/** A report ends with a full hour: in a month that is not over, all that there is may have come after it. */
async function whyNone(prometheus: Prometheus, month: Month, now: number): Promise<string> {
  const range = { start: now, end: now, step: HOUR }
  if (!isComplete(month) && (await prometheus.queryRange(tracked.expr(''), range)).length > 0) {
    const [last, next] = [month.until, month.until + HOUR].map((time) => timeText(time))
    return ` up to ${last}, the last full hour: its samples began after that, so ask again after ${next}`
  }
  return ': does it keep samples for that long, and does it scrape stakewatch?'
}

type Format = keyof ReturnType<typeof textsOf>

function textsOf(value: Report) {
  const document = documentOf(value)
  return { md: markdownOf(document), html: htmlOf(document), csv: csvOf(value), json: jsonOf(value) }
}

/** The whole value. Amounts are texts, as a number of JSON may lose their last places. */
function jsonOf(report: Report): string {
  return `${JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? tokenText(value) : value), 2)}\n`
}

const formats: readonly Format[] = ['md', 'html', 'csv', 'json']

/** Throws a BaseError before anything is asked if a file would be lost. */
function filesOf({ output, force }: ReportFlags, { name }: Month, io: Io): [Format, string][] {
  const files = formats.map((format): [Format, string] => [format, join(output, `report-${name}.${format}`)])
  const present = force ? [] : files.flatMap(([, file]) => (isFile(file, io) ? [file] : []))
  if (present.length === 0) return files
  throw new BaseError('config', `${present.join(', ')}: already there; give --force to write over, or another --output`)
}

/** Throws a BaseError for a name that no validator of the month has. */
function chosen(known: readonly ValidatorId[], wanted: readonly string[] | undefined): readonly ValidatorId[] {
  if (wanted === undefined) return known
  const names = known.flatMap(({ name, nodeId }) => [name, nodeId])
  for (const one of wanted.filter((name) => !names.includes(name))) {
    const advice = meantOr(`there are ${[...new Set(known.map(({ name }) => name))].join(', ')}`, one, names)
    throw new BaseError(
      'not_found',
      printable(`--validator=${one}: no validator of the month has this name; ${advice}`),
    )
  }
  return known.filter(({ name, nodeId }) => wanted.includes(name) || wanted.includes(nodeId))
}

/** Escaped for a pattern within a text of PromQL. */
function matcherOf(validators: readonly ValidatorId[]): string {
  const ids = [...new Set(validators.map(({ nodeId }) => nodeId.replace(/[^\w-]/g, String.raw`\$&`)))]
  return `node_id=~${JSON.stringify(ids.join('|'))}`
}

function monthText(text: string): string {
  if (MONTH_FORM.test(text)) return text
  throw new InvalidArgumentError('Expected a month such as 2026-10.')
}

const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]
