// A configuration file to a Config. All errors at once, each with file:line:column, the path and what to do.

import { isMap, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml'
import { z } from 'zod'
import { BaseError } from '../errors.ts'
import { nearest } from '../lib/nearest.ts'
import { configSchema, type Config } from './schema.ts'

export interface LoadOptions {
  /** As errors show it. */
  file: string
  env: Readonly<Record<string, string | undefined>>
  /** Reads a file that a `*_file` key names; relative paths are relative to the configuration file. */
  readFile: (path: string) => string
  /** Names of the collectors that exist. */
  collectors: readonly string[]
}

/** Throws a BaseError with code `config` whose message holds one line per problem. */
export function loadConfig(yaml: string, options: LoadOptions): Config {
  const lines = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false })
  const problems: { offset: number; message: string }[] = document.errors.map((error) => ({
    offset: error.pos[0],
    message: error.message,
  }))
  const fail = () => {
    const place = ({ offset, message }: (typeof problems)[number]) => {
      const { line, col } = lines.linePos(offset)
      return `${options.file}:${line}:${col}: ${message}`
    }
    const sorted = problems.toSorted((a, b) => a.offset - b.offset)
    return new BaseError('config', sorted.map(place).join('\n'))
  }
  if (problems.length > 0) throw fail()
  expandEnvironment(document, options.env, problems)
  readFiles(document, options.readFile, problems)
  const schema = configSchema(options.collectors)
  const parsed = schema.safeParse(document.toJS() ?? {})
  for (const issue of parsed.success ? [] : parsed.error.issues) problems.push(...explain(issue, schema, document))
  if (problems.length > 0 || !parsed.success) throw fail()
  return parsed.data
}

/** `${NAME}` becomes the variable's value; `$${` stands for a literal `${`. */
function expandEnvironment(
  document: Document,
  env: LoadOptions['env'],
  problems: { offset: number; message: string }[],
) {
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return
      node.value = node.value.replace(/\$(\$\{)|\$\{(\w+)\}/g, (_, literal: string | undefined, variable: string) => {
        if (literal) return literal
        const value = env[variable]
        if (value === undefined) {
          const message = `the environment variable ${variable} is not set: set it, or write the value here`
          problems.push({ offset: node.range?.[0] ?? 0, message })
        }
        return value ?? ''
      })
    },
  })
}

/** `x_file: path` becomes `x: <the file's text>`. */
function readFiles(
  document: Document,
  readFile: LoadOptions['readFile'],
  problems: { offset: number; message: string }[],
) {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isScalar(value) || typeof key.value !== 'string' || !key.value.endsWith('_file')) return
      key.value = key.value.slice(0, -'_file'.length)
      try {
        value.value = readFile(String(value.value)).trim()
      } catch (thrown) {
        const why = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown)
        problems.push({ offset: value.range?.[0] ?? 0, message: `cannot read ${String(value.value)} (${why})` })
        // One problem is enough: the key is set, only its value is not known.
        value.value = 'unreadable'
      }
    },
  })
}

function explain(issue: z.core.$ZodIssue, schema: z.ZodType, document: Document) {
  const at = show(issue.path)
  if (issue.code !== 'unrecognized_keys') {
    return [{ offset: offsetOf(document, issue.path), message: `${at}${messageOf(issue)}` }]
  }
  const known = keysAt(schema, issue.path)
  return issue.keys.map((key) => {
    const meant = nearest(key, known)
    const advice = meant ? `did you mean ${meant}?` : `known here: ${known.join(', ')}`
    return {
      offset: keyOffset(document, [...issue.path, key]),
      message: `${show([...issue.path, key])}unknown key; ${advice}`,
    }
  })
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return `is missing: expected ${issue.expected}`
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.map(String).join(', ')}`
  return issue.message
}

function show(path: readonly PropertyKey[]): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return text === '' ? '' : `${text.replace(/^\./, '')}: `
}

/** Where the value stands, or the nearest parent that exists. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    if (node && typeof node === 'object' && 'range' in node) return (node.range as [number] | null)?.[0] ?? 0
  }
  return 0
}

function keyOffset(document: Document, path: readonly PropertyKey[]): number {
  const map = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  if (!isMap(map)) return 0
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0
}

/** The keys that the schema knows at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray) return keysAt(inner.element as z.ZodType, path.slice(1))
  if (!(inner instanceof z.ZodObject)) return []
  const [step, ...rest] = path
  if (step === undefined) return Object.keys(inner.shape)
  const next = inner.shape[String(step)] as z.ZodType | undefined
  return next ? keysAt(next, rest) : []
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrap(schema.unwrap() as z.ZodType)
  }
  return schema
}
