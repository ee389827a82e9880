// REST as the data and metrics services speak it: any 2xx is success, errors come as JSON, as plain text or as HTML.

import { BaseError } from '../errors.ts'
import type { Operation, Wire } from '../operations/define.ts'
import type { Http, HttpAnswer } from './http.ts'
import { parseJson } from './json.ts'
import type { Ask, Source } from './source.ts'

export function createRest(http: Http): Ask {
  return async (source, operation, wire, signal) => {
    signal.throwIfAborted()
    const answer = await http.send({
      method: 'post' in operation.via ? 'POST' : 'GET',
      url: urlOf(source, wire),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(source.key ? { [source.key.header]: source.key.value.reveal() } : {}),
      },
      ...('post' in operation.via ? { body: JSON.stringify(wire.body) } : {}),
      signal,
      retry: operation.effect === 'read',
    })
    if (answer.status < 200 || answer.status > 299) throw refused(answer, operation)
    return { raw: parseJson(answer.text, operation.integers) }
  }
}

/** The configured URL may carry a path and a query (a key, at times): both stay. */
function urlOf({ url: base }: Source, { path, query }: Wire): string {
  const url = new URL(base.reveal())
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === 'string' ? [value] : value) url.searchParams.append(name, one)
  }
  return url.href
}

function refused({ status, text }: HttpAnswer, operation: Operation): BaseError {
  const message = messageOf(text)
  const said = { details: message ?? text.slice(0, 200) }
  // A 404 in the service's own words is about the object asked for; any other is a wrong address.
  if (status === 404 && message !== undefined) return new BaseError('unsupported', 'HTTP 404: not there', said)
  if (status === 404)
    return new BaseError(
      'http_status',
      `HTTP 404: is the url the base address of the ${operation.service} service?`,
      said,
    )
  if (status === 401 || status === 403)
    return new BaseError('http_status', `HTTP ${status}: the key was not accepted`, said)
  if (status === 429) return new BaseError('http_status', 'HTTP 429: the rate limit is exceeded', said)
  return new BaseError('http_status', `HTTP ${status}`, said)
}

/** The error body's message, a string or a list of strings; undefined when this is not the service's error body. */
function messageOf(text: string): string | undefined {
  try {
    const { message } = Object(JSON.parse(text)) as { message?: unknown }
    if (typeof message === 'string') return message.slice(0, 200)
    if (Array.isArray(message)) return message.join('; ').slice(0, 200)
  } catch {
    // Not JSON: a gateway or a proxy spoke.
  }
  return undefined
}
