// The web configuration for a listener that is open to everyone.

import type { WebConfig } from '../config/web/web-config.ts'
import { entryOf } from '../lib/entry.ts'
import type { WebConfigReloader } from './web-config-reload.ts'

/** Without passwords and client certificates, which the visitors do not have. The rest holds: TLS, headers, the rate limit. */
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
