// What ships with stakewatch: the packages that src imports, those that these need, and their licences.

import { readdirSync, readFileSync } from 'node:fs'

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
  optional?: boolean
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
  hasInstallScript?: boolean
  integrity?: string
}

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))

/** What src imports is in the bundle, or is installed next to it. By name and version, as they are installed. */
export function shipped(): Shipped[] {
  const { packages } = read('package-lock.json') as Lockfile
  const found = new Map<string, Shipped>()
  const visit = (from: string, name: string): void => {
    const path = resolved(packages, from, name)
    if (path === undefined || found.has(path)) return
    const locked = packages[path]!
    const manifest = locked.optional ? lockedManifest(path, locked) : (read(`${path}/package.json`) as Manifest)
    found.set(path, { ...manifest, path, integrity: locked.integrity })
    for (const needed of neededBy(locked)) visit(path, needed)
  }
  for (const name of imported()) visit('', name)
  return [...found.values()].toSorted((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`, 'en'))
}

/** What a package imports: its own dependencies, and those that it expects next to it. */
function neededBy({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }: Locked) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** Where Node.js finds a package that the one in `from` needs: next to it, or farther up. */
function resolved(packages: Lockfile['packages'], from: string, name: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (path in packages || from === '') return path in packages ? path : undefined
  return resolved(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

/** Every package that src imports at run time. */
function imported(): Set<string> {
  const src = new URL('../src/', import.meta.url)
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const names = files.flatMap((path) => {
    const text = readFileSync(new URL(path, src), 'utf8')
    return [...text.matchAll(/^(?:import|\} from) (?!type )(?:.* from )?'(?!node:)((?:@[^/']+\/)?[\w-]+)/gm)].map(
      ([, name]) => name!,
    )
  })
  return new Set(names)
}

/** Of a package for some platforms only: it is installed on those alone, and the page is the same everywhere. */
function lockedManifest(path: string, { version, license, hasInstallScript }: Locked): Manifest {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version, ...(license && { license }), ...(hasInstallScript && { scripts: { install: 'unknown' } }) }
}
