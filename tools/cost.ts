// node tools/cost.ts [primary | l1 | all]: what a validator costs Prometheus, by metric.

import { costsOf, type Kind, kinds, total } from './cost/measure.ts'

const [, , ...given] = process.argv

for (const kind of given.length > 0 ? (given as Kind[]) : kinds) {
  const { one, two, begun } = await costsOf(kind)
  const ofOne = (name: string) => one.get(name) ?? { series: 0, bytes: 0 }
  const rows = [...two, ['together', total(two)] as const].map(([name, cost]) => {
    const { series, bytes } = name === 'together' ? total(one) : ofOne(name)
    return { name, series, bytes, 'series of a further node': cost.series - series, 'its bytes': cost.bytes - bytes }
  })
  process.stdout.write(`${kind}: ${begun} new series a day\n`)
  console.table(rows.toSorted((a, b) => a.bytes - b.bytes))
}
