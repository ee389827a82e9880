// doctor: checks every link from the daemon to the pager through the APIs of the real programs.

import type { Command } from 'commander'
import { pages } from '../../alerts/links.ts'
import { limitsOf } from '../../alerts/limit.ts'
import { waitsOf } from '../../config/alerting.ts'
import { packagedText, readConfig } from '../config.ts'
import { orNothing } from '../failure.ts'
import {
  type DaemonFlags,
  daemonFlags,
  daemonOf,
  foundAt,
  headerFlag,
  type Server,
  type ServerFlags,
  serverFlags,
  serverOf,
  type Target,
  withHttp,
} from '../http-target.ts'
import { DEFAULT_PORT, type Io } from '../io.ts'
import { limitFlag } from '../alerts.ts'
import type { Limits } from '../../alerts/limit.ts'
import { type Grafana, grafanaAt, readDashboard } from '../monitoring/grafana.ts'
import {
  type Chain,
  diagnose,
  type Diagnosis,
  type Given,
  type Level,
  levels,
  type Own,
  type Program,
} from './check.ts'
import { alertmanagerRoutes } from './checks/alertmanager-routes.ts'
import { alertmanagerGate, alertmanagerState } from './checks/alertmanager-state.ts'
import { daemonChecks } from './checks/daemon.ts'
import { grafanaChecks, grafanaGate } from './checks/grafana.ts'
import { prometheusRules } from './checks/prometheus-rules.ts'
import { prometheusScrapes } from './checks/prometheus-scrapes.ts'
import { prometheusGate, prometheusServer } from './checks/prometheus-server.ts'
import { styleText } from 'node:util'
import { greatest } from '../../lib/statistics.ts'
import { printable } from '../../lib/printable.ts'
import { BaseError } from '../../errors.ts'
import type { Http } from '../../upstream/http.ts'
import { httpUrlText } from '../monitoring/foreign.ts'
import { alertmanagerAt, baseOf } from '../monitoring/alertmanager.ts'
import { type Daemon, daemonAt } from '../monitoring/daemon.ts'
import { type Prometheus, prometheusAt } from '../monitoring/prometheus.ts'
import { answers, instances, scrapedOf, targets } from './facts.ts'

interface DoctorFlags extends DaemonFlags, ServerFlags {
  'config.file'?: string
  limit?: Limits
  json?: true
}

const EXAMPLE = `
Example:
  stakewatch doctor --prometheus=http://localhost:9090 --grafana=http://localhost:3000`

/** In the order in which they are printed. */
const checks = [
  ...daemonChecks,
  ...prometheusServer,
  ...prometheusScrapes,
  ...prometheusRules,
  ...alertmanagerState,
  ...alertmanagerRoutes,
  ...grafanaChecks,
]
const gates = [prometheusGate, alertmanagerGate, grafanaGate]

export function doctor(program: Command, io: Io): void {
  const command = program
    .command('doctor')
    .description('check every link from the daemon to the pager, and say how to fix what is broken')
  serverFlags(command, 'prometheus', 'Prometheus')
  serverFlags(command, 'alertmanager', 'Alertmanager')
  serverFlags(command, 'grafana', 'Grafana')
  daemonFlags(headerFlag(command), 'the certificates of these servers')
  command.option('--config.file <file>', 'the configuration with whose limits and waiting times the rules were printed')
  limitFlag(command, 'a limit with which the rules were printed')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLE)
    .action((flags: DoctorFlags) =>
      withHttp(flags, io, async (http) => {
        const diagnosis = await diagnose(
          checks,
          gates,
          await findPrograms(withoutDefault(flags, command), io, http),
          ownOf(io, flags),
        )
        io.stdout(flags.json ? jsonOf(diagnosis) : reportOf(diagnosis))
        io.setExitCode(exitCodeFor(diagnosis))
      }),
    )
}

/** Without --url, Prometheus names the daemons. */
function withoutDefault({ url, ...flags }: DoctorFlags, command: Command): ProgramFlags {
  return command.getOptionValueSource('url') === 'default' ? flags : { ...flags, url }
}

function ownOf(io: Io, { 'config.file': file, limit }: DoctorFlags): Own {
  const { limits, alerts } = file === undefined ? { limits: {}, alerts: {} } : readConfig(file, io)
  const dashboards = pages.map((page) => readDashboard(packagedText(io, 'dashboards', `${page}.json`)))
  return {
    version: io.version,
    limits: { ...limitsOf({ limits }), ...limit },
    waits: waitsOf({ alerts }),
    example: packagedText(io, 'alerts', 'alertmanager.example.yml'),
    dashboards: new Map(dashboards.map((one) => [one.uid, one])),
  }
}

const worstOf = ({ findings }: Diagnosis): Level =>
  levels[
    greatest(
      findings.map(({ level }) => levels.indexOf(level)),
      0,
    )
  ]!

/** Scripts tell a broken chain from a weak one. 1 is for a command line that is wrong. */
const exitCodes: Readonly<Record<Level, number>> = { ok: 0, note: 0, unknown: 10, warning: 10, failed: 11 }
const exitCodeFor = (diagnosis: Diagnosis) => exitCodes[worstOf(diagnosis)]

