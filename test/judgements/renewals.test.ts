import { describe, expect, test } from 'vitest'
import { outcomeOfLeaving } from '../../src/judgements/renewals.ts'

const DAY = 86_400
const END = 100 * DAY
const before = { txId: 't', start: END - 30 * DAY, end: END, weight: 1_000n, next: 30 * DAY }

describe('a validation that is gone', () => {
  test.each([
    ['at its end, with a next period: its reward was lost', 30 * DAY, -60, 0, 'removed'],
    ['looked at a quarter of an hour before', 30 * DAY, -900, 60, 'removed'],
    ['not looked at for longer: its owner may have set it to leave', 30 * DAY, -901, 60, 'unseen'],
    ['found gone before another period can have ended', 30 * DAY, -60, 30 * DAY - 1, 'removed'],
    ['found gone so late that another period may have ended', 30 * DAY, -60, 30 * DAY, 'unseen'],
    // It was still listed: the block that ends the period comes when the chain gets to it.
    ['last looked at after its end', 30 * DAY, 20, 80, 'removed'],
  ])('%s', (_, next, seen, since, outcome) => {
    expect(outcomeOfLeaving({ ...before, next }, END + seen, END + since)).toBe(outcome)
  })
})
