// Writes a file of a command in one step: a reader sees the old file or the new one, and a link leads nowhere else.

import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'stakewatch has no permission to write to its folder',
  EPERM: 'stakewatch has no permission to write to its folder',
  EBUSY: 'it is mounted by itself: mount its folder instead',
  EEXIST: 'a part of the path is a file',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link, which is not followed: remove it, or name the file that it leads to',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  ENOTREG: 'it is not a regular file',
  EROFS: 'its file system is read-only',
}

/**
 * Why it could not be written; undefined when it was. Creates missing folders. `mode` is that of a new file, before the umask; a
 * file that is there never gets more readers than it had.
 */
export function writeWhole(path: string, text: string, mode: number): string | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const before = lstatSync(path, { throwIfNoEntry: false })
    if (before?.isSymbolicLink()) return reasons['ELOOP']
    if (before?.isDirectory()) return reasons['EISDIR']
    if (before && !before.isFile()) return reasons['ENOTREG']
    replace(path, text, before ? mode & before.mode : mode)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown
    return reasons[String(thrown.code)] ?? String(thrown.code)
  }
}

/** The new file has its mode before anything is in it, and fails where anything else has its name. */
function replace(path: string, text: string, mode: number): void {
  const fresh = `${path}.${randomUUID()}`
  const file = openSync(fresh, 'wx', mode)
  try {
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(fresh, path)
  } catch (thrown) {
    rmSync(fresh, { force: true })
    throw thrown
  }
}