const colours = { ok: 'green', note: 'cyan', unknown: 'magenta', warning: 'yellow', failed: 'red' } as const

/** Colours are left out where the output is no terminal, or NO_COLOR is set. */
function reportOf(diagnosis: Diagnosis): string {
  const { findings, unchecked } = diagnosis
  const width = greatest(
    findings.map(({ check }) => check.length),
    0,
  )
  const indent = ' '.repeat(9)
  const lines = findings.flatMap(({ check, level, found, why, fix }, at) => {
    const start = `${styleText(colours[level], level.padEnd(7))}  ${check.padEnd(width)}  ${printable(found)}`
    const isFirst = findings[at - 1]?.check !== check
    const more =
      level === 'ok' ? [] : [...(isFirst ? [`why: ${why}`] : []), ...(fix === undefined ? [] : [`fix: ${fix}`])]
    return [start, ...more.map((line) => styleText('dim', `${indent}${printable(line)}`))]
  })
  const missing = unchecked.map((name) => `${'-'.padEnd(7)}  ${name}: not checked, give ${flagOf(name)}=URL`)
  return [summaryOf(diagnosis), '', ...lines, ...missing, ''].join('\n')
}

const flagOf = (name: Diagnosis['unchecked'][number]) => (name === 'daemon' ? '--url' : `--${name}`)

/** `2 failed, 1 warning, 21 ok`. */
function summaryOf({ findings }: Diagnosis): string {
  const counts = levels.toReversed().flatMap((level) => {
    const count = findings.filter((one) => one.level === level).length
    const noun = count > 1 && (level === 'warning' || level === 'note') ? `${level}s` : level
    return count === 0 ? [] : [styleText(colours[level], `${count} ${noun}`)]
  })
  return counts.join(', ') || 'nothing was checked'
}

const jsonOf = (diagnosis: Diagnosis) =>
  `${JSON.stringify({ worst: worstOf(diagnosis), ...diagnosis }, undefined, 2)}\n`

interface ProgramFlags extends Omit<DaemonFlags, 'url'>, ServerFlags {
  url?: string
}

/** Those that the operator names, and those that they name to each other. What goes wrong is a finding of the check that asks the same. */
async function findPrograms(flags: ProgramFlags, io: Io, http: Http): Promise<Chain> {
  const found = new Set<Program>()
  const at = <Client>(name: Server, named: string | undefined, client: (http: Http, target: Target) => Client) => {
    const given = serverOf(flags, name, io)
    if (given) return client(http, given)
    if (named === undefined) return undefined
    found.add(name)
    return client(http, foundAt(named, name))
  }
  const grafana = at('grafana', undefined, grafanaAt)
  const prometheus = at('prometheus', await orNothing(prometheusOf(grafana)), prometheusAt)
  // One that does not answer is asked nothing more.
  const isUp = prometheus && (await orNothing(answers(prometheus).then(() => true)))
  const [sender] = (isUp && (await orNothing(prometheus.alertmanagers()))) || []
  const alertmanager = at('alertmanager', sender && baseOf(sender), alertmanagerAt)
  const daemon = await daemonsFor(flags, io, http, prometheus, isUp)
  return { given: { daemon, prometheus, alertmanager, grafana }, found }
}

async function prometheusOf(grafana: Grafana | undefined): Promise<string | undefined> {
  const { dataSources = [] } = (await grafana?.settings()) ?? {}
  const ours = dataSources.filter(({ type }) => type === 'prometheus')
  const named = (ours.find(({ isDefault }) => isDefault) ?? ours[0])?.jsonData.directUrl
  return httpUrlText.safeParse(named).data
}

/** Found ones: any exporter may claim to be many. */
const MOST_DAEMONS = 100
const LOCAL = `http://127.0.0.1:${DEFAULT_PORT}`

async function daemonsFor(
  flags: ProgramFlags,
  io: Io,
  http: Http,
  prometheus: Prometheus | undefined,
  isUp: boolean | undefined,
): Promise<readonly Daemon[] | undefined> {
  const { url = prometheus === undefined ? LOCAL : undefined } = flags
  if (url !== undefined) return [daemonAt(http, daemonOf({ ...flags, url }, io), '/metrics', true)]
  if (prometheus === undefined) return undefined
  if (flags.user !== undefined || flags.passwordFile !== undefined) {
    throw new BaseError(
      'config',
      '--user and --password-file go only to a daemon that you name: give its --url as well',
    )
  }
  if (!isUp) return undefined
  const addresses = await orNothing(
    addressesIn({ daemon: undefined, prometheus, alertmanager: undefined, grafana: undefined }),
  )
  if (addresses === undefined || addresses.length === 0) return undefined
  return addresses.slice(0, MOST_DAEMONS).map((one) => daemonAt(http, foundAt(one.url, 'url'), one.path, false))
}

/** The scrape URL of each instance, in its origin and its path. */
async function addressesIn(given: Given) {
  const [all = [], ours = []] = await Promise.all([targets.ask(given), instances.ask(given)])
  return scrapedOf(all, ours).map(({ scrapeUrl }) => {
    const { origin, pathname } = new URL(scrapeUrl)
    return { url: origin, path: pathname }
  })
}
