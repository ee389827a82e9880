// What a condition is: what it is about, when it is a problem, and what its alert says. Its judgement is a pure function of the view.

import type { Rule } from '../alerts/rule.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Kind } from './board.ts'
import type { Details } from './details.ts'
import type { Input, View } from './view.ts'

export type Verdict =
  | { state: 'ok' }
  /** With the measured value, for the text of the alert. */
  | { state: 'problem'; value: number }
  | { state: 'unknown'; reason: string }
  /** The condition says nothing about an object like this, or about one that has ended. */
  | { state: 'not_applicable' }

export const OK: Verdict = { state: 'ok' }
export const NOT_APPLICABLE: Verdict = { state: 'not_applicable' }
export const problem = (value: number): Verdict => ({ state: 'problem', value })
export const unknown = (reason: string): Verdict => ({ state: 'unknown', reason })

/** A verdict about a part of the object, such as one of its checks: with the labels of the part. */
export interface Part {
  labels: Labels
  verdict: Verdict
}

/** Verdicts about parts, and the one about the parts that are not listed. */
export interface Parts {
  parts: readonly Part[]
  /** Without it they are fine, or have not been polled since a restart. */
  others: Verdict | undefined
}

export const onlyParts = (parts: readonly Part[], others?: Verdict): Parts => ({ parts, others })

/** Judges one object, and maybe its parts. */
export type Judgement = (view: View) => Verdict | Parts

export interface Condition extends Omit<Rule, 'expr' | 'condition' | 'reads'> {
  /** By the kind of the objects that it is about. */
  judge: Readonly<Partial<Record<Kind, Judgement>>>
  /** Labels of parts that its alert has in addition to those of the object. */
  parts?: readonly string[]
  /** That without which its own verdict would be another one: `explainedBy` and `quietFor` read what they need. */
  reads: readonly Input[]
  /** What its text says beyond the value. */
  details?: Details
  /** Conditions that explain this one: while they are a problem of the same object, or of its node or network, this one is none. */
  explainedBy?: readonly string[]
  /**
   * One machine is one page: what explains a validation explains those of its machine in other subnets as well, and of several
   * with this problem the one in the primary network or else in the first subnet explains the others.
   */
  isOfMachine?: true
  /** Series of another replica that refute it, if these labels are equal: this one may have lost its own network. */
  refutedBy?: { on: readonly string[]; series: string }
  /**
   * Collectors. A problem that has lasted for `for` is kept while its inputs are unknown and one of these runs: after a reload that
   * turned them all off nothing could ever end it.
   */
  heldBy?: readonly string[]
}

/** `validator_disconnected` of StakewatchValidatorDisconnected. */
export function nameOf({ alert }: Pick<Condition, 'alert'>): string {
  const words = alert.slice('Stakewatch'.length).match(/[A-Z][a-z0-9]*/g) ?? []
  return words.join('_').toLowerCase()
}
