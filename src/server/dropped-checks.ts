// A truncated file (a full disk, `>` in a shell, an editor that writes in two steps) must not let more clients in: a reloaded
// web configuration drops a check only where it says so.

import type { WebConfig } from '../config/web/web-config.ts'

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

/** Why the next configuration must not replace the one before; empty if it may. */
export function droppedChecks(before: WebConfig, next: WebConfig): string[] {
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
