// The transport of the data and metrics services: paths with parameters, and the documents' error bodies (Errors).

import type { z } from 'zod'
import { fromText, type Operation, pathOf, type Service } from '../../operations/define.ts'
import type { Reply } from '../control/faults.ts'
import type { Asked } from '../node/node-server.ts'
import { matchPath } from './path-templates.ts'
import { type Dialect, type Handled, type Place, Refusal } from '../handler.ts'

export type RestService = Exclude<Service, 'node'>

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** The service's answer, and the operation that was asked for where one was. */
export function answerRest(
  service: RestService,
  handlers: readonly Handled[],
  place: Place,
  asked: Asked,
): { reply: Reply; operation?: string } {
  // Relative to it, a path that begins with two slashes would be a host.
  const url = new URL(asked.url.startsWith('/') ? `http://simulator${asked.url}` : asked.url, 'http://simulator')
  const parts = url.pathname.split('/').map(decodeURIComponent)
  for (const { operation, handle } of handlers) {
    const method = 'get' in operation.via ? 'GET' : 'POST'
    const inPath = 'rpc' in operation.via ? undefined : matchPath(servedAt(operation, place.dialect), parts)
    if (!inPath || method !== asked.method) continue
    const inBody = 'post' in operation.via ? bodyOf(asked.body) : {}
    if (!inBody) return { reply: refuse(service, 400, 'the body must be a JSON object'), operation: operation.name }
    const single = Object.fromEntries(
      [...url.searchParams.keys()].map((key) => {
        const all = url.searchParams.getAll(key)
        return [key, all.length === 1 ? all[0] : all]
      }),
    )
    const given = operation.params.safeParse({ ...inBody, ...fromText(operation, { ...single, ...inPath }) })
    if (!given.success) {
      return { reply: refuse(service, 400, messageOf(given.error, place.dialect)), operation: operation.name }
    }
    try {
      return {
        reply: json(statusOf(operation, place.dialect), handle({ ...place, query: url.searchParams }, given.data)),
        operation: operation.name,
      }
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      return { reply: refuse(service, thrown.status, thrown.message), operation: operation.name }
    }
  }
  return { reply: refuse(service, 404, `Cannot ${asked.method} ${url.pathname}`) }
}

/** The live service has some operations at another path, and not at the document's. */
function servedAt(operation: Operation, dialect: Dialect): string {
  const { via } = operation
  return dialect === 'live' && 'get' in via && via.moved ? via.moved.get : pathOf(operation)
}

function bodyOf(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** The document knows 200 alone; the live service has 201 for what is posted and for signatures. */
function statusOf({ via, effect }: Operation, dialect: Dialect): number {
  return dialect === 'live' && ('post' in via || effect === 'action') ? 201 : 200
}

/** The live service lists the broken rules, one text for each. */
function messageOf(error: z.ZodError, dialect: Dialect): string | string[] {
  const messages = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join('.')}: ${message}` : message,
  )
  return dialect === 'live' ? messages : messages.join('; ')
}

/** The message is a text in document 1 and a list of them in document 2. */
export function refuse(
  service: RestService,
  statusCode: number,
  said: string | string[],
  headers: Record<string, string> = {},
): Reply {
  const message = service === 'metrics' ? [said].flat() : said
  const reply = json(statusCode, { message, statusCode, error: reasons[statusCode] ?? 'Error' })
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

function json(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, text: JSON.stringify(body) }
}
