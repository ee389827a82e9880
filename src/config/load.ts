// Loads a configuration file. Reports all errors at once, each with file:line:column, the path and a remedy.

import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { BaseError } from '../errors.ts'
import { keysOf } from './file/keys.ts'
import { type Place, type Problem, showPath } from './file/places.ts'
import { readDocument } from './file/read-yaml.ts'
import { type Config, configSchema } from './schema.ts'
import { syntaxProblems, unreadableCharacters } from './file/syntax.ts'

/** The most problems reported: more are usually one mistake repeated. */
const MOST_LINES = 100

export interface YamlOptions {
  /** As errors show it. */
  file: string
  env: Readonly<Record<string, string | undefined>>
  /** Reads a file that a `*_file` key names; relative paths are relative to the configuration file. */
  readFile: (path: string) => string
  /** Called now and then with the share that is done, between 0 and 1. */
  progress?: (done: number) => void
}

/** Part of the time that the lines take; their values take most of the rest. */
const SHARE_OF_LINES = 0.6
const SHARE_OF_VALUES = 0.3

export interface LoadOptions extends YamlOptions {
  collectors: readonly string[]
}

/** The value of a file and its origin. */
export interface Loaded<Value = Config> {
  value: Value
  /** The values in the file, with variables and files resolved: before defaults, and with plain secrets. */
  written: unknown
  /** By path, as `showPath` writes it; a missing path was not in the file. */
  places: ReadonlyMap<string, Place>
  lineOf: (offset: number) => number
}

/** Throws a BaseError with code `config` whose message holds one line per problem and no value of the file. */
export function loadConfig(yaml: string, options: LoadOptions): Config {
  return loadWithPlaces(yaml, options).value
}

export function loadWithPlaces(yaml: string, { collectors, ...options }: LoadOptions): Loaded {
  return loadYaml(yaml, configSchema(collectors), options)
}

/** A file of any schema; throws as `loadConfig` does. */
export function loadYaml<Value>(
  yaml: string,
  schema: z.ZodType<Value>,
  { file, env, readFile, progress = () => {} }: YamlOptions,
): Loaded<Value> {
  const lines = new LineCounter()
  const lineOf = (offset: number) => lines.linePos(offset).line
  const unreadable = unreadableCharacters(yaml)
  if (unreadable.length > 0) throw new BaseError('config', report(unreadable, file, countLines(yaml, lines)))
  const share = (offset: number) => offset / yaml.length
  const counting = Object.assign(new LineCounter(), {
    addNewLine(offset: number) {
      progress(SHARE_OF_LINES * share(offset))
      return lines.addNewLine(offset)
    },
  })
  // Duplicate keys are found while reading, as one more problem among others.
  const document = parseDocument(yaml, { lineCounter: counting, prettyErrors: false, uniqueKeys: false })
  const refusal = (problems: readonly Problem[]) => new BaseError('config', report(problems, file, lines))

  const broken = syntaxProblems(document, yaml, lineOf)
  if (broken.length > 0) throw refusal(broken)
  const { value, places, problems, isComplete } = readDocument(document, schema, {
    env,
    readFile,
    lineOf,
    reading: (offset) => progress(SHARE_OF_LINES + SHARE_OF_VALUES * share(offset)),
  })
  if (!isComplete) throw refusal(problems)
  const parsed = schema.safeParse(value, { error: inWords })
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => explain(issue, places))
  if (problems.length > 0 || !parsed.success) throw refusal([...problems, ...withoutEchoes(issues, problems)])
  return { value: parsed.data, written: value, places, lineOf }
}

function countLines(text: string, lines: LineCounter): LineCounter {
  lines.addNewLine(0)
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  return lines
}

function report(problems: readonly Problem[], file: string, lines: LineCounter): string {
  const line = ({ offset, path, message }: Problem) => {
    const place = lines.linePos(offset)
    return `${file}:${place.line}:${place.col}: ${path === '' ? '' : `${path}: `}${message}`
  }
  const shown = problems
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, MOST_LINES)
    .map(line)
  const more = problems.length - shown.length
  return [...shown, ...(more > 0 ? [`${file}: and ${more} more`] : [])].join('\n')
}

/** One issue per value, and none for a value that could not be read in the first place. */
function withoutEchoes(issues: readonly Problem[], before: readonly Problem[]): Problem[] {
  const said = new Set(before.map(({ path }) => path))
  return issues.filter(({ path }) => !said.has(path) && said.add(path))
}

function explain(issue: z.core.$ZodIssue, places: ReadonlyMap<string, Place>): Problem {
  // For keys of a map, such as the address of a token, the issue is one level deeper.
  if (issue.code === 'invalid_key') return explain({ ...issue.issues[0]!, path: issue.path }, places)
  const path = showPath(issue.path)
  const place = places.get(path)
  if (!place) return { offset: parentOf(issue.path, places).offset, path, message: `is missing: ${issue.message}` }
  return { offset: place.offset, path: place.written, message: about(place, issue) }
}

function about({ written, found, from, by }: Place, issue: z.core.$ZodIssue): string {
  const empty = found === 'nothing' ? `${written === '' ? 'the file ' : ''}is empty: ` : ''
  if (from !== 'configuration') return `${empty}${issue.message}; check what the ${from} ${by} holds`
  return empty === '' && isOtherKind(found, issue) ? `${issue.message}; this is ${found}` : `${empty}${issue.message}`
}

/** For a fraction, the schema reports a wrong type; operators see a number in both cases. */
function isOtherKind(found: Place['found'], issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_type') return false
  return found !== 'a number' || (issue.expected !== 'int' && issue.expected !== 'number')
}

function parentOf(path: readonly PropertyKey[], places: ReadonlyMap<string, Place>): Place {
  return places.get(showPath(path)) ?? parentOf(path.slice(0, -1), places)
}

/** The expectation of schemas without a message of their own. */
const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type') return undefined
  const keys = issue.inst instanceof z.ZodType ? keysOf(issue.inst) : undefined
  if (keys) return `expected a map with the keys ${[...keys.keys()].join(', ')}`
  return issue.expected === 'boolean' ? 'expected true or false' : undefined
}
