// What the npm package says of the packages that it needs and those that its bundle holds: a lockfile with which `npm ci` checks
// what it installs, and an SBOM in CycloneDX. npm leaves package-lock.json out of a package; of npm-shrinkwrap.json it would
// install the binaries of all platforms.

import { Buffer } from 'node:buffer'
import lockfile from '../../package-lock.json' with { type: 'json' }
import packageFile from '../../package.json' with { type: 'json' }

interface Entry {
  version?: string
  integrity?: string
  dev?: boolean
  license?: string
}

const { dependencies } = packageFile
const entries: Readonly<Record<string, Entry>> = lockfile.packages
const needed = Object.entries(entries).filter(([path, { dev }]) => path !== '' && !dev)

/** A package without a version and of no one: `npm ci` in its folder installs what stakewatch needs, and no other bytes. */
export const manifest = { private: true, dependencies }
export const lock = {
  lockfileVersion: lockfile.lockfileVersion,
  requires: true,
  packages: { '': { dependencies }, ...Object.fromEntries(needed) },
}

/** `bundled` are paths such as node_modules/zod. */
export function sbomOf(bundled: readonly string[]): object {
  const { name, version } = packageFile
  const paths = [...new Set([...bundled, ...needed.map(([path]) => path)])].toSorted()
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version, purl: `pkg:npm/${name}@${version}` } },
    components: paths.map(componentOf),
  }
}

function componentOf(path: string): object {
  const entry = entries[path]
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [, hash] = /^sha512-(.+)$/.exec(entry?.integrity ?? '') ?? []
  if (entry?.version === undefined || hash === undefined) throw new Error(`package-lock.json has no sha512 of ${path}`)
  return {
    type: 'library',
    name,
    version: entry.version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${entry.version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    ...(entry.license !== undefined && { licenses: [{ expression: entry.license }] }),
  }
}
