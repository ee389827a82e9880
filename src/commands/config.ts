// Reads the configuration file for a command.

import { dirname, join, resolve } from 'node:path'
import { type Loaded, loadWithPlaces } from '../config/load.ts'
import { whyUnreadable } from '../config/file/read-yaml.ts'
import type { Config } from '../config/schema.ts'
import { BaseError } from '../errors.ts'
import { definitions } from '../metrics/of-collectors.ts'
import type { Io } from './io.ts'

const names = definitions.map(({ name }) => name)

/** Throws a BaseError with code `config`. */
export function readConfig(file: string, io: Pick<Io, 'env' | 'readFile'>): Config {
  return readWithPlaces(file, io).value
}

export function readWithPlaces(file: string, io: Pick<Io, 'env' | 'readFile'>): Loaded {
  return parseWithPlaces(textOf(file, io.readFile), file, io)
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

function parseWithPlaces(yaml: string, file: string, { env, readFile }: Pick<Io, 'env' | 'readFile'>): Loaded {
  const readBeside = (path: string) => readFile(resolve(dirname(file), path))
  return loadWithPlaces(yaml, { file, env, readFile: readBeside, collectors: names })
}
