import { assert, constantFrom, array, integer, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { masking } from '../../src/lib/mask.ts'
import { cpuTime } from '../support/cpu-time.ts'

const SECRET = 'a1/b2"c3+d4 e5&f6=é7%g8\\h9'
const bytes = Buffer.from(SECRET)

const percent = (text: string) =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const units = (text: string) =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&sol;').replaceAll('+', '&plus;')
const base64Behind = (before: string) => Buffer.from(`${before}${SECRET}@host`).toString('base64')

/** What is left of each is written down by hand: nothing of the secret, and all of what surrounds it. */
const table: [string, string, string][] = [
  ['as given', SECRET, '***'],
  ['JSON', json(SECRET), '***'],
  ['JSON with escaped slashes', json(SECRET).replaceAll('/', '\\/'), '***'],
  ['JSON in JSON', json(json(SECRET)), '***'],
  ['JSON with every character as \\u', units(SECRET), '***'],
  ['the same in capitals', units(SECRET).toUpperCase().replaceAll('\\U', '\\u'), '***'],
  ['JSON with a few characters as \\u', SECRET.replace('"', '\\u0022').replace('\\h', '\\u005ch'), '***'],
  ['a string of JavaScript', SECRET.replace('"', '\\x22').replace('\\h', '\\\\h'), '***'],
  ['encodeURIComponent', encodeURIComponent(SECRET), '***'],
  ['encodeURI', encodeURI(SECRET), '***'],
  ['percent-encoding in small letters', encodeURIComponent(SECRET).toLowerCase(), '***'],
  ['percent-encoding of every byte', percent(SECRET), '***'],
  ['the same in capitals', percent(SECRET).toUpperCase(), '***'],
  ['twice percent-encoded', encodeURIComponent(encodeURIComponent(SECRET)), '***'],
  ['a form', new URLSearchParams({ k: SECRET }).toString(), 'k=***'],
  ['plus read as a blank', SECRET.replace('+', ' '), '***'],
  ['percent-encoded JSON with escaped slashes', encodeURIComponent(json(SECRET).replaceAll('/', '\\/')), '***'],
  ['HTML with names', html(SECRET), '***'],
  ['HTML with names in capitals', html(SECRET).replace('&amp;', '&AMP;'), '***'],
  ['HTML with decimal numbers', SECRET.replace('"', '&#34;').replace('&f', '&#038;f').replace('é', '&#233;'), '***'],
  ['HTML with hexadecimal numbers', SECRET.replace('"', '&#x22;').replace('/', '&#X2F;').replace('é', '&#xE9;'), '***'],
  ['HTML of percent-encoding', encodeURIComponent(SECRET).replaceAll('%', '&#37;'), '***'],
  ['hexadecimal', bytes.toString('hex'), '***'],
  ['hexadecimal in capitals', bytes.toString('hex').toUpperCase(), '***'],
  ['base64', bytes.toString('base64'), '***'],
  ['base64 for addresses', bytes.toString('base64url'), '***'],
  ['percent-encoded base64', encodeURIComponent(bytes.toString('base64')), '***'],
  ['base64 over lines', bytes.toString('base64').replace(/.{8}/g, '$&\r\n'), '***'],
  ['a line break', `${SECRET.slice(0, 7)}\n${SECRET.slice(7)}`, '***'],
  ['a line break and indentation', `${SECRET.slice(0, 7)}\r\n\t   ${SECRET.slice(7)}`, '***'],
  ['several line breaks', SECRET.replace(/[1-8]/g, '$&\n  '), '***'],
  ['a line break where the blank is', SECRET.replace(' ', '\n'), '***'],
  ['a line break of JSON', `${json(SECRET.slice(0, 7))}\\n  ${json(SECRET.slice(7))}`, '***'],
  ['a line that a backslash continues', `${SECRET.slice(0, 7)}\\\n${SECRET.slice(7)}`, '***'],
  ['twice, side by side', `${SECRET}${SECRET}`, '***'],
]

describe('a secret in a text', () => {
  const hide = masking([SECRET])

  test.each(table)('%s', (_, form, left) => {
    expect(hide(form)).toBe(left)
    expect(hide(`the key "${form}" is wrong`)).toBe(`the key "${left}" is wrong`)
  })

  test.each(['', 'u', 'us', 'use', 'user:', 'any user:'])('base64 of it behind %j', (before) => {
    const text = hide(`Basic ${base64Behind(before)} is wrong`)
    expect(text).toMatch(/^Basic [\w+/]*\*\*\*[\w+/]*=* is wrong$/)
    const [start, end] = /Basic (.*)\*\*\*(.*) is/.exec(text)!.slice(1) as [string, string]
    // Only whole bytes of the neighbours are left, and none of its own bits.
    expect(before.startsWith(Buffer.from(start, 'base64').toString())).toBe(true)
    expect(start.length).toBe(Math.floor((Buffer.byteLength(before) * 8) / 6))
    const [all, own] = [5, 0].map((after) => Math.ceil(((Buffer.byteLength(before) + bytes.length + after) * 8) / 6))
    expect(end.replaceAll('=', '').length).toBe(all! - own!)
  })

  test.each(['abc', 'v1', ''])('a word of less than four characters stays: %j', (word) => {
    expect(masking([word])(`abc v1 ${word}`)).toBe(`abc v1 ${word}`)
  })

  test.each([
    'read at a data base64 server',
    'd at a',
    'da ta',
    'dat\\a',
    'DATA',
    'dat',
    '%64%61%74',
    'ünïcödé 😀 \\u00e9 &amp; %zz % \\',
  ])('what is none stays as it is: %j', (text) => {
    expect(masking(['datA', 'k3y-of-mine'])(text)).toBe(text)
  })

  test('one that holds an escape of its own is known with it and without', () => {
    const hide = masking(['%2Fa\\nb&lt;c'])
    expect(hide('%2Fa\\nb&lt;c /a\\nb&lt;c %252Fa%5Cnb%26lt%3Bc')).toBe('*** *** ***')
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

describe('whatever is around it and however it is written', () => {
  const secrets = string({ unit: 'grapheme', minLength: 4, maxLength: 40 }).filter(
    (text) => text.replace(/[\s+]/g, '').length >= 4 && !/[\r\n]/.test(text),
  )
  const ways: [string, (text: string) => string][] = [
    ['JSON', json],
    ['slashes', (text) => json(text).replaceAll('/', '\\/')],
    ['units', units],
    ['component', encodeURIComponent],
    ['percent', percent],
    ['PERCENT', (text) => percent(text).toUpperCase()],
    ['form', (text) => new URLSearchParams({ '': text }).toString().slice(1)],
    ['HTML', html],
    ['numbers', (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join('')],
    ['hexadecimal numbers', (text) => Array.from(text, (one) => `&#x${one.codePointAt(0)!.toString(16)};`).join('')],
  ]
  const lasts: [string, (text: string) => string][] = [
    ['nothing', (text) => text],
    ['hexadecimal', (text) => Buffer.from(text).toString('hex')],
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['base64url', (text) => Buffer.from(text).toString('base64url')],
    ['user', (text) => Buffer.from(`u:${text}`).toString('base64')],
  ]
  const around = array(constantFrom('x', ' ', '{"a":', '"', '😀', '\n', ' %zz ', 'é', '&amp; ', ', '), {
    maxLength: 6,
  }).map((parts) => parts.join(''))
  const hides = (secret: string, form: string) => masking([secret])(form).includes('***')

  test('it is found in up to three escapes, one inside the other', () => {
    const chosen = array(constantFrom(...ways), { maxLength: 3 })
    assert(
      property(secrets, chosen, around, around, (secret, some, before, after) => {
        const form = some.reduce((text, [, way]) => way(text), secret)
        const text = masking([secret])(`${before} ${form} ${after}`)
        return text.includes('***') && !text.includes(form)
      }),
      { seed: 1, numRuns: 400 },
    )
  })

  test('it is found in base64 and hexadecimal, escaped afterwards or not', () => {
    assert(
      property(secrets, constantFrom(...lasts), constantFrom(...ways), (secret, [, last], [, way]) => {
        return hides(secret, last(secret)) && hides(secret, way(last(secret)))
      }),
      { seed: 1, numRuns: 400 },
    )
  })

  test('it is found when it is split over lines anywhere', () => {
    const splits = array(
      tuple(integer({ min: 1, max: 39 }), constantFrom('\n', '\r\n', '\n\t ', '\\n', '\\r\\n  ', '%0A')),
    )
    const ascii = string({ unit: constantFrom(...'abcXYZ019/+=&"~'.split('')), minLength: 4, maxLength: 40 })
    assert(
      property(
        ascii.filter((text) => text.replaceAll('+', '').length >= 4),
        splits,
        (secret, some) => {
          const between = new Map(some)
          const form = Array.from(secret, (one, at) => `${at > 0 ? (between.get(at) ?? '') : ''}${one}`).join('')
          return hides(secret, form)
        },
      ),
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
    ['escapes', '\\u0061'],
    ['escapes of escapes', '%25'],
    ['backslashes', '\\'],
    ['blanks', ' '],
    ['line breaks', '\n \t'],
    ['ends of entities', '&#x'],
    ['base64', Buffer.from(secret).toString('base64')],
    ['wide characters', '😀'],
  ])('takes no longer than others: %s', (_, piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length))
    const before = cpuTime()
    const left = masking([secret, 'another-key', 'user', 'password'])(text)
    expect(cpuTime() - before).toBeLessThan(5_000)
    expect(left).not.toContain(secret)
  })
})
