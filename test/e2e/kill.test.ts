// The daemon is killed at any instant of a write and starts again: no counter that was scraped falls, and all of them are
// in the end what the network has counted. `npm run chaos:kill` does it more often.

import { expect, test } from 'vitest'
import { kill } from '../../tools/kill/rounds.ts'

const KILLS = 40

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
