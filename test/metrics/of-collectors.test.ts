import { expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { definitions } from '../../src/metrics/catalogue.ts'

test('the catalogue has every collector and its metrics, in their order', () => {
  const summaries = (all: typeof definitions) =>
    all.map(({ name, metrics }) => [name, metrics.map((one) => [one.name, one.help, one.type])])
  expect(summaries(definitions)).toEqual(summaries(collectors))
})
