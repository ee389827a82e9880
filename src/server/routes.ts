// What is served where: a table of methods, paths and handlers. No handler asks an upstream.

import type { IncomingHttpHeaders } from 'node:http'
import type { Format } from '../metrics/exposition.ts'
import { drillOf, type Drills } from './drill.ts'
import { acceptsGzip, type Compression, contentTypes, createCompression, negotiate } from './negotiate.ts'

/** What a health endpoint says, in lines for people. */
export interface Health {
  isOk: boolean
  text: string
}

export interface RouteOptions {
  telemetryPath: string
  /** In front of every path, such as /stakewatch; empty by default. */
  routePrefix?: string
  /** In front of every path in links: the route prefix, unless a proxy changes it. */
  linkPrefix?: string
  /** `only` names the metrics that are wanted. The pieces never change, so that an answer in progress needs no copy. */
  body: (format: Format, only?: ReadonlySet<string>) => readonly Uint8Array[]
  /** Metric names by collector, for `collect[]`. */
  collectors: ReadonlyMap<string, readonly string[]>
  /** The metrics win where both have the same path. */
  pages: readonly Page[]
  ready: () => Health
  healthy: () => Health
  /**
   * Reads the configuration again; undefined where that is off over HTTP. It returns a sentence, and throws an error that holds
   * no secret.
   */
  reload?: (() => Promise<string>) | undefined
  /** Undefined where they are off. */
  drills?: Drills | undefined
}

export interface Route {
  methods: readonly string[]
  /** May end in `/:name`, which stands for one segment. */
  path: string
  /** Whether its answers count as bodies in progress. */
  isLimited?: boolean
  answer(asked: Request): Reply | Promise<Reply>
}

interface Request {
  method: string
  headers: IncomingHttpHeaders
  query: URLSearchParams
  /** The segment that `:name` stands for. */
  name: string
}

export interface Reply {
  code: number
  headers: Readonly<Record<string, string>>
  pieces: readonly Uint8Array[]
}

/** Methods that change nothing. */
export const READ: readonly string[] = ['GET', 'HEAD']
/** How the path of a page ends that takes a name. */
const NAME = ':name'
/** A smaller answer fits into a packet or two (bytes). */
const WORTH_COMPRESSING = 2_048

/** A listener that serves these pages alone. */
export function pageRoutesOf(pages: readonly Page[]): readonly Route[] {
  const bodies = createCompression()
  return pages.map((page) => pageRoute(page, bodies))
}

export function routesOf(options: RouteOptions): readonly Route[] {
  const { telemetryPath, routePrefix = '', linkPrefix = routePrefix, pages, ready, healthy, reload } = options
  const redirect: Route = {
    methods: READ,
    path: TO_PREFIX,
    answer: () => ({ code: 302, headers: { location: `${linkPrefix}/` }, pieces: [] }),
  }
  return [
    metricsRoute(options),
    { methods: READ, path: '/-/healthy', answer: () => replyOfHealth(healthy()) },
    { methods: READ, path: '/-/ready', answer: () => replyOfHealth(ready()) },
    { methods: ['POST', 'PUT'], path: '/-/reload', answer: async () => replyOfReload(reload) },
    { methods: ['POST', 'DELETE'], path: '/-/drill', answer: async (asked) => replyOfDrill(options, asked) },
    ...(routePrefix === '' ? [] : [redirect]),
    ...pageRoutesOf(pages.filter(({ path }) => path !== telemetryPath)),
  ]
}

/** A route, and what `:name` stands for in the path that was asked for. */
export interface Found {
  route: Route
  name: string
}

/** Finds the route of a path. The first of several routes with one path answers. */
export function createFinder(routes: readonly Route[]): (path: string) => Found | undefined {
  const exact = new Map(routes.toReversed().map((route) => [route.path, { route, name: '' }]))
  const named = routes.filter(({ path }) => path.endsWith(NAME))
  return (path) => exact.get(path) ?? findNamed(named, path)
}

function findNamed(routes: readonly Route[], path: string): Found | undefined {
  for (const route of routes) {
    const start = route.path.slice(0, -NAME.length)
    const name = path.slice(start.length)
    if (path.startsWith(start) && !name.includes('/')) return { route, name }
  }
  return undefined
}

export function textReply(code: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    code,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    pieces: [Buffer.from(`${text}\n`)],
  }
}

function replyOfHealth({ isOk, text }: Health): Reply {
  return textReply(isOk ? 200 : 503, text)
}

