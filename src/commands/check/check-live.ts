// check --live: runs one round of the daemon's collectors, says whether all watched things are those that the configuration means,
// and what the judge finds wrong with them.

import { createDaemon } from '../../daemon/daemon.ts'
import { collectors } from '../../collectors/index.ts'
import { systemClock } from '../../process/system-clock.ts'
import type { Config, Network } from '../../config/schema.ts'
import { createLogger } from '../../logger.ts'
import { plan, sourcesOfNetwork } from '../../scheduler/plan.ts'
import { proxiesOf } from '../../config/environment.ts'
import { createProxyChoice } from '../../upstream/dispatchers.ts'
import type { Io } from '../io.ts'
import { expectationLines } from './live/expected.ts'
import {
  countsOf,
  exitCodeFor,
  judged,
  type Line,
  ok,
  problem,
  type Seen,
  seenIn,
  tableOf,
  unknown,
  type Verdict,
} from './live/seen.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { Source } from '../../upstream/source.ts'
import { checkChain, checkNode, checkProbe, checkRoute, checkService, checkWallet, servicesOf } from './live/watched.ts'
import { checkRequirement, checkSubnet, checkValidator } from './live/validators.ts'
import type { MaintenanceWindow } from '../../maintenance/window.ts'
import type { Readings } from '../../conditions/board.ts'
import type { Labels } from '../../lib/label-text.ts'
import type { AlertKind } from '../../status/value/readings.ts'
import { occurrencesFrom } from '../../maintenance/schedule.ts'
import { localText } from '../../lib/calendar.ts'
import { coveredBy } from '../../maintenance/coverage.ts'
import { type Cost, costsOf, unknownAmong } from '../window-costs.ts'

export async function checkLive(config: Config, io: Io): Promise<void> {
  const proxies = proxiesOf(io.env)
  // The lines show all failures, so there is nothing to log.
  const log = createLogger({ level: 'error', format: 'logfmt', write: io.stderr })
  const app = createDaemon({
    config,
    proxies,
    version: io.version,
    log,
    clock: systemClock,
    random: Math.random,
  })
  await app.once()
  const seen = app.seen()
  await app.stop()
  const now = Date.now()
  const lines = [
    ...linesAbout(
      seenIn(config, plan(config, collectors), { ...seen, now: now / 1_000, proxyOf: createProxyChoice(proxies) }),
    ),
    ...windowVerdicts(config, seen.readings, now),
  ]
  const expected = lines.filter(({ kind }) => kind === 'expect')
  const met = expected.filter(({ state }) => state === 'ok').length
  io.stdout(tableOf(lines))
  io.stdout(`${countsOf(lines)}; ${met} of ${expected.length} expectations are met\n`)
  const code = exitCodeFor(lines)
  if (code !== 0) io.setExitCode(code)
}

/** One line for each watched thing, and one for each alert and each failed task that no other line covers. */
export function linesAbout(seen: Seen): Line[] {
  const lines = seen.config.networks.flatMap((network) => linesOf(seen, network))
  const all = [...lines, ...alertLines(seen, lines), ...expectationLines(seen)]
  return [...all, ...failures(seen, all)]
}

/** What is wrong with a network as a whole, or with stakewatch. Windows have lines of their own. */
function alertLines({ alerts }: Seen, lines: readonly Line[]): Line[] {
  const shown = new Set(lines.flatMap((line) => line.alerts ?? []))
  return alerts.flatMap((alert): Line[] => {
    const { network, window } = alert.labels
    if (shown.has(alert) || window !== undefined) return []
    const [kind, name] = network === undefined ? ['daemon', 'stakewatch'] : ['network', network]
    return [judged({ kind, name, ...ok(alert.summary) }, [alert])]
  })
}

