// Files that a daemon reads again. Changes are detected by content: this notices files replaced by a rename, or by a link as in
// Kubernetes, and ignores files that were only touched.

import { createHash } from 'node:crypto'
import { BaseError } from '../../errors.ts'
import { parseConfig, textOf } from '../config.ts'
import type { Config } from '../../config/schema.ts'
import { ON_CHANGE } from '../../daemon/reload.ts'
import type { Io } from '../io.ts'
import { dirname, resolve } from 'node:path'
import { loadWebConfig } from '../../config/web/web-config.ts'
import type { WebSource } from '../../server/web-config-reload.ts'

type ReadFile = (path: string) => string
type LookAt = Io['lookAt']
type Reading = Pick<Io, 'env' | 'readFile' | 'lookAt'>

interface Kind<Value> {
  readFile: ReadFile
  lookAt: LookAt
  /** Reads the files that the text names with `readFile`, so that changes of them are noticed too. */
  parse: (text: string, readFile: ReadFile) => Value
  /** Throws if the text that was last read must not be replaced by this one. */
  refuse?: (text: string, before: string, trigger?: string) => void
}

/** What is known of the files that were read. */
export interface Remembered {
  /** By path. */
  digests: Map<string, string>
  /** The text of the file itself that was last accepted. */
  before: string
}

export const nothingRemembered = (): Remembered => ({ digests: new Map(), before: '' })

function watchedFile<Value>(
  path: string,
  { readFile, lookAt, parse, refuse = () => {} }: Kind<Value>,
  remembered: Remembered = nothingRemembered(),
) {
  /** Remembers failures too, so that a repaired file is noticed. */
  function readAndRemember(path: string): string {
    remembered.digests.set(path, UNREADABLE)
    const text = readFile(path)
    remembered.digests.set(path, digestOf(text))
    return text
  }
  return {
    /** Throws a BaseError with code `config`, also if the file was truncated since it was last read. */
    read(trigger?: string): Value {
      remembered.digests.clear()
      const text = textOf(path, readAndRemember)
      const value = parse(text, readAndRemember)
      refuseUnfinished(path, remembered.before, text)
      refuse(text, remembered.before, trigger)
      remembered.before = text
      return value
    },
    /** Whether the file, or one that it names, has changed since it was last read. On a disk that hangs it may never say. */
    async isChanged(): Promise<boolean> {
      for (const [path, digest] of remembered.digests) if ((await currentDigest(path, lookAt)) !== digest) return true
      return false
    },
  }
}

/** A file that lost the end of its last line may be valid, but means less. */
function refuseUnfinished(path: string, before: string, text: string): void {
  if (!before.endsWith('\n') || text.endsWith('\n')) return
  throw new BaseError(
    'config',
    `${path}: the last line does not end: the file was cut off, or is still being written; end it with a newline`,
  )
}

/** Differs from every digest. */
const UNREADABLE = 'unreadable'

async function currentDigest(path: string, lookAt: LookAt): Promise<string> {
  try {
    return digestOf(await lookAt(path))
  } catch {
    return UNREADABLE
  }
}

/** A digest, because files contain secrets that should not be kept twice. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export type ConfigFile = ReturnType<typeof createConfigFile>

/** The configuration file of a daemon, with the files that it names. */
export function createConfigFile(path: string, { env, readFile, lookAt }: Reading, remembered?: Remembered) {
  const kind: Kind<Config> = {
    readFile,
    lookAt,
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

/** Undefined without a file: then the HTTP server is open to everyone. */
export function webSourceOf(file: string | undefined, { env, readFile, lookAt }: Reading): WebSource | undefined {
  if (file === undefined || file === '') return undefined
  const readBeside = (read: Io['readFile']) => (path: string) => read(resolve(dirname(file), path))
  return watchedFile(file, {
    readFile,
    lookAt,
    parse: (yaml, read) => loadWebConfig(yaml, { file, env, readFile: readBeside(read) }),
  })
}
