import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      // No module keeps state, so that files can share what they import: a quarter of the time.
      { test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/e2e/**'], isolate: false } },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
