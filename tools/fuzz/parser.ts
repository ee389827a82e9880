// What a fuzzed parser is, and running it on many inputs.

import { asyncProperty, check, type Arbitrary } from 'fast-check'
import { setImmediate as turn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { BaseError, type ErrorCode } from '../../src/errors.ts'
import { cpuTime } from '../../test/support/cpu-time.ts'

/** How an input ended: taken, or refused with one of the codes that exist. */
interface Outcome {
  code: 'accepted' | ErrorCode
  /** What was taken, or the words of the refusal. */
  said: unknown
}

export interface Parser<T = never> {
  name: string
  inputs: Arbitrary<T>
  /** Characters of an input: what a case may cost grows with them. */
  sizeOf: (input: T) => number
  /**
   * Throws when a promise is broken. A BaseError that is thrown counts as a refusal. What it gives has to be the same when
   * the input is read a second time.
   */
  run: (input: T) => unknown
}

export type AnyParser = Parser

export function defineParser<T>(parser: Parser<T>): AnyParser {
  return parser as unknown as AnyParser
}

export interface Figures {
  name: string
  cases: number
  outcomes: Readonly<Record<string, number>>
  /** Milliseconds. */
  slowest: number
  /** In words, with the smallest input that shows it. */
  violation?: string
}

/** Milliseconds of work that a case may take: ten times what is usual, so that only what grows too fast is found. */
const SHORT = 1_000
const PER_CHARACTER = 0.02

/** One case in this many is read twice: that is half of the work again. */
const READ_TWICE = 4

/** The same inputs for the same seed. */
export async function fuzz(
  parser: AnyParser,
  cases: number,
  seed: number,
  progress: (cases: number) => void = () => {},
): Promise<Figures> {
  const { name, inputs, sizeOf, run } = parser as unknown as Parser<unknown>
  const outcomes: Record<string, number> = {}
  let slowest = 0
  let tried = 0

  async function once(input: unknown): Promise<{ outcome: Outcome; time: number }> {
    const started = cpuTime()
    const outcome = await outcomeOf(run, input)
    return { outcome, time: cpuTime() - started }
  }

  const property = asyncProperty(inputs, async (input) => {
    let { outcome, time } = await once(input)
    const most = SHORT + PER_CHARACTER * sizeOf(input)
    // Garbage of other cases is not collected three times.
    for (let again = 0; again < 2 && time > most; again += 1) time = Math.min(time, (await once(input)).time)
    if (time > most) throw new Error(`it takes ${time.toFixed(0)} ms for ${sizeOf(input)} characters`)
    tried += 1
    if (tried % READ_TWICE === 0 && !isDeepStrictEqual((await once(input)).outcome, outcome))
      throw new Error('read a second time, it says something else')
    if (tried % 200 === 0) {
      progress(tried)
      // Within one turn of the event loop, nothing that a WeakRef was read of can be collected.
      await turn()
    }
    outcomes[outcome.code] = (outcomes[outcome.code] ?? 0) + 1
    slowest = Math.max(slowest, time)
  })
  const { failed, counterexample, errorInstance, counterexamplePath } = await check(property, { seed, numRuns: cases })
  const figures = { name, cases: Math.min(tried, cases), outcomes, slowest }
  if (!failed) return figures
  const input = shown(counterexample?.[0])
  return {
    ...figures,
    violation: `${String(errorInstance)}\n  seed ${seed}, path ${counterexamplePath}, input ${input}`,
  }
}

async function outcomeOf(run: (input: unknown) => unknown, input: unknown): Promise<Outcome> {
  try {
    return { code: 'accepted', said: await run(input) }
  } catch (thrown) {
    // A defect is no refusal.
    if (thrown instanceof BaseError && thrown.code !== 'bug') return { code: thrown.code, said: thrown.message }
    throw thrown
  }
}

function shown(input: unknown): string {
  const text = JSON.stringify(input, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)) ?? ''
  return text.length > 2_000 ? `${text.slice(0, 2_000)}... (${text.length} characters)` : text
}

/** What every value that was taken must keep to, wherever it stands in it. */
export function promise(value: unknown, at = ''): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${at} is ${value}`)
  // 78 digits at most; what changes may fall. Of these credentials the document does not specify the content.
  const isSpecified = !at.includes('.blsCredentials.')
  if (typeof value === 'bigint' && isSpecified && ((value < 0n && !at.endsWith('Change')) || value >= 10n ** 78n)) {
    throw new Error(`${at} is ${value}`)
  }
  if (typeof value !== 'object' || value === null) return
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value))
    throw new Error(`${at} has another prototype`)
  for (const [key, member] of Object.entries(value)) promise(member, `${at}.${key}`)
}

/**
 * Also that texts are well-formed: what an operator wrote goes into labels, paths and logs. In answers and in bodies
 * of requests half of a surrogate pair is no defect: JSON has an escape for it, and a label with one is refused where it
 * would be published.
 */
export function promiseTexts(value: unknown): void {
  promise(value)
  JSON.stringify(value, (key, member: unknown) => {
    if (!key.isWellFormed() || (typeof member === 'string' && !member.isWellFormed()))
      throw new Error(`the text at ${JSON.stringify(key)} is not well-formed`)
    return member
  })
}
