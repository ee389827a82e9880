// The transport of the data and metrics services: paths with parameters, and the documents' error bodies (Errors).

import type { z } from 'zod'
import { fromText, pathOf, type Service } from '../operations/define.ts'
import type { Reply } from './faults.ts'
import type { Asked } from './node-server.ts'
import { type Handled, type Place, Refusal } from './serve.ts'

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
  const url = new URL(asked.url, 'http://simulator')
  for (const { operation, handle } of handlers) {
    const method = 'get' in operation.via ? 'GET' : 'POST'
    const inPath = 'rpc' in operation.via ? undefined : matchPath(pathOf(operation), url.pathname)
    if (!inPath || method !== asked.method) continue
    const single = Object.fromEntries(
      [...url.searchParams.keys()].map((key) => {
        const all = url.searchParams.getAll(key)
        return [key, all.length === 1 ? all[0] : all]
      }),
    )
    const given = operation.params.safeParse(fromText(operation, { ...single, ...inPath }))
    if (!given.success) return { reply: refuse(service, 400, messageOf(given.error)), operation: operation.name }
    try {
      return { reply: json(200, handle(place, given.data)), operation: operation.name }
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      return { reply: refuse(service, thrown.status, thrown.message), operation: operation.name }
    }
  }
  return { reply: refuse(service, 404, `Cannot ${asked.method} ${url.pathname}`) }
}

/** The parameters in a path, or undefined when it is not of the template. */
function matchPath(template: string, path: string): Record<string, string> | undefined {
  const [parts, given] = [template.split('/'), path.split('/')]
  if (parts.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name !== undefined) found[name] = decodeURIComponent(given[at]!)
    else if (part !== given[at]) return undefined
  }
  return found
}

function messageOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}

/** The message is a text in document 1 and a list of them in document 2. */
export function refuse(
  service: RestService,
  statusCode: number,
  text: string,
  headers: Record<string, string> = {},
): Reply {
  const message = service === 'metrics' ? [text] : text
  const reply = json(statusCode, { message, statusCode, error: reasons[statusCode] ?? 'Error' })
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

function json(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, text: JSON.stringify(body) }
}
