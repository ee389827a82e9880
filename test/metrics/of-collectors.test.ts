import { expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { definitions } from '../../src/metrics/of-collectors.ts'

test('the catalogue knows every collector and its metrics, in their order', () => {
  const told = (all: typeof definitions) =>
    all.map(({ name, metrics }) => [name, metrics.map((one) => [one.name, one.help, one.type])])
  expect(told(definitions)).toEqual(told(collectors))
})
