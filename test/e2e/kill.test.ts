// The daemon is killed at any instant of a write and starts again: no counter that was scraped falls, and all of them are
// in the end what the network has counted. `npm run chaos:kill` does it more often.

import { expect, test } from 'vitest'
import { killRecords } from '../../tools/kill/records.ts'
import { kill } from '../../tools/kill/rounds.ts'

const KILLS = 40

test(
  '90 kills of a process that only writes: nothing that was saved is lost, and no transaction is half there',
  { timeout: 300_000 },
  async () => {
    const { figures, wrong } = await killRecords({ kills: 90, seed: 7 })
    expect(wrong).toEqual([])
    expect(figures.kills).toBe(90)
    expect(figures.saved).toBeGreaterThan(90)
  },
)

test(`${KILLS} kills with SIGKILL`, { timeout: 600_000 }, async () => {
  const { figures, wrong } = await kill({ kills: KILLS, seed: 7, progress: () => {} })
  expect(wrong).toEqual([])
  expect(figures).toMatchObject({ kills: KILLS, compared: 2 })
  // Otherwise the instants have missed what they are meant for.
  expect(figures.at).toMatchObject({
    'within a transaction, before its COMMIT': expect.any(Number) as number,
    'within a COMMIT': expect.any(Number) as number,
    'after a COMMIT': expect.any(Number) as number,
  })
  expect(figures.scrapes).toBeGreaterThan(KILLS)
})
