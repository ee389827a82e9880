// Reading texts in which pieces may be escaped or split over lines. Works on bytes: strings with one character (latin1) for
// each byte in UTF-8.

/** Each quantifier is bounded, so that reading takes time linear in the text. */
const escapes =
  /%([\da-f]{2})|\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|\\([^ux])|&#x([\da-f]{1,8});|&#(\d{1,9});|&([a-z]{2,6});/gi

/** Characters that a backslash turns into others; before a line break it only continues the line. */
const afterBackslash: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The signs of ASCII that HTML has names for. */
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

export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Removes line breaks and the indentation around them. */
export function joinLines(bytes: string): string {
  return bytes.replace(/[ \t\r\n]+/g, (blanks) => (/[\r\n]/.test(blanks) ? '' : blanks))
}

/** Reads one layer of escapes. */
export function unescape(bytes: string): string {
  return bytes.replace(escapes, unescaped)
}

function unescaped(
  ...[all, percent, high, low, unit, byte, escaped, hexadecimal, decimal, name]: (string | undefined)[]
): string {
  if (percent !== undefined) return String.fromCharCode(parseInt(percent, 16))
  if (high !== undefined) return toBytes(String.fromCharCode(parseInt(high, 16), parseInt(low!, 16)))
  const code = unit ?? byte ?? hexadecimal
  if (code !== undefined || decimal !== undefined) return character(decimal ? Number(decimal) : parseInt(code!, 16))
  if (escaped !== undefined) return /[\r\n]/.test(escaped) ? '' : (afterBackslash[escaped] ?? escaped)
  return named[name!.toLowerCase()] ?? all!
}

function character(code: number): string {
  return code <= 0x10ffff ? toBytes(String.fromCodePoint(code)) : ''
}
