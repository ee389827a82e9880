// Asks the programs for what the checks need, and lets each check judge.

import { type BaseError, toBaseError } from '../../errors.ts'
import { entryOf } from '../../lib/entry.ts'
import type { Check, Fact, Given, Level, Own, Program, Result } from './check.ts'

interface Finding extends Result {
  check: Check['name']
  why: string
}

export interface Diagnosis {
  findings: readonly Finding[]
  /** Programs without an address: nothing is known about them. */
  unchecked: readonly Program[]
}

export interface Chain {
  given: Given
  /** Programs whose address another program named: it may not be reachable from here. */
  found: ReadonlySet<Program>
}

/** A program that does not answer is one finding, and not one for each check about it. */
export interface Gate extends Pick<Check, 'name' | 'why'> {
  fact: Fact<unknown>
}

type Answer = { value: unknown } | { error: BaseError } | undefined

export async function diagnose(
  checks: readonly Check[],
  gates: readonly Gate[],
  chain: Chain,
  own: Own,
): Promise<Diagnosis> {
  const answers = new Map<Fact<unknown>, Promise<Answer>>()
  const ask = (one: Fact<unknown>) => entryOf(answers, one, () => answerOf(one, chain.given))
  const closed = (
    await Promise.all(
      gates.map(async (gate) => {
        const answer = await ask(gate.fact)
        return answer && 'error' in answer ? [{ gate, error: answer.error }] : []
      }),
    )
  ).flat()
  const isClosed = ({ of }: Fact<unknown>) => closed.some(({ gate }) => gate.fact.of === of)
  const open = checks.filter(({ needs }) => !Object.values(needs).some(isClosed))
  const judged = await Promise.all(open.map((one) => findingsOf(one, ask, own)))
  const order = new Map(checks.map(({ name }, at) => [programOf(name), at] as const).toReversed())
  return {
    findings: [...closed.map(({ gate, error }) => silenceOf(gate, error, chain)), ...judged.flat()].toSorted(
      (a, b) => order.get(programOf(a.check))! - order.get(programOf(b.check))!,
    ),
    unchecked: [...order.keys()].filter((name) => chain.given[name] === undefined),
  }
}

const programOf = (name: Check['name']) => name.split('/')[0] as Program

async function answerOf(one: Fact<unknown>, given: Given): Promise<Answer> {
  try {
    const asked = one.ask(given)
    return asked && { value: await asked }
  } catch (thrown) {
    const error = toBaseError(thrown)
    if (error.code === 'bug') throw thrown
    return { error }
  }
}

async function findingsOf(
  { name, why, needs, judge }: Check,
  ask: (one: Fact<unknown>) => Promise<Answer>,
  own: Own,
): Promise<Finding[]> {
  const facts = await Promise.all(Object.entries(needs).map(async ([key, one]) => [key, await ask(one)] as const))
  if (facts.some(([, answer]) => answer === undefined)) return []
  const errors = facts.flatMap(([, answer]) => ('error' in answer! ? [answer.error] : []))
  const [error] = errors
  const results = error
    ? [unknown(error)]
    : judge(Object.fromEntries(facts.map(([key, answer]) => [key, (answer as { value: unknown }).value])), own)
  return results.map((result) => ({ check: name, why, ...result }))
}

const textOf = ({ message, details }: BaseError) => (details === undefined ? message : `${message}: ${details}`)

function unknown(error: BaseError): Result {
  const fixes: Partial<Record<BaseError['code'], string>> = {
    unsupported: 'give the address of the program itself: a server in front of it may lack this part of the API',
    bad_response: 'repair what it reports, or give the address of the program behind it, and run doctor again',
    rpc_error: 'repair what it reports, and run doctor again',
  }
  return { level: 'unknown', found: textOf(error), fix: fixes[error.code] ?? 'make it answer, and run doctor again' }
}

/** Whether a found address is wrong, or only not reachable from here, is unknown. */
function silenceOf({ name, why, fact: { of } }: Gate, error: BaseError, { found }: Chain): Finding {
  const isFound = found.has(of)
  const isAnswered = error.code === 'http_status' || error.code === 'unsupported'
  const level: Level = isFound || isAnswered ? 'unknown' : 'failed'
  const fix = isFound
    ? `another program named this address: correct it there if it is wrong, or give --${of}=URL as this machine reaches it`
    : `correct --${of}, or make it answer, and run doctor again`
  return { check: name, why, level, found: textOf(error), fix }
}
