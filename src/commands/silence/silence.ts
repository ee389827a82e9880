// silence: silences in Alertmanager that suppress what a maintenance window over the same objects would suppress, from now on.

import type { Command } from 'commander'
import { BaseError } from '../../errors.ts'
import { formatDuration } from '../../lib/duration.ts'
import { coveredBy } from '../../maintenance/coverage.ts'
import type { Http } from '../../upstream/http.ts'
import { readConfig } from '../config.ts'
import { durationOf } from '../flag-values.ts'
import {
  type DaemonFlags,
  daemonFlags,
  daemonOf,
  headerFlag,
  neededServer,
  type ServerFlags,
  serverFlags,
  withHttp,
} from '../http-target.ts'
import type { Io } from '../io.ts'
import { printable } from '../../lib/printable.ts'
import { type Alertmanager, alertmanagerAt, isoOf, type Silence } from '../monitoring/alertmanager.ts'
import { alertsOf, matchersFor, type Planned, shownOf, THIS_SILENCE, windowsOver } from './matchers.ts'
import type { MaintenanceWindow } from '../../maintenance/window.ts'
import type { Config, Network } from '../../config/schema.ts'
import { costsOf, unknownAmong, unwatchedAmong } from '../window-costs.ts'
import { type Daemon, daemonAt } from '../monitoring/daemon.ts'
import { fitsWhole } from '../monitoring/routes.ts'

interface SilenceFlags extends DaemonFlags, ServerFlags {
  'config.file'?: string
  network?: string
  for?: number
  comment?: string
  force?: true
  list?: true
  expire?: string
}

const EXAMPLES = `
Examples:
  stakewatch silence val-1 --for=2h --comment="new disk" --config.file=stakewatch.yml \\
    --alertmanager=http://localhost:9093
  stakewatch silence --list --alertmanager=http://localhost:9093
  stakewatch silence --expire=ID --alertmanager=http://localhost:9093`

const DAY = 86_400_000
/** As long as a configured window may be. */
const LONGEST = 31 * DAY
const lengthOf = durationOf(`Expected a duration from 1s to ${formatDuration(LONGEST)}, such as 2h.`, 1_000, LONGEST)

export function silence(program: Command, io: Io): void {
  const command = program
    .command('silence')
    .description(
      'silence the alerts that say that a machine is down: silences in Alertmanager with the matchers of a maintenance window',
    )
    .argument('[names...]', 'configured names; KIND/NAME where a validator, node, chain, subnet or wallet share one')
    .option('--config.file <file>', 'configuration with the names')
    .option('--network <name>', 'network of the names, if several have them')
    .option('--for <time>', 'how long, such as 2h; at most 31d', lengthOf)
    .option('--comment <text>', 'why')
    .option('--force', 'also if it would cost a reward or stall an L1, or if the daemon cannot tell')
  command.addOption(
    command
      .createOption('--list', 'instead, list the silences that stakewatch made and that are not over')
      .conflicts(['expire', 'config.file', 'for', 'comment', 'force', 'network']),
  )
  command.addOption(
    command
      .createOption('--expire <id>', 'instead, end this silence of stakewatch')
      .conflicts(['config.file', 'for', 'comment', 'force', 'network']),
  )
  serverFlags(command, 'alertmanager', 'Alertmanager')
  daemonFlags(headerFlag(command), 'the certificates of the daemon and of Alertmanager')
    .addHelpText('after', EXAMPLES)
    .action((names: string[], flags: SilenceFlags) =>
      withHttp(flags, io, async (http) => {
        const target = neededServer(flags, 'alertmanager', ', such as --alertmanager=http://localhost:9093', io)
        if ((flags.list || flags.expire !== undefined) && names.length > 0) {
          throw new BaseError('config', `${names.join(' ')}: --list and --expire take no names`)
        }
        const alertmanager = alertmanagerAt(http, target)
        if (flags.list) return list(alertmanager, io)
        if (flags.expire !== undefined) return expire(alertmanager, flags.expire, io)
        return create(http, alertmanager, names, flags, io)
      }),
    )
}

async function list(alertmanager: Alertmanager, io: Io): Promise<void> {
  const all = await alertmanager.ownSilences()
  if (all.length === 0) io.stdout('no silence of stakewatch is active or pending\n')
  for (const { id, status, endsAt, matchers, comment } of all) {
    io.stdout(`${printable(`${id}  ${status.state} until ${isoOf(endsAt)}  ${shownOf(matchers)}  ${comment}`)}\n`)
  }
}

async function expire(alertmanager: Alertmanager, id: string, io: Io): Promise<void> {
  const own = await alertmanager.ownSilences()
  if (!own.some((one) => one.id === id)) {
    throw new BaseError('not_found', `--expire: stakewatch made no silence ${id} that is not over; --list shows them`)
  }
  await alertmanager.expireSilence(id)
  io.stdout(`${id}  ended\n`)
}

