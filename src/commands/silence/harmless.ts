// Whether a silence would cost a reward or stall an L1, by the rules for windows and the metrics of the daemon.

import type { MaintenanceWindow } from '../../maintenance/window.ts'
import type { Config, Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { printable } from '../../lib/printable.ts'
import { coveredBy } from '../../maintenance/coverage.ts'
import type { Http } from '../../upstream/http.ts'
import { askTarget, type Target } from '../http-target.ts'
import type { Io } from '../io.ts'
import { costsOf, unknownAmong, unwatchedAmong } from '../window-costs.ts'
import { samplesOf } from '../monitoring/foreign.ts'
import type { Silence } from '../monitoring/alertmanager.ts'
import { fitsWhole } from '../monitoring/routes.ts'
import { alertsOf, type Planned, THIS_SILENCE } from './matchers.ts'

interface Question {
  config: Config
  planned: readonly Planned[]
  /** Silences that stakewatch made earlier: what they silence may be down too. */
  before: readonly Silence[]
  now: number
  daemon: Target
}

/** Throws a BaseError if it costs something, or if that cannot be known. */
export async function proveHarmless(
  http: Http,
  { config, planned, before, now, daemon }: Question,
  io: Io,
): Promise<void> {
  const served = await askTarget(http, daemon, { path: '/metrics' }).catch((error: unknown) => {
    if (!(error instanceof BaseError)) throw error
    throw new BaseError(
      error.code,
      `what this costs is unknown without the daemon (--force does it anyway): ${error.message}`,
    )
  })
  const metrics = Map.groupBy(samplesOf(served), ({ name }) => name)
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
