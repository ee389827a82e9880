// Rejects characters that no configuration contains: results of a wrong encoding, and invisible ones.

import type { Problem } from './read-yaml.ts'

const UTF_8 = 'save the file as UTF-8'

/** Tabs and line ends are allowed, and a byte order mark at the start of the file. */
const unreadable = /(?![\t\n\r\u0085])\p{Cc}|[\ufffd-\uffff]|(?!^)\ufeff/gu

const MOST = 10

export function unreadableCharacters(yaml: string): Problem[] {
  // In UTF-16 text, every other byte is zero, with or without a byte order mark.
  if (/^[^]{0,3}\0.\0/.test(yaml)) return [{ offset: 0, path: '', message: `this looks like UTF-16: ${UTF_8}` }]
  return yaml
    .matchAll(unreadable)
    .take(MOST)
    .map(({ index, 0: character }) => ({ offset: index, path: '', message: wordsFor(character) }))
    .toArray()
}

function wordsFor(character: string): string {
  if (character === '\ufffd') return `a character that is not UTF-8: ${UTF_8}`
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `a character that cannot be seen (U+${code}): remove it`
}
