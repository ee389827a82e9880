// A property of everything that reads what others wrote: it takes an input, or refuses it with a code that exists, soon, and says
// the same when the input is read again. `CASES=20000 SEED=2 npx vitest run FILE` tries more and others.

import { assert, asyncProperty, type Arbitrary } from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { BaseError } from '../../../src/errors.ts'
import { cpuTime } from '../cpu-time.ts'

export interface Reader<T> {
  inputs: Arbitrary<T>
  /** Characters of an input: what it may cost grows with them. */
  sizeOf: (input: T) => number
  /** Throws when a promise is broken. A BaseError that is thrown counts as a refusal. */
  run: (input: T) => unknown
  /** What was found before, by what went wrong. */
  found?: Readonly<Record<string, T>>
}

const [CASES, SEED] = [Number(process.env['CASES'] ?? 60), Number(process.env['SEED'] ?? 1)]

/** Milliseconds of work: ten times what is usual, so that only what grows too fast is found. */
const SHORT = 1_000
const PER_CHARACTER = 0.02
/** One in this many is read twice. */
const READ_TWICE = 4

export function fuzzed<T>(name: string, { inputs, sizeOf, run, found = {} }: Reader<T>): void {
  let tried = 0
  const property = asyncProperty(inputs, async (input) => {
    const most = SHORT + PER_CHARACTER * sizeOf(input)
    let { outcome, time } = await read(run, input)
    // Garbage of other cases is not collected three times.
    for (let again = 0; again < 2 && time > most; again += 1) time = Math.min(time, (await read(run, input)).time)
    if (time > most) throw new Error(`it takes ${time.toFixed(0)} ms for ${sizeOf(input)} characters`)
    tried += 1
    if (tried % READ_TWICE === 0 && !isDeepStrictEqual((await read(run, input)).outcome, outcome))
      throw new Error('read a second time, it says something else')
  })
  test(`${name}: whatever is read is taken or refused`, async () => assert(property, { seed: SEED, numRuns: CASES }))
  test.each(Object.entries(found))(`${name}: %s`, async (_, input) => {
    await expect(read(run, input)).resolves.toBeDefined()
  })
}

/** What was taken, or the words of the refusal. A defect is no refusal. */
async function read<T>(run: (input: T) => unknown, input: T): Promise<{ outcome: unknown; time: number }> {
  const started = cpuTime()
  let outcome: unknown
  try {
    outcome = await run(input)
  } catch (thrown) {
    if (!(thrown instanceof BaseError) || thrown.code === 'bug') throw thrown
    outcome = [thrown.code, thrown.message]
  }
  return { outcome, time: cpuTime() - started }
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
