// Files that were read, and whether one of them reads otherwise by now. What counts is what they hold: a file that is exchanged
// by renaming another one over it, or by turning a link as Kubernetes does, is noticed, and one that was only touched is not.

import { createHash } from 'node:crypto'
import { BaseError } from '../../errors.ts'

type ReadFile = (path: string) => string

export interface WatchedFiles {
  /** As it was given, and remembers what it gave; also where it failed, so that a file that is mended is noticed. */
  readFile: ReadFile
  /** Whether any of them reads otherwise than when it was last read. */
  isChanged(): boolean
  /** From now on others count: those that are read from here on. */
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

/** Throws a BaseError when the last line of a file ended, and does not any more: what is left may be valid, and means less. */
export function refuseUnfinished(path: string, before: string, text: string): void {
  if (!before.endsWith('\n') || text.endsWith('\n')) return
  throw new BaseError(
    'config',
    `${path}: the last line does not end: the file was cut off, or is still being written; end it with a newline`,
  )
}

/** No digest is as short. */
const UNREADABLE = 'unreadable'

function currentDigest(path: string, readFile: ReadFile): string {
  try {
    return digestOf(readFile(path))
  } catch {
    return UNREADABLE
  }
}

/** The files hold secrets, and nobody wants to keep them twice. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
