// Reads a text that may be escaped or split over lines in the forms that a reader could decode.

/**
 * A text as its UTF-8 bytes, one latin1 character per byte, with their origin: byte `at` spans the original from
 * `starts[at]` to `ends[at]`.
 */
export interface Stream {
  bytes: string
  starts: Uint32Array
  ends: Uint32Array
}

/** Depth of nested escapes that are decoded, such as percent-encoding of JSON in JSON. */
const LAYERS = 4

/** Each escape is longer than its character and each quantifier is bounded, so that reading takes linear time. */
const escapes =
  /%([\da-f]{2})|\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|\\([^ux])|&#x([\da-f]{1,8});|&#(\d{1,9});|&([a-z]{2,6});/gi

const blanks = /[ \t\r\n]+/g

/** The characters of escapes after a backslash; an escaped line break continues the line. */
const afterBackslash: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** ASCII characters with names in HTML. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  grave: '`',
  gt: '>',
  hat: '^',
  lbrace: '{',
  lcub: '{',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  nbsp: ' ',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rbrace: '}',
  rcub: '}',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  sol: '/',
  verbar: '|',
  vert: '|',
}

/** The text itself, then with its escapes decoded once, twice and so on, without line ends. */
export function* readings(text: string): Generator<Stream, void, undefined> {
  let stream = replaced(plain(text), blanks, inLine)
  yield stream
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const { bytes } = stream
    stream = replaced(replaced(stream, escapes, unescaped), blanks, inLine)
    if (stream.bytes === bytes) return
    yield stream
  }
}

/** The bytes of a text in UTF-8, one character for each. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function plain(text: string): Stream {
  const bytes = bytesOf(text)
  return { bytes, starts: Uint32Array.from(bytes, (_, at) => at), ends: Uint32Array.from(bytes, (_, at) => at + 1) }
}

/** The replacement of a match is never longer than the match. */
function replaced(stream: Stream, form: RegExp, by: (match: RegExpMatchArray) => string): Stream {
  const pieces: string[] = []
  const starts = new Uint32Array(stream.bytes.length)
  const ends = new Uint32Array(stream.bytes.length)
  let length = 0
  let read = 0
  const keep = (until: number) => {
    pieces.push(stream.bytes.slice(read, until))
    starts.set(stream.starts.subarray(read, until), length)
    ends.set(stream.ends.subarray(read, until), length)
    length += until - read
  }
  for (const match of stream.bytes.matchAll(form)) {
    keep(match.index)
    read = match.index + match[0].length
    const inPlace = by(match)
    pieces.push(inPlace)
    starts.fill(stream.starts[match.index]!, length, length + inPlace.length)
    ends.fill(stream.ends[read - 1]!, length, length + inPlace.length)
    length += inPlace.length
  }
  keep(stream.bytes.length)
  return { bytes: pieces.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) }
}

/** Removes a line end with the indentation around it. */
function inLine([some]: RegExpMatchArray): string {
  return /[\r\n]/.test(some) ? '' : some
}

function unescaped(match: RegExpMatchArray): string {
  const [all, percent, high, low, unit, byte, escaped, hexadecimal, decimal, name] = match
  if (percent !== undefined) return String.fromCharCode(parseInt(percent, 16))
  if (high !== undefined) return bytesOf(String.fromCharCode(parseInt(high, 16), parseInt(low!, 16)))
  const code = unit ?? byte ?? hexadecimal
  if (code !== undefined || decimal !== undefined) return character(decimal ? Number(decimal) : parseInt(code!, 16))
  if (escaped !== undefined) return /[\r\n]/.test(escaped) ? '' : (afterBackslash[escaped] ?? escaped)
  return named[name!.toLowerCase()] ?? all
}

function character(code: number): string {
  return code <= 0x10ffff ? bytesOf(String.fromCodePoint(code)) : ''
}
