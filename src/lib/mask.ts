// Masks secrets in texts that upstreams wrote, in every form in which a text can carry them.

import { fromBytes, joinLines, toBytes, unescape } from './encodings.ts'

/** Shorter secrets are words such as `v1`, which would be torn out of every text. */
const SHORTEST = 4
/** Layers of escapes that are read, such as percent-encoding of JSON in JSON. */
const LAYERS = 4
/** Characters that are read: masking takes time linear in them. */
const READ = 64 * 1024
/** Part of a longer text that is shown: a secret may begin in the rest and end beyond what was read. */
const SHOWN = 3 / 4

/** What to look for. `pattern` also covers the characters of base64 next to it that hold bits of it. */
interface Form {
  bytes: string
  pattern?: RegExp
}

/**
 * Returns a function that replaces each secret with `***`: as given, escaped (JSON, percent-encoding, HTML, also several
 * times), in base64 and hexadecimal, and split over lines. A text with an escaped secret is shown without its escapes.
 */
export function masking(secrets: readonly string[]): (text: string) => string {
  const plain = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST)
  const byBytes = new Map(plain.flatMap(formsOf).map((form) => [form.bytes, form]))
  // The longest first, as one secret may be a part of another.
  const forms = [...byBytes.values()].toSorted((a, b) => b.bytes.length - a.bytes.length)
  return (text) => {
    const masked = fromBytes(mask(toBytes(text.slice(0, READ)), forms))
    return text.length > READ ? masked.slice(0, masked.length * SHOWN) : masked
  }
}

function mask(bytes: string, forms: readonly Form[]): string {
  let shown = replaceForms(bytes, forms)
  let reading = joinLines(shown)
  for (let layer = 0; layer <= LAYERS; layer += 1) {
    const masked = replaceForms(reading, forms)
    if (masked !== reading) shown = masked
    reading = joinLines(unescape(masked))
    if (reading === masked) break
  }
  return shown
}

function replaceForms(bytes: string, forms: readonly Form[]): string {
  let left = bytes
  for (const { bytes, pattern } of forms) if (left.includes(bytes)) left = left.replaceAll(pattern ?? bytes, '***')
  return left === bytes ? bytes : left.replaceAll(/(\*\*\*)+/g, '***')
}

function formsOf(secret: string): Form[] {
  const written = [secret, encodeURIComponent(secret.toWellFormed())].flatMap((text) => readingsOf(toBytes(text)))
  return [...new Set(written)]
    .filter((bytes) => bytes.replace(/[ +]/g, '').length >= SHORTEST)
    .flatMap((bytes) => {
      const hexadecimal = Buffer.from(bytes, 'latin1').toString('hex')
      // Text that was set into lines is broken where its blanks are.
      const plain = [bytes, bytes.replaceAll(' ', ''), bytes.replaceAll(' ', '+')].flatMap(withBlanks)
      return [
        ...[...plain, hexadecimal, hexadecimal.toUpperCase()].map((form) => ({ bytes: form })),
        ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
      ]
    })
}

function readingsOf(bytes: string): string[] {
  const readings = [joinLines(bytes)]
  for (let layer = 0; layer < LAYERS; layer += 1) readings.push(joinLines(unescape(readings.at(-1)!)))
  return readings
}

/** A form of the web writes a blank as a plus, and its reader turns a plus into a blank. */
function withBlanks(bytes: string): string[] {
  return [bytes, bytes.replaceAll('+', ' ')]
}

/** As it looks behind `before` other bytes, without the characters that hold bits of its neighbours. */
function inBase64(bytes: string, before: number): Form[] {
  const data = Buffer.concat([Buffer.alloc(before), Buffer.from(bytes, 'latin1')])
  const [first, last] = [(before * 8) / 6, (data.length * 8) / 6]
  const neighbour = (at: number) => (Number.isInteger(at) ? '' : '[\\w+/=-]?')
  return (['base64', 'base64url'] as const)
    .flatMap((alphabet) => withBlanks(data.toString(alphabet).slice(Math.ceil(first), Math.floor(last))))
    .map((form) => ({
      bytes: form,
      pattern: new RegExp(`${neighbour(first)}${form.replaceAll('+', '\\+')}${neighbour(last)}`, 'g'),
    }))
}
