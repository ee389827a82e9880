import { expect, test } from 'vitest'
import { createUnreadItems } from '../../src/upstream/unreadable-items.ts'

const source = { network: 'fuji', name: 'data-api' }
const QUESTION = 'list-things /things'
const block = (blockNumber: unknown, more: object = {}) => ({ blockNumber, txCount: -1, ...more })

test.each<[string, readonly (readonly unknown[])[], readonly number[]]>([
  ['the same block in three answers', [[block(5)], [block(5)], [block(5)]], [1, 0, 0]],
  ['another one next to it', [[block(5)], [block(6), block(5)], [block(6)]], [1, 1, 0]],
  ['a validator whose uptime changes', [[{ nodeID: 'a', uptime: 'x' }], [{ nodeID: 'a', uptime: 'y' }]], [1, 0]],
  ['two transfers of one transaction', [[1, 2].map((logIndex) => ({ txHash: 'a', logIndex })), []], [2, 0]],
  ['items without a name, by all of them', [[{ value: 1 }], [{ value: 2 }], [{ value: 1 }]], [1, 1, 0]],
  ['items that are alike, by their number', [[null, null], [null, null], [null, null, null], [null]], [2, 0, 1, 0]],
  ['a number of more than 2^53', [[block(2n ** 70n)], [block(2n ** 70n)], [block(2n ** 70n + 1n)]], [1, 0, 1]],
  [
    'texts, numbers and lists',
    [
      ['a', 7, []],
      ['a', 7, []],
    ],
    [3, 0],
  ],
  ['10,000 of them', [Array.from({ length: 10_000 }, (_, at) => at), [9_999, 0]], [10_000, 0]],
  // The first one is forgotten.
  ['more than are remembered', [Array.from({ length: 10_001 }, (_, at) => at), [10_000], [0]], [10_001, 0, 1]],
])('each item counts once: %s', (_, answers, expected) => {
  const unread = createUnreadItems()
  expect(answers.map((items) => unread.fresh(source, QUESTION, items))).toEqual(expected)
})

test('questions and sources have their own items, and another upstream of the same name begins at zero', () => {
  const unread = createUnreadItems()
  const other = { ...source, name: 'other' }
  const count = (of: typeof source, question = QUESTION) => unread.fresh(of, question, [block(5)])
  expect([count(source), count(other), count(source, 'list-others /others')]).toEqual([1, 1, 1])
  unread.forget(source)
  expect([count(source), count(other)]).toEqual([1, 0])
})
