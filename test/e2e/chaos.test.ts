// A short chaos run: faults of many kinds between the program and its upstreams, a kill and a jump of the clock, rude
// clients, and an oracle that must find nothing. The long runs are `npm run chaos`.

import { expect, test } from 'vitest'
import { runChaos } from '../../tools/chaos/run.ts'
import { AMPLE } from '../../tools/chaos/setting.ts'

test(
  'nothing wrong is published and nothing is lost in half a minute of bad weather',
  { timeout: 120_000 },
  async () => {
    const said: string[] = []
    const { faults, scrapes, violations, events } = await runChaos({
      minutes: 0.5,
      seed: 6,
      speed: 20,
      phases: '',
      networks: [
        { name: 'healthy', role: 'healthy', budget: AMPLE },
        { name: 'ash', role: 'honest', budget: AMPLE },
        { name: 'elder', role: 'lying', budget: AMPLE },
      ],
      say: (line) => said.push(line),
    })
    expect(said).toEqual([])
    expect(violations).toBe(0)
    expect(Object.values(faults).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(50)
    expect(scrapes).toBeGreaterThan(20)
    expect(events).not.toEqual({})
  },
)
