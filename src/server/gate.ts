// What every request passes first: the rate limit, the headers of the web configuration, and basic authentication.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { WebConfig } from '../config/web/web-config.ts'
import { createBasicAuth } from './basic-auth.ts'
import type { SteadyClock } from './connections.ts'
import type { WebConfigReloader } from './web-config-reload.ts'

/** All listeners of a daemon share one gate, so that a second port gives no second try. */
export interface Gate {
  /** Whether the request may go on; one that may not has its answer, or a client that has left. */
  admit(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

export function createGate(web: WebConfigReloader, clock: SteadyClock): Gate {
  const auth = createBasicAuth()
  let limitedBy: WebConfig['rateLimit']
  let mayPass = () => true

  function isWithinRate({ rateLimit }: WebConfig): boolean {
    if (!isDeepStrictEqual(rateLimit, limitedBy)) {
      limitedBy = rateLimit
      mayPass = rateLimit ? createRateLimit(rateLimit, clock) : () => true
    }
    return mayPass()
  }

  return {
    async admit(request, response) {
      let isGone = false
      response.once('close', () => (isGone = true))
      const refuse = (code: keyof typeof refusals) => {
        response.statusCode = code
        response.setHeader('content-type', 'text/plain; charset=utf-8')
        response.setHeader('x-content-type-options', 'nosniff')
        response.end(`${refusals[code]}\n`)
        return false
      }
      const config = web.current()
      for (const [name, value] of Object.entries(config.headers)) response.setHeader(name, value)
      if (!isWithinRate(config)) return refuse(429)
      if (config.users.size > 0) {
        const verdict = await auth.check(config.users, request.headers.authorization, () => isGone)
        if (verdict === 'busy') {
          response.setHeader('retry-after', '1')
          return refuse(503)
        }
        if (verdict === 'unknown') {
          response.setHeader('www-authenticate', 'Basic')
          return refuse(401)
        }
        // The client may have left while its password was compared.
        if (isGone) return false
      }
      return true
    },
  }
}

const refusals = {
  401: 'Unauthorized',
  429: 'Too Many Requests',
  503: 'Too many passwords are being checked, retry in a second.',
} as const

interface RateLimit {
  /** Milliseconds for each new token. */
  interval: number
  /** Tokens that fit into the bucket, which starts full. */
  burst: number
}

/** A token bucket. Returns a function that takes a token, and false when there is none. */
function createRateLimit({ interval, burst }: RateLimit, clock: SteadyClock): () => boolean {
  let tokens = burst
  let countedAt = clock.now().steady
  return () => {
    const now = clock.now().steady
    tokens = Math.min(burst, tokens + (now - countedAt) / interval)
    countedAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
