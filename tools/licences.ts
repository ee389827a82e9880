// What ships besides stakewatch itself: the packages that it needs at run time, those that these need, and their licences.

import { readFileSync } from 'node:fs'

interface Manifest {
  name: string
  version: string
  license?: string
  scripts?: Readonly<Record<string, string>>
}

export interface Shipped extends Manifest {
  /** Where it is installed, from the root of the project. */
  path: string
  /** What the lockfile says its archive must hash to. */
  integrity: string | undefined
}

interface Lockfile {
  packages: Readonly<Record<string, Locked>>
}

interface Locked {
  version: string
  license?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  integrity?: string
}

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))

/** By name and version, as they are installed. */
export function shipped(): Shipped[] {
  const { packages } = read('package-lock.json') as Lockfile
  const runtime = Object.entries(packages).filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
  const found = runtime.map(([path, locked]) => ({
    ...(locked.optional ? lockedManifest(path, locked) : (read(`${path}/package.json`) as Manifest)),
    path,
    integrity: locked.integrity,
  }))
  return found.toSorted((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`, 'en'))
}

/** Of a package for some platforms only: it is installed on those alone, and the page is the same everywhere. */
function lockedManifest(path: string, { version, license, hasInstallScript }: Locked): Manifest {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version, ...(license && { license }), ...(hasInstallScript && { scripts: { install: 'unknown' } }) }
}

export function licencesPage(generated: string): string {
  const { dependencies } = read('package.json') as { dependencies: Readonly<Record<string, string>> }
  const rows = shipped().map(({ name, version, license = 'none' }) => {
    const isDirect = dependencies[name] === version
    return `| \`${name}\` | ${version} | ${license} | ${isDirect ? 'stakewatch' : 'a dependency'} |`
  })
  return `# Licences

<!-- ${generated} -->

stakewatch itself is under the [Apache License 2.0](../LICENSE). It ships with these packages, from its lockfile; a test
refuses a licence that is not on its list, a version that is not exact, and any script that runs at installation.

| package | version | licence | needed by |
|---|---|---|---|
${rows.join('\n')}
`
}
