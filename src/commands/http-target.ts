// A server of the operator's that a command asks: its address, the credentials for it, and its failures in words.

import { type Command, InvalidArgumentError } from 'commander'
import { toBaseError, BaseError } from '../errors.ts'
import { secretUrl } from '../lib/secret.ts'
import { readUrl, urlRemedy } from '../lib/url.ts'
import { decoded } from '../upstream/address.ts'
import { type Http, type HttpAnswer, isSuccess } from '../upstream/http.ts'
import { isRefusedConnection } from '../upstream/failures.ts'
import { wordsBehind } from '../upstream/status-words.ts'
import { readCertificates } from '../config/pem.ts'
import { proxiesOf } from '../config/environment.ts'
import { textOf } from './config.ts'
import { DEFAULT_PORT, type Io } from './io.ts'

export interface Target {
  url: string
  /** With the credentials, if it has any. */
  headers: Readonly<Record<string, string>>
  /** What to do about a status, by status. */
  hints: Readonly<Record<number, string>>
}

export interface DaemonFlags {
  url: string
  user?: string
  passwordFile?: string
  'tls.caFile'?: string
}

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

function tlsHint(flag: string): string {
  return `: if it speaks TLS, give --${flag}=https://HOST:PORT, and --tls.ca-file if its authority is your own`
}

const daemonHints: Target['hints'] = {
  400: tlsHint('url'),
  401: ': give --user and --password-file',
  404: ': is the path prefix missing in --url, or is the daemon too old?',
}

export function daemonOf({ url, user, passwordFile }: DaemonFlags, io: Io): Target {
  return { url, headers: basic(url, user, passwordFile, '', io), hints: daemonHints }
}

/** Credentials go only to addresses that the operator names: any program may report any address. */
const nameAlso = (flag: string) => `: give its address as --${flag} too, because credentials go nowhere else`

/** The programs around the daemon, as flags name them. */
export type Server = 'prometheus' | 'alertmanager' | 'grafana'

/** `--prometheus`, `--prometheus.user` and so on. */
export type ServerFlags = { [flag in `${Server}${'' | '.user' | '.passwordFile' | '.tokenFile'}`]?: string } & {
  header?: Readonly<Record<string, string>>
}

export function serverFlags(command: Command, server: Server, title: string): Command {
  return command
    .option(`--${server} <url>`, `base address of ${title}`, httpUrl)
    .option(`--${server}.user <name>`, `user of ${title}; default: that of the URL`)
    .option(`--${server}.password-file <file>`, 'file with the password of that user; default: that of the URL')
    .option(`--${server}.token-file <file>`, `file with a bearer token for ${title}`)
}

/** For the programs of `serverFlags`. */
export function headerFlag(command: Command): Command {
  const text = 'sent to each server whose address you give, such as "X-Scope-OrgID: tenant", repeatable'
  return command.option('--header <name: value>', text, headerOf)
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x21-\x7e][\x20-\x7e]*)$/
/** The client sets these. */
const RESERVED = new Set(['connection', 'content-length', 'content-type', 'host', 'transfer-encoding'])

function headerOf(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = HEADER.exec(text) ?? []
  // Not the text itself: it may be a key.
  if (name === '') throw new InvalidArgumentError('Expected a header such as "X-Scope-OrgID: tenant".')
  if (RESERVED.has(name.toLowerCase())) throw new InvalidArgumentError(`The header ${name} is set by stakewatch.`)
  return { ...before, [name.toLowerCase()]: value }
}

/** Undefined without its address. */
export function serverOf(flags: ServerFlags, server: Server, io: Io): Target | undefined {
  const { [server]: url, [`${server}.user` as const]: user, header } = flags
  const { [`${server}.passwordFile` as const]: file, [`${server}.tokenFile` as const]: tokenFile } = flags
  if (url === undefined) {
    const [given] = [user && 'user', file && 'password-file', tokenFile && 'token-file'].filter((one) => one)
    if (given) throw new BaseError('config', `--${server}.${given}${nameAlso(server)}`)
    return undefined
  }
  if (tokenFile !== undefined && (user ?? file) !== undefined) {
    throw new BaseError('config', `--${server}.token-file: a token is instead of a user: leave out one of the two`)
  }
  const credentials =
    tokenFile === undefined
      ? basic(url, user, file, `${server}.`, io)
      : { authorization: `Bearer ${firstLine(tokenFile, io).trim()}` }
  const hints = {
    400: tlsHint(server),
    401: `: give --${server}.user and --${server}.password-file, or --${server}.token-file`,
    403: ': this user may not do that',
    404: `: is the path prefix missing in --${server}?`,
  }
  return { url, headers: { ...credentials, ...header }, hints }
}

export function neededServer(flags: ServerFlags, server: Server, why: string, io: Io): Target {
  const target = serverOf(flags, server, io)
  if (target) return target
  throw new BaseError('config', `--${server}=<url> is missing${why}`)
}

