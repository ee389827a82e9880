// Changes one thing after another in the definitions of the operations (a parameter's rule, a path, a name) and reports
// the changes that no table of cases in test/operations/cases notices. Prints the survivors; ends with 1 if there are any.

import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parseSync } from 'oxc-parser'
import type { Operation } from '../src/operations/define.ts'
import { allCases, type Cases, failures } from '../test/operations/cases.ts'

export interface Mutant {
  /** In words: `list-utxos.ts:12 max(100) -> max(101)`. */
  what: string
  /** The text of the file with the change. */
  text: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Every change of a file, one at a time. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const found: Mutant[] = []
  function put({ start, end }: Node, replacement: string): void {
    const line = text.slice(0, start).split('\n').length
    const was = text.slice(start, end).replace(/\s+/g, ' ')
    found.push({
      what: `${path}:${line} ${was.slice(0, 60)} -> ${replacement.slice(0, 60)}`,
      text: text.slice(0, start) + replacement + text.slice(end),
    })
  }
  walk(parseSync(path, text).program as unknown as Node, (node, parents) => mutate(node, parents, text, put))
  return found
}

/** Calls whose arguments are words for people. */
const words = new Set(['describe'])
/** Rules that can be left out: `x.rule(...)` becomes `x`. */
const rules = new Set([
  'optional',
  'default',
  'min',
  'max',
  'gt',
  'lt',
  'regex',
  'refine',
  'pipe',
  'nullable',
  'nonnegative',
])
/** Members of a definition that say what is asked; the others are about it. */
const about = new Set(['source', 'service', 'effect', 'cost', 'message', 'error', 'abort', 'offset'])

function mutate(node: Node, parents: readonly Node[], text: string, put: (node: Node, by: string) => void): void {
  const isOf = (one: Node) => text.slice(one.start, one.end)
  const [parent] = parents
  if (
    parents.some(
      (one) => nameOf(one) !== undefined && words.has(nameOf(one)!) && within(node, one['arguments'] as Node[]),
    )
  )
    return
  if (node.type === 'ImportDeclaration' || parents.some(({ type }) => type === 'ImportDeclaration')) return
  if (node.type === 'Property') {
    const key = node['key'] as Node
    const value = node['value'] as Node
    const name = isOf(key)
    if (about.has(name) || isPattern(parents)) return
    // A path is changed as a text.
    if (
      ['via', 'params', 'answer', 'rpc', 'get', 'post', 'body', 'items', 'integers', 'path', 'name'].includes(name) &&
      isDefinition(parents)
    ) {
      if (name === 'integers') put(node, `integers: undefined`)
      return
    }
    put(node, node['shorthand'] === true ? `${name}X: ${isOf(value)}` : `${name}X: ${isOf(value)}`)
  }
  if (node.type === 'CallExpression') {
    const name = nameOf(node)
    const args = node['arguments'] as Node[]
    const callee = node['callee'] as Node
    if (callee.type === 'MemberExpression' && name !== undefined && rules.has(name))
      put(node, isOf(callee['object'] as Node))
    if (callee.type === 'Identifier' && name === 'optional') put(node, isOf(args[0]!))
  }
  if (node.type === 'Literal') {
    if (isAbout(node, parents, text)) return
    if (typeof node['value'] === 'number' && parent?.type !== 'MemberExpression') {
      put(node, String(node['value'] + 1))
      put(node, `(${node['value'] - 1})`)
    }
    if (typeof node['value'] === 'bigint') put(node, `${node['value'] + 1n}n`)
    if (typeof node['value'] === 'string') put(node, JSON.stringify(`${node['value']}X`))
    if (node['regex'] !== undefined) put(node, '/(?:)/')
  }
  if (node.type === 'ArrayExpression') {
    const elements = node['elements'] as Node[]
    if (elements.length > 1) {
      for (const one of elements) {
        put(
          node,
          `[${elements
            .filter((other) => other !== one)
            .map(isOf)
            .join(', ')}]`,
        )
      }
    }
  }
  if (node.type === 'SpreadElement' && parent?.type === 'ObjectExpression') put(node, '')
  if (node.type === 'LogicalExpression') {
    put(node, isOf(node['left'] as Node))
    put(node, isOf(node['right'] as Node))
  }
  if (node.type === 'BinaryExpression' && ['<=', '<', '>=', '>', '===', '!=='].includes(String(node['operator']))) {
    put(node, 'true')
    put(node, 'false')
  }
}

function nameOf(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const callee = node['callee'] as Node & { name?: string; property?: { name: string } }
  return callee.type === 'Identifier' ? callee.name : callee.property?.name
}

function within(node: Node, args: readonly Node[]): boolean {
  return args.some(({ start, end }) => start <= node.start && node.end <= end)
}

/** A member of the definition itself, not of what it takes or gives. */
function isDefinition(parents: readonly Node[]): boolean {
  const calls = parents.filter(({ type }) => type === 'CallExpression')
  return nameOf(calls[0] ?? { type: '', start: 0, end: 0 }) !== 'object'
}

/** A parameter of a function, or a member of its body: no field. */
function isPattern(parents: readonly Node[]): boolean {
  return parents.some(({ type }) => type === 'ObjectPattern')
}

