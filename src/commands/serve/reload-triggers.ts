// The triggers of a configuration reload: SIGHUP and, with a flag, changed files.

import { type Command, InvalidArgumentError } from 'commander'
import type { Clock } from '../../lib/clock.ts'
import { parseDuration } from '../../lib/duration.ts'
import { ON_CHANGE, type Reload } from '../../daemon/reload.ts'
import type { ConfigFile } from './config-file.ts'
import { durationFlag } from '../duration-flag.ts'
import type { Io } from '../io.ts'

export interface ReloadFlags {
  'web.enableLifecycle'?: true
  'config.enableAutoReload'?: true
  'config.autoReloadInterval': number
}

/** Shortest interval between checks of the files (milliseconds): a shorter one has no benefit. */
const [LEAST, DEFAULT] = [1_000, 30_000]

export function reloadFlags(command: Command): Command {
  command
    .option('--web.enable-lifecycle', 'let POST and PUT /-/reload read the configuration again')
    .option('--config.enable-auto-reload', 'read the configuration again when it, or a file that it names, has changed')
  const about = 'how often to look whether it has changed'
  return durationFlag(command, '--config.auto-reload-interval', about, intervalOf, DEFAULT)
}

function intervalOf(text: string): number {
  const interval = parseDuration(text)
  if (interval !== undefined && interval >= LEAST) return interval
  throw new InvalidArgumentError('Expected a duration of at least a second, such as 30s.')
}

/** Returns a function that stops it. */
export function reloadWhenAsked(
  file: ConfigFile,
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
    if (file.isChanged()) await attempt(ON_CHANGE)
    lookLater()
  }
  lookLater()
  return () => {
    isOver = true
    callOff()
  }
}
