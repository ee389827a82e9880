// The architecture of src as one table, and the check that a set of files keeps to it. Paths are relative to src.

import { posix } from 'node:path'
import { type Directive, parseSync, type Statement } from 'oxc-parser'
import { roomNames, shared } from './rooms.ts'

/** A path ending in a slash means all files below it; '' means every file. */
type Paths = readonly string[]

interface Rules {
  /** Which of our files a layer may import, besides its own. */
  layers: Readonly<Record<string, { sees: Paths; types?: Paths }>>
  /** Who may import a library, or a module of Node's that does I/O or uses time. */
  libraries: Readonly<Record<string, Paths>>
  /** Who may use a global. */
  globals: Readonly<Record<string, Paths>>
  /** Who may load a file of ours only when it is needed. The rules of layers hold for it as well. */
  lazily: Paths
}

const BASE = ['lib/', 'errors.ts']
/** What a collector may import, besides what is in its own room. */
const COLLECTING = [...BASE, 'operations/', 'judgements/', 'metrics/define.ts', 'collectors/define.ts']
const SHARED = Object.keys(shared).map((folder) => `collectors/${folder}/`)
const NOBODY: Paths = []
const TIMERS = [
  'process/system-clock.ts',
  'main.ts',
  'daemon/serving.ts',
  'upstream/',
  'server/',
  'simulator/control/faults.ts',
]
const POLLING = [
  ...BASE,
  'logger.ts',
  'operations/',
  'upstream/',
  'config/',
  'metrics/',
  'judgements/',
  'collectors/',
  'scheduler/',
  'budget/',
  'storage/',
]

