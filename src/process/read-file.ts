// Reads a file that a user named, if it is a regular file of reasonable size.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** No configuration or key is as large (bytes). */
const LARGEST = 4 * 1_048_576

/** Throws errors of the file system, or one with the code EISDIR, ENOTREG or EFBIG. */
export function readRegularFile(path: string): string {
  // Does not wait for the writer of a pipe.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const status = fstatSync(file)
    if (status.isDirectory()) throw refusal('EISDIR')
    if (!status.isFile()) throw refusal('ENOTREG')
    if (status.size > LARGEST) throw refusal('EFBIG')
    return contents(file)
  } finally {
    closeSync(file)
  }
}

/** Files of /proc have size 0, and others may grow, so it counts the bytes read. */
function contents(file: number): string {
  const buffer = Buffer.alloc(LARGEST + 1)
  let length = 0
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, null)
    length += read
    if (length > LARGEST) throw refusal('EFBIG')
    if (read === 0) return buffer.toString('utf8', 0, length)
  }
}

function refusal(code: string): Error {
  return Object.assign(new Error(code), { code })
}
