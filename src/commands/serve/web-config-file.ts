// Reads the web configuration file and the files that it names.

import { dirname, resolve } from 'node:path'
import { loadWebConfig } from '../../config/web/web-config.ts'
import type { WebSource } from '../../server/web-config-reload.ts'
import { textOf } from '../config.ts'
import type { Io } from '../io.ts'
import { refuseUnfinished, watchedFiles } from './watched-files.ts'

type Files = Pick<Io, 'env' | 'readFile'>

/** Undefined without a file: then the HTTP server is open to everyone. */
export function webSourceOf(file: string | undefined, io: Files): WebSource | undefined {
  return file === undefined || file === '' ? undefined : webSource(file, io)
}

function webSource(file: string, { env, readFile }: Files): WebSource {
  const files = watchedFiles(readFile)
  let before = ''
  return {
    read() {
      files.forget()
      const yaml = textOf(file, files.readFile)
      const readBeside = (path: string) => files.readFile(resolve(dirname(file), path))
      const config = loadWebConfig(yaml, { file, env, readFile: readBeside })
      refuseUnfinished(file, before, yaml)
      before = yaml
      return config
    },
    isChanged: files.isChanged,
  }
}
