// The shape of the code base: who imports whom, what a file is called, and that importing does nothing.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { groupsOf } from '../src/alerts/rules.ts'
import { rooms as collectorsByRoom } from '../src/collectors/index.ts'
import { layers } from '../tools/layers.ts'
import { roomNames, rooms, shared } from '../tools/rooms.ts'

const src = new URL('../src/', import.meta.url)
const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, src), 'utf8')]))

describe('the linter reports', () => {
  /** Text of a file by its path in src, and what the linter reports: the rule, and of one about layers what it is about. */
  const samples: Readonly<Record<string, readonly (readonly [line: string, reported?: string])[]>> = {
    'lib/sample.ts': [
      ["import { a } from '../errors.ts'", '../errors.ts'],
      ["import { b } from '../../tools/generate.ts'", '../../tools/generate.ts'],
      ["import { c } from './units.ts'"],
    ],
    'errors.ts': [["import { a } from './logger.ts'", './logger.ts'], ["import { b } from './lib/units.ts'"]],
    'operations/node/sample.ts': [
      ["import { a } from '../../upstream/client.ts'", '../../upstream/client.ts'],
      ["import { b } from '../define.ts'"],
    ],
    'upstream/client.ts': [
      ["import { a } from '../self/daemon-metrics.ts'", '../self/daemon-metrics.ts'],
      ["import type { B } from '../config/schema.ts'", '../config/schema.ts'],
      ["import type { C } from '../budget/account.ts'", '../budget/account.ts'],
      ["import { d } from 'undici'", 'undici'],
      ["export { e } from '../server/server.ts'", '../server/server.ts'],
      ["import { f } from './http.ts'"],
      ["import { g } from 'node:timers/promises'"],
    ],
    'upstream/dispatchers.ts': [["import { a } from 'undici'"], ["import { b } from 'node:net'", 'node:net']],
    'config/load.ts': [
      ["import { a } from '../collectors/index.ts'", '../collectors/index.ts'],
      ["import { b } from 'node:fs'", 'node:fs'],
      ["import { c } from 'yaml'"],
    ],
    'judgements/sample.ts': [
      ["import { a } from '../metrics/define.ts'", '../metrics/define.ts'],
      ["import type { Registry } from 'prom-client'", 'prom-client'],
      ["import { b } from 'vitest'", 'vitest'],
      ["import { get } from 'node:http'", 'node:http'],
      ["import type { AddressInfo } from 'node:net'"],
      ["import { c } from 'zod'"],
      ['export const d = process.env', 'process'],
      ['export const e = fetch', 'fetch'],
      ['export const f = globalThis.fetch', 'globalThis'],
      ['export const g = setTimeout', 'setTimeout'],
      ['export const h = Date.now()', 'Date.now'],
      ['export const i = Math.random', 'Math.random'],
      ['export const j = (fetch: () => number) => fetch()'],
      ['console.log(d)', 'eslint(no-console)'],
      ['export default j', 'import(no-default-export)'],
    ],
    'collectors/validators/sample.ts': [
      ["import { a } from '../../upstream/client.ts'", '../../upstream/client.ts'],
      ["import { b } from '../../run/run.ts'", '../../run/run.ts'],
      ["import { c } from '../chains/evm-blocks.ts'", '../chains/evm-blocks.ts'],
      ["import { d } from '../counting/follow.ts'"],
      ["import { e } from '../define.ts'"],
      ["import { f } from './uptime.ts'"],
      ["import type { Network } from '../../config/schema.ts'"],
      ["import { g } from '../../config/presets.ts'", '../../config/presets.ts'],
    ],
    'collectors/counting/sample.ts': [
      ["import { a } from '../../metrics/snapshot.ts'", '../../metrics/snapshot.ts'],
      ["import { b } from '../chains/evm-blocks.ts'", '../chains/evm-blocks.ts'],
    ],
    'collectors/define.ts': [["import { a } from './counting/follow.ts'", './counting/follow.ts']],
    'run/run.ts': [
      ["import { a } from '../server/server.ts'", '../server/server.ts'],
      ["import { b } from '../budget/accounts.ts'", '../budget/accounts.ts'],
      ["import type { Config } from '../config/schema.ts'"],
      ["import { type Network } from '../config/schema.ts'", 'typescript(no-import-type-side-effects)'],
    ],
    'server/server.ts': [
      ["import { a } from '../scheduler/plan.ts'", '../scheduler/plan.ts'],
      ["import type { B } from '../metrics/exposition.ts'"],
      ["import { c } from '../metrics/exposition.ts'", '../metrics/exposition.ts'],
    ],
    'simulator/sample.ts': [["import { a } from '../collectors/index.ts'", '../collectors/index.ts']],
    'daemon/daemon.ts': [
      ["import { a } from '../simulator/simulator.ts'", '../simulator/simulator.ts'],
      ["import { b } from '../commands/serve/serve.ts'", '../commands/serve/serve.ts'],
      ["import { c } from './poller.ts'"],
    ],
    'daemon/serving.ts': [["import { a } from './poller.ts'", './poller.ts']],
    'commands/check/check.ts': [
      ["import { a } from '../../run/run.ts'", '../../run/run.ts'],
      ["import { b } from '../../scheduler/plan.ts'"],
      ["export const c = () => import('../../run/run.ts')", '../../run/run.ts'],
    ],
    'main.ts': [["import { a } from './daemon/daemon.ts'", './daemon/daemon.ts']],
    'helpers/all.ts': [],
    // Types count: two files that need each other are one file, or three.
    'judgements/a.ts': [["import type { B } from './b.ts'", 'import(no-cycle)'], ['export const a = (b: B) => b']],
    'judgements/b.ts': [["import type { a } from './a.ts'", 'import(no-cycle)'], ['export type B = typeof a']],
  }

  interface Report {
    diagnostics: readonly {
      code: string
      message: string
      filename: string
      labels: readonly { span: { line: number } }[]
    }[]
  }

  let reports: Report['diagnostics'] = []
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stakewatch-'))
    const config = new URL('../oxlint.config.ts', import.meta.url).pathname
    writeFileSync(join(folder, 'oxlint.config.ts'), `export { default } from '${config}'\n`)
    for (const [path, lines] of Object.entries(samples)) {
      mkdirSync(join(folder, 'src', dirname(path)), { recursive: true })
      writeFileSync(join(folder, 'src', path), lines.map(([line]) => `${line}\n`).join(''))
    }
    const oxlint = new URL('../node_modules/.bin/oxlint', import.meta.url).pathname
    const { stdout } = spawnSync(oxlint, ['--format=json', 'src'], { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    reports = (JSON.parse(stdout) as Report).diagnostics
  })

  test.each(Object.entries(samples))('what %s must not import or use, and nothing else', (path, lines) => {
    const about = ({ code, message }: Report['diagnostics'][number]) =>
      /no-restricted/.test(code) ? /'(.*?)'/.exec(message)![1] : code
    const found = lines.map((_, at) =>
      reports
        .filter(({ filename, labels }) => filename === `src/${path}` && labels[0]!.span.line === at + 1)
        .map(about)
        .filter((one) => one !== 'eslint(no-unused-vars)'),
    )
    expect(lines.map(([line], at) => [line, found[at]!.join()])).toEqual(
      lines.map(([line, reported = '']) => [line, reported]),
    )
  })

  test('no file of src is outside of the layers', () => {
    expect(
      paths.filter(
        (path) => !Object.keys(layers).some((name) => path === name || (name.endsWith('/') && path.startsWith(name))),
      ),
    ).toEqual([])
  })
})

