// Addresses of the names of upstreams. The runtime's own lookups wait for two threads of the process: two names whose servers
// are silent would keep all others waiting. These queries share one socket and wait for nobody.
//
// The order is that of the system: the hosts file, then the search list of resolv.conf, then DNS. What DNS does not know may
// be known to another source of the system, such as mDNS: only then the runtime is asked, one name at a time.

import { type LookupAddress, promises } from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { callbackify } from 'node:util'

type Queries = Pick<promises.Resolver, 'resolve4' | 'resolve6'>

export interface LookupOptions {
  /** Milliseconds since the epoch. */
  now: () => number
  /** The text of a file of the system; empty where there is none. */
  readFile?: (path: '/etc/hosts' | '/etc/resolv.conf') => Promise<string>
  resolver?: () => Queries
  /** The runtime's own lookup. */
  system?: (host: string) => Promise<LookupAddress[]>
}

/** A lookup that takes longer has failed (milliseconds). */
const LONGEST = 3_000
/** How long what has no time to live counts: of files and of the system, and a failure (milliseconds). */
const KEPT = 5_000
/** The longest time to live that is believed (milliseconds). */
const LONGEST_KEPT = 600_000
/** A resolver reads the addresses of its servers once: from then on they may have changed (milliseconds). */
const RESOLVER_FOR = 10_000
/** After the addresses of one family the others have so long to come (milliseconds, RFC 8305). */
const OTHER_FAMILY = 50
/** Between the beginnings of two lookups (milliseconds). */
const APART = 1
/** Labels that a name without its domain may have, and how many domains are tried, if resolv.conf does not say so. */
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
  /** The lookup of the runtime that is under way. */
  let turn: Promise<unknown> = Promise.resolve()
  let start: Promise<unknown> = Promise.resolve()

  /** False as well once the clock was set back. */
  const isWithin = (since: number, time: number) => since <= now() && now() < since + time

  function current() {
    if (!resolver || !isWithin(resolver.since, RESOLVER_FOR)) resolver = { since: now(), it: create() }
    return resolver.it
  }

  async function find(host: string): Promise<Found> {
    // Queries that all begin at once overflow the buffers on the way.
    await (start = start.then(() => wait(APART)))
    const deadline = now() + LONGEST
    const listed = inHosts(await read('/etc/hosts'), host)
    if (listed.length > 0) return { addresses: listed, keptFor: KEPT }
    let failed: Error | undefined
    for (const name of candidates(await read('/etc/resolv.conf'), host)) {
      const found = await query(current(), name).catch((error: NodeJS.ErrnoException) => {
        // As the system does: another domain may have a server that works.
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
    const entry = {
      since: now(),
      // As long as it is under way it is shared.
      keptFor: Infinity,
      addresses: bounded(find(host), host).then(
        ({ addresses, keptFor }) => {
          Object.assign(entry, { since: now(), keptFor })
          return addresses
        },
        (error: unknown) => {
          Object.assign(entry, { since: now(), keptFor: KEPT })
          throw error
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

/** Whether this is the error of a lookup, of these or of the runtime's. */
export function isOfLookup(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && /^(query|getaddrinfo)/.test(String(thrown.syscall))
}

async function bounded<Value>(work: Promise<Value>, host: string): Promise<Value> {
  const timer = new AbortController()
  const late = wait(LONGEST, undefined, { signal: timer.signal }).then(() => {
    throw failure('ETIMEOUT', host)
  })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => timer.abort())
}

const failure = (code: string, host: string) => Object.assign(new Error(`${code} ${host}`), { code, syscall: 'queryA' })

/** `localhost` is this machine whatever the file says (RFC 6761). */
function inHosts(text: string, host: string): LookupAddress[] {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
  const found = lines.filter(([, ...names]) => names.includes(host)).map(([address = '']) => address)
  const own = /(^|\.)localhost$/.test(host) && found.length === 0 ? ['127.0.0.1', '::1'] : found
  return own.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** The names that DNS is asked for, in the order of resolv.conf(5). */
function candidates(text: string, host: string): string[] {
  if (host.endsWith('.')) return [host]
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const [, ...domains] = lines.findLast(([key]) => key === 'search' || key === 'domain') ?? []
  const options = lines.flatMap(([key, ...rest]) => (key === 'options' ? rest : []))
  const ndots = Number(options.findLast((one) => one.startsWith('ndots:'))?.slice('ndots:'.length) ?? NDOTS)
  const longer = domains.slice(0, MOST_DOMAINS).flatMap((domain) => (domain === '.' ? [] : `${host}.${domain}`))
  return host.split('.').length > ndots ? [host, ...longer] : [...longer, host]
}

/** Undefined where there is no such name. Throws the platform's error when nobody says so. */
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
