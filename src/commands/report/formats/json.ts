// The report as JSON: the whole value. Amounts are texts, as a number of JSON may lose their last places.

import type { Report } from '../figures/report-value.ts'
import { tokenText } from '../figures/tokens.ts'

export function jsonOf(report: Report): string {
  return `${JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? tokenText(value) : value), 2)}\n`
}
