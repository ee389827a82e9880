// Base images are pinned by the digests that their tags have, and pinned again when those have changed.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files, imagesIn, pinned, unpinned } from '../../tools/pin-images.ts'

const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`]
const dockerfile = 'ARG BUILD_IMAGE=node:24\nARG RUNTIME_IMAGE=example.org/base:nonroot\nARG VERSION=unknown\n'

test('each image gets the digest of its tag, and nothing else changes', () => {
  const first = pinned(dockerfile, (image) => `${image === 'node:24' ? one : two}\n`)
  expect(first).toBe(
    `ARG BUILD_IMAGE=node:24@${one}\nARG RUNTIME_IMAGE=example.org/base:nonroot@${two}\nARG VERSION=unknown\n`,
  )
  expect(imagesIn(first)).toEqual([`node:24@${one}`, `example.org/base:nonroot@${two}`])
  expect(imagesIn(pinned(first, () => two))).toEqual([`node:24@${two}`, `example.org/base:nonroot@${two}`])
})

test.each(['', 'error: not found', 'sha256:12'])('what is no digest (%j) changes nothing', (answer) => {
  expect(() => pinned(dockerfile, () => answer)).toThrow('node:24: this is no digest')
})

test.each([
  ['Dockerfile', 2],
  ['deploy/compose/compose.yml', 3],
  ['.github/workflows/ci.yml', 1],
  ['.github/workflows/release.yml', 2],
] as const)('all images of %s are found, and those without a digest', (file, count) => {
  expect(files).toContain(file)
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  expect(imagesIn(text)).toHaveLength(count)
  const after = pinned(text, () => one)
  expect(unpinned(after)).toEqual([])
  expect(unpinned(after.replace(`@${one}`, ''))).toEqual([imagesIn(text)[0]!.replace(/@.*/, '')])
})
