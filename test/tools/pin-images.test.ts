// Base images are pinned by the digests that their tags have, and pinned again when those have changed.

import { expect, test } from 'vitest'
import { baseImages, pinned } from '../../tools/pin-images.ts'

const [one, two] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`]
const dockerfile = 'ARG BUILD_IMAGE=node:24\nARG RUNTIME_IMAGE=example.org/base:nonroot\nARG VERSION=unknown\n'

test('each image gets the digest of its tag, and nothing else changes', () => {
  const first = pinned(dockerfile, (image) => `${image === 'node:24' ? one : two}\n`)
  expect(first).toBe(
    `ARG BUILD_IMAGE=node:24@${one}\nARG RUNTIME_IMAGE=example.org/base:nonroot@${two}\nARG VERSION=unknown\n`,
  )
  expect(baseImages(first)).toEqual([`node:24@${one}`, `example.org/base:nonroot@${two}`])
  expect(baseImages(pinned(first, () => two))).toEqual([`node:24@${two}`, `example.org/base:nonroot@${two}`])
})

test.each(['', 'error: not found', 'sha256:12'])('what is no digest (%j) changes nothing', (answer) => {
  expect(() => pinned(dockerfile, () => answer)).toThrow('node:24: this is no digest')
})