/** Off unless a flag turns it on, as with Prometheus. */
async function replyOfReload(reload: RouteOptions['reload']): Promise<Reply> {
  if (!reload) return textReply(403, 'Reload over HTTP is off; --web.enable-lifecycle turns it on.')
  try {
    return textReply(200, await reload())
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    return textReply(500, `Configuration refused, keeping the previous one:\n${reason}`)
  }
}

async function replyOfDrill({ drills, telemetryPath }: RouteOptions, { method, query }: Request): Promise<Reply> {
  if (!drills) return textReply(403, 'Drills are off; --web.enable-lifecycle turns them on.')
  if (method === 'DELETE') {
    await drills.end()
    return textReply(200, 'No drill is going on.')
  }
  const asked = drillOf(query)
  if (typeof asked === 'string') return textReply(400, asked)
  const { isNew, began, seconds } = await drills.begin(asked)
  if (!isNew) {
    const text = `A drill that began at ${began} goes on for another ${seconds} s. Wait for its end, or end it with DELETE.`
    return textReply(409, text)
  }
  const body = Buffer.from(`${JSON.stringify({ began, seconds, telemetry_path: telemetryPath })}\n`)
  return { code: 200, headers: { 'content-type': 'application/json' }, pieces: [body] }
}

function metricsRoute({ telemetryPath, body, collectors }: RouteOptions): Route {
  const bodies = createCompression()
  return {
    methods: READ,
    path: telemetryPath,
    isLimited: true,
    async answer({ headers, query }) {
      const wanted = query.getAll('collect[]')
      if (wanted.some((name) => !collectors.has(name))) {
        return textReply(400, `Unknown collector in collect[]. Known: ${[...collectors.keys()].join(', ')}.`)
      }
      const only = wanted.length === 0 ? undefined : new Set(wanted.flatMap((name) => collectors.get(name)!))
      const format = negotiate(headers.accept)
      const pieces = body(format, only)
      const compressed = acceptsGzip(headers['accept-encoding'])
        ? await (only ? bodies.chosen(pieces) : bodies.gzip(pieces))
        : undefined
      // Selections share the pieces of the snapshot: joined, each would take memory of its own.
      return encodedReply(only || compressed ? pieces : [bodies.plain(pieces)], compressed, {
        'content-type': contentTypes[format],
        vary: 'Accept, Accept-Encoding',
      })
    },
  }
}

function pageRoute({ path, answer }: Page, bodies: Compression): Route {
  return {
    methods: READ,
    path,
    isLimited: true,
    async answer({ headers: asked, query, name }) {
      const { code, type, headers, body } = await answer({ query: Object.fromEntries(query), name })
      const pieces = [Buffer.from(body)]
      const isWorth = pieces[0]!.length > WORTH_COMPRESSING && acceptsGzip(asked['accept-encoding'])
      const compressed = isWorth ? await bodies.chosen(pieces) : undefined
      // The state of a moment ago must not be kept.
      const all = { 'content-type': type, 'cache-control': 'no-store', vary: 'Accept-Encoding', ...headers }
      return encodedReply(pieces, compressed, all, code)
    },
  }
}

function encodedReply(
  pieces: readonly Uint8Array[],
  compressed: Buffer | undefined,
  headers: Readonly<Record<string, string>>,
  code = 200,
): Reply {
  if (!compressed) return { code, headers, pieces }
  return { code, headers: { ...headers, 'content-encoding': 'gzip' }, pieces: [compressed] }
}

export interface Asked {
  query: Readonly<Record<string, string>>
  /** The segment of the path that `:name` stands for. */
  name: string
}

export interface Page {
  /** May end in `/:name`. */
  path: string
  answer(asked: Asked): Answer | Promise<Answer>
}

export interface Answer {
  code?: number
  type: string
  headers?: Readonly<Record<string, string>>
  body: string
}

/** A path that no route has. */
const OUTSIDE = '/-/outside'
/** The root of the host redirects to the prefix. */
const TO_PREFIX = '/-/to-prefix'

/** `prefix` has a slash in front and none behind; it may be empty. */
export function withoutPrefix(url: string, prefix: string): string {
  // A proxy may send the whole URL.
  const path = url.replace(/^https?:\/\/[^/?]*/, '')
  const rest = path.slice(prefix.length)
  if (path.startsWith(prefix) && /^([/?]|$)/.test(rest)) return rest.startsWith('/') ? rest : `/${rest}`
  return prefix !== '' && /^\/?(\?|$)/.test(path) ? TO_PREFIX : OUTSIDE
}
