// The web configuration file, with the files that it names.

import { dirname, resolve } from 'node:path'
import { loadWebConfig } from '../../config/web/web-config.ts'
import type { WebSource } from '../../server/web-config-reload.ts'
import type { Io } from '../io.ts'
import { watchedFile } from './watched-files.ts'

/** Undefined without a file: then the HTTP server is open to everyone. */
export function webSourceOf(
  file: string | undefined,
  { env, readFile }: Pick<Io, 'env' | 'readFile'>,
): WebSource | undefined {
  if (file === undefined || file === '') return undefined
  const readBeside = (read: Io['readFile']) => (path: string) => read(resolve(dirname(file), path))
  return watchedFile(file, {
    readFile,
    parse: (yaml, read) => loadWebConfig(yaml, { file, env, readFile: readBeside(read) }),
  })
}
