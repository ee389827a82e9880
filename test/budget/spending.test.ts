// What is written ahead of what is spent, when the configuration changes while it is being written.

import { expect, test } from 'vitest'
import { createSpending } from '../../src/budget/spending.ts'
import type { Records } from '../../src/lib/records.ts'

/** A store that writes when the test says so. */
function slowStore() {
  const saved = new Set<string>()
  const writes: (() => void)[] = []
  const store: Records = {
    load: () => undefined,
    save: (key) =>
      new Promise((resolve) => {
        writes.push(() => {
          saved.add(key)
          resolve()
        })
      }),
  }
  return { store, saved, writes }
}

const LIMITS = { perMinute: 100, burst: 1_000 }
const now = { wall: 0, steady: 0 }

function spendingIn(store: Records) {
  const spending = createSpending({ clock: { now: () => now }, limits: LIMITS, kept: { store, key: 'one' } })
  const spend = (units: number) => spending.spent(units, { units: LIMITS.burst - units, at: 0 })
  return { spending, spend }
}

test('a record under another key is written before more is spent, also where the one before is still being written', async () => {
  const { store, saved, writes } = slowStore()
  const { spending, spend } = spendingIn(store)
  spend(10)
  const first = spending.durable()
  spending.keepAs('two')
  writes.shift()!()
  await first
  expect(spending.hasRoom(1)).toBe(false)
  spend(1)
  const second = spending.durable()
  writes.shift()!()
  await second
  expect([...saved]).toEqual(['one', 'two'])
})

test('a budget without limits waits for no record, also where one is still being written', async () => {
  const { store, writes } = slowStore()
  const { spending, spend } = spendingIn(store)
  spend(10)
  const first = spending.durable()
  spending.limit({ perMinute: Infinity, burst: Infinity })
  writes.shift()!()
  await first
  spend(1_000)
  expect(spending.hasRoom(1)).toBe(true)
})
