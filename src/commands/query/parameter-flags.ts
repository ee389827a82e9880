// The parameters of an operation as flags, according to its definition.

import { type Command, Option } from 'commander'
import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { meantOr } from '../../lib/suggestion.ts'
import { fromText, type Operation, toWire, type Wire } from '../../operations/define.ts'

export type Texts = Readonly<Record<string, string | undefined>>

export class ParameterFlag extends Option {
  /** For the shell; empty where they are no list. */
  readonly values: readonly string[]

  constructor(parameter: Parameter, flags: string) {
    super(flags, describe(parameter))
    this.values = parameter.accepts.includes(', ') ? parameter.accepts.split(', ') : []
  }
}

export function parameterFlags(command: Command, operation: Operation): Command {
  for (const parameter of parametersOf(operation)) {
    const { name, isList } = parameter
    const flag = new ParameterFlag(parameter, `--${name} <${isList ? 'value,...' : 'value'}>`)
    command.addOption(flag.helpGroup('Parameters:'))
    const dashed = withDashes(name)
    if (dashed === name) continue
    const set = (text: string) => {
      command.setOptionValue(name, text)
      return text
    }
    command.addOption(new Option(`--${dashed} <value>`).argParser(set).hideHelp())
  }
  // What remains is an unknown flag, or a word.
  return command.usage('[options]').argument('[words...]').allowUnknownOption().hook('preAction', refuseLeftOver)
}

/** The flag name of a parameter: `blockchain-id` for blockchainId, `node-ids` for nodeIDs. */
function withDashes(name: string): string {
  return name.replace(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)
}

function refuseLeftOver(command: Command): void {
  const [word] = command.args
  if (word === undefined) return
  const [, name] = /^--?([^=]+)/.exec(word) ?? []
  if (name === undefined) return command.error(`error: '${word}' is no flag: parameters are given as --name=value`)
  const known = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long!.slice(2))
  command.error(`error: unknown parameter ${name}; ${meantOr(`known: ${known.join(', ')}`, name, known)}`)
}

function describe({ about, accepts, isRequired, preset }: Parameter): string {
  const notes = [
    ...(accepts === 'text' ? [] : [accepts]),
    ...(preset === undefined ? [] : [`default: ${preset}`]),
    ...(isRequired ? ['required'] : []),
  ]
  return `${about}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`.trim()
}

export function textsOf({ params }: Operation, flags: object): Texts {
  const given = flags as Texts
  return Object.fromEntries(Object.keys(params.shape).map((name) => [name, given[name]]))
}

/** Throws a BaseError with the problems of the parameters, by flag. */
export function wireOf(operation: Operation, texts: Texts): Wire {
  try {
    return toWire(operation, fromText(operation, texts))
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown
    const parameters = new Map(parametersOf(operation).map((parameter) => [parameter.name, parameter]))
    const lines = thrown.issues.map(({ code, path: [name, at], message }) => {
      if (name === undefined) return message
      const text = texts[String(name)]
      const item = typeof at === 'number' ? ` (value ${at + 1})` : ''
      // A rule about several parameters may concern a missing one; its message includes the remedy.
      if (code === 'custom') return `--${String(name)}${item}: ${message}`
      return `--${String(name)}${item}: ${wrong(text, at, message, parameters.get(String(name))!)}`
    })
    throw new BaseError('config', `${lines.join('\n')}\nRun with --help for what ${operation.name} takes.`)
  }
}

/** The problem with the text of a parameter, or with a value of its list. */
function wrong(text: string | undefined, at: PropertyKey | undefined, message: string, { accepts }: Parameter): string {
  if (text === undefined) return 'is missing'
  if ((typeof at === 'number' ? text.split(',')[at] : text) === '') return 'is empty'
  // Messages of the definitions say what they expect; those of the library are about types.
  if (message.startsWith('expected ')) return message
  return `expected ${inWords(accepts)}`
}

/** `1..100`, `0..`, `asc, desc`, `number`. */
function inWords(accepts: string): string {
  const [, from, to] = /^(-?\d*)\.\.(-?\d*)$/.exec(accepts) ?? []
  if (from) return `a number from ${from} ${to ? `to ${to}` : 'on'}`
  if (to) return `a number up to ${to}`
  if (accepts === 'number') return 'a number'
  return accepts.includes(', ') ? `one of ${accepts}` : accepts
}

export interface Parameter {
  name: string
  about: string
  /** `1..100`, `asc, desc`, `number`; `text` is anything. */
  accepts: string
  isList: boolean
  isRequired: boolean
  preset: string | undefined
}

/** From the definition, for the help and the reference. */
export function parametersOf({ params }: Operation): Parameter[] {
  return Object.entries(params.shape).map(([name, type]) => {
    const absent = z.safeParse(type, undefined)
    return {
      name,
      about: descriptionOf(type),
      ...formOf(type),
      isRequired: !absent.success,
      preset: absent.data === undefined ? undefined : String(absent.data),
    }
  })
}

function descriptionOf(type: z.core.$ZodType): string {
  const own = z.globalRegistry.get(type)?.description
  if (own !== undefined) return own
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault ? descriptionOf(type.unwrap()) : ''
}

function formOf(type: z.core.$ZodType): { accepts: string; isList: boolean } {
  if (type instanceof z.ZodOptional || type instanceof z.ZodDefault) return formOf(type.unwrap())
  return type instanceof z.ZodArray
    ? { accepts: acceptedBy(type.element), isList: true }
    : { accepts: acceptedBy(type), isList: false }
}

function acceptedBy(type: z.core.$ZodType): string {
  if (type instanceof z.ZodEnum) return type.options.join(', ')
  if (type instanceof z.ZodLiteral) return [...type.values].join(', ')
  if (type instanceof z.ZodBoolean) return 'true, false'
  if (type instanceof z.ZodNumber) return range(type.minValue ?? -Infinity, type.maxValue ?? Infinity)
  if (type instanceof z.ZodBigInt) return 'number'
  // The narrower of both types: text read as a number, or a number within a range.
  if (type instanceof z.ZodPipe) return [type.out, type.in].map(acceptedBy).find(isNarrow) ?? 'text'
  if (type instanceof z.ZodUnion) return type.options.map(acceptedBy).find(isNarrow) ?? 'text'
  return 'text'
}

function isNarrow(form: string): boolean {
  return form !== 'text'
}

/** Omits the bounds of JavaScript integers, which are not documented limits. */
function range(min: number, max: number): string {
  const isBelow = max < Number.MAX_SAFE_INTEGER
  if (min <= Number.MIN_SAFE_INTEGER) return isBelow ? `..${max}` : 'number'
  return `${min}..${isBelow ? max : ''}`
}
