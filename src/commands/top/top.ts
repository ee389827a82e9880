// top: the validators of a running daemon as a live table in the terminal, for machines without a browser.

import { InvalidArgumentError, type Command } from 'commander'
import { toBaseError, BaseError } from '../../errors.ts'
import { secretUrl } from '../../lib/secret.ts'
import { type Status, statusSchema } from '../../status/value/status-schema.ts'
import { createHttp, type Http } from '../../upstream/http.ts'
import { durationFlag, durationOf, numberOf } from '../flag-values.ts'
import { DEFAULT_PORT, type Io } from '../io.ts'
import { topText } from './top-text.ts'

interface TopFlags {
  url: string
  every: number
  limit: number
  once?: true
  user?: string
  passwordFile?: string
  'tls.caFile'?: string
}

interface Target {
  url: string
  /** `user:password`, or '' for none. */
  credentials: string
}

/** Milliseconds; a daemon on the same network answers much faster. */
const TIMEOUT = 10_000
/** Room for some kilobytes for each of several thousand validators. */
const MOST_BYTES = 64 * 1024 * 1024
/** Moves the cursor to the top left and clears the screen below it. */
const CLEAR = '\u001b[H\u001b[J'

const interval = durationOf('Expected a duration of at least 1s, such as 5s.', 1_000)
const limit = numberOf(/^[1-9]\d{0,5}$/, 'Expected a number of at least 1.')

export function top(program: Command, io: Io): void {
  const command = program
    .command('top')
    .description("the validators of a running daemon as a table, from the daemon's own /api/v1/status")
    .option('--url <url>', 'base address of the daemon', urlOf, `http://127.0.0.1:${DEFAULT_PORT}`)
    .option('--user <name>', 'user of the daemon; default: that of the URL')
    .option('--password-file <file>', 'file with the password of the user; default: that of the URL')
    .option('--tls.ca-file <file>', 'PEM file of the authorities that sign the certificate of the daemon')
  durationFlag(command, '--every', 'refresh interval, at least 1s', interval, 5_000)
  command
    .option('--limit <number>', 'maximum number of validators to show, the most urgent first', limit, 30)
    .option('--once', 'print the table once and exit')
    .action(async (flags: TopFlags) => {
      const caFile = flags['tls.caFile']
      const authorities = caFile === undefined ? undefined : io.readFile(caFile)
      const http = createHttp({
        userAgent: `stakewatch/${io.version}`,
        random: Math.random,
        now: Date.now,
        authorities,
      })
      try {
        const target = targetOf(flags, io)
        await (flags.once ? printOnce(http, target, flags, io) : printOn(http, target, flags, io))
      } finally {
        await http.close()
      }
    })
}

/** The password is the first line of its file, because editors add a line end. */
function targetOf({ url, user, passwordFile: file }: TopFlags, io: Io): Target {
  const { username, password } = new URL(url)
  const name = user ?? decodeURIComponent(username)
  if (file !== undefined && name === '') throw new BaseError('config', '--password-file: give its --user as well')
  const secret = file === undefined ? decodeURIComponent(password) : (io.readFile(file).split(/\r?\n/, 1)[0] ?? '')
  return { url, credentials: name === '' && secret === '' ? '' : `${name}:${secret}` }
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

async function statusAt(http: Http, { url: base, credentials }: Target): Promise<Status> {
  const { origin, pathname } = new URL(base)
  const url = `${origin}${pathname.replace(/\/$/, '')}/api/v1/status`
  const shown = String(secretUrl(base))
  const headers = credentials === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  const signal = AbortSignal.timeout(TIMEOUT)
  const asked = http.send({ method: 'GET', url, headers, signal, retry: false, maxBytes: MOST_BYTES })
  const { status, text } = await asked.catch((thrown: unknown) => {
    const error = toBaseError(thrown)
    throw new BaseError(error.code, `${shown}: ${error.message}`)
  })
  if (status !== 200) throw new BaseError('http_status', `${shown} answers with HTTP ${status}${hints[status] ?? ''}`)
  const parsed = statusSchema.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new BaseError('bad_response', `${shown} does not answer like stakewatch: is this the URL of a daemon?`)
}

const hints: Readonly<Record<number, string>> = {
  400: ': if it speaks TLS, give --url=https://HOST:PORT',
  401: ': give --user and --password-file',
  404: ': is the path prefix missing in --url, or is the daemon too old?',
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function urlOf(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return text
  throw new InvalidArgumentError(`Expected a URL such as http://127.0.0.1:${DEFAULT_PORT}.`)
}
