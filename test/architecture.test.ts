// The shape of the code base: who imports whom, what a file is called, and that importing does nothing.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { groupsOf } from '../src/alerts/rules.ts'
import { rooms as collectorsByRoom } from '../src/collectors/index.ts'
import { violations } from '../tools/architecture.ts'
import { roomNames, rooms, shared } from '../tools/rooms.ts'

const src = new URL('../src/', import.meta.url)
const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, src), 'utf8')]))

/** A file that opens as every file should. */
const file = (path: string, text: string) => ({ [path]: `// What it is for.\n\n${text}\n` })

describe('who imports whom', () => {
  test('src keeps to the rules', () => {
    expect(paths).toContain('main.ts')
    expect(violations(sources)).toEqual([])
  })

  test.each([
    ['lib/units.ts', '../errors.ts'],
    ['errors.ts', './logger.ts'],
    ['logger.ts', './errors.ts'],
    ['operations/node/info.ts', '../../upstream/client.ts'],
    ['upstream/client.ts', '../metrics/daemon-metrics.ts'],
    ['upstream/client.ts', '../config/schema.ts'],
    ['config/load.ts', '../collectors/index.ts'],
    ['metrics/snapshot.ts', '../operations/define.ts'],
    ['judgements/reward.ts', '../metrics/define.ts'],
    ['collectors/validators/uptime.ts', '../../upstream/client.ts'],
    ['collectors/validators/uptime.ts', '../../scheduler/run.ts'],
    ['collectors/counting/follow.ts', '../../metrics/snapshot.ts'],
    ['collectors/validators/uptime.ts', '../../collectors/chains/evm-blocks.ts'],
    ['collectors/counting/follow.ts', '../../collectors/chains/evm-blocks.ts'],
    ['collectors/define.ts', '../collectors/counting/follow.ts'],
    ['scheduler/run.ts', '../server/server.ts'],
    ['scheduler/run.ts', '../simulator/simulator.ts'],
    ['server/server.ts', '../scheduler/plan.ts'],
    ['simulator/handler.ts', '../collectors/index.ts'],
    ['daemon/single-thread.ts', '../simulator/simulator.ts'],
    ['daemon/single-thread.ts', '../commands/serve/serve.ts'],
    ['commands/check/check.ts', '../../scheduler/run.ts'],
    ['scheduler/run.ts', '../budget/accounts.ts'],
    ['upstream/client.ts', '../budget/account.ts'],
    ['main.ts', './daemon/single-thread.ts'],
    ['daemon/serving.ts', '../daemon/poller.ts'],
    ['daemon/poller.ts', '../daemon/serving.ts'],
    ['server/server.ts', '../scheduler/scheduler.ts'],
    ['lib/units.ts', '../../tools/generate.ts'],
  ])('%s must not import %s', (path, imported) => {
    const target = imported.includes('tools') ? '../tools/generate.ts' : imported.replace(/^(\.\.?\/)+/, '')
    const expected = [`${path} may not import ${target}`]
    expect(violations(file(path, `import { it } from '${imported}'`))).toEqual(expected)
    expect(violations(file(path, `import type { It } from '${imported}'`))).toEqual(expected)
    expect(violations(file(path, `export { it } from '${imported}'`))).toEqual(expected)
  })

  test.each([
    ['collectors/validators/uptime.ts', '../../config/schema.ts'],
    ['scheduler/plan.ts', '../config/schema.ts'],
    ['scheduler/run.ts', '../logger.ts'],
    ['server/server.ts', '../metrics/exposition.ts'],
  ])('%s may import %s for its types alone', (path, imported) => {
    const expected = [`${path} may import ${imported.replace(/^(\.\.?\/)+/, '')} as types only`]
    expect(violations(file(path, `import type { It } from '${imported}'`))).toEqual([])
    expect(violations(file(path, `import { it } from '${imported}'`))).toEqual(expected)
    // Only the names go away at run time, the import stays.
    expect(violations(file(path, `import { type It } from '${imported}'`))).toEqual(expected)
  })

  test.each([
    ["await import('./serve.ts')", []],
    ["await import('../scheduler/run.ts')", ['commands/program.ts may not import scheduler/run.ts']],
    ["await import('undici')", ['commands/program.ts may not import undici']],
    ['await import(name)', ['commands/program.ts imports what only the run tells']],
  ])('a command is loaded when it is called: %s', (text, expected) => {
    expect(violations(file('commands/program.ts', `const it = () => ${text.replace('await ', '')}`))).toEqual(expected)
  })

  test.each([
    ['undici', 'upstream/http.ts', 'upstream/client.ts'],
    ['node:worker_threads', 'daemon/start-worker.ts', 'daemon/poller.ts'],
    ['prom-client', 'metrics/process-metrics.ts', 'metrics/daemon-metrics.ts'],
    ['pino', 'logger.ts', 'daemon/single-thread.ts'],
    ['yaml', 'config/load.ts', 'commands/config.ts'],
    ['fastify', 'simulator/services/rest-server.ts', 'server/pages.ts'],
    ['commander', 'commands/io.ts', 'daemon/single-thread.ts'],
    ['node:fs', 'main.ts', 'config/load.ts'],
    ['node:net', 'server/server.ts', 'upstream/http.ts'],
    ['node:timers/promises', 'upstream/http.ts', 'collectors/validators/uptime.ts'],
  ])('%s belongs to %s and not to %s', (library, owner, other) => {
    const text = `import { it } from '${library}'`
    expect(violations(file(owner, text))).toEqual([])
    expect(violations(file(other, text))).toEqual([`${other} may not import ${library}`])
  })

  test.each([
    ['a library without an owner', "import pad from 'left-pad'", 'may not import left-pad: it has no owner'],
    ['a type of a library', "import type { Registry } from 'prom-client'", 'may not import prom-client'],
    ['a module of Node that reaches out', "import { get } from 'node:http'", 'may not import node:http'],
    ['the process as a module', "import { env } from 'node:process'", 'may not import node:process'],
    ['an import at run time', "const it = await import('./run.ts')", 'imports at run time'],
    ['the process', 'const { env } = process', 'may not use process'],
    ['the console', "console.log('here')", 'may not use console'],
    ['fetch', 'const ask = fetch', 'may not use fetch'],
    ['a way around the names', 'globalThis.fetch()', 'may not use globalThis'],
    ['the clock', 'const at = Date.now()', 'may not use Date.now'],
    ['chance', 'const dice = { roll: Math.random }', 'may not use Math.random'],
    ['a timer', 'setTimeout(() => {}, 1)', 'may not use setTimeout'],
    ['a default export', 'export default {}', 'has a default export'],
    ['a default export by name', 'const it = 1\nexport { it as default }', 'has a default export'],
    ['a barrel', "export * from './reward.ts'", 're-exports all of ./reward.ts'],
    ['what is no TypeScript', 'const = 1', 'does not parse: Unexpected token'],
  ])('no file may have %s', (_, text, violation) => {
    expect(violations(file('judgements/all.ts', text))).toEqual([`judgements/all.ts ${violation}`])
  })

  test.each([
    [
      'a member',
      "import type { AddressInfo } from 'node:net'\nexport const pid = (task: Task) => task.process.fetch()",
    ],
    ['a key', 'export const console = { fetch: 1, process: 2 }'],
    ['a parameter', 'export const ask = (fetch: () => number) => fetch()'],
    ['a function', 'function fetch() {}\nfetch()'],
    ['a comment or a text', "// console.log(process.env)\nexport const help = 'fetch'"],
  ])('%s named like a global is none', (_, text) => {
    expect(violations(file('judgements/all.ts', text))).toEqual([])
  })

  test('two files that need each other are a cycle, by types too, and so is a longer way round', () => {
    const files = {
      ...file('judgements/a.ts', "import type { B } from './b.ts'"),
      ...file('judgements/b.ts', "import { a } from './a.ts'\nimport { c } from './c.ts'"),
      ...file('judgements/c.ts', "import { d } from './d.ts'"),
      ...file('judgements/d.ts', "import { b } from './b.ts'"),
    }
    expect(violations(files)).toEqual([
      'cycle: judgements/a.ts -> judgements/b.ts -> judgements/a.ts',
      'cycle: judgements/b.ts -> judgements/c.ts -> judgements/d.ts -> judgements/b.ts',
    ])
  })

  test('a file says what it is for, and has a layer', () => {
    expect(violations({ 'lib/units.ts': 'export const it = 1\n' })).toEqual([
      'lib/units.ts does not open with a comment on what it is for',
    ])
    expect(violations(file('helpers/all.ts', ''))).toEqual(['helpers/all.ts belongs to no layer'])
  })
})

