// backtest: what the rules would have fired over the operator's own history, also with other limits, next to what did fire.

import type { Command } from 'commander'
import { JOB } from '../../alerts/groups.ts'
import { thresholds } from '../../alerts/thresholds.ts'
import { BaseError } from '../../errors.ts'
import { formatDuration } from '../../lib/duration.ts'
import { packagedText } from '../config.ts'
import { durationOf, noSuch } from '../flag-values.ts'
import { jobFlag, limitFlag } from '../alerts.ts'
import type { Limits } from '../../alerts/limit.ts'
import {
  type DaemonFlags,
  headerFlag,
  neededServer,
  type ServerFlags,
  serverFlags,
  shownOf,
  type Target,
  withHttp,
} from '../http-target.ts'
import type { Io } from '../io.ts'
import { type Prometheus, prometheusAt } from '../monitoring/prometheus.ts'
import { type AlertmanagerConfig, readAlertmanagerConfig } from '../monitoring/routes.ts'
import { printable } from '../../lib/printable.ts'
import { progressBar } from '../terminal-text.ts'
import { type Episode, readHistory, type Stretch } from './read-history.ts'
import { createReplay, FIRED, judgedRules, type Plan, planOf } from './replay.ts'
import { jsonOf, type Report, summaryOf } from './report.ts'
import { textOf } from './text.ts'

interface BacktestFlags extends Pick<DaemonFlags, 'tls.caFile'>, ServerFlags {
  since: number
  limit?: Limits
  job: string
  alert?: string
  json?: true
}

const EXAMPLES = `
Examples:
  stakewatch backtest --prometheus=http://localhost:9090 --since=30d
  stakewatch backtest --prometheus=http://localhost:9090 --limit=awayOfHour=0.2 --limit=messagePending=1h
  stakewatch backtest --prometheus=http://localhost:9090 --alert=StakewatchUpstreamDown`

const DAY = 86_400_000
/** Seconds that are judged before the beginning: the longest that a judge remembers (a day), and that a rule waits and holds. */
const WARM_UP = 27 * 3_600
/** As often as Prometheus evaluates rules by default (seconds). */
const INTERVAL = 60
/** A year, with four evaluations a minute, is two million. */
const MOST_EVALUATIONS = 5_000_000

export function backtest(program: Command, io: Io): void {
  const command = program
    .command('backtest')
    .description('evaluate the alert rules over your history in Prometheus, also with other limits')
  serverFlags(command, 'prometheus', 'Prometheus')
  const since = durationOf('Expected a duration from 1m to 3650d, such as 30d.', 60_000, 3_650 * DAY)
  command.addOption(
    command
      .createOption('--since <duration>', 'how far back')
      .argParser(since)
      .default(30 * DAY, '30d'),
  )
  limitFlag(jobFlag(headerFlag(command)), 'another limit to compare with')
    .option('--alert <name>', 'list when this alert fired instead', alertName)
    .option('--tls.ca-file <file>', 'PEM file of the authorities that sign the certificate of Prometheus')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action((flags: BacktestFlags) =>
      withHttp(flags, io, async (http) => {
        const server = neededServer(flags, 'prometheus', ': it has the history', io)
        const report = await reportOf(prometheusAt(http, server), server, flags, io)
        io.stdout(flags.json ? jsonOf(report, flags.alert) : textOf(report, flags.alert))
      }),
    )
}

async function reportOf(prometheus: Prometheus, server: Target, flags: BacktestFlags, io: Io): Promise<Report> {
  const { since, job, limit } = flags
  const example = readAlertmanagerConfig(packagedText(io, 'alerts', 'alertmanager.example.yml'))
  const step = await intervalOf(prometheus)
  const to = Math.floor(Date.now() / 1_000 / step)
  if ((since / 1_000 + WARM_UP) / step > MOST_EVALUATIONS) {
    const every = `${shownOf(server)} evaluates the rules every ${step} s`
    const advice = WARM_UP / step > MOST_EVALUATIONS ? 'set a longer interval of their group' : 'give a shorter time'
    throw new BaseError('config', `--since=${formatDuration(since)}: ${every}: ${advice}`)
  }
  const plan = planOf(job, [thresholds, ...(limit ? [{ ...thresholds, ...limit }] : [])])
  return reportOver({ prometheus, server, plan, example, step, to }, flags, io)
}

