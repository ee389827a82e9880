// What docs/coverage.md and docs/operations-witnesses.md say of each operation. test/operations holds it.

import { type Operation, pathOf } from '../src/operations/define.ts'
import { type Cases, casesOf, pathsOf, type Texts } from '../test/operations/cases.ts'

export interface CoverageRow {
  operation: Operation
  cases: Cases
  /** What stands in the path where the operation is served at several paths. */
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

export async function coverageTable(operations: readonly Operation[]): Promise<string> {
  const rows = (await coverageRows(operations)).map(({ operation, path, title }) => {
    const verb = 'get' in operation.via ? 'GET' : 'POST'
    const address = pathOf(operation).replace(/\{(\w+)\}/g, (whole, name: string) => path[name] ?? whole)
    const command = operation.effect === 'change' ? 'admin' : 'query'
    return `| ${title} | ${operation.source} | \`${verb} ${address}\` | \`stakewatch ${command} ${operation.name}\` |`
  })
  return ['| operation | defined in | request | command |', '|---|---|---|---|', ...rows].join('\n')
}

/** What the SDKs cannot prove, and why. */
export async function unwitnessedTable(operations: readonly Operation[]): Promise<string> {
  const rows = (await casesOf(operations)).flatMap(({ operation, cases: { unwitnessed } }) =>
    unwitnessed === undefined ? [] : [`| \`${operation.name}\` | ${unwitnessed} |`],
  )
  return ['| operation | why |', '|---|---|', ...rows].join('\n')
}