async function create(http: Http, alertmanager: Alertmanager, names: readonly string[], flags: SilenceFlags, io: Io) {
  const { 'config.file': file, for: length, comment = '', network: only } = flags
  if (names.length === 0) throw new BaseError('config', 'what to silence? Give a configured name, --list or --expire')
  if (file === undefined) throw new BaseError('config', '--config.file=<file> is missing: it has the names')
  if (length === undefined) throw new BaseError('config', '--for=<time> is missing: how long, such as --for=2h')
  if (comment.trim() === '') throw new BaseError('config', '--comment=<text> is missing: say why')
  const config = readConfig(file, io)
  const from = Math.floor(Date.now() / 1_000) * 1_000
  const planned = windowsOver(names, config, { from, to: from + length, only })
  if (!flags.force) {
    const before = await alertmanager.ownSilences()
    const daemon = daemonAt(http, daemonOf(flags, io), '/metrics', true)
    await proveHarmless({ config, planned, before, now: from, daemon }, io)
  }
  for (const { network, window } of planned) {
    for (const matchers of matchersFor(network, coveredBy(window, network))) {
      const id = await alertmanager.createSilence({ matchers, comment, startsAt: from, endsAt: from + length })
      io.stdout(`${id}  until ${isoOf(from + length)}  ${shownOf(matchers)}\n`)
    }
  }
}

interface Question {
  config: Config
  planned: readonly Planned[]
  /** Silences that stakewatch made earlier: what they silence may be down too. */
  before: readonly Silence[]
  now: number
  daemon: Daemon
}

/**
 * By the rules for windows and the metrics of the daemon. Throws a BaseError if it would cost a reward or stall an L1, or if that
 * cannot be known.
 */
async function proveHarmless({ config, planned, before, now, daemon }: Question, io: Io): Promise<void> {
  const served = await daemon.samples().catch((error: unknown) => {
    if (!(error instanceof BaseError)) throw error
    throw new BaseError(
      error.code,
      `what this costs is unknown without the daemon (--force does it anyway): ${error.message}`,
    )
  })
  const metrics = Map.groupBy(served, ({ name }) => name)
  for (const { network, window } of planned) {
    const { validators } = coveredBy(window, network)
    const [unwatched] = unwatchedAmong(validators, network, metrics)
    if (unwatched) {
      throw new BaseError(
        'config',
        `what this costs is unknown: the daemon does not watch ${unwatched.name} on ${network.name}/${unwatched.subnet}; give the --url of the one that does, or --force`,
      )
    }
    for (const { name, subnet } of unknownAmong(validators, network, metrics)) {
      io.stderr(`warning: the daemon does not know how long ${name} on ${network.name}/${subnet} may be down\n`)
    }
  }
  const base = withWindows(config, (network) => before.flatMap((one) => silenced(one, network, now)))
  const all = withWindows(base, (network) =>
    planned.flatMap((one) => (one.network.name === network.name ? one.window : [])),
  )
  const known = new Set(costsOf(base, metrics, now).map(keyOf))
  const added = costsOf(all, metrics, now).filter((cost) => !known.has(keyOf(cost)))
  if (added.length === 0) return
  const why = added.map(({ text: cost }) => printable(spoken(cost))).join('\n')
  throw new BaseError('config', 'not silenced: shorten it, name less, or give --force', { details: `\n${why}` })
}

/** The rules speak of windows. */
const spoken = (text: string) =>
  text.replace(/^Maintenance window t/, 'T').replace(`maintenance window ${THIS_SILENCE}`, THIS_SILENCE)

const keyOf = ({ alert, labels }: { alert: string; labels: object }) => JSON.stringify([alert, labels])

function withWindows(config: Config, more: (network: Network) => MaintenanceWindow[]): Config {
  const networks = config.networks.map((one) => ({ ...one, maintenance: [...one.maintenance, ...more(one)] }))
  return { ...config, networks }
}

/** The window over the validators that an earlier silence covers. */
function silenced(
  { id, status, matchers, startsAt, endsAt }: Silence,
  network: Network,
  now: number,
): MaintenanceWindow[] {
  const [alertname = ''] = alertsOf('validator')
  const validators = network.validators
    // A pattern that cannot be used may fit.
    .filter(
      ({ subnet, node_id }) => fitsWhole(matchers, { alertname, network: network.name, subnet, node_id }) !== 'no',
    )
    .map(({ name }) => name)
  if (validators.length === 0) return []
  // Alertmanager says when it began by its own clock.
  const from = Math.min(startsAt, status.state === 'active' ? now : Infinity)
  return [{ name: `silence ${id}`, timezone: 'UTC', grace: 0, from, to: endsAt, validators }]
}
