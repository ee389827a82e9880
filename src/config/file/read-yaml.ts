// YAML nodes to plain values, each with its place in the file.

import {
  type Alias,
  type Document,
  type Node,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type YAMLMap,
  type YAMLSeq,
  visit,
} from 'yaml'
import type { z } from 'zod'
import { suggestionFor } from '../../lib/suggestion.ts'
import { itemOf, keysOf } from './keys.ts'
import { joined, kindOf, kindOfText, LONGEST_KEY, type Place, type Problem, shown, startOf } from './places.ts'
import { expanded, keyIn, NO_FILE, whyUnreadable } from './substitutes.ts'
import { emptyOf, typed } from './typed.ts'

export const NO_TAGS = 'tags have no meaning here: remove the !..., or put a text that begins with ! in quotes'

interface Sources {
  env: Readonly<Record<string, string | undefined>>
  readFile: (path: string) => string
  lineOf: (offset: number) => number
  /** Called for each map and list with its offset. */
  reading: (offset: number) => void
}

interface Reading {
  /** Undefined for a value that could not be resolved; a problem explains why. */
  value: unknown
  /** By path, as `showPath` writes it. */
  places: ReadonlyMap<string, Place>
  problems: readonly Problem[]
  /** False when the file is too large; then that is the only problem. */
  isComplete: boolean
}

/** A hundred thousand validators need fewer. */
const MOST_VALUES = 1_000_000
/** Of those, the values that aliases repeat: a few lines can expand to millions. */
const MOST_REPEATED = MOST_VALUES / 2
/** The deepest nesting; the deepest key of the schema has eight levels. */
const DEEPEST = 20

interface Walk {
  document: Document
  /** The node that each alias refers to, from the first alias on: most files have none. */
  targets: ReadonlyMap<Alias, Node> | undefined
  sources: Sources
  places: Map<string, Place>
  problems: Problem[]
  /** The enclosing maps and lists: an alias to one of them would recurse forever. */
  within: Set<unknown>
  values: number
  /** Aliases around the value, and the values inside of any. */
  aliases: number
  repeated: number
  tooMuch: Problem | undefined
}

interface Spot {
  /** As `showPath` writes it. */
  path: string
  /** Maps and lists around it. */
  depth: number
  written: string
  /** The place to report when the value has none. */
  offset: number
  schema: z.ZodType | undefined
}

export function readDocument(document: Document, schema: z.ZodType, sources: Sources): Reading {
  const walk: Walk = {
    document,
    targets: undefined,
    sources,
    places: new Map(),
    problems: [],
    within: new Set(),
    values: 0,
    aliases: 0,
    repeated: 0,
    tooMuch: undefined,
  }
  const value = read(walk, document.contents, { path: '', depth: 0, written: '', offset: 0, schema })
  const { places, problems, tooMuch } = walk
  return { value, places, problems: tooMuch ? [tooMuch] : problems, isComplete: tooMuch === undefined }
}

/** An alias refers to the last preceding node with its anchor. */
function targetsIn(document: Document): Map<Alias, Node> {
  const anchored = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node)
        return
      }
      const target = anchored.get(node.source)
      if (target) targets.set(node, target)
    },
  })
  return targets
}

function read(walk: Walk, node: unknown, spot: Spot): unknown {
  if (isTooMuch(walk, spot)) return undefined
  if (isAlias(node)) return readAlias(walk, node, spot)
  const place: Place = {
    offset: startOf(node) ?? spot.offset,
    written: spot.written,
    found: kindOf(node),
    from: 'configuration',
  }
  walk.places.set(spot.path, place)
  const tag = isNode(node) && 'tag' in node ? node.tag : undefined
  if (tag !== undefined && !plainTags.has(tag)) {
    return refuse(walk, place, NO_TAGS)
  }
  if (isCollection(node)) {
    walk.sources.reading(place.offset)
    return readCollection(walk, node, { ...spot, offset: place.offset })
  }
  const value = isScalar(node) ? node.value : null
  if (typeof value !== 'string') return typed(value, spot.schema)
  return typed(expand(walk, value, place), spot.schema)
}

/** Adds a problem at this place; its value stays undefined. */
function refuse(
  { problems }: Walk,
  { offset, written }: Pick<Place, 'offset' | 'written'>,
  message: string,
): undefined {
  problems.push({ offset, path: written, message })
}

function isTooMuch(walk: Walk, { depth, written, offset }: Spot): boolean {
  walk.values += 1
  if (walk.aliases > 0) walk.repeated += 1
  if (walk.tooMuch) return true
  const stop = (message: string) => (walk.tooMuch = { offset, path: written, message })
  if (walk.values > MOST_VALUES) stop(`more than ${MOST_VALUES} values: split the file, one daemon for each`)
  else if (walk.repeated > MOST_REPEATED) stop(`aliases repeat more than ${MOST_REPEATED} values: repeat less`)
  else if (depth > DEEPEST) stop(`more than ${DEEPEST} maps and lists inside each other: nothing here is so deep`)
  return walk.tooMuch !== undefined
}

/** Tags without an effect. */
const plainTags = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
)

function readCollection(walk: Walk, node: YAMLMap | YAMLSeq, spot: Spot): unknown {
  const empty = node.items.length === 0 ? emptyOf(spot.schema) : undefined
  if (empty) return empty
  walk.within.add(node)
  const value = isMap(node) ? readMap(walk, node, spot) : readList(walk, node, spot)
  walk.within.delete(node)
  return value
}