const rules: Rules = {
  layers: {
    'lib/': { sees: [] },
    'errors.ts': { sees: ['lib/'] },
    'logger.ts': { sees: ['lib/'] },
    'operations/': { sees: BASE },
    'upstream/': { sees: [...BASE, 'operations/'] },
    'config/': { sees: BASE },
    // Generated from the definitions of the collectors, so that nobody has to load these to know them.
    'metrics/': { sees: [...BASE, '../catalogue.json'] },
    'judgements/': { sees: BASE },
    ...Object.fromEntries(SHARED.map((folder) => [folder, { sees: [...COLLECTING, ...SHARED], types: ['config/'] }])),
    ...Object.fromEntries(
      roomNames.map((room) => [`collectors/${room}/`, { sees: [...COLLECTING, ...SHARED], types: ['config/'] }]),
    ),
    'promql/': { sees: BASE },
    'firing/': { sees: [...BASE, 'alerts/', 'promql/'], types: ['metrics/'] },
    'alerts/': { sees: ['metrics/labels.ts'] },
    'collectors/define.ts': { sees: COLLECTING, types: ['config/'] },
    'collectors/index.ts': { sees: ['collectors/'] },
    'scheduler/': {
      sees: [...BASE, 'collectors/', 'upstream/', 'metrics/', 'operations/'],
      types: ['config/', 'logger.ts'],
    },
    'budget/': {
      sees: [...BASE, 'metrics/', 'upstream/'],
      types: ['config/', 'logger.ts', 'scheduler/'],
    },
    'status/': {
      sees: [
        ...BASE,
        'alerts/thresholds.ts',
        'alerts/rules.ts',
        'collectors/index.ts',
        'config/presets.ts',
        'config/file/shown.ts',
        'metrics/read-exposition.ts',
        'scheduler/plan.ts',
        'scheduler/shard.ts',
      ],
      types: ['config/', 'firing/', 'metrics/', 'server/pages.ts', 'upstream/source.ts'],
    },
    'server/': { sees: BASE, types: ['config/', 'metrics/'] },
    'simulator/': { sees: [...BASE, 'operations/'] },
    'storage/': { sees: [...BASE, 'metrics/'], types: ['logger.ts'] },
    'process/system-clock.ts': { sees: ['lib/'] },
    'daemon/poller.ts': { sees: POLLING },
    'daemon/worker.ts': { sees: [...POLLING, 'daemon/poller.ts'], types: ['daemon/messages.ts'] },
    'daemon/worker-entry.ts': { sees: ['process/system-clock.ts', 'daemon/worker.ts'] },
    'daemon/serving.ts': {
      sees: [
        ...BASE,
        'firing/',
        'metrics/',
        'daemon/readiness.ts',
        'scheduler/known.ts',
        'server/',
        'status/',
        'storage/storage-metrics.ts',
      ],
      types: ['config/', 'logger.ts'],
    },
    'daemon/readiness.ts': { sees: ['lib/'], types: ['metrics/', 'server/'] },
    'daemon/messages.ts': { sees: [], types: ['config/', 'lib/', 'metrics/', 'logger.ts', 'daemon/poller.ts'] },
    'daemon/start-worker.ts': { sees: [] },
    'daemon/reload.ts': { sees: BASE, types: ['config/', 'logger.ts', 'daemon/poller.ts'] },
    'daemon/single-thread.ts': {
      sees: ['daemon/poller.ts', 'daemon/reload.ts', 'daemon/serving.ts'],
      types: ['lib/', 'config/', 'logger.ts', 'metrics/', 'scheduler/', 'storage/'],
    },
    'daemon/daemon.ts': {
      sees: [...BASE, 'config/', 'logger.ts', 'daemon/reload.ts', 'daemon/serving.ts', 'daemon/start-worker.ts'],
      types: ['daemon/messages.ts', 'metrics/', 'daemon/poller.ts'],
    },
    'commands/': {
      sees: [
        ...BASE,
        'alerts/groups.ts',
        'alerts/links.ts',
        'alerts/rules.ts',
        'daemon/single-thread.ts',
        'process/system-clock.ts',
        'daemon/daemon.ts',
        'daemon/reload.ts',
        'config/',
        'simulator/',
        'logger.ts',
        'operations/',
        'upstream/',
        'scheduler/plan.ts',
        'budget/cost.ts',
        'scheduler/expected.ts',
        'scheduler/known.ts',
        'scheduler/shard.ts',
        'collectors/index.ts',
        'judgements/upgrades.ts',
        'metrics/',
        'server/',
        'status/page/alert-words.ts',
        'status/value/status-schema.ts',
        'status/page/numbers.ts',
        'storage/storage-metrics.ts',
      ],
    },
    'process/': { sees: [] },
    'main.ts': { sees: ['commands/', 'errors.ts', 'process/', 'daemon/start-worker.ts'], types: ['logger.ts'] },
  },
  libraries: {
    '@lezer/common': ['promql/'],
    '@noble/hashes/sha3.js': ['lib/'],
    '@node-rs/bcrypt': ['server/basic-auth.ts'],
    '@prometheus-io/lezer-promql': ['promql/'],
    '@scure/base': ['lib/'],
    commander: ['commands/', 'main.ts'],
    fastify: ['simulator/'],
    pino: ['logger.ts'],
    'prom-client': ['metrics/process-metrics.ts'],
    undici: ['upstream/http.ts'],
    yaml: ['config/', 'alerts/'],
    zod: [''],
    'node:child_process': NOBODY,
    'node:dgram': NOBODY,
    'node:fs': ['main.ts', 'process/', 'storage/'],
    // The files of the system that names are looked up in.
    'node:fs/promises': ['upstream/names.ts'],
    'node:http': ['server/listener.ts'],
    'node:http2': ['server/listener.ts'],
    'node:https': ['server/listener.ts'],
    'node:module': NOBODY,
    'node:net': ['server/', 'simulator/node/node-server.ts'],
    'node:process': NOBODY,
    'node:readline': ['main.ts'],
    'node:readline/promises': NOBODY,
    'node:sqlite': NOBODY,
    'node:timers': NOBODY,
    'node:timers/promises': TIMERS,
    'node:tls': ['server/listener.ts'],
    'node:worker_threads': ['daemon/start-worker.ts', 'daemon/worker.ts'],
  },
  globals: {
    // self.ts reads process.version: prom-client, which it owns, reports the process anyway. database.ts gets SQLite from it,
    // listener.ts what only TLS needs.
    process: [
      'process/system-clock.ts',
      'main.ts',
      'metrics/process-metrics.ts',
      'server/listener.ts',
      'storage/database.ts',
    ],
    console: NOBODY,
    fetch: NOBODY,
    globalThis: NOBODY,
    // It keeps deadlines of work that is over; see lib/following.ts.
    'AbortSignal.any': NOBODY,
    // Elsewhere the clock and chance are passed in.
    'Date.now': ['process/system-clock.ts', 'commands/', 'logger.ts'],
    'Math.random': ['commands/', 'daemon/worker-entry.ts'],
    performance: ['commands/'],
    setInterval: TIMERS,
    setTimeout: TIMERS,
  },
  // A command that is not called is not loaded; pages that nobody asks for are not, and no gate that is open to everybody.
  lazily: ['commands/program.ts', 'daemon/serving.ts', 'status/pages.ts'],
}

/** Every violation, in words. `files` maps each path to its source text. */
export function violations(files: Readonly<Record<string, string>>): string[] {
  const parsed = Object.entries(files).map(([path, text]) => ({ path, text, ...parse(path, text) }))
  const graph = new Map(parsed.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]))
  return [...parsed.flatMap((file) => [...inForm(file), ...inPlace(file)]), ...cycles(graph)]
}

interface Parsed {
  path: string
  text: string
  /** What stands on the top level and is forbidden everywhere. */
  forbidden: string[]
  imports: Import[]
  /** Names that are used and not bound in this file: `x`, and `x.y` for its members. */
  globals: Set<string>
}

/** `file` for one of ours, `library` for all others. */
interface Import {
  file?: string
  library?: string
  /** Gone at run time; `import { type T }` is not, it still loads the module. */
  isType: boolean
}

