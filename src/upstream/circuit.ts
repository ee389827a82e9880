// Upstreams that fail again and again are left alone, and so is an operation that fails while the others are answered. One
// call at a time finds out whether they are back.

import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { until } from '../lib/until.ts'
import type { Source } from './source.ts'

/** How a call ended: `unsent` when the upstream never saw it. */
export type End = 'answered' | 'unsent' | BaseError

export interface Circuits {
  /**
   * Lets a call through and gives what has to be told of its end. Waits while another call finds out. Throws circuit_open
   * while it is too early to ask again.
   */
  enter(source: Source, operation: string, signal: AbortSignal): Promise<(end: End) => void>
  /** Throws circuit_open as `enter` would, and waits for nothing. */
  check(source: Source, operation: string): void
  /** Under this name another upstream is asked from now on, or none. */
  forget(source: Pick<Source, 'network' | 'name'>): void
  /** Of an operation by itself, or of the upstream as a whole. */
  isOpen(source: Pick<Source, 'network' | 'name'>, operation?: string): boolean
}

/** Failures in a row, */
const FAILURES = 3
/** over so long at least (milliseconds): one bad moment, however many calls it meets, is no outage. */
const SPAN = 10_000
/** Before the first probe and between probes at most (milliseconds). */
const [FIRST_PAUSE, LONGEST_PAUSE] = [5_000, 30_000]

interface Breaker {
  failures: number
  firstFailure: number
  reason: string
  /** Probes that failed since it opened. */
  failedProbes: number
  /** On the steady clock, when it may be probed; undefined while it is closed. */
  probeAt: number | undefined
  probe: PromiseWithResolvers<void> | undefined
}

const closed = () => ({ failures: 0, firstFailure: 0, reason: '', failedProbes: 0, probeAt: undefined })

export function createCircuits({ now }: Pick<Clock, 'now'>, random: () => number): Circuits {
  const breakers = new Map<string, Breaker>()

  function breaker(key: string): Breaker {
    let one = breakers.get(key)
    if (!one) breakers.set(key, (one = { ...closed(), probe: undefined }))
    return one
  }

  /** The upstream as a whole, and the operation alone. */
  const pairOf = ({ network, name }: Pick<Source, 'network' | 'name'>, operation: string) => [
    breaker(`${network}/${name}`),
    breaker(`${network}/${name} ${operation}`),
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
    // Jitter, so that several observers of an upstream do not return to it together.
    one.probeAt = time + pause * (0.5 + random() / 2)
  }

  return {
    async enter(source, operation, signal) {
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
    check: (source, operation) => check(pairOf(source, operation)),
    forget({ network, name }) {
      const own = `${network}/${name}`
      for (const key of breakers.keys()) if (key === own || key.startsWith(`${own} `)) breakers.delete(key)
    },
    isOpen({ network, name }, operation) {
      const key = operation === undefined ? `${network}/${name}` : `${network}/${name} ${operation}`
      return breakers.get(key)?.probeAt !== undefined
    },
  }
}
