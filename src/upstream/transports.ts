// The transport of each service, and requests that nothing shares, counts or pays for.

import { toBaseError } from '../errors.ts'
import type { Secret } from '../lib/secret.ts'
import type { Clock } from '../lib/clock.ts'
import type { Operation, Wire } from '../operations/define.ts'
import type { Attempts, Http } from './http.ts'
import { createJsonRpc } from './json-rpc.ts'
import { createRedactor } from './redact.ts'
import { createRest } from './rest.ts'
import type { Ask, Admission, Source } from './source.ts'

/** An answer as it came, for people and scripts: not shared and not counted. Throws BaseError like `call`. */
export type AskBody = (source: Source, operation: Operation, wire: Wire, ended?: Attempts['ended']) => ReturnType<Ask>

/** The transport alone, each request with `timeout` milliseconds of its own. `secrets`: URLs that must not be in errors. */
export function createAskBody(http: Http, timeout: number, secrets: readonly Secret[]): AskBody {
  const { redacted } = createRedactor(secrets)
  const askers = askersOf(http, { after: () => () => {} })
  const admission: Omit<Admission, 'ended'> = {
    open: async () => AbortSignal.timeout(timeout),
    unsent: new AbortController().signal,
    mayRetry: () => true,
  }
  return async (source, operation, wire, ended = () => {}) => {
    try {
      return await askers[source.service](source, operation, wire, { ...admission, ended })
    } catch (thrown) {
      throw redacted(toBaseError(thrown), source)
    }
  }
}

/** By service. */
export function askersOf(http: Http, clock: Pick<Clock, 'after'>) {
  const rest = createRest(http)
  return { node: createJsonRpc(http, clock), data: rest, metrics: rest }
}
