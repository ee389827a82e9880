// Characters that no configuration holds: what is left of a file in another encoding, and what nobody can see.

import type { Problem } from './read-yaml.ts'

const UTF_8 = 'save the file as UTF-8'

/** Besides tabs and line ends. A byte order mark is fine where the file begins. */
const unreadable = /(?![\t\n\r\u0085])\p{Cc}|[\ufffd-\uffff]|(?!^)\ufeff/gu

/** As many as tell enough. */
const MOST = 10

export function unreadableCharacters(yaml: string): Problem[] {
  // Of UTF-16 every other byte is zero, with or without a mark before it.
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
