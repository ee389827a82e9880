// The triggers of a configuration reload: SIGHUP and, with a flag, changed files.

import type { Command } from 'commander'
import type { Clock } from '../../lib/clock.ts'
import { ON_CHANGE, type Reload } from '../../daemon/reload.ts'
import type { ConfigFile } from './watched-files.ts'
import { durationFlag, durationOf } from '../flag-values.ts'
import type { Io } from '../io.ts'

export interface ReloadFlags {
  'web.enableLifecycle'?: true
  'config.enableAutoReload'?: true
  'config.autoReloadInterval': number
}

/** Shorter ones have no benefit. */
const interval = durationOf('Expected a duration of at least a second, such as 30s.', 1_000)

export function reloadFlags(command: Command): Command {
  command
    .option(
      '--web.enable-lifecycle',
      'let POST /-/reload read the configuration again, and POST /-/drill begin a drill',
    )
    .option('--config.enable-auto-reload', 'read the configuration again when it, or a file that it names, has changed')
  const about = 'how often to look whether it has changed'
  return durationFlag(command, '--config.auto-reload-interval', about, interval, 30_000)
}

/** Returns a function that stops it. */
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
    if (file.isChanged()) await attempt(ON_CHANGE)
    lookLater()
  }
  lookLater()
  return () => {
    isOver = true
    callOff()
  }
}
