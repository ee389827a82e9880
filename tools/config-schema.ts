// The configuration file as a JSON Schema, for editors: made from the schema that the loader uses, with what the loader
// resolves before it applies that one. What a JSON Schema cannot say, such as names that clash, is left to `check`.

import { z } from 'zod'
import type { AnyCollector } from '../src/collectors/define.ts'
import { emptyOf, NUMBER, switchOf, words } from '../src/config/file/typed.ts'
import { configSchema } from '../src/config/schema.ts'

/** The parts of a JSON Schema that zod writes for our schema. */
interface Schema extends Record<string, unknown> {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  /** The schema of the values of a map with free keys. */
  additionalProperties?: Schema | false
  pattern?: string
  enum?: string[]
  default?: unknown
  /** Our own marks, not keywords of JSON Schema. */
  secret?: boolean
  inPresets?: boolean
  mayBeNull?: boolean
}

/** A text with `${NAME}` may become anything. */
const VARIABLE = String.raw`\$\{[A-Za-z_]\w*\}`

const WORDS = `^(${[...words.keys()].join('|')})$`

export function editorSchema(collectors: readonly Pick<AnyCollector, 'name' | 'about' | 'every'>[]): object {
  const names = collectors.map(({ name }) => name)
  // Draft 7 is the one that every editor knows.
  const made = z.toJSONSchema(configSchema(names), {
    target: 'draft-07',
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (emptyOf(zodSchema)) jsonSchema['mayBeNull'] = true
    },
  }) as Schema
  for (const { name, about, every } of collectors) {
    const collector = made.properties!['collectors']!.properties![name]!
    collector['description'] = about
    collector.properties!['every']!.default = every
  }
  const { $schema, ...rest } = asWritten(made)
  return { $schema, title: 'Configuration of stakewatch', ...rest }
}

function asWritten(schema: Schema): Schema {
  if (schema.properties) return withFiles(schema, schema.properties)
  const values = schema.additionalProperties
  if (values) return collection({ ...schema, additionalProperties: asWritten(values) })
  if (schema.items) return collection({ ...schema, items: asWritten(schema.items) })
  return withVariable(schema)
}

/** An editor need not offer an empty list or map: leaving it out means the same, and so do null, {} and []. */
function collection({ default: _, inPresets: __, mayBeNull, ...schema }: Schema): Schema {
  if (!mayBeNull) return schema
  return schema.items
    ? { ...schema, type: ['array', 'object', 'null'], maxProperties: 0 }
    : { ...schema, type: ['object', 'array', 'null'], maxItems: 0 }
}

/** A secret may be in a file of its own instead (`*_file`). One of the two must be given where it is required, never both. */
function withFiles({ required = [], ...schema }: Schema, properties: Record<string, Schema>): Schema {
  const secrets = Object.keys(properties).filter((name) => properties[name]!.secret)
  const either = secrets.map((name) => {
    const both = [name, `${name}_file`]
    const isRequired = required.includes(name) && !properties[name]!.inPresets
    return isRequired ? oneOf(both) : { not: { required: both } }
  })
  const ofPreset = required.filter((name) => !secrets.includes(name) && properties[name]!.inPresets)
  const named = ofPreset.map((name) => ({ anyOf: [{ required: ['preset'] }, { required: [name] }] }))
  const filled = [...named, ...filledByPresets(properties)]
  const written = Object.entries(properties).flatMap(([name, value]) => [
    [name, asWritten(value)] as const,
    ...(value.secret ? [[`${name}_file`, fileOf(name)] as const] : []),
  ])
  return collection({
    ...schema,
    properties: Object.fromEntries(written),
    required: required.filter((name) => !secrets.includes(name) && !ofPreset.includes(name)),
    ...(either.length + filled.length > 0 ? { allOf: [...either, ...filled] } : {}),
  })
}

function oneOf(keys: readonly string[]) {
  return { oneOf: keys.map((key) => ({ required: [key] })) }
}

/** In a network without a preset, an upstream needs the keys that presets fill in. */
function filledByPresets(properties: Readonly<Record<string, Schema>>): object[] {
  const needed = Object.entries(properties).flatMap(([name, { properties: inner = {} }]) =>
    Object.keys(inner)
      .filter((key) => inner[key]!.inPresets)
      .map((key) => [name, { type: 'object', ...oneOf([key, `${key}_file`]) }]),
  )
  return needed.length === 0 ? [] : [{ anyOf: [{ required: ['preset'] }, { properties: Object.fromEntries(needed) }] }]
}

function fileOf(name: string): Schema {
  const description = `instead of ${name}: a file that holds it; relative to the directory of the configuration file`
  return { type: 'string', minLength: 1, description }
}

/** A value may be given as `${NAME}`, a number and a boolean as text. The pattern applies to that text only. */
function withVariable(schema: Schema): Schema {
  const { secret: _, inPresets: __, enum: values, type, pattern, ...rest } = schema
  // A limit: a number, or a text of any form.
  if (Array.isArray(type)) return { ...rest, type }
  if (values) {
    const texts = { type: 'string', pattern: switchOf(values) ? `${WORDS}|${VARIABLE}` : VARIABLE }
    return { ...rest, anyOf: [{ enum: switchOf(values) ? [...values, true, false] : values }, texts] }
  }
  if (pattern !== undefined) return { ...rest, type: 'string', pattern: `${pattern}|${VARIABLE}` }
  const text = type === 'boolean' ? WORDS : NUMBER.source
  return { ...rest, type: [type as string, 'string'], pattern: `${text}|${VARIABLE}` }
}
