// The parameters of an operation as flags: made, read and refused as its definition says.

import { type Command, Option } from 'commander'
import { z } from 'zod'
import { BaseError } from '../errors.ts'
import { nearest } from '../lib/nearest.ts'
import { fromText, type Operation, toWire, type Wire } from '../operations/define.ts'
import { type Parameter, parametersOf } from './parameters.ts'

/** Values as they were given, by parameter. */
export type Texts = Readonly<Record<string, string | undefined>>

export function parameterFlags(command: Command, operation: Operation): Command {
  for (const parameter of parametersOf(operation)) {
    const { name, isList } = parameter
    command.addOption(new Option(`--${name} <${isList ? 'value,...' : 'value'}>`, describe(parameter)))
  }
  // Left over is what no option took: an unknown flag, or a word.
  return command.usage('[options]').argument('[words...]').allowUnknownOption().hook('preAction', refuseLeftOver)
}

function refuseLeftOver(command: Command): void {
  const [word] = command.args
  if (word === undefined) return
  const [, name] = /^--?([^=]+)/.exec(word) ?? []
  if (name === undefined) return command.error(`error: '${word}' is no flag: parameters are given as --name=value`)
  const known = command.options.map(({ long }) => long!.slice(2))
  const meant = nearest(name, known)
  command.error(`error: unknown parameter ${name}; ${meant ? `did you mean ${meant}?` : `known: ${known.join(', ')}`}`)
}

function describe({ about, accepts, isRequired, preset }: Parameter): string {
  const notes = [
    ...(accepts === 'text' ? [] : [accepts]),
    ...(preset === undefined ? [] : [`default: ${preset}`]),
    ...(isRequired ? ['required'] : []),
  ]
  return `${about}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`.trim()
}

/** Of all flags of the command those that are parameters. */
export function textsOf({ params }: Operation, flags: object): Texts {
  const given = flags as Texts
  return Object.fromEntries(Object.keys(params.shape).map((name) => [name, given[name]]))
}

/** Throws BaseError with what is wrong with the parameters, by flag. */
export function wireOf(operation: Operation, texts: Texts): Wire {
  try {
    return toWire(operation, fromText(operation, texts))
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown
    const lines = thrown.issues.map(({ code, path, message }) => {
      // A rule between parameters is about one that is missing, at times, and says itself what to do.
      const isMissing = code !== 'custom' && path.length > 0 && texts[String(path[0])] === undefined
      return `${path.length === 0 ? '' : `--${path.join('.')}: `}${isMissing ? 'is missing' : message}`
    })
    throw new BaseError('config', `${lines.join('\n')}\nRun with --help for what ${operation.name} takes.`)
  }
}
