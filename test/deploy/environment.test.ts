// What the process finds in its environment, however it is installed.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const settings = (file: string, form: RegExp) =>
  Array.from(readFileSync(file, 'utf8').matchAll(form), ([, setting = '']) => setting).toSorted()

test('the image and the systemd unit give the process the same environment', () => {
  const expected = [
    'MALLOC_ARENA_MAX=1',
    'MALLOC_MMAP_THRESHOLD_=65536',
    'MALLOC_TRIM_THRESHOLD_=131072',
    'NODE_ENV=production',
  ]
  expect(settings('Dockerfile', /^ENV (.+)$/gm)).toEqual(expected)
  expect(settings('deploy/systemd/stakewatch.service', /^Environment=(.+)$/gm)).toEqual(expected)
})
