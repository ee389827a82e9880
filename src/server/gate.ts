// What every request passes before anything of it is looked at: the rate limit, the headers of the web configuration, and
// who the client is.

import type { IncomingMessage, RequestListener } from 'node:http'
import type { WebConfig } from '../config/web/web-config.ts'
import { createBasicAuth } from './basic-auth.ts'
import { isTakenBack, type Timing } from './connections.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Web } from './web-config-reload.ts'

interface GateOptions {
  clock: Timing
  /** Called once per request that is answered here. */
  count: (request: IncomingMessage, code: number) => void
}

/** All listeners of a daemon share one: a second port gives no second try. */
export interface Gate {
  guarded(next: RequestListener, count: GateOptions['count']): RequestListener
}

export function createGate(web: Web, clock: Timing): Gate {
  const auth = createBasicAuth()
  let limitedBy: WebConfig['rateLimit']
  let mayPass = () => true

  function isWithinRate({ rateLimit }: WebConfig): boolean {
    if (!isSame(rateLimit, limitedBy)) {
      limitedBy = rateLimit
      mayPass = rateLimit ? createRateLimit(rateLimit, clock) : () => true
    }
    return mayPass()
  }

  return {
    guarded: (next, count) => async (request, response) => {
      let isGone = false
      response.once('close', () => (isGone = true))
      const refuse = (code: keyof typeof refusals) => {
        response.once('finish', () => {
          if (!isTakenBack(response)) count(request, code)
        })
        response.statusCode = code
        response.setHeader('content-type', 'text/plain; charset=utf-8')
        response.setHeader('x-content-type-options', 'nosniff')
        response.end(`${refusals[code]}\n`)
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
        // Its client may have left meanwhile.
        if (isGone) return undefined
      }
      return next(request, response)
    },
  }
}

const refusals = {
  401: 'Unauthorized',
  429: 'Too Many Requests',
  503: 'Too many passwords are being checked; ask again in a second.',
} as const

function isSame(a: WebConfig['rateLimit'], b: WebConfig['rateLimit']): boolean {
  return a?.interval === b?.interval && a?.burst === b?.burst
}
