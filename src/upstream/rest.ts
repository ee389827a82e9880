// REST as the data and metrics services speak it: any 2xx is success, errors come as JSON, as plain text or as HTML.

import { BaseError } from '../errors.ts'
import type { Operation } from '../operations/define.ts'
import { addressOf } from './address.ts'
import { type Http, type HttpAnswer, isSuccess } from './http.ts'
import { parseJson } from './json.ts'
import type { Ask } from './source.ts'

export function createRest(http: Http): Ask {
  return async (source, operation, wire, deadline) => {
    const { url, headers } = addressOf(source, wire)
    const answer = await http.send({
      method: 'post' in operation.via ? 'POST' : 'GET',
      url,
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      ...('post' in operation.via ? { body: JSON.stringify(wire.body) } : {}),
      signal: deadline(),
      retry: operation.effect === 'read',
    })
    if (!isSuccess(answer.status)) throw refused(answer, operation)
    return { text: answer.text, raw: parseJson(answer.text, operation.integers) }
  }
}

function refused({ status, text }: HttpAnswer, { service, notFound }: Operation): BaseError {
  const message = messageOf(text)
  const said = { details: message ?? text }
  if (status === 404) {
    // In the service's own words it is about the object asked for, unless they are those for a path without a route.
    return message !== undefined && !/^Cannot (GET|POST) /.test(message)
      ? new BaseError(notFound?.test(message) ? 'not_found' : 'unsupported', 'HTTP 404: not there', said)
      : new BaseError('http_status', `HTTP 404: is the url the base address of the ${service} service?`, said)
  }
  if (status === 401 || status === 403) {
    return new BaseError('http_status', `HTTP ${status}: the key was not accepted`, said)
  }
  if (status === 429) return new BaseError('http_status', 'HTTP 429: the rate limit is exceeded', said)
  return new BaseError('http_status', `HTTP ${status}`, said)
}

/** The error body's message, a string or a list of strings; undefined when this is not the service's error body. */
function messageOf(text: string): string | undefined {
  try {
    const { message } = Object(JSON.parse(text)) as { message?: unknown }
    if (typeof message === 'string') return message
    if (Array.isArray(message)) return message.join('; ')
  } catch {
    // Not JSON: a gateway or a proxy spoke.
  }
  return undefined
}
