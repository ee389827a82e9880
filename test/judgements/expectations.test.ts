import { describe, expect, test } from 'vitest'
import { atLeast, equal, sameMembers } from '../../src/judgements/expectations.ts'

describe('what is expected', () => {
  test.each([
    ['a text', equal('it', 'validating', 'validating'), 'validating', 'validating', true],
    ['another text', equal('it', 'validating', 'Validating'), 'validating', 'Validating', false],
    ['a number', equal('it', 0.02, 0.02), '0.02', '0.02', true],
    ['a number that is exact to the last digit', equal('it', 15_000_000, 15_000_000n), '15000000', '15000000', true],
    ['no', equal('it', false, true), 'false', 'true', false],
    ['0, which is a number like any other', equal('it', 0, 0), '0', '0', true],
    ['as much', atLeast('it', 2_000, 2_000), 'at least 2000', '2000', true],
    ['more', atLeast('it', 2_000, 2_000.5), 'at least 2000', '2000.5', true],
    ['less', atLeast('it', 0.5, 0.25), 'at least 0.5', '0.25', false],
    ['the same in another order', sameMembers('it', ['b', 'a'], ['a', 'b']), 'a, b', 'a, b', true],
    ['the same twice', sameMembers('it', ['a'], ['a', 'a']), 'a', 'a', true],
    ['one more', sameMembers('it', ['a'], ['a', 'b']), 'a', 'a, b', false],
    ['one less', sameMembers('it', ['a', 'b'], ['b']), 'a, b', 'b', false],
    ['none', sameMembers('it', ['a'], []), 'a', '', false],
  ])('%s', (_, judged, expected, found, isMet) => {
    expect(judged).toEqual([{ expectation: 'it', expected, found, isMet }])
  })

  test.each([
    ['nothing is declared', undefined, 1],
    ['unknown', 1, undefined],
  ])('says nothing where %s', (_, expected, found) => {
    expect(equal('it', expected, found)).toEqual([])
    expect(atLeast('it', expected, found)).toEqual([])
    const members = (value: number | undefined) => (value === undefined ? undefined : [String(value)])
    expect(sameMembers('it', members(expected), members(found))).toEqual([])
  })
})
