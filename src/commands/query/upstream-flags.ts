// The upstream of a command: a URL, or an upstream of the configuration. And the consent to what changes it or makes others work: on
// a terminal by a question, in a script by --yes.

import type { Command } from 'commander'
import { BaseError, toBaseError } from '../../errors.ts'
import { secretUrl } from '../../lib/secret.ts'
import { readUrl, urlRemedy } from '../../lib/url.ts'
import { ACTION_TIMEOUT, type Operation, type Service } from '../../operations/define.ts'
import { sourcesOfNetwork } from '../../scheduler/plan.ts'
import { type AskBody, createAskBody } from '../../upstream/transports.ts'
import { proxiesOf } from '../../config/environment.ts'
import { urlsOf } from '../../lib/proxies.ts'
import type { Source } from '../../upstream/source.ts'
import { readConfig } from '../config.ts'
import { inFlags, withHttp } from '../http-target.ts'
import type { Io } from '../io.ts'

export interface UpstreamFlags {
  url?: string
  'config.file'?: string
  'config.network'?: string
  'config.source'?: string
}

export function upstreamFlags(command: Command): Command {
  const url = command.createOption('--url <url>', 'base address of the upstream')
  return command
    .addOption(url.conflicts(['config.file', 'config.network', 'config.source']))
    .option('--config.file <file>', 'take the upstream from this configuration instead')
    .option('--config.network <name>', 'its network; default: the first one')
    .option('--config.source <name>', 'its upstream; default: the first one of the service')
}

/** `network` is the data service's name of the configured one. Throws BaseError with code `config`. */
export function upstreamOf(
  service: Service,
  flags: UpstreamFlags,
  io: Io,
): { source: Source; network?: string | undefined } {
  if (flags.url !== undefined) {
    if (!readUrl(flags.url)) {
      throw new BaseError('config', `--url: expected a URL such as http://10.0.0.5:9650${urlRemedy(flags.url)}`)
    }
    const url = secretUrl(flags.url)
    return { source: { service, network: '', name: String(url), url } }
  }
  const file = flags['config.file']
  if (file === undefined) throw new BaseError('config', 'where to ask? Give --url, or --config.file')
  const { networks } = readConfig(file, io)
  const network = pick(networks, flags['config.network'], '--config.network', 'network')
  const sources = sourcesOfNetwork(network).filter((one) => one.service === service)
  const source = pick(sources, flags['config.source'], '--config.source', `upstream of the ${service} service`)
  return { source, network: network.data_api?.network }
}

function pick<T extends { name: string }>(from: readonly T[], name: string | undefined, flag: string, what: string): T {
  const found = name === undefined ? from[0] : from.find((one) => one.name === name)
  if (found) return found
  const known = from.map((one) => one.name).join(', ')
  throw new BaseError('config', known === '' ? `no ${what} is configured` : `${flag}: expected one of ${known}`)
}

/** `node-a (10.0.0.5:9650)`: only the host of the URL, because the rest may contain keys. */
export function shownAs({ name, url }: Source): string {
  const host = String(url)
  return name === host ? host : `${name} (${host})`
}

/** The flags that select the same upstream again. */
export function flagsTo({ network, name }: Source, { url, 'config.file': file }: UpstreamFlags): string {
  // A URL may contain keys.
  if (url !== undefined) return '--url=<the same>'
  return `--config.file=${file} --config.network=${network} --config.source=${name}`
}

const TIMEOUT = 30_000

/** Timeout of an operation in milliseconds. */
export function timeoutOf({ effect }: Pick<Operation, 'effect'>): number {
  return effect === 'action' ? ACTION_TIMEOUT : TIMEOUT
}

/** Closes connections and clears the progress line after `work`. */
export async function asking<T>(io: Io, timeout: number, work: (ask: AskBody) => Promise<T>): Promise<T> {
  const proxies = urlsOf(proxiesOf(io.env))
  return withHttp({}, io, (http) => {
    const ask = createAskBody(http, timeout, proxies)
    const explained: AskBody = (source, ...rest) =>
      ask(source, ...rest).catch((thrown: unknown) => withoutKeys(toBaseError(thrown), source))
    return work(explained).finally(() => io.progress(''))
  })
}

/** An upstream of a flag has no keys of a configuration. */
function withoutKeys(error: BaseError, { network, tls }: Source): never {
  if (network !== '' || tls) throw error
  const message = inFlags(error.message, 'trust it on this system, or name its file in NODE_EXTRA_CA_CERTS')
  throw new BaseError(error.code, message, error)
}

/** Names the upstream that does not answer: without --config.source it is not known which one was asked. */
export function askingByName<T>(io: Io, timeout: number, work: (ask: AskBody) => Promise<T>): Promise<T> {
  return asking(io, timeout, (ask) =>
    work((source, ...rest) => ask(source, ...rest).catch((thrown: unknown) => unanswered(thrown, source))),
  )
}

function unanswered(thrown: unknown, source: Source): never {
  const error = toBaseError(thrown)
  if (error.code !== 'network' && error.code !== 'timeout') throw error
  throw new BaseError(error.code, `${shownAs(source)}: ${error.message}`, error)
}

export interface YesFlag {
  yes?: true
}

export function yesFlag(command: Command): Command {
  return command.option('--yes', 'do it without asking; required where there is no terminal')
}

/** Throws a BaseError unless the flag or the user confirms the action. */
export async function confirm(what: string, { yes }: YesFlag, io: Io): Promise<void> {
  if (yes) return
  const answer = io.confirm(`${what}?`)
  if (answer === undefined) {
    throw new BaseError('config', `${what}: there is no terminal to ask on; --yes does it without asking`)
  }
  if (!(await answer)) throw new BaseError('aborted', 'not confirmed: nothing was sent')
}
