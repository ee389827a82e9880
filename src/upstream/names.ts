// Looks up the names of upstreams. The runtime's own lookups run on two threads of the process: two names with silent servers
// would block all others. These queries share one socket and do not block each other.
//
// The order is that of the system: the hosts file, then DNS with the search list of resolv.conf. A name that DNS does not know
// may be known to another source of the system, such as mDNS: only then the runtime looks it up, one name at a time.

import { type LookupAddress, promises } from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { until } from '../lib/until.ts'

type Queries = Pick<promises.Resolver, 'resolve4' | 'resolve6'>

export interface LookupOptions {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Returns the text of a system file, or '' where there is none. */
  readFile?: (path: '/etc/hosts' | '/etc/resolv.conf') => Promise<string>
  resolver?: () => Queries
  /** The runtime's own lookup. */
  system?: (host: string) => Promise<LookupAddress[]>
}

/** A lookup that takes longer has failed (milliseconds). */
const LONGEST = 3_000
/** Time to live of failures, and of addresses from files and from the system (milliseconds). */
const KEPT = 5_000
/** Longer times to live are cut (milliseconds). */
const LONGEST_KEPT = 600_000
/** A resolver reads the addresses of its servers once, and they may change (milliseconds). */
const RESOLVER_FOR = 10_000
/** Wait for the second address family after the first one came (milliseconds, RFC 8305). */
const OTHER_FAMILY = 50
/** Between the starts of two lookups (milliseconds). */
const APART = 1
/** Dots that make a name absolute if resolv.conf does not say, and how many domains of the search list are tried. */
const NDOTS = 1
const MOST_DOMAINS = 6

interface Found {
  addresses: readonly LookupAddress[]
  /** Milliseconds. */
  keptFor: number
}

export function createLookup({
  now,
  readFile: read = (path) => readFile(path, 'utf8').catch(() => ''),
  resolver: create = () => new promises.Resolver({ timeout: 1_000, tries: 2 }),
  system = (host) => promises.lookup(host, { all: true }),
}: LookupOptions): LookupFunction {
  const names = new Map<string, { since: number; keptFor: number; addresses: Promise<readonly LookupAddress[]> }>()
  let resolver: { since: number; it: ReturnType<typeof create> } | undefined
  /** The runtime's lookup in progress. */
  let turn: Promise<unknown> = Promise.resolve()
  let start: Promise<unknown> = Promise.resolve()

  /** False after the clock was set back, too. */
  const isWithin = (since: number, time: number) => since <= now() && now() < since + time

  function current() {
    if (!resolver || !isWithin(resolver.since, RESOLVER_FOR)) resolver = { since: now(), it: create() }
    return resolver.it
  }

  async function find(host: string): Promise<Found> {
    // Queries that all start at once overflow network buffers.
    await (start = start.then(() => wait(APART)))
    const deadline = now() + LONGEST
    const listed = inHosts(await read('/etc/hosts'), host)
    if (listed.length > 0) return { addresses: listed, keptFor: KEPT }
    let failed: Error | undefined
    for (const name of candidates(await read('/etc/resolv.conf'), host)) {
      const found = await query(current(), name).catch((error: NodeJS.ErrnoException) => {
        // As the system does: the server of another domain may work.
        if (error.code !== 'ESERVFAIL') throw error
        failed ??= error
      })
      if (found) return found
    }
    if (failed) throw failed
    const asked = turn.then(() => {
      if (now() > deadline) throw failure('ETIMEOUT', host)
      return system(host)
    })
    turn = asked.catch(() => {})
    return { addresses: await asked, keptFor: KEPT }
  }

  function addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const before = names.get(host)
    if (before && isWithin(before.since, before.keptFor)) return before.addresses
    const late = AbortSignal.timeout(LONGEST)
    const entry = {
      since: now(),
      // A lookup in progress is shared.
      keptFor: Infinity,
      addresses: until(late, find(host)).then(
        ({ addresses, keptFor }) => {
          Object.assign(entry, { since: now(), keptFor })
          return addresses
        },
        (error: unknown) => {
          Object.assign(entry, { since: now(), keptFor: KEPT })
          throw late.aborted ? failure('ETIMEOUT', host) : error
        },
      ),
    }
    names.set(host, entry)
    return entry.addresses
  }

  const findOf = callbackify(async (host: string, family: unknown): Promise<LookupAddress[]> => {
    const found = (await addressesOf(host)).filter((one) => !family || one.family === family)
    if (found.length === 0) throw failure('ENOTFOUND', host)
    return found
  })

  return (host, { all, family }, done) => {
    findOf(host, family, (error, found) => {
      if (error || all) done(error, found)
      else done(null, found[0]!.address, found[0]!.family)
    })
  }
}

/** Whether a lookup failed, ours or the runtime's. */
export function isOfLookup(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && /^(query|getaddrinfo)/.test(String(thrown.syscall))
}

const failure = (code: string, host: string) => Object.assign(new Error(`${code} ${host}`), { code, syscall: 'queryA' })

/** `localhost` is this machine even if the file does not list it (RFC 6761). */
function inHosts(text: string, host: string): LookupAddress[] {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
  const found = lines.filter(([, ...names]) => names.includes(host)).map(([address = '']) => address)
  const own = /(^|\.)localhost$/.test(host) && found.length === 0 ? ['127.0.0.1', '::1'] : found
  return own.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** The names to query, in the order of resolv.conf(5). */
function candidates(text: string, host: string): string[] {
  if (host.endsWith('.')) return [host]
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const [, ...domains] = lines.findLast(([key]) => key === 'search' || key === 'domain') ?? []
  const options = lines.flatMap(([key, ...rest]) => (key === 'options' ? rest : []))
  const ndots = Number(options.findLast((one) => one.startsWith('ndots:'))?.slice('ndots:'.length) ?? NDOTS)
  const longer = domains.slice(0, MOST_DOMAINS).flatMap((domain) => (domain === '.' ? [] : `${host}.${domain}`))
  return host.split('.').length > ndots ? [host, ...longer] : [...longer, host]
}

/** Returns undefined where there is no such name. Throws the platform's error when no server can say. */
async function query(resolver: Queries, name: string): Promise<Found | undefined> {
  const records: { address: string; ttl: number; family: number }[] = []
  const failures: NodeJS.ErrnoException[] = []
  const asked = ([4, 6] as const).map((family) =>
    resolver[`resolve${family}`](name, { ttl: true }).then(
      (found) => records.push(...found.map((record) => ({ ...record, family }))),
      (error: NodeJS.ErrnoException) => failures.push(error),
    ),
  )
  await Promise.race(asked)
  const all = Promise.all(asked)
  await (records.length === 0 ? all : Promise.race([all, wait(OTHER_FAMILY)]))
  if (records.length > 0) {
    const addresses = records.map(({ address, family }) => ({ address, family }))
    const ttl = Math.min(...records.map((record) => record.ttl)) * 1_000
    return { addresses, keptFor: Math.min(ttl, LONGEST_KEPT) }
  }
  const unknown = failures.find(({ code }) => code !== 'ENOTFOUND' && code !== 'ENODATA')
  if (unknown) throw unknown
  return undefined
}
