// The release build: the program and its libraries in a few files of JavaScript, so that a start reads few files.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { lock, manifest, sbomOf } from './tools/release/lockfile.ts'

export default defineConfig({
  input: {
    main: 'src/main.ts',
    // Threads start with files of their own, which main.ts names.
    'commands/serve/read-aside-entry': 'src/commands/serve/read-aside-entry.ts',
    'storage/keeper-entry': 'src/storage/keeper-entry.ts',
  },
  platform: 'node',
  // A native module: npm chooses the package of the platform.
  external: ['@node-rs/bcrypt'],
  logLevel: 'warn',
  plugins: [inAscii(), withPackages()],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', comments: false },
})

/** V8 stores a text with one character beyond Latin-1 in two bytes for each: a few ellipses would double its memory. */
function inAscii(): Plugin {
  return {
    name: 'in-ascii',
    generateBundle(_, bundle) {
      for (const one of Object.values(bundle)) {
        if (one.type === 'chunk') one.code = one.code.replace(/[^\0-\x7f]/g, escaped)
      }
    },
  }
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The libraries in the bundle with the notices that their licences require, and what must be installed next to it. */
function withPackages(): Plugin {
  return {
    name: 'with-packages',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const packages = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => packageOf(id) ?? [])))
      const texts = [...packages].toSorted().map(licenceOf)
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      emit('LICENSES.txt', texts.join('\n'))
      const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`
      emit('sbom.json', json(sbomOf([...packages].map((folder) => folder.slice(folder.indexOf('node_modules/'))))))
      emit('install/package.json', json(manifest))
      emit('install/package-lock.json', json(lock))
    },
  }
}

/** The folder of the library that holds the module. */
function packageOf(id: string): string | undefined {
  return /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0]
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  const text = file === undefined ? `Under the licence ${license}.` : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version}\n\n${text}\n\n${'-'.repeat(80)}\n`
}

interface Manifest {
  name: string
  version: string
  license?: string
}
