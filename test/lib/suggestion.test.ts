import { describe, expect, test } from 'vitest'
import { suggestionFor } from '../../src/lib/suggestion.ts'

describe('the nearest known word', () => {
  const known = ['name', 'url', 'node_id', 'upgrade_time', 'data_api', 'primary-blocks']

  test.each([
    ['a letter too few', 'nme', 'name'],
    ['a letter too many', 'urll', 'url'],
    ['another letter', 'nane', 'name'],
    ['another separator', 'node-id', 'node_id'],
    ['no separator', 'upgradetime', 'upgrade_time'],
    ['capitals', 'URL', 'url'],
    ['capitals instead of separators', 'dataApi', 'data_api'],
    ['a third of the letters', 'prim-block', undefined],
    ['up to a third of the letters', 'primry_bloks', 'primary-blocks'],
    ['the word itself', 'name', 'name'],
    ['nothing near', 'password', undefined],
    ['a short word has one change at most', 'uri', 'url'],
    ['two changes in a short word', 'uxi', undefined],
    ['nothing at all', '', undefined],
  ])('%s: %j', (_, word, expected) => {
    expect(suggestionFor(word, known)).toBe(expected)
  })

  test('of two that are as near, the first', () => {
    expect(suggestionFor('bat', ['cat', 'hat'])).toBe('cat')
  })

  test('a nearer one wins over an earlier one', () => {
    expect(suggestionFor('node', ['nodule', 'nodes'])).toBe('nodes')
  })

  test('nothing is known', () => {
    expect(suggestionFor('name', [])).toBeUndefined()
  })
})
