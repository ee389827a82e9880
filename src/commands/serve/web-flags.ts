// Flags of the HTTP server other than its addresses: access, external URL and limits; and the sockets that systemd opened.

import { InvalidArgumentError, type Command } from 'commander'
import { BaseError } from '../../errors.ts'
import { readUrl } from '../../lib/url.ts'
import { defaultLimits } from '../../server/connections.ts'
import { defaultTimeouts } from '../../server/listener.ts'
import { durationFlag, durationOf, numberOf } from '../flag-values.ts'

export interface SecurityFlags {
  'web.config.file'?: string
  'web.routePrefix'?: string
  'web.externalUrl'?: URL
  'web.maxRequests': number
  'web.disableExporterMetrics'?: true
  'web.readHeaderTimeout': number
  'web.readTimeout': number
  'web.writeTimeout': number
  'web.idleTimeout': number
}

/** Concurrent scrapes, as in other exporters. */
const MOST_REQUESTS = 40
const requests = numberOf(/^\d{1,9}$/, 'Expected a whole number, 0 for no limit.')

/** The limit of timers is 24 days; a day is more than enough for a connection. */
const atMostADay = durationOf('Expected a duration such as 30s, of at most a day.', 1, 86_400_000)

export function securityFlags(command: Command): Command {
  const timeout = (flag: string, about: string, preset: number) =>
    durationFlag(command, `--web.${flag}`, about, atMostADay, preset)
  command
    .option(
      '--web.config.file <file>',
      "TLS, passwords, headers and rate limit of the HTTP side, in the form of Prometheus' exporter-toolkit (docs/http.md)",
    )
    .option('--web.route-prefix <path>', 'prefix of all paths (default: the path of --web.external-url)', prefixOf)
    .option('--web.external-url <url>', 'URL under which a proxy shows the HTTP side, for links', externalUrlOf)
    .option('--web.max-requests <number>', 'scrapes at a time, 503 beyond; 0 for no limit', requests, MOST_REQUESTS)
    .option('--web.disable-exporter-metrics', 'leave out metrics about the process and its HTTP side')
  timeout('read-header-timeout', 'time for a handshake, and for the headers of a request', defaultTimeouts.readHeader)
  timeout('read-timeout', 'time for a whole request', defaultTimeouts.read)
  timeout('write-timeout', 'time for an answer to be read', defaultLimits.answerWithin)
  return timeout('idle-timeout', 'time that a connection stays open without a request', defaultTimeouts.idle)
}

export function listeningOf(flags: SecurityFlags, { readFile }: { readFile: (path: string) => string }) {
  const external = flags['web.externalUrl'] && prefixOf(flags['web.externalUrl'].pathname)
  const routePrefix = flags['web.routePrefix'] ?? external ?? ''
  const most = flags['web.maxRequests']
  return {
    routePrefix,
    linkPrefix: external ?? routePrefix,
    limits: {
      ...defaultLimits,
      connections: Math.min(defaultLimits.connections, Math.floor(openFiles(readFile) / 2)),
      answerWithin: flags['web.writeTimeout'],
      bodies: most === 0 ? Number.POSITIVE_INFINITY : most,
    },
    timeouts: {
      readHeader: flags['web.readHeaderTimeout'],
      read: flags['web.readTimeout'],
      idle: flags['web.idleTimeout'],
    },
  }
}

/** The open file limit of the process, part of which is reserved for upstreams and storage. Infinity if unknown. */
function openFiles(readFile: (path: string) => string): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFile('/proc/self/limits'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}

/** With a leading slash and no trailing one; empty for the root. */
function prefixOf(text: string): string {
  const path = text.replace(/^\/+|\/+$/g, '')
  if (!/^[\w./-]*$/.test(path)) throw new InvalidArgumentError('Expected a path such as /stakewatch.')
  return path === '' ? '' : `/${path}`
}

function externalUrlOf(text: string): URL {
  const url = readUrl(text)
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password
  if (!isPlain) throw new InvalidArgumentError('Expected a URL such as https://example.org/stakewatch/.')
  prefixOf(url.pathname)
  return url
}

const SYSTEMD_FLAG = '--web.systemd-socket'

/** The number of the first one; the others follow. */
const FIRST = 3

/** Throws a BaseError with code `config` when there is none for this process. */
export function systemdSockets({
  env,
  pid,
}: {
  env: Readonly<Record<string, string | undefined>>
  pid: number
}): { fd: number }[] {
  const { LISTEN_FDS: count = '', LISTEN_PID: owner = '' } = env
  if (!/^[1-9]\d{0,3}$/.test(count)) {
    throw new BaseError('config', `${SYSTEMD_FLAG}: systemd passed no socket: start the .socket unit of the service`)
  }
  if (owner !== String(pid)) {
    const message = `${SYSTEMD_FLAG}: the sockets are for another process: start stakewatch in ExecStart without a wrapper`
    throw new BaseError('config', message)
  }
  return Array.from({ length: Number(count) }, (_, at) => ({ fd: FIRST + at }))
}
