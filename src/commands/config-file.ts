// The configuration file of a daemon, with the files that it names: read again when asked to, and told whether it has changed.

import { createHash } from 'node:crypto'
import type { Config } from '../config/schema.ts'
import { readConfig } from './config.ts'
import type { Io } from './io.ts'

export interface ConfigFile {
  /** Throws BaseError with code `config`. */
  load(): Config
  /** Whether any file reads otherwise than when it was last loaded. */
  isChanged(): boolean
}

export function createConfigFile(path: string, io: Pick<Io, 'env' | 'readFile'>): ConfigFile {
  /** Digests of all that the last load has read, also where it was refused: a broken file is read again when it changes. */
  let digests = new Map<string, string>()
  return {
    load() {
      digests = new Map()
      return readConfig(path, {
        env: io.env,
        readFile(file) {
          digests.set(file, digestOf(file, io))
          return io.readFile(file)
        },
      })
    },
    isChanged: () => [...digests].some(([file, digest]) => digestOf(file, io) !== digest),
  }
}

/** A file that cannot be read has one too, so that it is noticed when it is there. */
function digestOf(file: string, { readFile }: Pick<Io, 'readFile'>): string {
  try {
    return createHash('sha256').update(readFile(file)).digest('hex')
  } catch {
    return 'unreadable'
  }
}
