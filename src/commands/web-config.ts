// Reading the file that --web.config.file names, and the files that it names.

import { dirname, resolve } from 'node:path'
import { loadWebConfig, type WebConfig } from '../config/web.ts'
import type { WebSource } from '../server/web.ts'
import { textOf } from './config.ts'

/** What it needs of the process. */
interface Files {
  env: Readonly<Record<string, string | undefined>>
  readFile: (path: string) => string
  stampOf: (path: string) => string
}

/** Undefined where no file is named: then the HTTP side is open. */
export function webSourceOf(file: string | undefined, io: Files): WebSource | undefined {
  return file === undefined || file === '' ? undefined : webSource(file, io)
}

function webSource(file: string, io: Files): WebSource {
  /** What was read, as it was then. */
  let stamps = new Map<string, string>()
  const readFile = (path: string): string => {
    // Before it is read: what is written meanwhile counts as a change.
    stamps.set(path, stampOf(path, io))
    return io.readFile(path)
  }

  return {
    read(): WebConfig {
      stamps = new Map()
      return loadWebConfig(textOf(file, readFile), {
        file,
        env: io.env,
        readFile: (path) => readFile(resolve(dirname(file), path)),
      })
    },
    isChanged: () => [...stamps].some(([path, stamp]) => stampOf(path, io) !== stamp),
  }
}

/** A folder that may not be entered is as good as a file that is not there: reading it says why. */
function stampOf(path: string, io: Files): string {
  try {
    return io.stampOf(path)
  } catch {
    return 'none'
  }
}
