// The configuration file of a daemon with the files that it names: loading, reloading and change detection.

import type { Config } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { ON_CHANGE } from '../../daemon/reload.ts'
import { parseConfig, textOf } from '../config.ts'
import type { Io } from '../io.ts'
import { refuseUnfinished, watchedFiles } from './watched-files.ts'

export interface ConfigFile {
  /** Throws BaseError with code `config`, also if the file was truncated since it was last loaded. */
  load(trigger?: string): Config
  /** Whether any file has changed since it was last loaded. */
  isChanged(): boolean
}

export function createConfigFile(path: string, { env, readFile }: Pick<Io, 'env' | 'readFile'>): ConfigFile {
  const files = watchedFiles(readFile)
  /** The current configuration. */
  let before = ''
  return {
    load(trigger) {
      files.forget()
      const text = textOf(path, files.readFile)
      const config = parseConfig(text, path, { env, readFile: files.readFile })
      refuseUnfinished(path, before, text)
      // A truncated file may be valid but watch less. An explicit reload may intend that.
      if (trigger === ON_CHANGE && text.length < before.length && before.startsWith(text)) {
        const message = `${path}: the file ends where the one in use goes on: was it cut off? If not, send SIGHUP or POST /-/reload`
        throw new BaseError('config', message)
      }
      before = text
      return config
    },
    isChanged: files.isChanged,
  }
}
