// A server of the operator's that a command asks: its address, the credentials for it, and its failures in words.

import { type Command, InvalidArgumentError } from 'commander'
import { toBaseError, BaseError } from '../errors.ts'
import { secretUrl } from '../lib/secret.ts'
import { type Http, createHttp, isSuccess } from '../upstream/http.ts'
import { textOf } from './config.ts'
import { DEFAULT_PORT, type Io } from './io.ts'

export interface Target {
  url: string
  /** The value of the Authorization header, or '' for none. */
  authorization: string
  /** What to do about a status, by status. */
  hints: Readonly<Record<number, string>>
}

export interface DaemonFlags {
  url: string
  user?: string
  passwordFile?: string
  'tls.caFile'?: string
}

/** Milliseconds; a server on the same network answers much faster. */
const TIMEOUT = 10_000
/** Room for some kilobytes for each of several thousand validators. */
const MOST_BYTES = 64 * 1024 * 1024

export function daemonFlags(command: Command, signer: string): Command {
  return command
    .option('--url <url>', 'base address of the daemon', httpUrl, `http://127.0.0.1:${DEFAULT_PORT}`)
    .option('--user <name>', 'user of the daemon; default: that of the URL')
    .option('--password-file <file>', 'file with the password of the user; default: that of the URL')
    .option('--tls.ca-file <file>', `PEM file of the authorities that sign ${signer}`)
}

const daemonHints: Target['hints'] = {
  400: ': if it speaks TLS, give --url=https://HOST:PORT',
  401: ': give --user and --password-file',
  404: ': is the path prefix missing in --url, or is the daemon too old?',
}

export function daemonOf({ url, user, passwordFile }: DaemonFlags, io: Io): Target {
  return { url, authorization: basic({ url, user, file: passwordFile, flag: '' }, io), hints: daemonHints }
}

interface Basic {
  url: string
  user: string | undefined
  /** Has the password. */
  file: string | undefined
  /** What stands before `user` and `password-file` in the names of the flags. */
  flag: string
}

export function basic({ url, user, file, flag }: Basic, io: Io): string {
  const { username, password } = new URL(url)
  const name = user ?? decodeURIComponent(username)
  if (file !== undefined && name === '') {
    throw new BaseError('config', `--${flag}password-file: give its --${flag}user as well`)
  }
  const secret = file === undefined ? decodeURIComponent(password) : firstLine(file, io)
  return name === '' && secret === '' ? '' : `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
}

/** Secrets are the first line of their file, because editors add a line end. */
export function firstLine(file: string, io: Io): string {
  return textOf(file, io.readFile).split(/\r?\n/, 1)[0] ?? ''
}

/** The client for `work`, which is closed after it. */
export async function withHttp(
  { 'tls.caFile': file }: Pick<DaemonFlags, 'tls.caFile'>,
  io: Io,
  work: (http: Http) => Promise<void>,
): Promise<void> {
  const authorities = file === undefined ? undefined : textOf(file, io.readFile)
  const http = createHttp({ userAgent: `stakewatch/${io.version}`, random: Math.random, now: Date.now, authorities })
  try {
    await work(http)
  } finally {
    await http.close()
  }
}

interface Asked {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Begins with a slash. */
  path: string
  /** Sent as JSON. */
  body?: unknown
}

/** The text of a successful answer. Errors name the host alone: the rest of a URL may be secret. */
export async function askTarget(http: Http, target: Target, { method = 'GET', path, body }: Asked): Promise<string> {
  const { origin, pathname } = new URL(target.url)
  const shown = String(secretUrl(target.url))
  const asked = http.send({
    method,
    url: `${origin}${pathname.replace(/\/$/, '')}${path}`,
    headers: {
      ...(target.authorization !== '' && { authorization: target.authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT),
    retry: false,
    maxBytes: MOST_BYTES,
  })
  const { status, text } = await asked.catch((thrown: unknown) => {
    const error = toBaseError(thrown)
    throw new BaseError(error.code, `${shown}: ${error.message}`)
  })
  if (isSuccess(status)) return text
  throw new BaseError('http_status', `${shown} answers with HTTP ${status}${target.hints[status] ?? ''}`)
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function httpUrl(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return text
  throw new InvalidArgumentError(`Expected a URL such as http://127.0.0.1:${DEFAULT_PORT}.`)
}
