// Reads a file that a user named, if it is a regular file of reasonable size.

import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'

/** No configuration or key is as large (bytes). */
const LARGEST = 16 * 1_048_576

/** Bytes read at a time: most files are smaller, and watched ones are read every few seconds. */
const PIECE = 65_536

/** Does not wait for the writer of a pipe. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK

/** Throws errors of the file system, or one with the code EISDIR, ENOTREG or EFBIG. */
export function readRegularFile(path: string): string {
  const file = openSync(path, FLAGS)
  try {
    refuseUnusual(fstatSync(file))
    return contents(file)
  } finally {
    closeSync(file)
  }
}

/** The same, while the process goes on: on a disk that hangs it may never end. */
export async function lookAtRegularFile(path: string): Promise<string> {
  const file = await open(path, FLAGS)
  try {
    refuseUnusual(await file.stat())
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > LARGEST) throw refusal('EFBIG')
      pieces.push(piece)
    }
    return Buffer.concat(pieces, length).toString('utf8')
  } finally {
    await file.close()
  }
}

function refuseUnusual(status: Stats): void {
  if (status.isDirectory()) throw refusal('EISDIR')
  if (!status.isFile()) throw refusal('ENOTREG')
  if (status.size > LARGEST) throw refusal('EFBIG')
}

/** Files of /proc have size 0, and others may grow, so it counts the bytes read. */
function contents(file: number): string {
  const pieces: Buffer[] = []
  let length = 0
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE)
    const read = readSync(file, piece, 0, PIECE, null)
    if (read === 0) return Buffer.concat(pieces, length).toString('utf8')
    length += read
    if (length > LARGEST) throw refusal('EFBIG')
    pieces.push(piece.subarray(0, read))
  }
}

function refusal(code: string): Error {
  return Object.assign(new Error(code), { code })
}
