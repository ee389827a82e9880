// What the package says of the packages that it needs and holds, and the Node.js of the bundles.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import lockfile from '../../package-lock.json' with { type: 'json' }
import packageFile from '../../package.json' with { type: 'json' }
import { checkNode } from '../../tools/release/bundles.ts'
import { lock, manifest, sbomOf } from '../../tools/release/lockfile.ts'
import nodeBinaries from '../../tools/release/node-binaries.json' with { type: 'json' }

describe('the lockfile of the package', () => {
  const { '': root, ...packages } = lock.packages as Record<string, { integrity?: string }>

  test('is for what the package needs, with the binaries of all platforms', () => {
    expect(root).toEqual({ dependencies: packageFile.dependencies })
    expect(manifest).toEqual({ private: true, dependencies: packageFile.dependencies })
    const { optionalDependencies } = lockfile.packages['node_modules/@node-rs/bcrypt']
    const names = ['@node-rs/bcrypt', ...Object.keys(optionalDependencies)].map((name) => `node_modules/${name}`)
    // npm lists what these binaries need for WebAssembly, too, where they need it.
    expect(Object.keys(packages)).toEqual(expect.arrayContaining(names))
  })

  test('says of each what it must hash to', () => {
    const without = Object.entries(packages).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    expect(without).toEqual([])
  })
})

describe('the SBOM', () => {
  test('has version and hash of what is bundled and of what is installed next to it', () => {
    const { components } = sbomOf(['node_modules/zod']) as { components: Record<string, unknown>[] }
    const { version, integrity } = lockfile.packages['node_modules/zod']
    expect(components.find(({ name }) => name === 'zod')).toEqual({
      type: 'library',
      name: 'zod',
      version,
      purl: `pkg:npm/zod@${version}`,
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }],
      licenses: [{ expression: 'MIT' }],
    })
    expect(components.map(({ name }) => name)).toContain('@node-rs/bcrypt-linux-arm64-gnu')
  })

  test('is refused for what has no hash', () => {
    expect(() => sbomOf(['node_modules/no-such-package'])).toThrow('no sha512 of node_modules/no-such-package')
  })
})

describe('the Node.js of a bundle', () => {
  const binary = readFileSync(new URL('../../node_modules/node/bin/node', import.meta.url))

  test('is the one whose hash is known', () => {
    expect(nodeBinaries.version).toBe(packageFile.devDependencies.node)
    expect(() => checkNode(process.arch === 'arm64' ? 'arm64' : 'x64', binary)).not.toThrow()
  })

  test.each(['x64', 'arm64'] as const)('is no other one: %s', (arch) => {
    expect(() => checkNode(arch, Buffer.from('another one'))).toThrow(
      `node-linux-${arch}@${nodeBinaries.version} has other bytes`,
    )
  })
})
