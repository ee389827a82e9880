// The connections to upstreams: direct or through a proxy, with the authorities and the client certificate for each.

import { Agent, type buildConnector, Dispatcher, EnvHttpProxyAgent, Pool, ProxyAgent } from 'undici'
import { entryOf } from '../lib/entry.ts'
import type { Secret } from '../lib/secret.ts'
import type { Proxies } from '../lib/proxies.ts'
import { CONNECT_TIMEOUT, createConnector, type Network } from './connect.ts'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** How an upstream is reached. */
export interface Link {
  /** `none` overrides the environment; undefined leaves it to the environment. */
  proxy?: Secret | 'none' | undefined
  tls?: Tls | undefined
}

/** All in PEM form. */
interface Tls {
  /** Trusted certificate authorities instead of the runtime's. */
  ca?: Secret | undefined
  cert?: Secret | undefined
  key?: Secret | undefined
  /** The name in the certificate, where it is not the host of the URL. */
  server_name?: string | undefined
}

/** A proxy that cannot be reached, or that refuses. */
export class ProxyError extends Error {
  readonly proxy: Secret
  /** Not `code`: undici acts on that of its own errors. */
  readonly reason: string
  /** Its answer, if it gave one. */
  readonly status: number | undefined

  constructor(proxy: Secret, reason: string, status?: number) {
    super(`proxy: ${reason}`)
    this.proxy = proxy
    this.reason = reason
    this.status = status
  }
}

export interface DispatchersOptions {
  network: Network
  /** Of the environment; default: none. */
  proxies?: Proxies | undefined
  /** For upstreams without authorities of their own (PEM). */
  authorities?: string | undefined
}

export type Dispatchers = ReturnType<typeof createDispatchers>

/** For a proxy to connect to an upstream; less than the default deadline of a request, so that the error names the proxy. */
const TUNNEL_TIMEOUT = 2 * CONNECT_TIMEOUT

const pools = {
  // As many connections as requests in flight, which accounts limit. Several upstreams may share an origin, and a request that
  // queued here would lose time.
  pipelining: 1,
  allowH2: false,
  // The signal is the deadline; undici's own timers restart with each chunk.
  headersTimeout: 0,
  bodyTimeout: 0,
}

export function createDispatchers({ network, proxies = { none: '' }, authorities }: DispatchersOptions) {
  const known = new Map<string, Dispatcher>()
  const proxyOf = createProxyChoice(proxies)
  let trustsSystem = false

  function tlsOptions({ tls = {} }: Link) {
    const ca = tls.ca?.reveal() ?? authorities
    return {
      ...(ca !== undefined && { ca }),
      ...(tls.cert && { cert: tls.cert.reveal() }),
      ...(tls.key && { key: tls.key.reveal() }),
      ...(tls.server_name !== undefined && { servername: tls.server_name }),
    }
  }

  function create(link: Link, proxy: Secret | undefined): Dispatcher {
    const secured = tlsOptions(link)
    if (!proxy) return new Agent({ ...pools, connect: createConnector(network, secured) })
    const { href } = new URL(proxy.reveal())
    const toProxy = { connect: connectorTo(proxy, network) }
    return new ProxyAgent({
      ...pools,
      uri: href,
      requestTls: { ...secured, timeout: CONNECT_TIMEOUT, allowH2: false },
      clientFactory: (url, options) => createTunnels(url, { ...options, ...pools, ...toProxy }, proxy),
      // For an upstream with http:// it is a pool of connections to the proxy itself.
      factory: (origin, options: Pool.Options) =>
        new Pool(origin, { ...options, ...pools, ...(String(origin) === href && toProxy) }),
    })
  }

  return {
    of(url: string, link: Link) {
      const proxy = proxyOf(url, link)
      if (!trustsSystem && [url, proxy?.reveal()].some((one) => /^https:/i.test(one ?? ''))) {
        trustsSystem = true
        trustSystem()
      }
      return { proxy, dispatcher: entryOf(known, keyOf(link, proxy), () => create(link, proxy)) }
    },
    /** Closes the connections of other links once their requests have ended. */
    keep(links: readonly (Link & { url: Secret })[]) {
      const kept = new Set(links.map((link) => keyOf(link, proxyOf(link.url.reveal(), link))))
      for (const [key, dispatcher] of known) {
        if (kept.has(key)) continue
        known.delete(key)
        void dispatcher.close()
      }
    },
    close: async () => void (await Promise.all([...known.values()].map((one) => one.destroy()))),
  }
}

