// What keeps clients out must not go away because a file was cut off: by a full disk, by `>` in a shell, by an editor that
// writes in two steps. A web configuration that is read while the daemon runs loses a check only where it says so.

import type { WebConfig } from '../config/web/web-config.ts'

interface Check {
  key: string
  /** What the file may say instead; else only a restart drops the check. */
  instead?: string
  /** Whether there is something to lose. */
  counts?: (before: WebConfig) => boolean
  /** Whether the file says, by another key, that the check is not wanted. */
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
    // Beside any other policy it is an error.
    isMoot: (next) => !policyOf(next).startsWith('Require'),
  },
  { key: 'tls_server_config.min_version', instead: 'min_version: TLS12' },
  { key: 'tls_server_config.max_version', instead: 'max_version: TLS13' },
  { key: 'tls_server_config.cipher_suites' },
  { key: 'tls_server_config.curve_preferences' },
]

/** Why the next configuration must not replace the one before; empty if it may. */
export function lossesIn(before: WebConfig, next: WebConfig): string[] {
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
