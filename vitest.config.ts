import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Minutes each, on a machine that does nothing else.
const long = ['weather', 'records', 'month', 'reloads'].map((name) => `test/e2e/${name}.test.ts`)
// What it measures, others would delay.
const alone = ['test/e2e/rude-clients.test.ts']

// A minute each. One that begins last would run alone.
const slow = ['drill', 'doctor', 'dashboard', 'promtool-rules', 'process'].map((name) => `/test/e2e/${name}.test.ts`)

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slow.some((name) => moduleId.endsWith(name))
    // oxlint-disable-next-line unicorn/no-array-sort -- It is vitest's.
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)))
  }
}

// Builds the program that they run.
const globalSetup = 'test/e2e/support/release.ts'

/** Milliseconds: they end a test that hangs. A machine at a load of 50 takes minutes for one that spawns processes. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000 }

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          // No module keeps state, so that files can share what they import: a quarter of the time.
          isolate: false,
          maxWorkers: '100%',
          ...patience,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...long, ...alone],
          globalSetup,
          // Most of their time they wait for processes.
          maxWorkers: 4,
          ...patience,
        },
      },
      {
        test: {
          name: 'e2e-alone',
          include: alone,
          globalSetup,
          ...patience,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'long',
          include: long,
          globalSetup,
          fileParallelism: false,
          ...patience,
          testTimeout: 600_000,
        },
      },
    ],
  },
})
