// Writes log lines. A log that cannot be written, or whose reader is stuck, loses lines and does no other harm.

import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** Bytes that may wait for a reader. */
const WAITING = 1_048_576

/** `stream`: the platform's stream of the descriptor. */
export function createLogSink(descriptor: number, stream: Writable & { isTTY?: boolean }) {
  let dropped = 0
  const isAtOnce = isPlain(descriptor, stream)
  // Without a listener, a failed write would end the process.
  stream.on('error', () => {})
  return {
    write(line: string) {
      if (isAtOnce) dropped += wasWritten(descriptor, line) ? 0 : 1
      else if (stream.writableLength + line.length > WAITING) dropped += 1
      else stream.write(line, (error) => void (dropped += error ? 1 : 0))
    },
    /** Number of lost lines. */
    dropped: (): number => dropped,
    /** Resolves when all lines have left the process or are lost. */
    flushed: async (): Promise<void> =>
      isAtOnce ? undefined : new Promise((resolve) => stream.write('', () => resolve())),
  }
}

/** Files and devices: written at once or never. The platform's stream would give up after the first failure. */
function isPlain(descriptor: number, { isTTY = false }: { isTTY?: boolean }): boolean {
  const status = fstatSync(descriptor)
  return status.isFile() || (status.isCharacterDevice() && !isTTY)
}

function wasWritten(descriptor: number, line: string): boolean {
  const bytes = Buffer.from(line)
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
    return true
  } catch {
    return false
  }
}
