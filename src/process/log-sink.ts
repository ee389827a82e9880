// Where log lines go. A log that cannot be written, or that nobody reads, costs its lines and nothing else.

import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

export interface LogSink {
  write(line: string): void
  /** Lines that nobody will ever see. */
  dropped(): number
  /** Resolves when all that was written has left the process or is lost. */
  flushed(): Promise<void>
}

/** What may wait for a reader (bytes). */
const WAITING = 1_048_576

/** `stream` is the one that the platform made for the descriptor. */
export function createLogSink(descriptor: number, stream: Writable & { isTTY?: boolean }): LogSink {
  let dropped = 0
  const lose = () => {
    dropped += 1
  }
  // Or a failed write would end the process.
  stream.on('error', () => {})
  if (isPlain(descriptor, stream)) {
    return {
      write(line) {
        if (!wasWritten(descriptor, line)) lose()
      },
      dropped: () => dropped,
      flushed: () => Promise.resolve(),
    }
  }
  return {
    write(line) {
      if (stream.writableLength + line.length > WAITING) return lose()
      stream.write(line, (error) => error && lose())
    },
    dropped: () => dropped,
    flushed: () => new Promise((resolve) => stream.write('', () => resolve())),
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
