// The types of parsed PromQL expressions, as plain data.

export interface Matcher {
  label: string
  /** Whether the value of the label matches; a missing label has the value ''. */
  fits: (value: string) => boolean
  /** The matching value, for `=`. */
  equal?: string
}

export interface Selector {
  kind: 'selector'
  name: string
  matchers: readonly Matcher[]
  /** Milliseconds. */
  offset: number
}

/** A range selector or a subquery. */
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
  /** The labels to keep (by) or to drop (without). */
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
  /** The side with several samples for one of the other side. */
  many?: 'left' | 'right'
  /** Labels copied from the side with one sample. */
  include: readonly string[]
}

export interface Binary {
  kind: 'binary'
  operator: string
  left: Expression
  right: Expression
  /** `bool`: comparisons return 0 or 1 instead of filtering. */
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

/** The direct subexpressions. */
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