/** Words for people: messages of rules. */
function isAbout(node: Node, parents: readonly Node[], text: string): boolean {
  const [parent, grand] = parents
  if (parent?.type === 'Property') {
    if (parent['key'] === node) return true
    return about.has(text.slice((parent['key'] as Node).start, (parent['key'] as Node).end))
  }
  if (
    parent?.type === 'VariableDeclarator' &&
    /^[A-Z_]+$/.test(text.slice((parent['id'] as Node).start, (parent['id'] as Node).end))
  ) {
    return typeof node['value'] === 'string' && !String(node['value']).startsWith('/')
  }
  if (parent?.type === 'CallExpression' && rules.has(nameOf(parent) ?? '') && typeof node['value'] === 'string') {
    return nameOf(parent) !== 'default'
  }
  if (parent?.type === 'CallExpression' && typeof node['value'] === 'string') {
    return ['enum', 'int', 'number', 'string'].includes(nameOf(parent) ?? '')
  }
  return parent?.type === 'ArrayExpression' && grand?.type === 'Property' && text.slice(grand.start).startsWith('path:')
}

function walk(
  node: unknown,
  visit: (node: Node, parents: readonly Node[]) => void,
  parents: readonly Node[] = [],
): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit, parents)
  else if (typeof node === 'object' && node !== null && 'type' in node) {
    visit(node as Node, parents)
    for (const [key, child] of Object.entries(node)) {
      // Types are gone at run time; a shorthand's value is its key.
      if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters') continue
      walk(child, visit, [node as Node, ...parents])
    }
  }
}

const root = new URL('../src/operations/', import.meta.url)

/** Files with definitions, or with parts of them. */
function files(): string[] {
  const inFolder = (folder: string) => readdirSync(new URL(folder, root)).map((file) => `${folder}${file}`)
  return ['fields.ts', ...['data/', 'node/', 'metrics/'].flatMap(inFolder)]
}

/** Loads definitions anew for each mutant, with the changed text of one file. */
function createLoader() {
  let current = { url: '', text: '', generation: 0 }
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      if (current.generation === 0 || !resolved.url.startsWith(root.href)) return resolved
      return { ...resolved, url: `${resolved.url.split('?')[0]}?mutant=${current.generation}` }
    },
    load(url, context, next) {
      if (url.split('?')[0] !== current.url) return next(url, context)
      return { format: 'module-typescript', source: current.text, shortCircuit: true }
    },
  })
  return async (file: string, text: string, wanted: readonly string[]): Promise<Operation[]> => {
    current = { url: new URL(file, root).href, text, generation: current.generation + 1 }
    const modules = await Promise.all(wanted.map((one) => import(new URL(one, root).href) as Promise<object>))
    return modules.map((module) => Object.values(module).find((one) => Object(one).via !== undefined) as Operation)
  }
}

/** Files that depend on each file, itself included. */
function dependants(all: readonly string[]): Map<string, string[]> {
  const imports = new Map(
    all.map((file) => {
      const text = readFileSync(new URL(file, root), 'utf8')
      const found = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => new URL(path!, new URL(file, root)).href)
      return [file, found]
    }),
  )
  const uses = (file: string, wanted: string, seen = new Set<string>()): boolean => {
    if (file === wanted) return true
    if (seen.has(file)) return false
    seen.add(file)
    return all.some((one) => imports.get(file)!.includes(new URL(one, root).href) && uses(one, wanted, seen))
  }
  return new Map(all.map((file) => [file, all.filter((one) => uses(one, file))]))
}

async function survivors(share: number, of: number): Promise<{ tried: number; survived: string[] }> {
  const cases = new Map<string, Cases>((await allCases()).map((one) => [one.operation, one]))
  const load = createLoader()
  const all = files()
  const users = dependants(all)
  const nameIn = (file: string) => file.replace(/^.*\//, '').replace(/\.ts$/, '')
  const survived: string[] = []
  let tried = 0
  for (const file of all) {
    const wanted = users.get(file)!.filter((one) => cases.has(nameIn(one)))
    const mutants = mutantsOf(file, readFileSync(new URL(file, root), 'utf8'))
    for (const [at, { what, text }] of mutants.entries()) {
      if (at % of !== share) continue
      tried += 1
      try {
        const operations = await load(file, text, wanted)
        if (wanted.every((one, at) => failures(operations[at]!, cases.get(nameIn(one))!).length === 0))
          survived.push(what)
      } catch {
        // A definition that cannot be loaded is noticed by every test.
      }
    }
  }
  return { tried, survived }
}

/** Every mutant that no case notices, found on all cores. */
export async function findSurvivors(): Promise<{ tried: number; survived: string[] }> {
  const of = availableParallelism()
  const parts = await Promise.all(
    Array.from(
      { length: of },
      (_, share) =>
        new Promise<{ tried: number; survived: string[] }>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: { share, of } })
          worker.on('message', resolve)
          worker.on('error', reject)
        }),
    ),
  )
  return {
    tried: parts.reduce((sum, { tried }) => sum + tried, 0),
    survived: parts.flatMap(({ survived }) => survived),
  }
}

if (!isMainThread) {
  const { share, of } = workerData as { share: number; of: number }
  parentPort!.postMessage(await survivors(share, of))
} else if (import.meta.main) {
  const { tried, survived } = await findSurvivors()
  for (const one of survived.toSorted()) console.log(`survived: ${one}`)
  console.log(`${tried} mutants, ${survived.length} survived`)
  if (survived.length > 0) process.exitCode = 1
}
