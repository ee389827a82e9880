// Looks up the names of upstreams as the system does (getaddrinfo), so that the hosts file, the search list, mDNS and every
// other source are right by construction. Such a lookup holds a thread of the pool until the system gives up: each name has
// one at a time, and src/process/thread-pool.ts makes the pool large enough.

import { type LookupAddress, promises } from 'node:dns'
import { isIP } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** The addresses of a host, at least one. Throws the platform's error. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

interface LookupOptions {
  /** Milliseconds since the epoch. */
  now: () => number
  system?: (host: string) => Promise<readonly LookupAddress[]>
  /** Resolves after this many milliseconds. */
  after?: (milliseconds: number) => Promise<unknown>
}

/** How long addresses and failures are kept: the system has caches of its own (milliseconds). */
const KEPT = 5_000
/** A request waits for a slow lookup so long, and then takes the addresses of before (milliseconds). */
const PATIENCE = 2_000
/** Addresses are taken so long while the system is slow or cannot say (milliseconds). */
const KEPT_MEANWHILE = 600_000
/** A request without addresses of before fails after this time; its lookup goes on for the next one (milliseconds). */
const LONGEST = 8_000

interface Known {
  addresses: readonly LookupAddress[]
  at: number
}

interface Name {
  lookup: Promise<readonly LookupAddress[]>
  /** When the lookup ended; undefined while it runs. */
  endedAt: number | undefined
  before: Known | undefined
}

/** Keeps no process alive. */
export const pause = (milliseconds: number): Promise<unknown> => wait(milliseconds, undefined, { ref: false })

export function createLookup({
  now,
  system = (host) => promises.lookup(host, { all: true }),
  after = pause,
}: LookupOptions): Lookup {
  const names = new Map<string, Name>()

  /** False after the clock was set back, too. */
  const isWithin = (since: number, time: number) => since <= now() && now() < since + time

  function start(host: string, before: Known | undefined): Name {
    const name: Name = { lookup: system(host), endedAt: undefined, before }
    name.lookup.then(
      (addresses) => Object.assign(name, { endedAt: now(), before: { addresses, at: now() } }),
      () => (name.endedAt = now()),
    )
    names.set(host, name)
    return name
  }

  return async (host) => {
    const family = isIP(host)
    if (family !== 0) return [{ address: host, family }]
    const last = names.get(host)
    const isFresh = last && (last.endedAt === undefined || isWithin(last.endedAt, KEPT))
    const { lookup, before } = isFresh ? last : start(host, last?.before)
    const former = before && isWithin(before.at, KEPT_MEANWHILE) ? before.addresses : undefined
    const limit = after(former ? PATIENCE : LONGEST).then(() => former ?? Promise.reject(timeout(host)))
    return Promise.race([lookup, limit]).catch((error: NodeJS.ErrnoException) => {
      // A server that fails says nothing about the name.
      if (former && error.code === 'EAI_AGAIN') return former
      throw error
    })
  }
}

const timeout = (host: string) =>
  Object.assign(new Error(`getaddrinfo ETIMEDOUT ${host}`), { code: 'ETIMEDOUT', syscall: 'getaddrinfo' })

export function isOfLookup(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'getaddrinfo'
}
