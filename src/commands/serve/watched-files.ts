// Files that a daemon reads again. Changes are detected by content: this notices files replaced by a rename, or by a link as in
// Kubernetes, and ignores files that were only touched.

import { createHash } from 'node:crypto'
import { BaseError } from '../../errors.ts'
import { textOf } from '../config.ts'

type ReadFile = (path: string) => string

export interface Kind<Value> {
  readFile: ReadFile
  /** Reads the files that the text names with `readFile`, so that changes of them are noticed too. */
  parse: (text: string, readFile: ReadFile) => Value
  /** Throws if the text that was last read must not be replaced by this one. */
  refuse?: (text: string, before: string, trigger?: string) => void
}

/** What is known of the files that were read. */
export interface Remembered {
  /** By path. */
  digests: Map<string, string>
  /** The text of the file itself that was last accepted. */
  before: string
}

export const nothingRemembered = (): Remembered => ({ digests: new Map(), before: '' })

export function watchedFile<Value>(
  path: string,
  { readFile, parse, refuse = () => {} }: Kind<Value>,
  remembered: Remembered = nothingRemembered(),
) {
  /** Remembers failures too, so that a repaired file is noticed. */
  function readAndRemember(path: string): string {
    remembered.digests.set(path, UNREADABLE)
    const text = readFile(path)
    remembered.digests.set(path, digestOf(text))
    return text
  }
  return {
    /** Throws a BaseError with code `config`, also if the file was truncated since it was last read. */
    read(trigger?: string): Value {
      remembered.digests.clear()
      const text = textOf(path, readAndRemember)
      const value = parse(text, readAndRemember)
      refuseUnfinished(path, remembered.before, text)
      refuse(text, remembered.before, trigger)
      remembered.before = text
      return value
    },
    /** Whether the file, or one that it names, has changed since it was last read. */
    isChanged: () => [...remembered.digests].some(([path, digest]) => currentDigest(path, readFile) !== digest),
  }
}

/** A file that lost the end of its last line may be valid, but means less. */
function refuseUnfinished(path: string, before: string, text: string): void {
  if (!before.endsWith('\n') || text.endsWith('\n')) return
  throw new BaseError(
    'config',
    `${path}: the last line does not end: the file was cut off, or is still being written; end it with a newline`,
  )
}

/** Differs from every digest. */
const UNREADABLE = 'unreadable'

function currentDigest(path: string, readFile: ReadFile): string {
  try {
    return digestOf(readFile(path))
  } catch {
    return UNREADABLE
  }
}

/** A digest, because files contain secrets that should not be kept twice. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