/** A program whose address another program reports. */
export function foundAt(url: string, flag: Server | 'url'): Target {
  const plain = Object.assign(new URL(url), { username: '', password: '' }).href
  return { url: plain, headers: {}, hints: { 401: nameAlso(flag), 403: nameAlso(flag) } }
}

/** `file` has the password. `flag` is what stands before `user` and `password-file` in the names of the flags. */
function basic(
  url: string,
  user: string | undefined,
  file: string | undefined,
  flag: string,
  io: Io,
): Target['headers'] {
  const { username, password } = new URL(url)
  const name = user ?? decoded(username)
  if (file !== undefined && name === '') {
    throw new BaseError('config', `--${flag}password-file: give its --${flag}user as well`)
  }
  const secret = file === undefined ? decoded(password) : firstLine(file, io)
  if (name === '' && secret === '') return {}
  return { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` }
}

/** Secrets are the first line of their file, because editors add a line end. */
function firstLine(file: string, io: Io): string {
  return textOf(file, io.readFile).split(/\r?\n/, 1)[0] ?? ''
}

/** The client for `work`, which is closed after it. */
export async function withHttp<T>(
  { 'tls.caFile': file }: Pick<DaemonFlags, 'tls.caFile'>,
  io: Io,
  work: (http: Http) => Promise<T>,
): Promise<T> {
  const authorities = file === undefined ? undefined : authoritiesIn(file, io)
  const http = await io.connect({
    userAgent: `stakewatch/${io.version}`,
    random: Math.random,
    now: Date.now,
    authorities,
    proxies: proxiesOf(io.env),
  })
  try {
    return await work(http)
  } finally {
    await http.close()
  }
}

/** From a file without certificates the client would take the authorities of the system. */
function authoritiesIn(file: string, io: Io): string {
  const { pem, problems } = readCertificates(textOf(file, io.readFile))
  if (problems.length > 0) throw new BaseError('config', `--tls.ca-file=${file}: ${problems[0]}`)
  return pem
}

export interface Asked {
  method?: 'GET' | 'POST' | 'DELETE'
  /** Begins with a slash. */
  path: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as the fields of a form. */
  form?: Readonly<Record<string, string>>
  /** Milliseconds; a server on the same network answers most requests much faster. */
  timeout?: number
}

/** An answer of any status. Errors name the host alone: the rest of a URL may be secret. */
export async function exchangeWith(
  http: Http,
  target: Target,
  { method = 'GET', path, body, form, timeout = TIMEOUT }: Asked,
): Promise<HttpAnswer> {
  const { origin, pathname } = new URL(target.url)
  const sent = form ? String(new URLSearchParams(form)) : body === undefined ? undefined : JSON.stringify(body)
  const asked = http.send({
    method,
    url: `${origin}${pathname.replace(/\/$/, '')}${path}`,
    headers: {
      ...target.headers,
      ...(sent !== undefined && { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
    },
    ...(sent !== undefined && { body: sent }),
    signal: AbortSignal.timeout(timeout),
    retry: false,
    maxBytes: MOST_BYTES,
  })
  return asked.catch((thrown: unknown) => {
    const error = toBaseError(thrown)
    const advice = isRefusedConnection(error) ? ': is it running, and is this its address?' : ''
    throw new BaseError(error.code, `${shownOf(target)}: ${inFlags(error.message)}${advice}`)
  })
}

/** The client names keys of a configuration. A command has a flag for the authority, and none for what else TLS may lack. */
export function inFlags(message: string, authority = 'give the authority as --tls.ca-file=<file>'): string {
  return message
    .replace(/give the authority in ca_file$/, authority)
    .replace(/, or give server_name$/, '')
    .replace(/ or set proxy: none to go direct$/, ' to go direct')
    .replace(/ \(cert_file, key_file\)/, '')
}

/** The text of a successful answer. */
export async function askTarget(http: Http, target: Target, asked: Asked): Promise<string> {
  const answer = await exchangeWith(http, target, asked)
  if (isSuccess(answer.status)) return answer.text
  throw statusError(target, answer)
}

export function statusError(target: Target, answer: HttpAnswer): BaseError {
  const { status } = answer
  const isWrong = status === 401 && target.headers['authorization'] !== undefined
  const hint = isWrong ? ': the user, password or token is wrong' : (target.hints[status] ?? '')
  const meaning = wordsBehind(answer, target.url) || hint
  return new BaseError('http_status', `${shownOf(target)} answers with HTTP ${status}${meaning}`)
}

export const shownOf = ({ url }: Target) => String(secretUrl(url))

function httpUrl(text: string): string {
  const url = readUrl(text)
  if (url && url.search + url.hash !== '') {
    throw new InvalidArgumentError('Expected a base address without a query and a fragment.')
  }
  if (url) return text
  throw new InvalidArgumentError(`Expected a URL such as http://127.0.0.1:${DEFAULT_PORT}${urlRemedy(text)}.`)
}
