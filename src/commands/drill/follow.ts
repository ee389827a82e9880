// Waits for one step after the other, and reports each.

import { BaseError } from '../../errors.ts'
import { formatDuration } from '../../lib/duration.ts'
import type { Io } from '../io.ts'
import { printable } from '../../lib/printable.ts'
import type { Broken } from './chain.ts'
import type { Step } from './steps.ts'

/** How a step ended, in the words of doctor. */
interface Seen {
  step: string
  level: 'ok' | 'unknown' | 'failed'
  /** Since the drill began. */
  seconds: number
  found: string
  fix?: string
}

/** How often each link is looked at (milliseconds). */
const PAUSE = 250

export function createFollower(io: Io, isText: boolean) {
  const began = performance.now()
  const seen: Seen[] = []
  const stopped = { isStopped: false }
  void io.stopped.then(() => (stopped.isStopped = true))
  const isWhole = () => seen.every(({ level }) => level === 'ok')
  const print = (text: string) => (isText ? io.stdout(text) : undefined)
  return {
    seen: seen as readonly Seen[],
    isWhole,
    print,
    /** Up to the first step that fails, and not at all after one. Throws a BaseError when the process is stopped. */
    async follow(steps: readonly Step[], endsAt: number) {
      for (const step of steps) {
        if (!isWhole()) return
        const result = await resultOf(step, endsAt, io, stopped)
        const seconds = Math.round((performance.now() - began) / 100) / 10
        const one = { step: step.name, seconds, ...result }
        seen.push(one)
        print(lineOf(one))
      }
    },
  }
}

async function resultOf(
  step: Step,
  endsAt: number,
  io: Io,
  stopped: { isStopped: boolean },
): Promise<Pick<Seen, 'level' | 'found' | 'fix'>> {
  try {
    const result = await waitFor(step, endsAt, io, stopped)
    return typeof result === 'string' ? { level: 'ok', found: result } : { level: 'failed', ...result }
  } catch (error) {
    if (!(error instanceof BaseError) || error.code === 'aborted') throw error
    return { level: 'unknown', found: error.message, fix: 'make it answer, and begin another drill' }
  } finally {
    io.progress('')
  }
}

async function waitFor(
  { name, within, look, late }: Step,
  endsAt: number,
  io: Io,
  stopped: { isStopped: boolean },
): Promise<string | Broken> {
  const end = performance.now() + within()
  for (;;) {
    const seen = await look()
    if (seen !== undefined) return seen
    if (stopped.isStopped) throw new BaseError('aborted', 'stopped: the drill has ended')
    const now = performance.now()
    if (now > endsAt) return { found: 'the drill has ended by itself before that', fix: 'give a longer time as --for' }
    if (now > end) return late()
    io.progress(`waiting until it is ${name}, for ${formatDuration(Math.ceil((end - now) / 1_000) * 1_000)} at most`)
    await io.sleep(PAUSE)
  }
}

function lineOf({ step, level, seconds, found, fix }: Seen): string {
  const line = `${seconds.toFixed(1).padStart(6)} s  ${level === 'ok' ? '' : 'NOT '}${step}`
  const rest = fix === undefined ? '' : `${' '.repeat(24)}fix: ${printable(fix)}\n`
  return `${line.padEnd(24)}${printable(found)}\n${rest}`
}

/** As doctor has them. */
const exitCodes = { ok: 0, unknown: 10, failed: 11 }

const worstOf = (seen: readonly Seen[]) => seen.find(({ level }) => level !== 'ok')?.level ?? 'ok'
export const exitCodeOf = (seen: readonly Seen[]) => exitCodes[worstOf(seen)]
export const jsonOf = (seen: readonly Seen[]) =>
  `${JSON.stringify({ worst: worstOf(seen), steps: seen }, undefined, 2)}\n`
