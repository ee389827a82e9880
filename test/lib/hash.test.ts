import { expect, test } from 'vitest'
import { jumpHash } from '../../src/lib/hash.ts'

// Those of other implementations: go-jump, which kube-state-metrics shards with, and jump-consistent-hash of Python.
test.each([
  [1n, 1, 0],
  [42n, 57, 43],
  [0xdead10ccn, 1, 0],
  [0xdead10ccn, 666, 361],
  [256n, 1_024, 520],
  [129n, 128, 120],
  [0xffff_ffff_ffff_ffffn, 128, 92],
])('the key %d falls into which of %i buckets: %i', (key, buckets, bucket) => {
  expect(jumpHash(key, buckets)).toBe(bucket)
})
