// What a PromQL expression is once it is parsed: plain data.

export interface Matcher {
  label: string
  /** Whether the value of the label fits; a label that is missing has the value ''. */
  fits: (value: string) => boolean
  /** The one value that fits, of `=`. */
  equal?: string
}

export interface Selector {
  kind: 'selector'
  name: string
  matchers: readonly Matcher[]
  /** Milliseconds. */
  offset: number
}

/** A selector, or an expression that is evaluated step by step, over some time. */
export interface Range {
  kind: 'range'
  selector: Selector
  /** Milliseconds. */
  range: number
}

export interface Subquery {
  kind: 'subquery'
  of: Expression
  /** Milliseconds. */
  range: number
  step: number
  offset: number
}

export interface Grouping {
  /** The labels that stay, or those that go. */
  keep: boolean
  labels: readonly string[]
}

export interface Aggregate {
  kind: 'aggregate'
  operator: string
  parameter?: Expression
  of: Expression
  grouping: Grouping
}

export interface Matching {
  /** on (...) or ignoring (...). */
  on: boolean
  labels: readonly string[]
  /** The side that may have several samples for one of the other. */
  many?: 'left' | 'right'
  /** Labels that are copied from the side of one. */
  include: readonly string[]
}

export interface Binary {
  kind: 'binary'
  operator: string
  left: Expression
  right: Expression
  /** Comparisons give 0 and 1, and filter nothing. */
  bool: boolean
  matching: Matching
}

export interface Call {
  kind: 'call'
  name: string
  args: readonly Expression[]
}

export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'negative'; of: Expression }
  | Selector
  | Range
  | Subquery
  | Aggregate
  | Binary
  | Call

/** The expressions of which one is made. */
export function partsOf(one: Expression): readonly Expression[] {
  switch (one.kind) {
    case 'number':
    case 'string':
    case 'selector':
      return []
    case 'range':
      return [one.selector]
    case 'negative':
    case 'subquery':
      return [one.of]
    case 'aggregate':
      return one.parameter ? [one.parameter, one.of] : [one.of]
    case 'binary':
      return [one.left, one.right]
    default:
      return one.args
  }
}