describe('what a file looks like', () => {
  const lazily = ['commands/program.ts', 'daemon/serving.ts', 'main.ts', 'status/pages.ts']

  test.each([
    ['opens with a comment on what it is for', (text: string) => !/^(#!.*\n)?\/\/ \S/.test(text)],
    ['re-exports no whole file', (text: string) => /^export \*/m.test(text)],
  ])('each %s', (_, isWrong) => {
    expect(paths.filter((path) => isWrong(sources[path]!))).toEqual([])
  })

  test('only what is not always needed is loaded late', () => {
    expect(paths.filter((path) => /(?<![\w.])import\(/.test(sources[path]!)).toSorted()).toEqual(lazily)
  })
})

describe('what is loaded at once', () => {
  /** Every file that this one imports at once, and not only when it is needed. */
  function loadedBy(first: string): string[] {
    const found = new Set([first])
    for (const path of found) {
      // Data, such as the catalogue, imports nothing.
      const text = sources[path] ?? ''
      const imports = text.matchAll(/^(?:import|export|\}) (?!type )[^'\n]*'(\.[^']+)'/gm)
      for (const [, imported] of imports) found.add(posix.join(posix.dirname(path), imported!))
    }
    return [...found]
  }

  test('serve loads no page, and nothing of the simulator and the other commands', () => {
    const loaded = loadedBy('commands/serve/serve.ts')
    expect(loaded.length).toBeGreaterThan(50)
    expect(loaded.filter((path) => /^(simulator|status\/page|commands\/(?!serve|io|config))\//.test(path))).toEqual([])
  })

  test('before it is known which command is called: one library', () => {
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

  test('groups of alert rules, panels and documents have the same rooms', () => {
    const otherFolders = {
      'dashboards/src': ['self'],
    }
    const known: string[] = [...roomNames, 'validators', 'subnets', 'expectations', 'maintenance', 'upstreams', 'self']
    expect(
      groupsOf()
        .map(({ name }) => name.replace('stakewatch-', ''))
        .filter((name) => !known.includes(name)),
    ).toEqual([])
    expect(folders('dashboards/src').toSorted()).toEqual([...roomNames, ...otherFolders['dashboards/src']].toSorted())
    const page = readFileSync(new URL('docs/metrics.md', root), 'utf8')
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
    expect(sections.slice(0, roomNames.length)).toEqual(Object.values(rooms))
  })
})

describe('what a file is called', () => {
  test('a collector has the name of its file', async () => {
    const files = paths.filter((path) => path.startsWith('collectors/') && basename(path) !== 'index.ts')
    const found = await Promise.all(
      files.map(async (path) => ({ path, defined: definitionsOf(await import(new URL(path, src).href)) })),
    )
    const wrong = found.filter(({ path, defined }) => defined.some((name) => name !== basename(path, '.ts')))
    expect(wrong).toEqual([])
    expect(found.filter(({ defined }) => defined.length > 1)).toEqual([])
    expect(found.some(({ defined }) => defined.length === 1)).toBe(true)
  })

  /** Names of the collectors that a module exports. */
  function definitionsOf(module: Record<string, unknown>): string[] {
    return Object.values(module).flatMap((value) =>
      typeof value === 'object' && value !== null && 'name' in value && 'collect' in value ? [String(value.name)] : [],
    )
  }
})

describe('importing', () => {
  /** What the modules did when a process imported them, and whether it ended by itself. */
  function importing(modules: readonly string[]) {
    const script = fileURLToPath(new URL('./support/importing.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...modules], {
      encoding: 'utf8',
      timeout: 120_000,
    })
    return { status, stdout, did: stderr }
  }

  test('every file but the first ones of threads does nothing', () => {
    const modules = paths
      .filter((path) => !['main.ts', 'commands/serve/read-aside-entry.ts', 'storage/keeper-entry.ts'].includes(path))
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
