// What ships: few packages of exact versions, with licences that allow it, and nothing that runs when it is installed.

import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import lockfile from '../../package-lock.json' with { type: 'json' }
import { shipped } from '../../tools/licences.ts'

/** Each lets everyone ship the package, if the notice comes with it. */
const ALLOWED = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', '0BSD']

interface Locked {
  integrity?: string
  link?: boolean
  dependencies?: object
  devDependencies?: object
}

const root = new URL('../../', import.meta.url)
const all = shipped()

test('every package that ships has a licence that allows it', () => {
  expect(all.length).toBeGreaterThan(Object.keys(packageFile.dependencies).length)
  expect(all.filter(({ license }) => !ALLOWED.includes(license ?? 'none')).map(({ name }) => name)).toEqual([])
})

test('files that a library expects next to it ship with it', () => {
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['@prometheus-io/lezer-promql', '@lezer/common', '@lezer/highlight', '@lezer/lr']),
  )
})

test('no package that ships runs a script when it is installed', () => {
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepare']
  const scripts = all.flatMap(({ name, scripts = {} }) =>
    // npm runs `prepare` for packages from a repository only, and none is: see the test of the lockfile.
    atInstall.slice(0, 3).flatMap((script) => (script in scripts ? [`${name}: ${script}`] : [])),
  )
  expect(scripts).toEqual([])
  const flagged = Object.entries(lockfile.packages).filter(([, one]) => 'hasInstallScript' in one && !('dev' in one))
  expect(flagged.map(([path]) => path)).toEqual([])
  const own: Readonly<Record<string, string>> = packageFile.scripts
  expect(atInstall.filter((script) => script in own)).toEqual([])
})

/** Those of the project, and those that only end-to-end tests install. */
const folders = ['', ...globSync('test/e2e/*/package.json', { cwd: root }).map((path) => `${dirname(path)}/`)]

describe.each(folders)('%spackage.json', (folder) => {
  const read = (file: string): unknown => JSON.parse(readFileSync(new URL(folder + file, root), 'utf8'))

  test('names one exact version of every dependency', () => {
    const { dependencies, devDependencies, overrides } = read('package.json') as Record<string, Record<string, string>>
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...overrides })
    expect(versions.filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('has a lockfile that says what every package must hash to, and all come from a registry', () => {
    const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
    const { '': own, ...all } = packages
    expect(Object.keys(all).length).toBeGreaterThan(
      Object.keys({ ...own!.dependencies, ...own!.devDependencies }).length,
    )
    expect(Object.keys(all).filter((path) => !all[path]!.integrity?.startsWith('sha512-'))).toEqual([])
    expect(Object.keys(all).filter((path) => all[path]!.link)).toEqual([])
  })
})

test('the installed packages are those of the lockfile', () => {
  const locked = lockfile.packages as Record<string, { version?: string }>
  expect(all.filter(({ path, version }) => locked[path]?.version !== version).map(({ path }) => path)).toEqual([])
})
