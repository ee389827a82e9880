// The oracle's reader of expositions: it takes what is right, and names each thing that is wrong.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createReader } from '../../tools/chaos/oracle/exposition.ts'

const HEADER = '# HELP a_total Things.\n# TYPE a_total counter\n'
const HISTOGRAM = '# HELP h Sizes.\n# TYPE h histogram\n'

const right = [
  ['nothing at all', ''],
  ['a counter', `${HEADER}a_total 1\na_total{x="y"} 2e+30\n`],
  ['escapes in a label', `${HEADER}a_total{x="a\\"b\\\\c\\nd"} 1\n`],
  ['a histogram', `${HISTOGRAM}h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 7\nh_count 2\n`],
  ['a gauge that is not ours and not a number', '# TYPE nodejs_x gauge\nnodejs_x Nan\n'],
] as const

test.each(right)('%s is a valid exposition', (_, text) => {
  expect(createReader()(text, 'text').flaws).toEqual([])
})

const wrong = [
  ['a last line without an end', `${HEADER}a_total 1`, 'the last line does not end'],
  ['a text of half a surrogate pair', `${HEADER}a_total{x="\ud800"} 1\n`, 'not well-formed'],
  ['a family in two pieces', `${HEADER}a_total 1\n# TYPE b gauge\nb 1\n# HELP a_total Again.\n`, 'not in one piece'],
  ['two types', `${HEADER}# TYPE a_total counter\n`, 'two types'],
  ['a type that does not exist', '# TYPE a number\na 1\n', 'has the type number'],
  ['a series outside of its family', `${HEADER}b 1\n`, 'stands outside of its family'],
  ['a series before any family', 'a 1\n', 'stands outside of its family'],
  ['a series twice', `${HEADER}a_total{x="1",y="2"} 1\na_total{y="2",x="1"} 1\n`, 'is there twice'],
  ['a value that is no number', `${HEADER}a_total 1e\n`, 'no number'],
  ['a line without a value', `${HEADER}a_total\n`, 'without a value'],
  ['a label without an end', `${HEADER}a_total{x="y} 1\n`, 'labels that cannot be read'],
  ['an unknown escape', `${HEADER}a_total{x="\\q"} 1\n`, 'an unknown escape'],
  ['a label twice', `${HEADER}a_total{x="1",x="2"} 1\n`, 'the label x twice'],
  ['a label of 300 bytes', `${HEADER}a_total{x="${'é'.repeat(150)}"} 1\n`, 'a label of 300 bytes'],
  ['a name with a hyphen', '# TYPE a-b gauge\na-b 1\n', 'is no name'],
  ['a counter below 0', `${HEADER}a_total -1\n`, 'the counter a_total is -1'],
  ['a counter that is no number', `${HEADER}a_total NaN\n`, 'is NaN'],
  ['a gauge of ours that is infinite', '# TYPE stakewatch_x gauge\nstakewatch_x +Inf\n', 'is Infinity'],
  ['an info that is 0', '# TYPE x_info gauge\nx_info 0\n', 'x_info is 0'],
  ['buckets that fall', `${HISTOGRAM}h_bucket{le="1"} 3\nh_bucket{le="+Inf"} 2\nh_sum 7\nh_count 2\n`, 'buckets fall'],
  [
    'bounds out of order',
    `${HISTOGRAM}h_bucket{le="2"} 1\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 7\nh_count 2\n`,
    'bounds out of order',
  ],
  [
    'a count that is not that of the buckets',
    `${HISTOGRAM}h_bucket{le="+Inf"} 2\nh_sum 7\nh_count 3\n`,
    'do not agree',
  ],
  ['a histogram without a sum', `${HISTOGRAM}h_bucket{le="+Inf"} 2\nh_count 2\n`, 'do not agree'],
] as const

test.each(wrong)('%s is seen', (_, text, flaw) => {
  expect(createReader()(text, 'text').flaws.join('\n')).toContain(flaw)
})

const openmetrics = [
  ['no end', '# TYPE a gauge\na 1\n', 'the end is missing'],
  ['something behind the end', '# TYPE a gauge\na 1\n# EOF\na 1\n', 'behind the end'],
  [
    'a counter whose family ends in _total',
    '# TYPE a_total counter\na_total 1\n# EOF\n',
    'stands outside of its family',
  ],
  ['a comment', '# hello\n# EOF\n', 'no header'],
] as const

test.each(openmetrics)('%s is seen in OpenMetrics', (_, text, flaw) => {
  expect(createReader()(text, 'openmetrics').flaws.join('\n')).toContain(flaw)
})

test('a counter and an info stand in OpenMetrics under the name of their family', () => {
  const text = '# TYPE a counter\n# HELP a Things.\na_total 1\n# TYPE b info\nb_info{x="y"} 1\n# EOF\n'
  expect(createReader()(text, 'openmetrics').flaws).toEqual([])
})

test('the golden exposition of the daemon is valid for it', () => {
  const golden = readFileSync(new URL('../metrics.golden.txt', import.meta.url), 'utf8')
  const { series, flaws } = createReader()(golden, 'text')
  expect(flaws).toEqual([])
  expect(series.size).toBeGreaterThan(100)
})
