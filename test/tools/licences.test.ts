// What ships: few packages of exact versions, with licences that allow it, and nothing that runs when it is installed.

import { expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import lockfile from '../../package-lock.json' with { type: 'json' }
import { shipped } from '../../tools/licences.ts'

/** Each lets everyone ship the package, if the notice comes with it. */
const ALLOWED = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', '0BSD']

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

test('every dependency has one exact version', () => {
  const { dependencies, devDependencies, overrides } = packageFile
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...overrides })
  expect(versions.filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test('the lockfile says what every package must hash to, and all come from a registry', () => {
  const packages = Object.entries(lockfile.packages as Record<string, { integrity?: string; link?: boolean }>)
  const loose = packages.filter(([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'))
  expect(loose.map(([path]) => path)).toEqual([])
  expect(packages.filter(([, { link }]) => link)).toEqual([])
})

test('the installed packages are those of the lockfile', () => {
  const locked = lockfile.packages as Record<string, { version?: string }>
  expect(all.filter(({ path, version }) => locked[path]?.version !== version).map(({ path }) => path)).toEqual([])
})