function readList(walk: Walk, { items }: YAMLSeq, { path, depth, written, offset, schema }: Spot): unknown[] {
  const inner = { depth: depth + 1, offset, schema: schema && itemOf(schema) }
  return items.map((item, at) => read(walk, item, { ...inner, path: joined(path, at), written: joined(written, at) }))
}

function readMap(walk: Walk, map: YAMLMap, spot: Spot): Record<string, unknown> {
  const keys = spot.schema && keysOf(spot.schema)
  const given = new Map<string, { key: string; offset: number }>()
  const values: [string, unknown][] = []
  for (const { key: keyNode, value } of map.items) {
    const key = isScalar(keyNode) ? String(keyNode.source ?? keyNode.value) : '?'
    const offset = startOf(keyNode) ?? spot.offset
    const written = joined(spot.written, shown(key))
    const known = keys ? keys.get(key) : { name: key, schema: undefined, file: false }
    if (!known || !isScalar(keyNode) || key === '__proto__') {
      refuse(walk, { offset, written }, wrongKey(keyNode, key, [...(keys?.keys() ?? [])]))
      continue
    }
    const before = given.get(known.name)
    if (before) {
      const which = before.key === key ? 'is already' : `${before.key} is given as well,`
      const line = walk.sources.lineOf(before.offset)
      refuse(walk, { offset, written }, `${which} on line ${line}: keep one of the two`)
      continue
    }
    given.set(known.name, { key, offset })
    if (isNull(value) && emptyOf(known.schema)) {
      if (map.has('preset') && known.schema?.meta()?.['inPresets']) refuse(walk, { offset, written }, NULL_OR_PRESET)
      continue
    }
    const path = joined(spot.path, known.name)
    const inner = { path, depth: spot.depth + 1, written, offset, schema: known.schema }
    values.push([known.name, known.file ? readNamedFile(walk, value, inner) : read(walk, value, inner)])
  }
  // Not by assignment: a key may be called __proto__.
  return Object.fromEntries(values)
}

/** Written as such: a key with nothing behind it looks like the end of a file that was cut off. */
function isNull(node: unknown): boolean {
  return isScalar(node) && node.value === null && startOf(node) !== undefined
}

const NULL_OR_PRESET = 'null may mean none or those of the preset: write [], or remove the key'

function wrongKey(node: unknown, key: string, known: readonly string[]): string {
  if (!isScalar(node)) return 'expected a text as a key'
  // In maps with free keys: libraries silently drop this one.
  if (known.length === 0) return 'cannot be a key: remove it'
  if (key === '<<') return 'merging has no meaning here: repeat the keys, or use an alias for the whole map'
  if (key.includes(':')) return 'expected a space after the colon'
  const meant = key.length > LONGEST_KEY ? undefined : suggestionFor(key, known)
  return `unknown key; ${meant ? `did you mean ${meant}?` : `known here: ${known.join(', ')}`}`
}

/** The text of the file that a `*_file` key names. */
function readNamedFile(walk: Walk, node: unknown, spot: Spot): string | undefined {
  const name = read(walk, node, { ...spot, schema: undefined })
  if (name === undefined) return undefined
  const place = walk.places.get(spot.path)!
  const fail = (message: string) => refuse(walk, { offset: place.offset, written: spot.written }, message)
  if (place.found === 'nothing') return fail('is empty: expected the path of a file')
  if (typeof name !== 'string') return fail(`expected the path of a file; this is ${place.found}`)
  try {
    const text = keyIn(walk.sources.readFile(name))
    const by = place.from === 'configuration' ? name.replace(/\p{C}/gu, '?') : `named by ${place.by}`
    Object.assign(place, { found: kindOfText(text), from: 'file', by } satisfies Partial<Place>)
    return text
  } catch (thrown) {
    const why = whyUnreadable(thrown)
    const hint = why === NO_FILE ? ' (a relative path starts at the directory of the configuration file)' : ''
    return fail(`the file cannot be read: ${why}${hint}`)
  }
}

/** Undefined where a variable is wrong. */
function expand(walk: Walk, text: string, place: Place): string | undefined {
  if (!text.includes('${')) return text
  const { value, variables, wrong } = expanded(text, walk.sources.env)
  if (variables.length > 0) Object.assign(place, { from: 'environment variable', by: variables.join(', ') })
  for (const why of wrong) refuse(walk, place, why)
  if (wrong.length > 0) return undefined
  place.found = kindOfText(value)
  return value
}

function readAlias(walk: Walk, alias: Alias, spot: Spot): unknown {
  walk.targets ??= targetsIn(walk.document)
  const target = walk.targets.get(alias)
  if (target === undefined || walk.within.has(target)) {
    const what = target === undefined ? 'there is no anchor of this name above' : 'it would contain itself'
    const place = { offset: startOf(alias) ?? spot.offset, written: spot.written }
    walk.places.set(spot.path, { ...place, found: 'nothing', from: 'configuration' })
    return refuse(walk, place, `this alias cannot be used: ${what}`)
  }
  walk.aliases += 1
  const value = read(walk, target, spot)
  walk.aliases -= 1
  return value
}
