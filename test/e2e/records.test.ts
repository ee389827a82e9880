// A process that only writes is killed at any instant of a write. `npm run scenario -- records` does it more often.

import { expect, test } from 'vitest'
import { records } from '../../tools/scenarios/records.ts'
import { play } from '../../tools/scenarios/runner.ts'

const KILLS = 90

test(`${KILLS} kills: nothing that was saved is lost, and no transaction is half there`, async () => {
  const said: string[] = []
  const { looks, figures } = await play(records({ kills: KILLS, seed: 7 }), (line) => said.push(line))
  expect(said).toEqual([])
  expect(looks).toBe(KILLS)
  // Otherwise the instants have missed what they are meant for: within a transaction, within a COMMIT, and after it.
  expect(figures).toMatchObject({
    at: expect.objectContaining({ b: expect.any(Number), c: expect.any(Number), d: expect.any(Number) }),
  })
})