function inForm({ path, text, forbidden }: Parsed): string[] {
  const opens = /^(#!.*\n)?\/\/ \S/.test(text) ? [] : [`${path} does not open with a comment on what it is for`]
  return [...opens, ...forbidden.map((what) => `${path} ${what}`)]
}

function inPlace({ path, imports, globals }: Parsed): string[] {
  const layer = Object.keys(rules.layers).find((name) => within(path, [name]))
  if (layer === undefined) return [`${path} belongs to no layer`]
  const { sees, types = [] } = rules.layers[layer]!
  const badImports = imports.flatMap(({ file, library = '', isType }) => {
    if (file === undefined) return ownership(path, library, isType)
    if (within(file, [layer, ...sees]) || (isType && within(file, types))) return []
    return within(file, types) ? `${path} may import ${file} as types only` : `${path} may not import ${file}`
  })
  const badGlobals = Object.entries(rules.globals)
    .filter(([name, owners]) => globals.has(name) && !within(path, owners))
    .map(([name]) => `${path} may not use ${name}`)
  return [...badImports, ...badGlobals]
}

function ownership(path: string, library: string, isType: boolean): string[] {
  const isNodes = library.startsWith('node:')
  const owners = rules.libraries[library]
  // A type of Node's reaches nothing; a type of a library ties us to the library.
  if (isNodes && (isType || owners === undefined)) return []
  if (owners === undefined) return [`${path} may not import ${library}: it has no owner`]
  return within(path, owners) ? [] : [`${path} may not import ${library}`]
}

function within(path: string, paths: Paths): boolean {
  return paths.some((one) => (one === '' || one.endsWith('/') ? path.startsWith(one) : path === one))
}

function parse(path: string, text: string): Omit<Parsed, 'path' | 'text'> {
  const { program, errors } = parseSync(path, text)
  const statements = program.body.map((statement) => read(path, statement))
  const [error] = errors
  const found: Found = { used: new Set(), bound: new Set(), lazy: [] }
  collect(program, found)
  const forbidden = statements.flatMap((statement) => statement.forbidden ?? [])
  if (error) forbidden.push(`does not parse: ${error.message}`)
  if (found.lazy.length > 0 && !within(path, rules.lazily)) forbidden.push('imports at run time')
  if (found.lazy.includes('')) forbidden.push('imports what only the run tells')
  const lazy = found.lazy.filter((source) => source !== '').map((source) => imported(path, source, 'value'))
  return {
    forbidden,
    imports: [...statements.flatMap((statement) => statement.import ?? []), ...lazy],
    globals: new Set([...found.used].filter((name) => !found.bound.has(name.split('.')[0]!))),
  }
}

function imported(path: string, source: string, kind: 'type' | 'value'): Import {
  const isType = kind === 'type'
  return source.startsWith('.')
    ? { file: posix.join(posix.dirname(path), source), isType }
    : { library: source, isType }
}

function read(path: string, statement: Statement | Directive): { import?: Import; forbidden?: string } {
  const from = (source: string, kind: 'type' | 'value') => imported(path, source, kind)
  switch (statement.type) {
    case 'ImportDeclaration':
      return { import: from(statement.source.value, statement.importKind ?? 'value') }
    case 'ExportAllDeclaration':
      return {
        import: from(statement.source.value, statement.exportKind ?? 'value'),
        forbidden: `re-exports all of ${statement.source.value}`,
      }
    case 'ExportDefaultDeclaration':
      return { forbidden: 'has a default export' }
    case 'ExportNamedDeclaration': {
      const isDefault = statement.specifiers.some(({ exported }) => 'name' in exported && exported.name === 'default')
      return {
        ...(statement.source && { import: from(statement.source.value, statement.exportKind ?? 'value') }),
        ...(isDefault && { forbidden: 'has a default export' }),
      }
    }
    default:
      return {}
  }
}

interface Found {
  used: Set<string>
  bound: Set<string>
  /** What import() expressions name; empty where it is not a plain text. */
  lazy: string[]
}

interface Node {
  type: string
  name?: string
  computed?: boolean
  object?: Node
  property?: Node
  source?: { value?: string }
}

/** Names in use and names bound anywhere in the file: scopes are not told apart, so a name that is ours once is ours. */
function collect(value: unknown, found: Found, field = ''): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found, field)
    return
  }
  if (!isNode(value)) return
  if (value.type === 'ImportExpression') found.lazy.push(value.source?.value ?? '')
  if (value.type === 'Identifier') (binds.has(field) ? found.bound : found.used).add(value.name!)
  if (value.type === 'MemberExpression' && !value.computed && value.object?.type === 'Identifier') {
    found.used.add(`${value.object.name}.${value.property?.name}`)
  }
  for (const [key, child] of Object.entries(value)) {
    if (value.computed || !names.has(key)) collect(child, found, key)
  }
}

/** Fields of a node that bind the identifiers in them, and fields that only name a member. */
const binds = new Set(['id', 'params', 'local', 'param'])
const names = new Set(['property', 'key', 'imported', 'exported'])

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Types count: two files that need each other's types are one file, or three. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) found.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`)
    if (done.has(path)) return
    done.add(path)
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}
