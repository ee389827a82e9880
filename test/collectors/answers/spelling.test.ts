import { describe, expect, test } from 'vitest'
import { boundedWord, isWord, knownSpelling } from '../../../src/collectors/answers/spelling.ts'

describe('a word of a known set', () => {
  test.each([
    ['TRANSFER', 'TRANSFER'],
    ['transfer', 'TRANSFER'],
    ['Stake', 'STAKE'],
    ['mint', undefined],
    ['', undefined],
    [undefined, undefined],
    // Capitals alone: no other letters are like it.
    ['ſtake', undefined],
  ])('%j is %j', (text, known) => {
    expect(knownSpelling(['TRANSFER', 'STAKE'], text)).toBe(known)
    expect(isWord(text, 'TRANSFER')).toBe(known === 'TRANSFER')
  })
})

test.each([
  ['a known word in capitals', { transfer: 1 }, 'TRANSFER', 'transfer'],
  ['a word that is new', { transfer: 1 }, 'Mint', 'Mint'],
  ['one that every object answers to', {}, 'constructor', 'other'],
  ['one too many', Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`t${at}`, 1])), 'Mint', 'other'],
  [
    'a known word among as many',
    Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`t${at}`, 1])),
    'T31',
    't31',
  ],
])('as a label value: %s', (_, seen, text, value) => {
  expect(boundedWord(seen, text)).toBe(value)
})
