// config.schema.json, by which editors complete and check a configuration while it is written: it has to know what the
// loader knows, and must never refuse what the loader takes.

import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { collectors } from '../../src/collectors/index.ts'
import { loadConfig } from '../../src/config/load.ts'
import { configSchema } from '../../src/config/schema.ts'
import { BaseError } from '../../src/errors.ts'
import { editorSchema } from '../../tools/config-schema.ts'
import { keyPaths, plainCollectors, withValue } from '../support/schema-keys.ts'

interface Schema {
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  description?: string
  default?: unknown
}

const root = new URL('../../', import.meta.url)
const example = readFileSync(new URL('config.example.yaml', root), 'utf8')
const committed = JSON.parse(readFileSync(new URL('config.schema.json', root), 'utf8')) as Schema
const ajv = new Ajv({ strictTypes: true, allowUnionTypes: true })
const isValid = ajv.compile(committed)

/** Of every key its path, its schema and the path's text. */
function keysIn(schema: Schema, at: readonly (string | 0)[] = []): [string, Schema][] {
  if (schema.items) return keysIn(schema.items, [...at, 0])
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    [[...at, key].join('.'), inner] as [string, Schema],
    ...keysIn(inner, [...at, key]),
  ])
}

test('config.example.yaml names it and keeps to it', () => {
  expect(example.split('\n')[0]).toBe('# yaml-language-server: $schema=./config.schema.json')
  isValid(parse(example))
  expect(isValid.errors).toBeNull()
})

describe('every key', () => {
  const keys = keysIn(committed)

  test('that the loader knows is there, and no other', () => {
    const known = keyPaths(configSchema(collectors.map(({ name }) => name))).map((path) => path.join('.'))
    expect(keys.map(([path]) => path).toSorted()).toEqual(known.toSorted())
  })

  test('is explained', () => {
    expect(keys.filter(([, { description }]) => !description?.trim())).toEqual([])
  })

  test('has the default that config.example.yaml documents', () => {
    const lines = example.split('\n')
    const isDocumented = (path: string, value: unknown) => {
      const key = path.split('.').at(-1)!
      return lines.some((line) => line.trimStart().startsWith(`${key}: `) && line.includes(`: ${String(value)}`))
    }
    const defaults = keys.filter(([path, schema]) => !path.startsWith('collectors.') && schema.default !== undefined)
    expect(defaults.length).toBeGreaterThanOrEqual(10)
    expect(defaults.filter(([path, schema]) => !isDocumented(path, schema.default)).map(([path]) => path)).toEqual([])
  })
})

describe('the loader and an editor', () => {
  const isPlainValid = ajv.compile(editorSchema(plainCollectors.map((name) => ({ name, about: 'It.', every: '1m' }))))
  const paths = keyPaths(configSchema(plainCollectors))

  /** A JSON Schema does not look elsewhere and cannot count seconds. */
  const beyond =
    /: expected (primary or the name of a subnet|the name of a validator|the name of an entry of networks|a duration of at least 1s|.* in PEM form.*; check what the file .* holds)/

  /** It cannot compare a number in quotes. */
  const beyondInQuotes = /: expected (a (whole )?number|at most 1000 intervals)/

  function isWellFormed(config: object, isInQuotes: boolean): boolean {
    const readFile = () => 'http://10.0.0.5:9650'
    try {
      loadConfig(JSON.stringify(config), { file: 'config.yaml', env: {}, readFile, collectors: plainCollectors })
      return true
    } catch (error) {
      if (error instanceof BaseError) {
        return error.message.split('\n').every((line) => beyond.test(line) || (isInQuotes && beyondInQuotes.test(line)))
      }
      throw error
    }
  }

  test.each(paths.map((path) => [path.join('.'), path] as const))('agree on %s', (_, path) => {
    const values = [null, '', ' ', 'text', -1, 0, 0.5, 1, 50, 1e21, true, [], [[]], {}, { x: 1 }, '5', '5ms', '5m']
    const configs = values.map((value) => withValue(path, value))
    const taken = values.filter((_, at) => isPlainValid(configs[at]))
    expect(taken).toEqual(values.filter((value, at) => isWellFormed(configs[at]!, value === '5')))
    expect(taken.length).toBeLessThan(values.length / 2)
  })

  test('know that a variable may stand in the place of any text, number or boolean', () => {
    const shown = paths.map((path) => path.join('.'))
    const refused = shown.filter((_, at) => !isPlainValid(withValue(paths[at]!, '${NAME}')))
    const parts = shown.filter((path) => shown.some((other) => other.startsWith(`${path}.`)))
    const lists = [
      'networks.0.validators.0.expect.reward_addresses',
      'networks.0.validators.0.expect.remaining_balance_owner',
      'networks.0.addresses.0.addresses',
      'networks.0.addresses.0.chains',
      'networks.0.addresses.0.tokens',
      'limits',
      'alerts',
      ...['validators', 'nodes', 'chains', 'subnets', 'wallets'].map((list) => `networks.0.maintenance.0.${list}`),
    ]
    expect(new Set(refused)).toEqual(new Set([...parts, ...lists]))
  })
})

describe('of the broken files an editor refuses those that it can judge', () => {
  const folder = new URL('broken/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))

  /** What only the loader can know. */
  const beyond = new Set([
    // What another part of the file says.
    'entries-twice.yaml',
    'evm-chains-clash.yaml',
    'misplaced-expectations.yaml',
    'name-is-an-id.yaml',
    'names-twice.yaml',
    'other-network.yaml',
    'reserved.yaml',
    'unobservable-outflow.yaml',
    'validators-twice.yaml',
    'wallet-kinds.yaml',
    'wallets-twice.yaml',
    'without-source.yaml',
    // What the environment and other files hold.
    'environment-name-long.yaml',
    'environment-not-set.yaml',
    'environment-value.yaml',
    'unreadable-files.yaml',
  ])

  function isTaken(yaml: string): boolean {
    const document = parseDocument(yaml)
    return document.errors.length === 0 && isValid(document.toJS())
  }

  // An alias without its anchor is refused by whatever reads YAML, here with an error of its own.
  test.each(files.filter((file) => file !== 'aliases.yaml'))('%s', (file) => {
    expect(isTaken(readFileSync(new URL(file, folder), 'utf8'))).toBe(beyond.has(file))
  })
})
