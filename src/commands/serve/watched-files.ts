// Detects changes of files by content: it notices files replaced by a rename, or by a link as in Kubernetes, and ignores files that
// were only touched.

import { createHash } from 'node:crypto'
import { BaseError } from '../../errors.ts'

type ReadFile = (path: string) => string

export interface WatchedFiles {
  /** Reads a file and remembers its content. It remembers failures too, so that a repaired file is noticed. */
  readFile: ReadFile
  /** Whether any file has changed since it was last read. */
  isChanged(): boolean
  /** Forgets all files; files that are read from now on count. */
  forget(): void
}

export function watchedFiles(readFile: ReadFile): WatchedFiles {
  const digests = new Map<string, string>()
  return {
    readFile(path) {
      digests.set(path, UNREADABLE)
      const text = readFile(path)
      digests.set(path, digestOf(text))
      return text
    },
    isChanged: () => [...digests].some(([path, digest]) => currentDigest(path, readFile) !== digest),
    forget: () => digests.clear(),
  }
}

/** Throws a BaseError if a file lost the end of its last line: a truncated file may be valid, but means less. */
export function refuseUnfinished(path: string, before: string, text: string): void {
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
