// once: runs every task one time and prints the exposition.

import type { Command } from 'commander'
import { createDaemon } from '../../daemon/daemon.ts'
import { systemClock } from '../../process/system-clock.ts'
import { proxiesOf } from '../../config/environment.ts'
import { readConfig } from '../config.ts'
import { configFlag, type Io, type LogFlags, logFlags, loggerOf } from '../io.ts'
import { type ShardFlag, shardFlag, shardOf } from './shard-flag.ts'

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
