// What docs/install.md says of the cost of a validator is what is measured.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Cost, costsOf, kinds, total } from '../../tools/cost/measure.ts'

const rows = readFileSync(new URL('../../docs/install.md', import.meta.url), 'utf8').match(/^\| of (?:the|an) .*$/gm)!
const numbers = (row: string) => (row.match(/(?<=\| )[\d,]+(?= )/g) ?? []).map((text) => Number(text.replace(',', '')))

test.each(kinds.map((kind, at) => [kind, rows[at]!] as const))('one more validator: %s', async (kind, row) => {
  const costs = await costsOf(kind)
  const [one, two] = [total(costs.one), total(costs.two)]
  const further: Cost = { series: two.series - one.series, bytes: two.bytes - one.bytes }
  const measured = [one, further].flatMap(({ series, bytes }) => [series, bytes])
  expect(numbers(row), 'npm run cost').toEqual(measured.map(Math.round))
  // No series begins in a day without events.
  expect(costs.begun).toBe(0)
})
