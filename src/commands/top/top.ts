// top: the validators of a running daemon as a live table in the terminal, for machines without a browser.

import type { Command } from 'commander'
import { BaseError } from '../../errors.ts'
import { secretUrl } from '../../lib/secret.ts'
import { type Status, statusSchema } from '../../status/value/status-schema.ts'
import type { Http } from '../../upstream/http.ts'
import { durationFlag, durationOf, numberOf } from '../flag-values.ts'
import { askTarget, type DaemonFlags, daemonFlags, daemonOf, type Target, withHttp } from '../http-target.ts'
import type { Io } from '../io.ts'
import { readAs } from '../monitoring/foreign.ts'
import { topText } from './top-text.ts'

interface TopFlags extends DaemonFlags {
  every: number
  limit: number
  once?: true
}

/** Moves the cursor to the top left and clears the screen below it. */
const CLEAR = '\u001b[H\u001b[J'

const interval = durationOf('Expected a duration of at least 1s, such as 5s.', 1_000)
const limit = numberOf(/^[1-9]\d{0,5}$/, 'Expected a number of at least 1.')

export function top(program: Command, io: Io): void {
  const command = program
    .command('top')
    .description("the validators of a running daemon as a table, from the daemon's own /api/v1/status")
  daemonFlags(command, 'the certificate of the daemon')
  durationFlag(command, '--every', 'refresh interval, at least 1s', interval, 5_000)
  command
    .option('--limit <number>', 'maximum number of validators to show, the most urgent first', limit, 30)
    .option('--once', 'print the table once and exit')
    .action((flags: TopFlags) =>
      withHttp(flags, io, (http) => {
        const daemon = daemonOf(flags, io)
        return flags.once ? printOnce(http, daemon, flags, io) : printOn(http, daemon, flags, io)
      }),
    )
}

async function printOnce(http: Http, target: Target, { limit }: TopFlags, io: Io): Promise<void> {
  io.stdout(topText(await statusAt(http, target), String(secretUrl(target.url)), { limit, width: io.columns() }))
}

/** Runs until the process is stopped. An error replaces the table, which is then out of date. */
async function printOn(http: Http, target: Target, { every, limit }: TopFlags, io: Io): Promise<void> {
  const shown = String(secretUrl(target.url))
  const stopping = new AbortController()
  const stopped = io.stopped.then(() => stopping.abort())
  while (!stopping.signal.aborted) {
    const text = await statusAt(http, target).then(
      (status) => topText(status, shown, { limit, width: io.columns() }),
      (error: unknown) => {
        if (!(error instanceof BaseError)) throw error
        return `${error.message}\n`
      },
    )
    io.stdout(`${CLEAR}${text}`)
    await Promise.race([stopped, io.sleep(every)])
  }
}

const statusAt = async (http: Http, daemon: Target): Promise<Status> =>
  readAs(statusSchema, await askTarget(http, daemon, { path: '/api/v1/status' }), daemon, 'stakewatch')
