// What a process holds: memory, descriptors, and what would keep it alive.

import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Megabytes, and counts. */
export interface Held {
  heap: number
  rss: number
  descriptors: number
  timers: number
  sockets: number
  warnings: number
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const counted = new Set<string>()
process.on('warning', ({ name, message }) => counted.add(`${name}: ${message}`))

/** What Node.js has warned of so far: listeners that pile up, above all. */
export const warnings = (): readonly string[] => [...counted]

export function measure(warned: readonly string[] = warnings()): Held {
  // The second one frees what the first one's finalizers let go.
  collect()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  return {
    heap: heapUsed / 1e6,
    rss: rss / 1e6,
    descriptors: readdirSync('/proc/self/fd').length,
    timers: resources.filter((one) => one === 'Timeout').length,
    sockets: resources.filter((one) => one.startsWith('TCPSocket')).length,
    warnings: warned.length,
  }
}

/** What must not grow, and by how much the end may be above the beginning. */
const LIMITS: Readonly<Record<keyof Held, { share: number; more: number }>> = {
  heap: { share: 0.05, more: 2 },
  rss: { share: 0.05, more: 8 },
  descriptors: { share: 0, more: 8 },
  timers: { share: 0, more: 8 },
  sockets: { share: 0, more: 8 },
  warnings: { share: 0, more: 0 },
}

/** The least of several: a collection or a burst of connections makes more of it, nothing makes less. */
const least = (all: readonly Held[], name: keyof Held) => Math.min(...all.map((one) => one[name]))

export interface Growth {
  name: keyof Held
  first: number
  last: number
  isViolation: boolean
}

/** Compares the first third of the measurements with the last one. */
export function growthOf(all: readonly Held[]): Growth[] {
  const third = Math.max(1, Math.floor(all.length / 3))
  return (Object.keys(LIMITS) as (keyof Held)[]).map((name) => {
    const [first, last] = [least(all.slice(0, third), name), least(all.slice(-third), name)]
    const { share, more } = LIMITS[name]
    // A warning is one too many whenever it came.
    const isViolation = name === 'warnings' ? last > 0 : last > first * (1 + share) + more
    return { name, first, last, isViolation }
  })
}
