import { describe, expect, test } from 'vitest'
import { outcomeOfLeaving, outcomeOfRenewal } from '../../src/judgements/renewals.ts'

const DAY = 86_400
const END = 100 * DAY
const before = { txId: 't', start: END - 30 * DAY, end: END, weight: 1_000n, next: 30 * DAY }

describe('a period that ended', () => {
  test.each([
    ['it still runs', before.start, 1_000n, undefined],
    ['a lagging node reports the previous one', before.start - 30 * DAY, 990n, undefined],
    ['the next one began with more stake', END, 1_001n, 'compounded'],
    ['the next one began with the same stake: all of the reward was paid', END, 1_000n, 'not_compounded'],
    ['more than one has ended', END + 30 * DAY, 1_020n, 'unseen'],
  ])('%s', (_, start, weight, outcome) => {
    expect(outcomeOfRenewal(before, { ...before, start, end: start + 30 * DAY, weight })).toBe(outcome)
  })
})

describe('a validation that is gone', () => {
  test.each([
    ['before its end: it cannot be', 30 * DAY, -60, -1, undefined],
    ['at its end, with a next period: its reward was lost', 30 * DAY, -60, 0, 'removed'],
    ['at its end, as it was set to', 0, -60, 0, 'left'],
    ['looked at a quarter of an hour before', 30 * DAY, -900, 60, 'removed'],
    ['not looked at for longer: its owner may have set it to leave', 30 * DAY, -901, 60, 'unseen'],
    ['not looked at for longer: its owner may have set it to go on', 0, -901, 60, 'unseen'],
    ['found gone before another period can have ended', 30 * DAY, -60, 30 * DAY - 1, 'removed'],
    ['found gone so late that another period may have ended', 30 * DAY, -60, 30 * DAY, 'unseen'],
    ['set to leave, and found gone very late', 0, -60, 300 * DAY, 'left'],
    // It was still listed: the block that ends the period comes when the chain gets to it.
    ['last looked at after its end', 30 * DAY, 20, 80, 'removed'],
  ])('%s', (_, next, seen, since, outcome) => {
    expect(outcomeOfLeaving({ ...before, next }, END + seen, END + since)).toBe(outcome)
  })
})
