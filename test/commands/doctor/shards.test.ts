// What doctor finds where Prometheus scrapes several jobs of stakewatch, each with its own shards.

import { expect, test } from 'vitest'
import { daemonChecks } from '../../../src/commands/doctor/checks/daemon.ts'

const { needs, judge } = daemonChecks.find(({ name }) => name === 'daemon/shards')!

/** Jobs and the ordinals that are there, of two shards each. */
async function found(jobs: Readonly<Record<string, readonly number[]>>) {
  const series = Object.entries(jobs).flatMap(([job, ordinals]) =>
    ordinals.map((ordinal) => ({ labels: { job, instance: `${job}-${ordinal}` }, ordinal })),
  )
  const prometheus = {
    query: async (name: string) =>
      series.map(({ labels, ordinal }) => ({ labels, value: name === 'stakewatch_shards' ? 2 : ordinal })),
  }
  const shards = await needs['shards']!.ask({ prometheus } as never)
  const results = judge({ shards }, {} as never)
  return [results].flat().map((one) => one.found)
}

test.each([
  [{ one: [0, 1] }, ['all 2 are there']],
  [{ one: [1] }, ['1 of 2 shards is missing: 0']],
  [
    { one: [0], other: [1] },
    ['1 of 2 shards is missing in the job one: 1', '1 of 2 shards is missing in the job other: 0'],
  ],
  [{ one: [0, 1], other: [1] }, ['all 2 are there in the job one', '1 of 2 shards is missing in the job other: 0']],
])('%j', async (jobs, expected) => {
  expect(await found(jobs)).toEqual(expected)
})
