// Circuit breakers: an upstream that fails again and again gets no requests for a while, and neither does an operation that
// fails while others are answered. One call at a time probes whether they are back.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { entryOf } from '../lib/entry.ts'
import { until } from '../lib/until.ts'
import { type Source, sourceKey, type SourceName } from './source.ts'

/** How a call ended: `unsent` when the upstream never saw it. */
export type End = 'answered' | 'unsent' | BaseError

export type Circuits = ReturnType<typeof createCircuits>

/** A circuit opens after this many failures in a row. */
const FAILURES = 3
/** The failures must span this time (milliseconds): one bad moment is no outage, however many calls fail in it. */
const SPAN = 10_000
/** Before the first probe, and at most between probes (milliseconds). */
const [FIRST_PAUSE, LONGEST_PAUSE] = [5_000, 30_000]

interface Breaker {
  failures: number
  firstFailure: number
  reason: string
  /** Failed probes since the circuit opened. */
  failedProbes: number
  /** Time of the next probe (steady clock); undefined while the circuit is closed. */
  probeAt: number | undefined
  probe: PromiseWithResolvers<void> | undefined
}

const closed = () => ({ failures: 0, firstFailure: 0, reason: '', failedProbes: 0, probeAt: undefined })

export function createCircuits({ now }: Pick<Clock, 'now'>, random: () => number) {
  const breakers = new Map<string, Breaker>()

  const breaker = (key: string) => entryOf(breakers, key, () => ({ ...closed(), probe: undefined }))

  /** The upstream as a whole, and the operation alone. */
  const pairOf = (source: SourceName, operation: string) => [
    breaker(sourceKey(source)),
    breaker(`${sourceKey(source)} ${operation}`),
  ]

  function check(pair: readonly Breaker[]): void {
    const time = now().steady
    const open = pair.find(({ probeAt, probe }) => probeAt !== undefined && !probe && time < probeAt)
    if (open) throw new BaseError('circuit_open', `not asked, as it failed before and is being probed: ${open.reason}`)
  }

  function fail(one: Breaker, { message }: BaseError, isProbe: boolean): void {
    const time = now().steady
    if (one.failures === 0) one.firstFailure = time
    one.failures += 1
    one.reason = message
    if (one.probeAt === undefined ? one.failures < FAILURES || time - one.firstFailure < SPAN : !isProbe) return
    const pause = Math.min(FIRST_PAUSE * 2 ** one.failedProbes, LONGEST_PAUSE)
    one.failedProbes += 1
    // Jitter, so that several observers of an upstream do not probe it together.
    one.probeAt = time + pause * (0.5 + random() / 2)
  }

  return {
    /**
     * Lets a call through and returns a function to report how it ended. Waits while another call probes. Throws circuit_open
     * while it is too early to probe.
     */
    async enter(source: Source, operation: string, signal: AbortSignal): Promise<(end: End) => void> {
      const pair = pairOf(source, operation)
      for (;;) {
        check(pair)
        const probing = pair.find(({ probe }) => probe)
        if (!probing) break
        await until(signal, probing.probe!.promise)
      }
      const probed = pair.filter(({ probeAt }) => probeAt !== undefined)
      for (const one of probed) one.probe = Promise.withResolvers()
      return (end) => {
        for (const one of pair) {
          if (end === 'answered') Object.assign(one, closed())
          else if (end !== 'unsent') fail(one, end, probed.includes(one))
        }
        for (const one of probed) {
          one.probe?.resolve()
          one.probe = undefined
        }
      }
    },
    /** Throws circuit_open as `enter` would, without waiting. */
    check: (source: Source, operation: string) => check(pairOf(source, operation)),
    /** The source is gone, or has another address. */
    forget(source: SourceName) {
      const own = sourceKey(source)
      for (const key of breakers.keys()) if (key === own || key.startsWith(`${own} `)) breakers.delete(key)
    },
    /** Whether the circuit of an operation is open, or that of the whole upstream. */
    isOpen(source: SourceName, operation?: string): boolean {
      const key = operation === undefined ? sourceKey(source) : `${sourceKey(source)} ${operation}`
      return breakers.get(key)?.probeAt !== undefined
    },
  }
}
