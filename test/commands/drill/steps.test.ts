// How long a drill waits for a step.

import { expect, test } from 'vitest'
import type { Before, Chain } from '../../../src/commands/drill/chain.ts'
import { stepsAfter } from '../../../src/commands/drill/steps.ts'

const MINUTE = 60_000

test.each([
  ['two scrapes and two evaluations, and ten seconds', 30_000, 30_000, 2 * MINUTE + 10_000],
  ['an hour at most, as the drill did not last longer', 3e15, MINUTE, 60 * MINUTE + 10_000],
])('its end may take %s', (_, scrapeInterval, evaluationInterval, within) => {
  const before: Before = {
    scrapeInterval,
    evaluationInterval,
    managers: [],
    unreachable: undefined,
    unsent: 0,
    wasDrilled: false,
  }
  const [step] = stepsAfter({} as Chain, before, { began: '1', path: '/metrics', endsAt: 0 })
  expect(step!.within()).toBe(within)
})
