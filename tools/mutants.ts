// The changes to a definition of an operation that tests must notice: a name, a path, a rule, a value of a list.

import { parseSync } from 'oxc-parser'

export interface Mutant {
  /** In words: `list-utxos.ts:12 max(100) -> max(101)`. */
  what: string
  /** The text of the file with the change. */
  text: string
}

export interface Node {
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
  walk(parseSync(path, text).program, (node, parents) => mutate(node, parents, text, put))
  return found
}

/** Calls whose arguments are texts for people. */
const textCalls = new Set(['describe'])
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
/** Members of a definition that describe it or do not change what is asked. */
const about = new Set(['source', 'service', 'effect', 'cost', 'message', 'error', 'abort', 'offset'])

function mutate(node: Node, parents: readonly Node[], text: string, put: (node: Node, by: string) => void): void {
  const isOf = (one: Node) => text.slice(one.start, one.end)
  const [parent] = parents
  if (
    parents.some(
      (one) => nameOf(one) !== undefined && textCalls.has(nameOf(one)!) && within(node, one['arguments'] as Node[]),
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

/** Whether the literal is a text for people, such as the message of a rule. */
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
    return typeof node['value'] === 'string' && !node['value'].startsWith('/')
  }
  if (parent?.type === 'CallExpression' && rules.has(nameOf(parent) ?? '') && typeof node['value'] === 'string') {
    return nameOf(parent) !== 'default'
  }
  if (parent?.type === 'CallExpression' && typeof node['value'] === 'string') {
    return ['enum', 'int', 'number', 'string'].includes(nameOf(parent) ?? '')
  }
  return parent?.type === 'ArrayExpression' && grand?.type === 'Property' && text.slice(grand.start).startsWith('path:')
}

export function walk(
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
