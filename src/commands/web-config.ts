// Reading the file that --web.config.file names, and the files that it names.

import { dirname, resolve } from 'node:path'
import { loadWebConfig } from '../config/web.ts'
import type { WebSource } from '../server/web.ts'
import { textOf } from './config.ts'
import type { Io } from './io.ts'
import { watchedFiles } from './watched-files.ts'

type Files = Pick<Io, 'env' | 'readFile'>

/** Undefined where no file is named: then the HTTP side is open. */
export function webSourceOf(file: string | undefined, io: Files): WebSource | undefined {
  return file === undefined || file === '' ? undefined : webSource(file, io)
}

function webSource(file: string, { env, readFile }: Files): WebSource {
  const files = watchedFiles(readFile)
  return {
    read() {
      files.forget()
      const yaml = textOf(file, files.readFile)
      return loadWebConfig(yaml, { file, env, readFile: (path) => files.readFile(resolve(dirname(file), path)) })
    },
    isChanged: files.isChanged,
  }
}
