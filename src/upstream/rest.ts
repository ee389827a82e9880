// REST as the data and metrics services speak it: any 2xx is success, errors come as JSON, plain text or HTML.

import { BaseError } from '../errors.ts'
import type { Operation } from '../operations/define.ts'
import { addressOf } from './address.ts'
import { MAX_BYTES } from './bounds.ts'
import { type Http, type HttpAnswer, isSuccess } from './http.ts'
import { parseJson } from './json.ts'
import { type Ask, credentialsOf, type Source } from './source.ts'
import { wordsBehind } from './status-words.ts'

/** Paths that gave 404, in the order of the requests. */
type Missing = readonly { path: string; text: string }[]

export function createRest(http: Http): Ask {
  /** By service and operation that has moved: whether the service answered at the new path. */
  const known = new Map<string, boolean>()

  return async (source, operation, wire, admission) => {
    const key = `${operation.name} ${source.url.reveal()}`
    const hasMoved = known.get(key)
    const documented = { place: wire, isOther: false }
    const other = wire.moved ? [{ place: wire.moved, isOther: true }] : []
    const missing: { path: string; text: string }[] = []
    for (const { place, isOther } of hasMoved ? [...other, documented] : [documented, ...other]) {
      const { url, headers } = addressOf(source, place)
      const signal = await admission.open()
      const answer = await http.send({
        method: 'post' in operation.via ? 'POST' : 'GET',
        url,
        headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
        ...('post' in operation.via ? { body: JSON.stringify(wire.body) } : {}),
        signal,
        retry: operation.effect === 'read',
        maxBytes: operation.maxBytes ?? MAX_BYTES,
        attempts: admission,
        link: source,
      })
      if (isSuccess(answer.status)) {
        if (wire.moved) known.set(key, isOther)
        return { text: answer.text, raw: parseJson(answer.text, operation.integers) }
      }
      if (answer.status !== 404) throw refused(answer, source, url, missing)
      missing.push({ path: place.path, text: answer.text })
      // The path is known to be right, so the object does not exist.
      if (hasMoved === isOther && isAboutObject(answer.text)) break
    }
    throw notThere(missing, operation)
  }
}

function notThere(missing: Missing, { service, notFound, isOptional }: Operation): BaseError {
  const [first, ...more] = missing.map(({ path }) => path)
  const where = more.length === 0 ? '' : ` at ${first} and at ${more.join(', ')}`
  const object = missing.find(({ text }) => isAboutObject(text))
  if (object) {
    const details = messageOf(object.text)!
    return notFound?.test(details)
      ? new BaseError('not_found', `HTTP 404${where}: not there`, { details })
      : new BaseError('unsupported', `HTTP 404${where}: not there`, { details })
  }
  const { text } = missing.at(-1)!
  const details = messageOf(text) ?? text
  return isOptional
    ? new BaseError('unsupported', `HTTP 404${where}: the ${service} service does not have it`, { details })
    : new BaseError('http_status', `HTTP 404${where}: is the url the base address of the ${service} service?`, {
        details,
      })
}

/** A 404 in the service's own words is about the object, unless it says that the path has no route. */
function isAboutObject(text: string): boolean {
  const message = messageOf(text)
  return message !== undefined && !/^Cannot (GET|POST) /.test(message)
}

function refused(answer: HttpAnswer, source: Source, url: string, missing: Missing): BaseError {
  const { status, text } = answer
  const after = missing.map(({ path }) => ` (after HTTP 404 at ${path})`).join('')
  const meaning = wordsBehind(answer, url) || meaningOf(status, source)
  return new BaseError('http_status', `HTTP ${status}${meaning}${after}`, { details: messageOf(text) ?? text })
}

/** Without a key, or with one in a header that the service does not know, the public quota applies. */
function meaningOf(status: number, source: Source): string {
  const { service, key } = source
  if (status === 401 || status === 403) {
    const credentials = credentialsOf(source)
    return credentials === undefined ? ': no key is configured' : `: ${credentials} was not accepted`
  }
  if (status !== 429) return ''
  if (key) return `: the rate limit is exceeded; the key was sent in the header ${key.header}`
  return `: the rate limit is exceeded${service === 'data' ? '; no key is configured, so the public quota holds' : ''}`
}

/** The error body's message, a string or a list of strings; undefined when this is not the service's error body. */
function messageOf(text: string): string | undefined {
  try {
    const { message } = Object(JSON.parse(text)) as { message?: unknown }
    if (typeof message === 'string') return message
    if (Array.isArray(message)) return message.join('; ')
  } catch {
    // Not JSON: the answer of a gateway or proxy.
  }
  return undefined
}
