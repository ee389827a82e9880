// The release build: the program and its libraries in a few files of JavaScript, so that a start reads few files.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

export default defineConfig({
  input: {
    main: 'src/main.ts',
    // A thread begins with a file of its own; main.ts knows its name.
    'daemon/worker-entry': 'src/daemon/worker-entry.ts',
  },
  platform: 'node',
  // A native module, with one package for each platform: npm chooses.
  external: ['@node-rs/bcrypt'],
  logLevel: 'warn',
  plugins: [withoutUnused(), inAscii(), withLicences()],
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js', comments: false },
})

/**
 * What libraries load and this program never calls: half of their code, and with it time of every start and memory. Where
 * one of them is called after all, it throws.
 */
const unused: readonly (readonly [module: RegExp, importer: RegExp, instead: string])[] = [
  // No route has a schema, and nobody injects requests.
  [/^@fastify\/(ajv|fast-json-stringify)-compiler$/, /\/fastify\//, 'module.exports = () => undefined'],
  [/^light-my-request$/, /\/fastify\//, 'module.exports = undefined'],
  // Of undici: no mocks, no caches, no fetch; and no upstream is asked over HTTP/2.
  [
    /^undici$/,
    /\/src\//,
    `exports.Agent = require('undici/lib/dispatcher/agent.js')
    exports.errors = require('undici/lib/core/errors.js')
    const Dispatcher = require('undici/lib/dispatcher/dispatcher.js')
    Dispatcher.prototype.request = require('undici/lib/api/api-request.js')`,
  ],
  [/^\.\/client-h2\.js$/, /\/undici\//, 'module.exports = undefined'],
  // Of prom-client: nothing is pushed, there is one process, and no sample has an exemplar.
  [/^\.\/lib\/(cluster|pushgateway)$/, /\/prom-client\//, 'module.exports = undefined'],
  [/^@opentelemetry\/api$/, /\/prom-client\//, 'module.exports = undefined'],
  // Of pino: lines go to a function.
  [/^\.\/(lib\/)?(transport|multistream)$/, /\/pino\//, 'module.exports = undefined'],
]

function withoutUnused(): Plugin {
  return {
    name: 'without-unused',
    resolveId(source, importer = '') {
      const at = unused.findIndex(([module, where]) => module.test(source) && where.test(importer))
      return at === -1 ? undefined : `\0unused-${at}.cjs`
    },
    load(id) {
      const [, at] = /^\0unused-(\d+)\.cjs$/.exec(id) ?? []
      return at === undefined ? undefined : unused[Number(at)]![2]
    },
  }
}

/** V8 keeps a text with one character beyond Latin-1 in two bytes for each: a few ellipses would double what it holds. */
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

/** Whose code is in the bundle, and what their authors ask to be told with it. */
function withLicences(): Plugin {
  return {
    name: 'with-licences',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const packages = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => packageOf(id) ?? [])))
      const texts = [...packages].toSorted().map(licenceOf)
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: texts.join('\n') })
    },
  }
}

/** The folder of the library that a module is of. */
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