function linesOf(seen: Seen, network: Network): Line[] {
  const { name: called, nodes, validators, subnets, chains, addresses, icm, signature_probes: probes } = network
  /** `about`: the kind of the thing in alerts, and the labels that identify it. */
  const line = (kind: string, name: string, verdict: Verdict, about: [AlertKind, Labels]): Line =>
    judged({ kind, name: `${called}/${name}`, ...verdict }, seen.alertsAbout(called, ...about))
  const source = ({ name }: { name: string }): [AlertKind, Labels] => ['source', { source: name }]
  const requirement = checkRequirement(seen, network)
  // Nodes come first.
  const sources = sourcesOfNetwork(network)
  return [
    ...(sources.length === 0 ? [{ kind: 'network', name: called, ...notAsked }] : []),
    ...(requirement ? [{ kind: 'network', name: called, ...requirement }] : []),
    ...nodes.map((node, at) =>
      line('node', node.name, through(seen, sources[at]!, checkNode(seen, network, node)), source(node)),
    ),
    ...servicesOf(network).map((one) =>
      line('service', one.name, through(seen, one, checkService(seen, one)), source(one)),
    ),
    ...validators.map((one) => {
      const { subnet, name, node_id } = one
      return line('validator', `${subnet}/${name}`, checkValidator(seen, network, one), [
        'node_id',
        { node_id, subnet },
      ])
    }),
    ...subnets
      .filter(({ id }) => id !== PRIMARY_NETWORK_ID)
      .map(({ name }) => line('subnet', name, checkSubnet(seen, network, name), ['subnet', { subnet: name }])),
    ...chains.map((one) => line('chain', one.name, checkChain(seen, network, one), ['chain', { chain: one.name }])),
    ...addresses.map((one) =>
      line('wallet', one.name, checkWallet(seen, network, one), ['address', { address: one.name }]),
    ),
    ...icm.routes.map(({ name }) => line('route', name, checkRoute(seen, network, name), ['route', { route: name }])),
    ...probes.map(({ name }) => line('probe', name, checkProbe(seen, network, name), ['probe', { probe: name }])),
  ]
}

const notAsked = unknown('nothing was asked: it has no upstreams', 'give it nodes, data_api or metrics_api')

/** Adds the proxy. A failure that names it has its own remedy. */
function through({ proxyOf }: Seen, source: Source, verdict: Verdict): Verdict {
  const proxy = proxyOf(source.url.reveal(), source)
  if (!proxy) return verdict
  const name = `the proxy ${String(proxy)}`
  if (verdict.text.includes(name)) return { ...verdict, remedies: [] }
  return { ...verdict, text: `${verdict.text}, through ${name}` }
}

/** An upstream that is down has its own line, so tasks that only use that one need none. */
function failures({ asked: all }: Seen, lines: readonly Line[]): Line[] {
  const down = new Set(lines.filter(({ isDown }) => isDown).map(({ name }) => name))
  return all
    .filter(({ task, status }) => {
      const isExplained = task.sources.some(({ network, name }) => down.has(`${network}/${name}`))
      const isShown = lines.some(({ state, text }) => state !== 'ok' && text.includes(status.reason))
      return status.result === 'failure' && !isExplained && !isShown
    })
    .map(({ task, status }) => ({ kind: 'task', name: task.key, ...unknown(status.reason) }))
}

const remedies: Readonly<Record<string, string>> = {
  StakewatchMaintenanceTooLong: 'shorten the window, or divide it',
  StakewatchMaintenanceStallsL1: 'give some of the validators another window, at another time',
  StakewatchMaintenanceEndsStake: 'move the window, so that the stake ends before or after it',
}

/** What each window would cost, long before the rules warn of it. `now` is in milliseconds. */
function windowVerdicts(config: Config, readings: Readings, now: number): Line[] {
  if (config.networks.every(({ maintenance }) => maintenance.length === 0)) return []
  const costs = costsOf(config, readings, now)
  return config.networks.flatMap((network) =>
    network.maintenance.flatMap((window) => {
      const own = costs.filter(({ labels }) => labels['network'] === network.name && labels['window'] === window.name)
      const unseen = unknownAmong(coveredBy(window, network).validators, network, readings).map(({ name }) => name)
      const line = (verdict: Verdict): Line => ({ kind: 'window', name: `${network.name}/${window.name}`, ...verdict })
      return verdictsOf(window, own, unseen, now).map(line)
    }),
  )
}

function verdictsOf(window: MaintenanceWindow, costs: readonly Cost[], unseen: readonly string[], now: number) {
  const [next] = occurrencesFrom(window, now)
  if (!next) return [ok('it is over')]
  const harmless =
    next.start > now
      ? `opens ${localText(next.start, 'UTC')} UTC; the next one costs no reward and stalls no L1`
      : `is open until ${localText(next.end, 'UTC')} UTC; it costs no reward and stalls no L1`
  return [
    ...costs.map(({ alert, text }) => problem(text, remedies[alert]!)),
    ...(unseen.length > 0 ? [unknown(`no source reports how long these may be down: ${unseen.join(', ')}`)] : []),
    ...(costs.length + unseen.length === 0 ? [ok(harmless)] : []),
  ]
}