describe('what a thread loads', () => {
  /** Every file that these import at once, and not only when it is needed. */
  function loadedBy(...first: string[]): string[] {
    const found = new Set(first)
    for (const path of found) {
      // Data, such as the catalogue, imports nothing.
      const text = sources[path] ?? ''
      const imports = text.matchAll(/^(?:import|export|\}) (?!type )[^'\n]*'(\.[^']+)'/gm)
      for (const [, imported] of imports) found.add(posix.join(posix.dirname(path), imported!))
    }
    return [...found]
  }

  test.each([
    [
      'that serves',
      ['main.ts', 'commands/serve/serve.ts'],
      /^(collectors\/index|operations\/|simulator\/|upstream\/|alerts\/)/,
    ],
    [
      'that polls',
      ['daemon/worker-entry.ts'],
      /^(commands|server|status|simulator|alerts)\/|^config\/(load|schema)|^daemon\/serving/,
    ],
  ])('the one %s loads nothing of the other one', (_, first, others) => {
    const loaded = loadedBy(...first)
    expect(loaded.length).toBeGreaterThan(50)
    expect(loaded.filter((path) => others.test(path))).toEqual([])
  })

  test('before it is known which command is called: one library, so that the second thread can begin soon', () => {
    const texts = loadedBy('main.ts').map((path) => sources[path] ?? '')
    const libraries = texts.flatMap((text) => [...text.matchAll(/^(?:import|\}) (?!type )[^'\n]*'([@\w][^':]*)'/gm)])
    expect([...new Set(libraries.map(([, name]) => name))]).toEqual(['commander'])
  })
})

describe('rooms', () => {
  const root = new URL('../', import.meta.url)
  const entries = (folder: string) => readdirSync(new URL(folder, root), { withFileTypes: true })
  const folders = (folder: string) => entries(folder).flatMap((one) => (one.isDirectory() ? one.name : []))
  const files = (folder: string) => entries(folder).flatMap((one) => (one.isFile() ? one.name : []))

  test.each(['src/collectors', 'test/collectors'])(
    '%s has a folder for each room and for what rooms share',
    (folder) => {
      const known = [...roomNames, ...Object.keys(shared)]
      expect(folders(folder).filter((name) => !known.includes(name))).toEqual([])
      expect(roomNames.filter((name) => !folders(folder).includes(name))).toEqual([])
    },
  )

  test('no collector and no test of one lies outside its room', () => {
    expect(files('src/collectors')).toEqual(['define.ts', 'index.ts'])
    expect(files('test/collectors')).toEqual([])
    expect(Object.keys(collectorsByRoom)).toEqual(roomNames)
  })

  test('each collector has its test', () => {
    const tests = Object.entries(collectorsByRoom).flatMap(([room, collectors]) =>
      collectors.map(({ name }) => `test/collectors/${room}/${name}.test.ts`),
    )
    const missing = tests.filter((path) => !existsSync(new URL(path, root)))
    expect(missing.map((path) => `add ${path}, see "Add a collector" in CONTRIBUTING.md`)).toEqual([])
  })

  test('what lies apart is shared by rooms', () => {
    const importers = (path: string) =>
      paths.filter((other) => {
        const name = path.slice('collectors/'.length)
        const names = dirname(other) === dirname(path) ? [`/${name}'`, `'./${basename(path)}'`] : [`/${name}'`]
        return other !== path && names.some((one) => sources[other]!.includes(one))
      })
    const roomsOf = (path: string): string[] =>
      importers(path).flatMap((other) => {
        const [, folder = ''] = other.split('/')
        return folder in shared ? roomsOf(other) : [folder]
      })
    const lonely = paths.filter((path) => {
      const [layer, folder = ''] = path.split('/')
      return layer === 'collectors' && folder in shared && new Set(roomsOf(path)).size < 2
    })
    expect(lonely).toEqual([])
  })

  test('alert rules, panels and documents have the same rooms', () => {
    const besides = {
      'src/alerts': [
        'rule',
        'rules',
        'asking',
        'groups',
        'missing',
        'recorded',
        'unknown',
        'thresholds',
        'expectations',
        'upstreams',
        'self',
        // What rules of several rooms leave out.
        'causes',
        'links',
        'heads',
        'health',
        'node-life',
        'connections',
        'upgrades',
        'validator-rewards',
        'validator-stakes',
      ],
      'dashboards/src': ['self'],
    }
    const alerts = files('src/alerts').map((file) => basename(file, '.ts'))
    const known: string[] = [...roomNames, ...besides['src/alerts']]
    expect(alerts.filter((name) => !known.includes(name))).toEqual([])
    expect(
      groupsOf()
        .map(({ name }) => name.replace('stakewatch-', ''))
        .filter((name) => !known.includes(name)),
    ).toEqual([])
    expect(folders('dashboards/src').toSorted()).toEqual([...roomNames, ...besides['dashboards/src']].toSorted())
    const page = readFileSync(new URL('docs/metrics.md', root), 'utf8')
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
    expect(sections.slice(0, roomNames.length)).toEqual(Object.values(rooms))
  })
})

describe('what a file is called', () => {
  const named = { collectors: paths.filter(below('collectors/')), operations: paths.filter(below('operations/')) }

  test.each(Object.entries(named))('what a file of %s defines has its name', async (_, files) => {
    const found = await Promise.all(
      files.map(async (path) => ({ path, defined: definitionsOf(await import(new URL(path, src).href)) })),
    )
    const wrong = found.filter(({ path, defined }) => defined.some((name) => name !== basename(path, '.ts')))
    expect(wrong).toEqual([])
    expect(found.filter(({ defined }) => defined.length > 1)).toEqual([])
    expect(found.some(({ defined }) => defined.length === 1)).toBe(true)
  })

  function below(folder: string) {
    return (path: string) => path.startsWith(folder) && basename(path) !== 'index.ts'
  }

  /** Names of the collectors and operations that a module exports. */
  function definitionsOf(module: Record<string, unknown>): string[] {
    return Object.values(module).flatMap((value) =>
      typeof value === 'object' && value !== null && 'name' in value && ('collect' in value || 'via' in value)
        ? [String(value.name)]
        : [],
    )
  }
})

describe('importing', () => {
  /** What the modules did when a process imported them, and whether it ended by itself. */
  function importing(modules: readonly string[]) {
    const script = fileURLToPath(new URL('./support/importing.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...modules], {
      encoding: 'utf8',
      timeout: 10_000,
    })
    return { status, stdout, did: stderr }
  }

  test('every file but the first ones of the two threads does nothing', () => {
    const modules = paths
      .filter((path) => !['main.ts', 'daemon/worker-entry.ts'].includes(path))
      .map((path) => new URL(path, src).href)
    expect(importing(modules)).toEqual({ status: 0, stdout: '', did: '[]' })
  })

  test.each([
    ['a timer', 'setInterval(() => {}, 1_000).unref()', { did: '["Timeout"]' }],
    [
      'a server',
      "import { createServer } from 'node:net'; createServer().listen().unref()",
      { did: '["TCPSERVERWRAP"]' },
    ],
    ['a signal handler', "process.on('SIGTERM', () => {})", { did: expect.stringContaining('process.on SIGTERM') }],
    ['output', "process.stdout.write('here')", { stdout: 'here' }],
  ])('%s would be seen', (_, code, expected) => {
    expect(importing([`data:text/javascript,${encodeURIComponent(code)}`])).toMatchObject(expected)
  })
})
