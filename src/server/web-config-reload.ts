// The web configuration of a running daemon, which is reread when one of its files changes.

import type { WebConfig } from '../config/web/web-config.ts'
import { BaseError } from '../errors.ts'
import { entryOf } from '../lib/entry.ts'

export interface WebSource {
  /** Throws an error whose message says what is wrong with the files. */
  read(): WebConfig
  /** Whether a file has changed since it was read. */
  isChanged(): Promise<boolean>
}

export interface WebConfigReloader {
  /** The same object until something changes. */
  current(): WebConfig
}

export interface WatchedWebConfig extends WebConfigReloader {
  /** Looks whether a file has changed, unless it still looks: a disk that hangs delays no answer. */
  look(): Promise<void>
}

export interface ReloaderOptions {
  /** Called after a changed file was read: with the error if it cannot be used, else with the keys that need a restart. */
  reread: (error: Error | undefined, waiting: readonly string[]) => void
  /** Throws when the platform cannot use what was read. */
  validate: (config: WebConfig) => void
}

/**
 * Files that cannot be used, or that drop a check without saying so, change nothing: certificates are often replaced in two
 * steps, and a scrape in between must neither fail nor pass fewer checks. Throws when the first files cannot be used.
 */
export function createWebConfigReloader(source: WebSource, { reread, validate }: ReloaderOptions): WatchedWebConfig {
  const read = (): WebConfig => {
    const config = source.read()
    validate(config)
    return config
  }
  let config = read()
  const { http2 } = config
  let isLooking = false

  function reload(): void {
    try {
      const next = read()
      const dropped = droppedChecks(config, next)
      if (dropped.length > 0) throw new BaseError('config', dropped.join('\n'))
      config = next
      // A listener cannot change its protocols.
      reread(undefined, next.tls && next.http2 !== http2 ? ['http_server_config.http2'] : [])
    } catch (error) {
      reread(error as Error, [])
    }
  }

  return {
    current: () => config,
    async look() {
      if (isLooking) return
      isLooking = true
      if (await source.isChanged()) reload()
      isLooking = false
    },
  }
}

/**
 * The web configuration for a listener that is open to everyone: without passwords and client certificates, which visitors do
 * not have. The rest holds: TLS, headers, the rate limit.
 */
export function openAccess(web: WebConfigReloader): WebConfigReloader {
  const opened = new WeakMap<WebConfig, WebConfig>()
  return {
    current() {
      const config = web.current()
      return entryOf(opened, config, () => withoutClients(config))
    },
  }
}

function withoutClients({ tls, ...rest }: WebConfig): WebConfig {
  return { ...rest, users: new Map(), tls: tls && { ...tls, policy: 'NoClientCert' } }
}

interface Check {
  key: string
  /** What the file says to drop the check; without it only a restart does. */
  instead?: string
  /** Whether the check was in effect. */
  counts?: (before: WebConfig) => boolean
  /** Whether another key of the file says that the check is not wanted. */
  isMoot?: (next: WebConfig) => boolean
}

const policyOf = ({ tls }: WebConfig) => tls?.policy ?? 'NoClientCert'

const CHECKS: readonly Check[] = [
  { key: 'basic_auth_users', instead: 'basic_auth_users: {}', counts: ({ users }) => users.size > 0 },
  { key: 'rate_limit', instead: 'rate_limit: {}', counts: ({ rateLimit }) => rateLimit !== undefined },
  { key: 'tls_server_config.client_auth_type', instead: 'client_auth_type: NoClientCert' },
  { key: 'tls_server_config.client_ca', isMoot: (next) => policyOf(next) === 'NoClientCert' },
  {
    key: 'tls_server_config.client_allowed_sans',
    // With any other policy it is an error.
    isMoot: (next) => !policyOf(next).startsWith('Require'),
  },
  { key: 'tls_server_config.min_version', instead: 'min_version: TLS12' },
  { key: 'tls_server_config.max_version', instead: 'max_version: TLS13' },
  { key: 'tls_server_config.cipher_suites' },
  { key: 'tls_server_config.curve_preferences' },
]

/**
 * Why the next configuration must not replace the one before; empty if it may. A truncated file (a full disk, `>` in a shell, an
 * editor that writes in two steps) must not let more clients in: a check is dropped only where the file says so.
 */
function droppedChecks(before: WebConfig, next: WebConfig): string[] {
  if ((before.tls === undefined) !== (next.tls === undefined)) {
    return ['tls_server_config: only a restart switches TLS on or off']
  }
  const gone = CHECKS.filter(
    ({ key, counts = () => true, isMoot = () => false }) =>
      before.written.has(key) && counts(before) && !next.written.has(key) && !isMoot(next),
  )
  return gone.map(({ key, instead }) => {
    const meant = instead === undefined ? 'restart stakewatch' : `write ${instead}`
    return `${key}: is gone, and with it a check of clients; put it back, or ${meant} if this is meant`
  })
}