interface Judging {
  prometheus: Prometheus
  server: Target
  plan: Plan
  /** Whose routes decide what is a message. */
  example: AlertmanagerConfig
  /** Seconds from one evaluation to the next. */
  step: number
  /** The number of the last one. */
  to: number
}

type Asked = Pick<BacktestFlags, 'since' | 'job' | 'limit'>

export async function reportOver(
  judging: Judging,
  { since, job, limit }: Asked,
  io: Pick<Io, 'progress'>,
): Promise<Report> {
  const { prometheus, server, plan, example, step, to } = judging
  const window = { from: to - Math.ceil(since / 1_000 / step) + 1, to }
  const present = `max(up{job="${job}"}) or max(stakewatch_build_info{job="${job}"})`
  const replay = createReplay(plan, present, step)
  const reading = {
    prometheus,
    step,
    always: [present, FIRED],
    others: [...plan.judged.values(), ...plan.asked.values()],
    report: (done: number) => io.progress(progressBar(done, 1, `of ${formatDuration(since)}`)),
  }
  try {
    for await (const chunk of readHistory(reading, { from: window.from - Math.ceil(WARM_UP / step), to })) {
      replay.take(chunk)
    }
  } finally {
    io.progress('')
  }
  const { would, did, gaps, unloaded, problems } = replay.outcome()
  const missing = gaps.filter((gap) => gap.to >= window.from)
  if (missing[0] && missing[0].from <= window.from && missing[0].to === to) {
    throw await nothingOf(prometheus, server, job, since)
  }
  const summarize = (episodes: readonly Episode[]) => summaryOf(episodes, window, step, example)
  const summaries = would.map(summarize)
  return {
    step,
    window,
    job,
    limits: limit ?? {},
    rules: judgedRules(job, thresholds),
    shipped: summaries[0]!,
    other: summaries[1],
    did: summarize(did),
    gaps: within(gaps, window),
    unloaded: within(unloaded, window),
    problems,
  }
}

/** Seconds from one evaluation of the rules to the next. */
async function intervalOf(prometheus: Prometheus): Promise<number> {
  try {
    const groups = await prometheus.rules()
    return groups.find(({ name }) => name.startsWith('stakewatch-'))?.interval ?? INTERVAL
  } catch (error) {
    // Servers that have the history need not have the rules. One that does not answer at all need not be asked for it.
    if (error instanceof BaseError && error.code !== 'timeout' && error.code !== 'network') return INTERVAL
    throw error
  }
}

/** The reason why there is nothing to judge. */
async function nothingOf(prometheus: Prometheus, server: Target, job: string, since: number): Promise<BaseError> {
  const back = formatDuration(since)
  const found = await prometheus.query(`count by (job) (last_over_time(stakewatch_build_info[${back}]))`)
  const jobs = found.map(({ labels }) => labels['job'] ?? '').toSorted()
  const advice =
    jobs.length === 0 ? 'is stakewatch scraped there?' : `give --job=${jobs.map(printable).join(' or --job=')}`
  return new BaseError('not_found', `${shownOf(server)} has no series of the job ${job} in the last ${back}: ${advice}`)
}

function within(stretches: readonly Stretch[], window: Stretch): Stretch[] {
  return stretches
    .filter(({ to }) => to >= window.from)
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to }))
}

const alertNames = judgedRules(JOB, thresholds).map(({ alert }) => alert)

function alertName(text: string): string {
  if (alertNames.includes(text)) return text
  throw noSuch('alert', text, alertNames)
}