type Asked = Link & { url: Secret; service: string; key?: { header: string; value: Secret } }

/** Whether both are the same upstream, asked in the same way. */
export function isSameUpstream(one: Asked, other: Asked): boolean {
  const parts = ({ service, key }: Asked) => [service, key?.header, key?.value.reveal()]
  return isSamePlace(one, other) && parts(one).every((part, at) => part === parts(other)[at])
}

/** Whether both have the same address, and are reached in the same way. */
export function isSamePlace(one: Link & { url: Secret }, other: Link & { url: Secret }): boolean {
  return one.url.reveal() === other.url.reveal() && isSameLink(one, other)
}

/** Whether both are reached in the same way. */
function isSameLink(one: Link, other: Link): boolean {
  return one.proxy === 'none' || other.proxy === 'none'
    ? one.proxy === other.proxy && keyOf(one) === keyOf(other)
    : keyOf(one, one.proxy) === keyOf(other, other.proxy)
}

function keyOf({ tls = {} }: Link, proxy?: Secret): string {
  const { ca, cert, key, server_name } = tls
  return JSON.stringify([proxy?.reveal(), ca?.reveal(), cert?.reveal(), key?.reveal(), server_name])
}

/** The connections to a proxy that upstreams are reached through (CONNECT). Its refusals are errors of their own. */
function createTunnels(url: URL, options: Pool.Options, proxy: Secret): Pool {
  const pool = new Pool(url, options)
  const open = pool.connect.bind(pool)
  const connect = async (wanted: Dispatcher.ConnectOptions) => {
    const signal = AbortSignal.timeout(TUNNEL_TIMEOUT)
    const answer = await open({ ...wanted, signal }).catch((thrown: unknown) => {
      throw signal.aborted ? new ProxyError(proxy, 'ETIMEDOUT') : asProxyError(thrown, proxy)
    })
    if (answer.statusCode === 200) return answer
    answer.socket.on('error', () => {}).destroy()
    throw new ProxyError(proxy, String(answer.statusCode), answer.statusCode)
  }
  return Object.assign(pool, { connect })
}

/** Its failures name the proxy. */
function connectorTo(proxy: Secret, network: Network): buildConnector.connector {
  const connect = createConnector(network, {})
  return (where, done) =>
    connect(where, (error, socket) => (error ? done(asProxyError(error, proxy), null) : done(null, socket)))
}

function asProxyError(thrown: unknown, proxy: Secret): ProxyError {
  if (thrown instanceof ProxyError) return thrown
  return new ProxyError(proxy, thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error')
}

/** The proxy of an upstream, if it has one. */
export type ProxyChoice = (url: string, link: Link) => Secret | undefined

/** For the environment undici decides, so that its reading of NO_PROXY is the only one. */
export function createProxyChoice(proxies: Proxies): ProxyChoice {
  const ofEnvironment = createEnvironmentChoice(proxies)
  return (url, { proxy }) => (proxy === 'none' ? undefined : (proxy ?? ofEnvironment(new URL(url).origin)))
}

function createEnvironmentChoice({ http, https, none }: Proxies): (origin: string) => Secret | undefined {
  if (!http && !https) return () => undefined
  let isDirect = false
  const probe = (isDirectOne: boolean) => {
    const dispatch = () => {
      isDirect = isDirectOne
      return true
    }
    return Object.assign(new Dispatcher(), { dispatch })
  }
  const direct = () => {}
  const agent = new EnvHttpProxyAgent({
    httpProxy: http?.reveal() ?? '',
    httpsProxy: https?.reveal() ?? '',
    noProxy: none,
    proxyTunnel: true,
    connect: direct,
    // A proxy has its own way to connect.
    factory: (_, options) => probe('connect' in options && options.connect === direct),
  })
  return (origin) => {
    agent.dispatch({ origin, path: '/', method: 'GET' }, {})
    if (isDirect) return undefined
    return origin.startsWith('https:') ? (https ?? http) : http
  }
}

/**
 * Node.js alone trusts its own list, and companies put their authority into the system's. It costs 32 ms and 8 MiB with
 * Debian's, so it is left to the first connection that needs it. Before 24.5, Node.js cannot do it without its own flag.
 */
function trustSystem(): void {
  if (typeof setDefaultCACertificates !== 'function') return
  const trusted = new Set(getCACertificates())
  const all = new Set([...trusted, ...getCACertificates('system')])
  if (all.size > trusted.size) setDefaultCACertificates([...all])
}
