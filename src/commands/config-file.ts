// The configuration file of a daemon, with the files that it names: read again when asked to, and told whether it has changed.

import type { Config } from '../config/schema.ts'
import { readConfig } from './config.ts'
import type { Io } from './io.ts'
import { watchedFiles } from './watched-files.ts'

export interface ConfigFile {
  /** Throws BaseError with code `config`. */
  load(): Config
  /** Whether any file reads otherwise than when it was last loaded. */
  isChanged(): boolean
}

export function createConfigFile(path: string, { env, readFile }: Pick<Io, 'env' | 'readFile'>): ConfigFile {
  const files = watchedFiles(readFile)
  return {
    load() {
      files.forget()
      return readConfig(path, { env, readFile: files.readFile })
    },
    isChanged: files.isChanged,
  }
}
