// Opens connections to upstreams: to the address of a host that answers first.

import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector, errors } from 'undici'
import { type Lookup, pause } from './lookup.ts'

/** For one address, and for the handshake of TLS. Allows for two lost packets (milliseconds). */
export const CONNECT_TIMEOUT = 4_000
/** An address that has not answered for so long does not delay the next one (milliseconds, RFC 8305). */
const APART = 250
/** Limits what a name can make us open. */
const MOST_ADDRESSES = 16
/** Until the system asks whether an idle connection is still there (milliseconds). */
const KEEP_ALIVE = 60_000

export interface Network {
  lookup: Lookup
  open?: (address: string, port: number) => Socket
  /** Resolves after this many milliseconds. */
  after?: (milliseconds: number) => Promise<unknown>
}

/**
 * The platform tries one address at a time: it gives up a slow one for the sake of a dead one. Here an attempt continues
 * while the next ones start. Options are those of TLS.
 */
export function createConnector(network: Network, options: buildConnector.BuildOptions): buildConnector.connector {
  const secure = buildConnector({ ...options, timeout: CONNECT_TIMEOUT, allowH2: false })
  const openTo = callbackify((host: string, port: number) => openFirst(network, host, port))
  return (where, done) => {
    const isTls = where.protocol === 'https:'
    openTo(where.hostname, Number(where.port) || (isTls ? 443 : 80), (error, socket) => {
      if (error) done(error, null)
      else if (isTls) secure({ ...where, httpSocket: socket }, done)
      else done(null, socket)
    })
  }
}

async function openFirst(network: Network, host: string, port: number): Promise<Socket> {
  const { lookup, open = openSocket, after = pause } = network
  const addresses = alternating(await lookup(host)).slice(0, MOST_ADDRESSES)
  const sockets: Socket[] = []
  const attempts: Promise<Socket>[] = []
  let winner: Socket | undefined
  const attempt = async (address: string) => {
    const socket = open(address, port).on('error', () => {})
    sockets.push(socket)
    const late = after(CONNECT_TIMEOUT).then(() => Promise.reject(new errors.ConnectTimeoutError()))
    await Promise.race([once(socket, 'connect'), late])
    return (winner ??= socket)
  }
  for (const { address } of addresses) {
    const latest = attempt(address)
    attempts.push(latest)
    const isSettled = Promise.race([latest, Promise.any(attempts)]).catch(() => {})
    await Promise.race([isSettled, after(APART)])
    if (winner) break
  }
  try {
    return await Promise.any(attempts)
  } catch (error) {
    throw mostTelling((error as AggregateError).errors as NodeJS.ErrnoException[])
  } finally {
    for (const socket of sockets) if (socket !== winner) socket.destroy()
  }
}

const openSocket = (host: string, port: number) =>
  connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE })

/** Both families in turn, beginning with the one that the system prefers. */
function alternating(addresses: readonly LookupAddress[]): LookupAddress[] {
  const preferred = addresses.filter(({ family }) => family === addresses[0]!.family)
  const others = addresses.filter(({ family }) => family !== addresses[0]!.family)
  const longer = Math.max(preferred.length, others.length)
  return Array.from({ length: longer }, (_, at) => [preferred[at], others[at]])
    .flat()
    .filter((one) => one !== undefined)
}

const WITHOUT_ROUTE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

/** A family that this machine does not have says nothing about the upstream. */
const mostTelling = (thrown: readonly NodeJS.ErrnoException[]) =>
  thrown.find(({ code }) => !WITHOUT_ROUTE.has(code ?? '')) ?? thrown[0]!
