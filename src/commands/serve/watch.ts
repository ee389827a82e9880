// watch: the daemon without a configuration file, for a quick start.

import type { Command } from 'commander'
import { collectors } from '../../collectors/index.ts'
import { systemClock } from '../../process/system-clock.ts'
import { proxiesOf } from '../../config/environment.ts'
import type { Config } from '../../config/schema.ts'
import type { Daemon } from '../../daemon/daemon.ts'
import type { TaskStatus } from '../../metrics/publication.ts'
import { plan, type Task } from '../../scheduler/plan.ts'
import { type TargetFlags, targetFlags, written } from '../init/draft.ts'
import { createProxyChoice, type ProxyChoice } from '../../upstream/dispatchers.ts'
import type { Io } from '../io.ts'
import { linesAbout } from '../check/check-live.ts'
import { countsOf, seenIn, tableOf } from '../check/live/seen.ts'
import { countedAll } from '../terminal-text.ts'
import { type ServingFlags, servingFlags, serveUntilStopped } from './serve.ts'

export function watch(program: Command, io: Io): void {
  const command: Command = program
    .command('watch')
    .description('poll and serve the metrics without a configuration file')
  servingFlags(targetFlags(command)).action(async (flags: TargetFlags & ServingFlags) => {
    const { preset } = flags
    if (preset === undefined) {
      command.error('error: --preset is missing: say which network it is, mainnet, fuji or local')
    }
    if ([flags.validator, flags.l1, flags.wallet, flags.nodeUrl].every((named) => named === undefined)) {
      command.error('error: there is nothing to watch: give --validator, --l1, --wallet or --node-url')
    }
    const config = configOf({ ...flags, preset }, io)
    const announce = (page: string, metrics: string) => {
      io.stdout(`stakewatch watches ${watched(config)}.\n  open:    ${page}\n  metrics: ${metrics}\n`)
      io.stdout('  stakewatch init writes a configuration file for more.\n')
    }
    const proxies = proxiesOf(io.env)
    await serveUntilStopped(config, flags, io, {
      announce,
      proxies,
      look: (seen, isOver) => firstLook(config, seen, isOver, { io, proxyOf: createProxyChoice(proxies) }),
    })
  })
}

/** Milliseconds between checks whether every task was attempted and judged, and the most of them. */
const [BETWEEN, MOST] = [1_000, 60]

/** Reports what the first round did not find, with remedies that a log line would not have. */
async function firstLook(
  config: Config,
  seen: Daemon['seen'],
  isOver: () => boolean,
  { io, proxyOf }: { io: Io; proxyOf: ProxyChoice },
): Promise<void> {
  const tasks = plan(config, collectors)
  let now = seen()
  let attemptedAt = Infinity
  for (let looks = 0; looks < MOST && !isOver(); looks += 1) {
    if (isAttempted(tasks, now.rows)) attemptedAt = Math.min(attemptedAt, systemClock.now().steady)
    // A round of the judge that began before lacks some of the answers.
    if (now.judged && now.judged.at.steady >= attemptedAt) break
    await io.sleep(BETWEEN)
    now = seen()
  }
  if (isOver()) return
  const lines = linesAbout(seenIn(config, tasks, { ...now, now: Date.now() / 1_000, proxyOf }))
  const missing = lines.filter(({ state }) => state !== 'ok')
  io.stdout(
    missing.length === 0 ? `\nAll of it answers: ${countsOf(lines)}.\n` : `\n${tableOf(missing)}${countsOf(lines)}\n`,
  )
}

function isAttempted(tasks: readonly Task[], rows: readonly TaskStatus[]): boolean {
  const attempted = new Set(rows.map(({ key }) => key))
  return tasks.every(({ key }) => attempted.has(key))
}

type Flags = TargetFlags & Required<Pick<TargetFlags, 'preset'>>

function configOf({ preset, nodeUrl, validator, l1, wallet }: Flags, io: Io): Config {
  const draft = {
    name: preset,
    preset,
    nodes: nodeUrl?.map((url, at) => ({ name: `node-${at + 1}`, url })),
    validators: validator?.map((nodeId) => ({ nodeId })),
    subnets: l1?.map((id) => ({ id })),
    wallets: wallet,
  }
  return written(draft, io).config
}

function watched({ networks: [network] }: Config): string {
  const { preset, validators, subnets, addresses } = network!
  // The primary network is always among the subnets.
  const parts = countedAll({ validator: validators.length, L1: subnets.length - 1, wallet: addresses.length })
  return `the network ${preset}${parts && `: ${parts}`}`
}
