// Renders what is served for a small simulated network, the same bytes on every machine: its diff shows each change that users
// see.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDaemon } from '../src/daemon/daemon.ts'
import { collectors } from '../src/collectors/index.ts'
import { loadConfig } from '../src/config/load.ts'
import type { Network } from '../src/config/schema.ts'
import { createLogger } from '../src/logger.ts'
import { type Simulator, startSimulator } from '../src/simulator/simulator.ts'
import { createKeeper } from '../src/storage/keeper.ts'
import { createStorage } from '../src/storage/storage.ts'
import { postJson } from '../test/support/post.ts'
import { createSteppedClock } from './stepped-time.ts'

/** Unix seconds. */
const EPOCH = 1_780_000_000
/** The seconds at which everything is polled: the later rounds find something to count. */
const TIMES = [0, 60, 120]

/** A drill may have any of these labels: this one has all. */
const DRILL = {
  network: 'fuji',
  subnet: 'primary',
  node_id: 'NodeID-1',
  validator: 'val-1',
  source: 'node-a',
  chain: 'c-chain',
  address: 'vault',
  severity: 'critical',
} as const

/** Breaks a chain, as a healthy network lacks some series. */
export async function failChain({ controlUrl, world }: Simulator): Promise<void> {
  const blockchainId = '2A9t6E6viNm34a4v2wTwK6gu7xTwV3DJWUmH8Wr6BZH1y76G6g'
  const [{ subnetId }] = world.l1s.all as [(typeof world.l1s.all)[number]]
  const action = { kind: 'fail-chain', node: 'node-a', blockchainId, subnetId, reason: 'plugin' }
  await postJson(`${controlUrl}/actions`, action)
}

export async function renderGolden(): Promise<string> {
  // Its timers and deadlines follow the simulated time: a slow machine is no outage.
  const time = createSteppedClock(EPOCH * 1_000)
  const { clock } = time
  const simulator = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => clock.now().steady / 1_000,
    validators: 12,
    delegations: 40,
    // The document's form lacks some of what live services report.
    dialect: 'live',
    // Only the documented form says when the service last ran.
    metricsDialect: 'document',
  })
  await failChain(simulator)
  const logged: string[] = []
  const config = loadConfig(simulator.config(collectors.map(({ name }) => name)), {
    file: 'golden.yaml',
    env: {},
    readFile: () => '',
    collectors: collectors.map(({ name }) => name),
  })
  const log = createLogger({ level: 'warn', format: 'logfmt', write: (line) => logged.push(line) })
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-'))
  const app = createDaemon({
    config: { ...config, networks: config.networks.map(withoutTwins) },
    version: '0.0.0',
    log,
    clock,
    random: () => 0,
    storage: createStorage({ folder, keeper: createKeeper(folder), clock, log }),
  })
  try {
    await app.drills.begin({ labels: DRILL, lasts: 1_000 * TIMES.at(-1)! + 1 })
    let exposition = ''
    for (const round of TIMES) {
      time.advance(1_000 * round - clock.now().steady)
      const { text, failed } = await app.once()
      const problems = [...logged, ...failed.map(({ collector }) => collector.name), ...failedRequests(text)]
      if (problems.length > 0) throw new Error(`polling the golden network failed: ${problems.join('\n')}`)
      exposition = text
    }
    return removeMachineDetails(exposition)
  } finally {
    await app.stop()
    await simulator.stop()
    rmSync(folder, { recursive: true })
  }
}

/** The series that count requests which failed, though a retry may have succeeded. */
export function failedRequests(exposition: string): string[] {
  const counted = exposition.match(/^stakewatch_upstream_requests_total\{.*\} [1-9].*$/gm) ?? []
  return counted.filter((line) => !/code="(ok|not_found|unsupported)"/.test(line))
}

/** Drops the targets that show nothing new. */
function withoutTwins(network: Network): Network {
  const twins = ['harbour', 'lantern', 'x-chain']
  const isOne = ({ name }: { name: string }) => !twins.includes(name)
  const { subnets, chains, validators, addresses } = network
  return {
    ...network,
    subnets: subnets.filter(isOne),
    chains: chains.filter(isOne),
    validators: validators.filter(isOne),
    addresses: addresses.filter(isOne),
  }
}

/**
 * Removes what depends on the machine: its process, the last digits of a logarithm, and the order of the series in a
 * family, as the polls of a round run concurrently and publish when they are done.
 */
export function removeMachineDetails(exposition: string): string {
  const families = exposition.split(/^(?=# HELP )/m).filter((family) => !/^# HELP (process|nodejs)_/.test(family))
  return families
    .map(sortFamily)
    .join('')
    .replace(/node_version="[^"]*"/, 'node_version="-"')
}

function sortFamily(family: string): string {
  const [help, type, ...lines] = family.trimEnd().split('\n')
  const series = lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)(\{.*\})? (\S+)$/.exec(line)!
    return { labels, line: `${name}${labels} ${round(value)}` }
  })
  // Without `le` the lines of one histogram compare as equal, so they keep their order.
  const key = ({ labels }: { labels: string }) => labels.replace(/^\{le="[^"]*",?/, '{')
  const sorted = series.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  // Zeros are noise: the first operation shows which codes there are, the first collector which results.
  const counted = (labels: string) => /source="[^"]*",operation="[^"]*"|collector="[^"]*"/.exec(labels)?.[0]
  const shown = counted(sorted[0]?.labels ?? '')
  const isCounted = ({ labels, line }: { labels: string; line: string }) =>
    !/,(code|result)="/.test(labels) || counted(labels) === shown || !line.endsWith(' 0')
  // All runs of a collector report the same metrics about themselves: one is enough.
  const first = new Map<string, string>()
  const isShown = ({ labels }: { labels: string }) => {
    const [, collector, run = ''] = /collector="([^"]*)",(source="[^"]*",target="[^"]*")/.exec(labels) ?? []
    if (collector === undefined) return true
    if (!first.has(collector)) first.set(collector, run)
    return first.get(collector) === run
  }
  return [
    help,
    type,
    ...sorted
      .filter(isShown)
      .filter(isCounted)
      .map(({ line }) => line),
    '',
  ].join('\n')
}

/** Rounds a value that is given as text: JavaScript does not read `+Inf` as a number. */
function round(value: string): string {
  const number = Number(value)
  return Number.isFinite(number) && !Number.isInteger(number) ? String(Number(number.toPrecision(12))) : value
}
