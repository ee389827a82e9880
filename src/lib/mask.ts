// Secrets out of texts that others wrote: in every form in which a text can carry them.

import { readings, type Stream } from './encodings.ts'

/** Shorter ones are words such as `v1`, which would be torn out of every text. */
const SHORTEST = 4

/** Bytes that are looked at. Reading takes time linear in them, and nobody reads more of an error. */
const READ = 64 * 1024
/** Bytes that are shown at most: a secret that begins in them ends in what was read. */
const SHOWN = READ - 16 * 1024

/** What to look for in a stream. `around` are the characters of base64 before and after it that hold bits of it as well. */
interface Form {
  bytes: string
  isHexadecimal?: true
  around?: { before: number; after: number }
}

/**
 * A function that puts `***` in the place of each secret: as given, escaped (JSON, percent-encoding, HTML, also several
 * times), in base64 and hexadecimal, and split over lines. What is far beyond the length of an error is cut off.
 */
export function masking(secrets: readonly string[]): (text: string) => string {
  const plain = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST)
  const forms = new Map(plain.flatMap(formsOf).map((form) => [JSON.stringify(form), form]))
  return (text) => masked(text, [...forms.values()])
}

function masked(text: string, forms: readonly Form[]): string {
  const bytes = Buffer.from(text.slice(0, READ))
  const end = text.length > READ ? SHOWN : bytes.length
  const found = [...readings(text.slice(0, READ))].flatMap((stream) => placesIn(stream, forms))
  const pieces: string[] = []
  let read = 0
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    if (from >= end) break
    // Places that overlap or touch are one.
    if (from > read || read === 0) pieces.push(bytes.toString('utf8', read, from), '***')
    read = Math.max(read, to)
  }
  if (read < end) pieces.push(bytes.toString('utf8', read, end))
  return pieces.join('')
}

/** From and up to which byte of the original each form stands in it. */
function placesIn(stream: Stream, forms: readonly Form[]): [number, number][] {
  const bytes = folded(stream.bytes)
  const small = bytes.toLowerCase()
  return forms.flatMap((form) => {
    const places: [number, number][] = []
    const text = form.isHexadecimal ? small : bytes
    for (let at = text.indexOf(form.bytes); at >= 0; at = text.indexOf(form.bytes, at + 1)) {
      const [first, last] = withAround(bytes, at, form)
      places.push([stream.starts[first]!, stream.ends[last]!])
    }
    return places
  })
}

function withAround(bytes: string, at: number, { bytes: { length }, around }: Form): [number, number] {
  const last = at + length - 1
  if (!around) return [at, last]
  const isOne = (index: number) => /[\w +/=-]/.test(bytes.charAt(index))
  return [at - (around.before > 0 && isOne(at - 1) ? 1 : 0), last + (around.after > 0 && isOne(last + 1) ? 1 : 0)]
}

/** A form of the web has a plus where a blank is meant, and who reads it has a blank where there was a plus. */
function folded(bytes: string): string {
  return bytes.replaceAll('+', ' ')
}

function formsOf(secret: string): Form[] {
  const written = [secret, encodeURIComponent(secret.toWellFormed())].flatMap((text) =>
    [...readings(text)].map(({ bytes }) => bytes),
  )
  return [...new Set(written)]
    .filter((bytes) => bytes.replace(/[ +]/g, '').length >= SHORTEST)
    .flatMap((bytes) => [
      { bytes: folded(bytes) },
      // Text that is set into lines is broken where its blanks are.
      { bytes: folded(bytes.replaceAll(' ', '')) },
      { bytes: Buffer.from(bytes, 'latin1').toString('hex'), isHexadecimal: true as const },
      ...[0, 1, 2].flatMap((before) => inBase64(bytes, before)),
    ])
}

/** As it looks behind so many other bytes, without the characters that hold bits of its neighbours. */
function inBase64(bytes: string, before: number): Form[] {
  const data = Buffer.concat([Buffer.alloc(before), Buffer.from(bytes, 'latin1')])
  const from = Math.ceil((before * 8) / 6)
  const to = Math.floor((data.length * 8) / 6)
  const around = { before: (before * 8) % 6, after: (data.length * 8) % 6 }
  return (['base64', 'base64url'] as const).map((alphabet) => ({
    bytes: folded(data.toString(alphabet).slice(from, to)),
    around,
  }))
}
