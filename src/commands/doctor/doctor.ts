// doctor: checks every link from the daemon to the pager through the APIs of the real programs.

import type { Command } from 'commander'
import { pages } from '../../alerts/links.ts'
import { thresholds } from '../../alerts/thresholds.ts'
import { packagedText } from '../config.ts'
import { type DaemonFlags, daemonFlags, headerFlag, type ServerFlags, serverFlags, withHttp } from '../http-target.ts'
import type { Io } from '../io.ts'
import { limitFlag, type Limits } from '../alert-flags.ts'
import { readDashboard } from '../monitoring/grafana.ts'
import type { Own } from './check.ts'
import { alertmanagerRoutes } from './checks/alertmanager-routes.ts'
import { alertmanagerGate, alertmanagerState } from './checks/alertmanager-state.ts'
import { daemonChecks } from './checks/daemon.ts'
import { grafanaChecks, grafanaGate } from './checks/grafana.ts'
import { prometheusRules } from './checks/prometheus-rules.ts'
import { prometheusScrapes } from './checks/prometheus-scrapes.ts'
import { prometheusGate, prometheusServer } from './checks/prometheus-server.ts'
import { diagnose } from './diagnose.ts'
import { findPrograms, type ProgramFlags } from './programs.ts'
import { exitCodeFor, jsonOf, reportOf } from './results.ts'

interface DoctorFlags extends DaemonFlags, ServerFlags {
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
  limitFlag(command, 'a limit with which the rules were printed')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLE)
    .action((flags: DoctorFlags) =>
      withHttp(flags, io, async (http) => {
        const diagnosis = await diagnose(
          checks,
          gates,
          await findPrograms(withoutDefault(flags, command), io, http),
          ownOf(io, flags.limit),
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

function ownOf(io: Io, limit: Limits | undefined): Own {
  const dashboards = pages.map((page) => readDashboard(packagedText(io, 'dashboards', `${page}.json`)))
  return {
    version: io.version,
    limits: { ...thresholds, ...limit },
    example: packagedText(io, 'alerts', 'alertmanager.example.yml'),
    dashboards: new Map(dashboards.map((one) => [one.uid, one])),
  }
}
