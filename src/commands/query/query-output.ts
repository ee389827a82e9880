// Prints an answer: the raw body, its items line by line, or a table.

import { isRawJson, rawJson } from '../../lib/raw-json.ts'
import { listIn, type Operation } from '../../operations/define.ts'
import { aligned } from '../table.ts'
import { printable } from '../../lib/printable.ts'

export const outputs = ['json', 'ndjson', 'table'] as const
export type Output = (typeof outputs)[number]

/** Keeps numbers as text, because a double would round those beyond 2^53. */
function parseKeepingNumbers(text: string): unknown {
  const keep = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined ? rawJson(source) : value
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown)
}

/** The items of the operation's list, or the whole answer as one item. */
export function itemsOf(operation: Operation, text: string): readonly unknown[] {
  const body = parseKeepingNumbers(text)
  const answer = 'rpc' in operation.via ? (body as { result?: unknown }).result : body
  return operation.items === undefined ? [answer] : (listIn(operation, answer) ?? [])
}

export function lines(items: readonly unknown[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('')
}

/** One row per item, a column for each field that is no list or object. */
export function table(items: readonly unknown[]): string {
  const rows = items.map(cells)
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return ''
  return `${aligned([columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))]).join('\n')}\n`
}

function cells(item: unknown): Record<string, string> {
  const fields = Object.entries(Object(item) as Record<string, unknown>).flatMap(([name, value]) => {
    if (isRawJson(value)) return [[name, value.rawJSON]]
    if (typeof value === 'string') return [[name, printable(value)]]
    return typeof value === 'boolean' ? [[name, String(value)]] : []
  })
  return Object.fromEntries(fields) as Record<string, string>
}
