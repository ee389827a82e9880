import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { masking } from '../../src/upstream/redact.ts'
import { cpuTime } from '../support/cpu-time.ts'

const SECRET = 'a1/b2"c3+d4 e5&f6=é7%g8\\h9'

const percent = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
/** What is left of each is written down by hand: nothing of the secret, and all of what surrounds it. */
const table: [string, string, string][] = [
  ['as given', SECRET, '***'],
  ['encodeURIComponent', encodeURIComponent(SECRET), '***'],
  ['encodeURI', encodeURI(SECRET), '***'],
  ['percent-encoding in small letters', encodeURIComponent(SECRET).toLowerCase(), '***'],
  ['percent-encoding of every byte', percent(SECRET), '***'],
  ['the same in capitals', percent(SECRET).toUpperCase(), '***'],
  ['a form', new URLSearchParams({ k: SECRET }).toString(), 'k=***'],
  ['plus read as a blank', SECRET.replace('+', ' '), '***'],
  ['JSON with escaped slashes', SECRET.replaceAll('/', String.raw`\/`), '***'],
  ['twice, side by side', `${SECRET}${SECRET}`, '***'],
]

describe('a secret in a text', () => {
  const hide = masking([SECRET])

  test.each(table)('%s', (_, form, left) => {
    expect(hide(form)).toBe(left)
    expect(hide(`the key "${form}" is wrong`)).toBe(`the key "${left}" is wrong`)
  })

  test.each(['abc', 'v1', ''])('a word of less than four characters stays: %j', (word) => {
    expect(masking([word])(`abc v1 ${word}`)).toBe(`abc v1 ${word}`)
  })

  test.each(['read at a data base64 server', 'd at a', 'da ta', 'DATA', 'dat', '%64%61%74', 'ünïcödé 😀 %C3%A9 %zz %'])(
    'what is none stays as it is: %j',
    (text) => {
      expect(masking(['datA', 'k3y-of-mine'])(text)).toBe(text)
    },
  )

  test('one that holds an escape of its own is known with it and without', () => {
    expect(masking(['%2Fabc d'])('%2Fabc d /abc d %252Fabc%20d')).toBe('*** *** ***')
  })

  test('one that holds another goes as a whole', () => {
    expect(masking(['abcd', 'abcd-and-more'])('abcd abcd-and-more')).toBe('*** ***')
  })

  test('half of one at the end of a text that is too long to be read is not shown', () => {
    const filler = 'x'.repeat(64 * 1024 - 10)
    expect(hide(`${filler}${SECRET}`)).toMatch(/^x+$/)
    expect(hide(`${SECRET}${filler}`)).toMatch(/^\*\*\*x+$/)
  })
})

describe('whatever is around it', () => {
  const secrets = string({ unit: 'grapheme', minLength: 4, maxLength: 40 }).filter(
    (text) => text.replace(/[\s+]/g, '').length >= 4 && !/[\r\n]/.test(text),
  )
  const ways: [string, (text: string) => string][] = [
    ['component', encodeURIComponent],
    ['percent', percent],
    ['PERCENT', (text) => percent(text).toUpperCase()],
    ['form', (text) => new URLSearchParams({ '': text }).toString().slice(1)],
  ]
  const around = array(constantFrom('x', ' ', '{"a":', '"', '😀', '\n', ' %zz ', 'é', '&amp; ', ', '), {
    maxLength: 6,
  }).map((parts) => parts.join(''))

  test('it is found', () => {
    assert(
      property(secrets, constantFrom(...ways), around, around, (secret, [, way], before, after) => {
        const form = way(secret)
        const text = masking([secret])(`${before} ${form} ${after}`)
        return text.includes('***') && !text.includes(form)
      }),
      { seed: 1, numRuns: 400 },
    )
  })

  test('what holds no secret is not changed', () => {
    assert(
      property(
        string({ unit: 'binary' }),
        (text) => masking(['a-key-that-is-not-there'])(text) === text.toWellFormed(),
      ),
      { seed: 1, numRuns: 400 },
    )
  })
})

describe('a hostile text of 500 KB', () => {
  const secret = 'aaaaaaaaaaaaaaab'.repeat(8)
  const length = 500_000
  test.each([
    ['beginnings of it', secret.slice(0, -1)],
    ['its letters', 'a'],
    ['it, again and again', secret],
    ['escapes of escapes', '%25'],
    ['blanks', ' '],
    ['wide characters', '😀'],
  ])('takes no longer than others: %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length))
    const before = cpuTime()
    const left = masking([secret, 'another-key', 'user', 'password'])(text)
    expect(cpuTime() - before).toBeLessThan(5_000)
    expect(left).not.toContain(secret)
  })
})
