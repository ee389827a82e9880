// Reads the configuration file for a command.

import { dirname, join, resolve } from 'node:path'
import { type Loaded, loadWithPlaces } from '../config/load.ts'
import { whyUnreadable } from '../config/file/substitutes.ts'
import type { Config } from '../config/schema.ts'
import { BaseError } from '../errors.ts'
import { definitions } from '../metrics/catalogue.ts'
import type { Io } from './io.ts'
import { progressBar } from './query/progress-bar.ts'

const names = definitions.map(({ name }) => name)

/** A file of this length takes about a second (characters). */
const LONG = 2 ** 20

type Reading = Pick<Io, 'env' | 'readFile' | 'progress'>

/** Throws a BaseError with code `config`. */
export function readConfig(file: string, io: Reading): Config {
  return readWithPlaces(file, io).value
}

/** Shows a progress bar while it reads a long file. */
export function readWithPlaces(file: string, io: Reading): Loaded {
  const text = textOf(file, io.readFile)
  if (text.length < LONG) return parseWithPlaces(text, file, io)
  let shown = -1
  const progress = (done: number) => {
    const percent = Math.floor(100 * done)
    if (percent > shown) io.progress(progressBar((shown = percent), 100, `of ${file}`))
  }
  try {
    return parseWithPlaces(text, file, io, progress)
  } finally {
    io.progress('')
  }
}

/** Throws a BaseError with code `config` that says why a file cannot be read. */
export function textOf(file: string, readFile: Io['readFile']): string {
  try {
    return readFile(file)
  } catch (cause) {
    throw new BaseError('config', `${file}: the file cannot be read: ${whyUnreadable(cause)}`, { cause })
  }
}

/** A file of the package. */
export const packagedText = ({ packageFolder, readFile }: Io, ...path: readonly string[]): string =>
  textOf(join(packageFolder, ...path), readFile)

export function parseConfig(yaml: string, file: string, io: Pick<Io, 'env' | 'readFile'>): Config {
  return parseWithPlaces(yaml, file, io).value
}

function parseWithPlaces(
  yaml: string,
  file: string,
  { env, readFile }: Pick<Io, 'env' | 'readFile'>,
  progress: (done: number) => void = () => {},
): Loaded {
  const readBeside = (path: string) => readFile(resolve(dirname(file), path))
  return loadWithPlaces(yaml, { file, env, readFile: readBeside, collectors: names, progress })
}
