// serve: the daemon. once: a single round of it. And what makes a daemon read its configuration again.

import { join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../../process/system-clock.ts'
import type { ProcessLogger } from '../../logger.ts'
import { createDaemon, type Daemon } from '../../daemon/daemon.ts'
import { keepInThread } from '../../storage/keeper-thread.ts'
import { createStorage } from '../../storage/storage.ts'
import { type Load, ON_CHANGE, type Reload } from '../../daemon/reload.ts'
import type { Config } from '../../config/schema.ts'
import type { Shard } from '../../lib/shard.ts'
import { proxiesOf } from '../../config/environment.ts'
import type { Proxies } from '../../lib/proxies.ts'
import { type ConfigFile, createConfigFile, nothingRemembered, webSourceOf } from './watched-files.ts'
import { DEFAULT_COMMAND } from '../default-command.ts'
import {
  configFlag,
  DEFAULT_PORT,
  type Io,
  type LogFlags,
  logFlags,
  loggerOf,
  urlOf,
  type WebFlags,
  webFlags,
} from '../io.ts'
import { durationFlag, durationOf, folderOf, type ShardFlag, shardFlag, shardOf } from '../flag-values.ts'
import { listeningOf, systemdSockets } from './web-flags.ts'
import { readAside } from './read-aside.ts'
import { readConfig } from '../config.ts'
import type { Clock } from '../../lib/clock.ts'

/** Flags of commands that run until they are stopped. */
export type ServingFlags = WebFlags & LogFlags & { 'storage.path'?: string }

export function serve(program: Command, io: Io): void {
  const command = program
    .command(DEFAULT_COMMAND, { isDefault: true })
    .description('poll and serve the metrics (default)')
  command.addOption(shardFlag())
  reloadFlags(servingFlags(configFlag(command))).action(
    async (flags: ServingFlags & ReloadFlags & ShardFlag & { 'config.file': string }) => {
      const shard = shardOf(flags, io)
      const path = flags['config.file']
      const remembered = nothingRemembered()
      const file = createConfigFile(path, io, remembered)
      const load = async (trigger: string) =>
        readAside({ path, env: { ...io.env }, trigger, remembered }, { reader: io.reader, clock: systemClock })
      await serveUntilStopped(file.read(), flags, io, {
        shard,
        proxies: proxiesOf(io.env),
        reloading: { file, load, flags },
      })
    },
  )
}

export function servingFlags(command: Command): Command {
  command.option(
    '--storage.path <folder>',
    'folder that keeps what is counted, so that it survives a restart (default: it does not)',
    folderOf,
  )
  return logFlags(webFlags(command))
}

interface Surroundings {
  /** Gets the addresses of the status page and of the metrics. */
  announce?: (page: string, metrics: string) => void
  /** Inspects the metrics of the running daemon. `isOver` becomes true when the daemon stops. */
  look?: (seen: Daemon['seen'], isOver: () => boolean) => Promise<void>
  isSimulated?: boolean
  /** The shard of the configuration to poll; default: all of it. */
  shard?: Shard
  /** Of the environment; default: none. */
  proxies?: Proxies
  reloading?: { file: Pick<ConfigFile, 'isChanged'>; load: Load; flags: ReloadFlags }
}

export async function serveUntilStopped(
  config: Config,
  flags: ServingFlags,
  io: Io,
  { announce = () => {}, look = () => Promise.resolve(), isSimulated, shard, proxies, reloading }: Surroundings = {},
): Promise<void> {
  // First, as a signal ends the process at once where nothing waits for it.
  void io.stopped
  const log = loggerOf(flags, io)
  const web = webSourceOf(flags['web.config.file'], io)
  const scheme = web?.read().tls ? 'https' : 'http'
  const folder = flags['storage.path']
  const storage =
    folder === undefined
      ? undefined
      : createStorage({ folder, keeper: keepInThread(io.keeper, folder), clock: systemClock, log })
  const daemon = createDaemon({
    config,
    shard,
    version: io.version,
    proxies,
    log,
    logLinesDropped: io.logLinesDropped,
    clock: systemClock,
    random: Math.random,
    storage,
    isSimulated,
    runbook: (alert) => runbookOf(alert, io),
    withoutExporterMetrics: flags['web.disableExporterMetrics'],
    load: reloading?.load,
  })
  let stopReloading = () => {}
  let isOver = false
  const addresses = addressesOf(flags, io)
  const telemetryPath = flags['web.telemetryPath']
  const publicAddress = flags['web.publicListenAddress']
  try {
    // First, as a signal may come while the port is bound.
    if (reloading)
      stopReloading = reloadWhenAsked(reloading.file, daemon.reload, reloading.flags, { io, clock: systemClock })
    const listening = listeningOf(flags, io)
    const lifecycle = reloading?.flags['web.enableLifecycle']
    const bound = await daemon.start({ addresses, publicAddress, telemetryPath, web, lifecycle, ...listening })
    for (const address of bound) {
      log.info({ address: `${address.address}:${address.port}`, version: io.version }, 'listening')
    }
    // The last one may be that of the public page.
    for (const address of bound.slice(0, addresses.length)) {
      const root = `${urlOf(address, scheme)}${listening.routePrefix}`
      announce(`${root}/`, `${root}${telemetryPath}`)
    }
    void io.stopped.then(() => (isOver = true))
    await Promise.race([io.stopped, daemon.failed, look(daemon.seen, () => isOver).then(() => io.stopped)])
    log.info({}, 'stopping')
  } finally {
    stopReloading()
    await stopWithin(daemon, { io, log })
  }
}

/** What takes longer hangs in the kernel, for a disk or the lookup of a name: only the end of the process ends it (milliseconds). */
const STOP_WITHIN = 4_500

async function stopWithin(daemon: Daemon, { io, log }: { io: Io; log: ProcessLogger }): Promise<void> {
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<boolean>()
  const callOff = systemClock.after(STOP_WITHIN, () => giveUp(false))
  const hasEnded = await Promise.race([daemon.stop().then(() => true), givenUp])
  callOff()
  if (hasEnded) return
  log.error({}, 'stakewatch does not stop by itself and is ended: what it counted last may not be saved')
  io.end(1)
}

function addressesOf(flags: WebFlags, io: Io) {
  if (flags['web.systemdSocket']) return systemdSockets(io)
  return flags['web.listenAddress'] ?? [{ host: '::', port: DEFAULT_PORT }]
}

/** The runbooks are in the package, next to the program. */
function runbookOf(alert: string, io: Io): string | undefined {
  try {
    return io.readFile(join(io.packageFolder, 'docs', 'runbooks', `${alert}.md`))
  } catch {
    return undefined
  }
}

/** Prints the exposition of one run of each task. */
export function once(program: Command, io: Io): void {
  const command = program
    .command('once')
    .description(
      'poll everything once and print the metrics; exit 1 if a task failed. Only configured budgets bound it, and it knows nothing of what a running daemon spends',
    )
  command.addOption(shardFlag())
  logFlags(configFlag(command)).action(async (flags: LogFlags & ShardFlag & { 'config.file': string }) => {
    const shard = shardOf(flags, io)
    const config = readConfig(flags['config.file'], io)
    const app = createDaemon({
      config,
      shard,
      version: io.version,
      proxies: proxiesOf(io.env),
      log: loggerOf(flags, io),
      clock: systemClock,
      random: Math.random,
    })
    const { text, failed } = await app.once()
    await app.stop()
    io.stdout(text)
    if (failed.length > 0) io.setExitCode(1)
  })
}

interface ReloadFlags {
  'web.enableLifecycle'?: true
  'config.enableAutoReload'?: true
  'config.autoReloadInterval': number
}

/** Shorter ones have no benefit. */
const interval = durationOf('Expected a duration of at least a second, such as 30s.', 1_000)

function reloadFlags(command: Command): Command {
  command
    .option(
      '--web.enable-lifecycle',
      'let POST /-/reload read the configuration again, and POST /-/drill begin a drill',
    )
    .option('--config.enable-auto-reload', 'read the configuration again when it, or a file that it names, has changed')
  const about = 'how often to look whether it has changed'
  return durationFlag(command, '--config.auto-reload-interval', about, interval, 30_000).hook('preAction', () => {
    const isGiven = command.getOptionValueSource('config.autoReloadInterval') === 'cli'
    if (!isGiven || command.opts<Partial<ReloadFlags>>()['config.enableAutoReload']) return
    command.error('error: --config.auto-reload-interval: give --config.enable-auto-reload as well')
  })
}

/** By SIGHUP and, with a flag, when files have changed. Returns a function that stops it. */
export function reloadWhenAsked(
  file: Pick<ConfigFile, 'isChanged'>,
  reload: Reload,
  flags: ReloadFlags,
  { io, clock }: { io: Pick<Io, 'onReload'>; clock: Pick<Clock, 'after'> },
): () => void {
  // The log has the reason for the rejection.
  const attempt = (trigger: string) => reload(trigger).catch(() => {})
  io.onReload(() => void attempt('SIGHUP'))
  if (!flags['config.enableAutoReload']) return () => {}

  let callOff = () => {}
  let isOver = false
  function lookLater(): void {
    if (!isOver) callOff = clock.after(flags['config.autoReloadInterval'], () => void look())
  }
  async function look(): Promise<void> {
    if (await file.isChanged()) await attempt(ON_CHANGE)
    lookLater()
  }
  lookLater()
  return () => {
    isOver = true
    callOff()
  }
}
