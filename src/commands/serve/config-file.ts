// The configuration file of a daemon, with the files that it names.

import type { Config } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { ON_CHANGE } from '../../daemon/reload.ts'
import { parseConfig } from '../config.ts'
import type { Io } from '../io.ts'
import { type Kind, type Remembered, watchedFile } from './watched-files.ts'

export type ConfigFile = ReturnType<typeof createConfigFile>

export function createConfigFile(
  path: string,
  { env, readFile }: Pick<Io, 'env' | 'readFile'>,
  remembered?: Remembered,
) {
  const kind: Kind<Config> = {
    readFile,
    parse: (text, readFile) => parseConfig(text, path, { env, readFile }),
    // A truncated file may be valid but watch less. An explicit reload may intend that.
    refuse(text, before, trigger) {
      if (trigger !== ON_CHANGE || text.length >= before.length || !before.startsWith(text)) return
      const message = `${path}: the file ends where the one in use goes on: was it cut off? If not, send SIGHUP or POST /-/reload`
      throw new BaseError('config', message)
    },
  }
  return watchedFile(path, kind, remembered)
}
