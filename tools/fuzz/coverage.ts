// Which branches of a file were taken, as V8 counts them.

import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { parseSync } from 'oxc-parser'

/** A branch of a file: where it begins, or what has to have run more often than it for the branch to have been taken. */
type Branch = { at: number } | { at: number; butNot: number }

export interface Covered {
  /** Relative to the project. */
  file: string
  taken: number
  branches: number
  /** Lines of those that were not taken. */
  missed: number[]
}

export interface Coverage {
  of(files: readonly FilePart[]): Promise<Covered[]>
}

/** A file, or some functions of it. */
export interface FilePart {
  file: string
  functions?: readonly string[]
}

/** To be started before the files are loaded. */
export async function startCoverage(root: URL): Promise<Coverage> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    async of(files) {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const byUrl = new Map(result.map((script) => [script.url, script]))
      return files.map(({ file, functions }) => {
        const url = new URL(file, root)
        const script = byUrl.get(url.href)
        if (!script) throw new Error(`${file} was never loaded`)
        return covered(file, readFileSync(url, 'utf8'), script, functions)
      })
    },
  }
}

function covered(file: string, text: string, script: Profiler.ScriptCoverage, functions?: readonly string[]): Covered {
  // The smallest first, so that the first one around a place is the innermost.
  const ranges = script.functions
    .flatMap((one) => one.ranges)
    .toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))
  const countAt = (at: number) =>
    ranges.find(({ startOffset, endOffset }) => startOffset <= at && at < endOffset)?.count ?? 0
  const isTaken = (branch: Branch) =>
    'butNot' in branch ? countAt(branch.at) > countAt(branch.butNot) : countAt(branch.at) > 0
  const branches = branchesIn(file, text, functions)
  const missed = branches.filter((branch) => !isTaken(branch))
  const lineOf = ({ at }: Branch) => text.slice(0, at).split('\n').length
  return { file, branches: branches.length, taken: branches.length - missed.length, missed: missed.map(lineOf) }
}

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

/** Functions, both ways of each condition, the right side of each `&&`, `||` and `??`, cases, bodies of loops and catches. */
function branchesIn(file: string, text: string, functions?: readonly string[]): Branch[] {
  const found: Branch[] = []
  const walk = (value: unknown, isWanted: boolean): void => {
    if (Array.isArray(value)) return value.forEach((item) => walk(item, isWanted))
    if (typeof value !== 'object' || value === null || typeof (value as Node).type !== 'string') return
    const node = value as Node
    const wanted = isWanted || isNamed(node, functions)
    if (wanted) found.push(...branchesOf(node))
    for (const member of Object.values(node)) walk(member, wanted)
  }
  walk(parseSync(file, text).program, functions === undefined)
  return found
}

function isNamed(node: Node, functions: readonly string[] | undefined): boolean {
  const { name } = Object(node['id']) as { name?: unknown }
  return node.type === 'FunctionDeclaration' && typeof name === 'string' && functions?.includes(name) === true
}

function branchesOf(node: Node): Branch[] {
  const part = (key: string) => node[key] as Node | null
  const inside = (body: Node) => ({ at: body.type === 'BlockStatement' ? body.start + 1 : body.start })
  switch (node.type) {
    case 'IfStatement': {
      const consequent = part('consequent')!
      const alternate = part('alternate')
      return [inside(consequent), alternate ? inside(alternate) : { at: node.start, butNot: inside(consequent).at }]
    }
    case 'ConditionalExpression':
      return [{ at: part('consequent')!.start }, { at: part('alternate')!.start }]
    case 'LogicalExpression':
      return [{ at: part('right')!.start }, { at: part('left')!.start, butNot: part('right')!.start }]
    case 'SwitchCase': {
      const [first] = node['consequent'] as Node[]
      return first ? [{ at: first.start }] : []
    }
    case 'CatchClause':
    case 'ForStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const body = part('body')
      return body ? [inside(body)] : []
    }
    default:
      return []
  }
}
