// What makes a text no YAML file of ours: invalid YAML, a wrong encoding, invisible characters. The messages are our own, because
// those of the parser quote the text, which may be a secret.

import { type Document, type ErrorCode, isCollection, isScalar, visit, type YAMLError } from 'yaml'
import { type Problem } from './places.ts'
import { NO_TAGS } from './read-yaml.ts'

const OTHERWISE = 'this does not belong here: check quotes, brackets and the indentation'

const words: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: 'a backslash inside "..." begins an escape: write two, or use single quotes',
  BAD_INDENT: 'the indentation does not fit the lines above',
  BAD_SCALAR_START: 'a text that begins with this character has to stand in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'put a text that holds ": " in quotes; if it does not, the indentation of the next line is wrong',
  BLOCK_IN_FLOW: 'put a comma between entries inside { } and [ ]',
  MISSING_CHAR: 'expected "key: value", or "- " before a list entry, indented like its neighbours',
  MULTILINE_IMPLICIT_KEY: 'expected "key: value": a colon and a space',
  MULTIPLE_DOCS: 'expected one document: remove the --- and what follows, or put it into a file of its own',
  RESOURCE_EXHAUSTION: 'maps and lists stand too deep inside each other',
  TAB_AS_INDENT: 'a tab in the indentation: use spaces',
  TAG_RESOLVE_FAILED: NO_TAGS,
}

const MOST = 100

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"', "'": "'" }

/** One problem per line, without mere consequences of others. */
export function syntaxProblems(document: Document, yaml: string, lineOf: (offset: number) => number): Problem[] {
  // A directive changes what the rest means: 1.1 reads yes as true and 010 as eight.
  const directives = /^\ufeff?%/.test(yaml) || document.directives?.yaml.explicit === true
  if (directives) return [at(0, 'a directive has no meaning here: remove the lines that begin with %, and the ---')]
  const causing = causes([...document.errors, ...document.warnings])
  const unclosed = causing.length === 0 ? [] : unclosedIn(document, yaml)
  const problems = causing.slice(0, MOST).map(({ code, pos: [offset] }) => {
    if (yaml.slice(offset - 1, offset + 1) === '${') {
      return at(offset - 1, 'inside { } and [ ] put ${NAME} in quotes: "${NAME}"')
    }
    const opened =
      code === 'MISSING_CHAR' || code === 'BAD_INDENT' ? unclosed.findLast((start) => start < offset) : undefined
    if (opened !== undefined) return at(opened, `this ${yaml[opened]} is not closed`)
    return at(offset, words[code] ?? OTHERWISE)
  })
  const firsts = new Map(problems.toReversed().map((problem) => [lineOf(problem.offset), problem]))
  return [...firsts.values()]
}

/** After a tab, and after any other error, the parser reports more errors that are mere consequences. */
function causes(errors: readonly YAMLError[]): readonly YAMLError[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT')
  return tabs.length > 0 ? tabs : errors.filter(({ code }, at) => at === 0 || code !== 'UNEXPECTED_TOKEN')
}

function at(offset: number, message: string): Problem {
  return { offset, path: '', message: `not valid YAML: ${message}` }
}

function unclosedIn(document: Document, yaml: string): number[] {
  const found: number[] = []
  visit(document, {
    Node(_, node) {
      const inline = isCollection(node) ? node.flow : isScalar(node) && node.type?.startsWith('QUOTE')
      if (!inline || !node.range) return
      const [start, end] = node.range
      if (yaml[end - 1] !== closers[yaml[start]!] || end - start < 2) found.push(start)
    },
  })
  return found
}

const UTF_8 = 'save the file as UTF-8'

/** Tabs and line ends are allowed, and a byte order mark at the start of the file. */
const unreadable = /(?![\t\n\r\u0085])\p{Cc}|[\ufffd-\uffff]|(?!^)\ufeff/gu

const MOST_UNREADABLE = 10

export function unreadableCharacters(yaml: string): Problem[] {
  // In UTF-16 text, every other byte is zero, with or without a byte order mark.
  if (/^[^]{0,3}\0.\0/.test(yaml)) return [{ offset: 0, path: '', message: `this looks like UTF-16: ${UTF_8}` }]
  return yaml
    .matchAll(unreadable)
    .take(MOST_UNREADABLE)
    .map(({ index, 0: character }) => ({ offset: index, path: '', message: wordsFor(character) }))
    .toArray()
}

function wordsFor(character: string): string {
  if (character === '\ufffd') return `a character that is not UTF-8: ${UTF_8}`
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return `a character that cannot be seen (U+${code}): remove it`
}
