// The cases that test/operations tries for each operation, one for each path that serves it.

import type { Operation } from '../src/operations/define.ts'
import { type Cases, casesOf, pathsOf, type Texts } from '../test/operations/cases.ts'

export interface CoverageRow {
  operation: Operation
  cases: Cases
  /** Parameters of the path, for an operation that is served at several paths. */
  path: Texts
  title: string
}

/** One row for each operation, and for a method that is served at several paths one row for each path. */
export async function coverageRows(operations: readonly Operation[]): Promise<CoverageRow[]> {
  return (await casesOf(operations)).flatMap(({ operation, cases }) =>
    pathsOf(operation, cases).map((path) => {
      const at = Object.values(path).join('/')
      return { operation, cases, path, title: at === '' ? operation.name : `${operation.name} on ${at}` }
    }),
  )
}
