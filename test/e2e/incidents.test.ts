// Two of the incidents: somebody is told of one of them, and nobody of the other.

import { expect, test } from 'vitest'
import { outcomeOf } from '../../tools/incidents/worker.ts'

test.each(['a validator goes away, and comes back after twenty minutes', 'a validator restarts within two minutes'])(
  '%s',
  { timeout: 120_000 },
  async (name) => {
    const { verdict } = await outcomeOf({ name, open: [] })
    expect(verdict).toEqual({ missed: [], false: [] })
  },
)
