// What a client needs where neither budgets nor circuits are the subject of the test.

import type { Clock } from '../../src/lib/clock.ts'
import { createAccount } from '../../src/budget/account.ts'
import { createCircuits } from '../../src/upstream/circuit.ts'
import { createSpending } from '../../src/budget/spending.ts'

export function unlimited(clock: Clock) {
  const limits = { perMinute: Infinity, perDay: Infinity, burst: Infinity }
  const account = createAccount({
    clock,
    limits,
    isConfigured: false,
    spending: createSpending({ clock, limits }),
    isService: true,
    refused: () => {},
    kept: () => ({ round: 0, day: 0 }),
  })
  return { circuits: createCircuits(clock, () => 0), accountOf: () => account }
}
