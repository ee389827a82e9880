import { describe, expect, test } from 'vitest'
import { validatorRenewals } from '../../../src/collectors/validators/renewals.ts'
import { BaseError } from '../../../src/errors.ts'
import { withoutZeros } from '../../support/exposition.ts'
import { createPoller, type Poller } from '../../support/poll.ts'

const ONE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const TWO = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const PRIMARY = '11111111111111111111111111111111LpoYY'
const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    validators:
      - { node_id: ${ONE}, name: one }
      - { node_id: ${TWO}, name: two }
`
const DAY = 86_400
const MINUTE = 60
/** When the first period of `one` ends: Unix seconds. */
const END = 1_790_000_000

/** In the form of recent live nodes. */
const one = {
  nodeID: ONE,
  txID: 'tx-one',
  startTime: String(END - 30 * DAY),
  endTime: String(END),
  weight: '2000000000000',
  potentialReward: '10000000000',
  nextPeriod: String(30 * DAY),
  autoCompoundRewardShares: '500000',
}
/** Of a fixed term. */
const two = { ...one, nodeID: TWO, txID: 'tx-two', nextPeriod: undefined, autoCompoundRewardShares: undefined }
const leaving = { ...one, nextPeriod: '0' }
/** The same after periods of 30 days: half of the reward of 10 tokens is staked with it. */
const after = (periods: number, weight = String(2_000_000_000_000 + periods * 5_000_000_000)) => ({
  ...one,
  startTime: String(END + (periods - 1) * 30 * DAY),
  endTime: String(END + periods * 30 * DAY),
  weight,
})

type Counts = Partial<Record<'compounded' | 'not_compounded' | 'removed' | 'left' | 'unseen', number>>

function counts(poller: Poller, of = 'one'): Counts | undefined {
  const all = poller.values('stakewatch_validator_renewals_total', 'outcome', { validator: of })
  const count = Object.keys(all).length
  expect(count === 0 || count === 5).toBe(true)
  return count === 0 ? undefined : withoutZeros(all)
}

/** What the node lists, by seconds from the end of the first period. */
type Look = readonly [at: number, listed: readonly object[] | Error]

async function looking(looks: readonly Look[]) {
  const poller = createPoller(yaml, validatorRenewals, 0)
  const seen: (Counts | undefined)[] = []
  for (const [at, listed] of looks) {
    poller.clock.now = (END + at) * 1_000
    await poller.poll((operation, { body }) => {
      expect([operation, body]).toEqual(['platform.getCurrentValidators', { subnetID: PRIMARY, nodeIDs: [ONE, TWO] }])
      return listed instanceof Error ? listed : { validators: listed }
    })
    seen.push(counts(poller))
  }
  return { poller, seen }
}

describe('renewals (document 2, Validator record; ACP-236)', () => {
  test.each<[string, readonly Look[], readonly (Counts | undefined)[]]>([
    [
      'it goes on with half of its reward, and then without any of it',
      [
        [-5 * MINUTE, [one]],
        [0, [one]],
        [5 * MINUTE, [after(1)]],
        [10 * MINUTE, [after(1)]],
        [30 * DAY + 60, [after(2, '2005000000000')]],
      ],
      [{}, {}, { compounded: 1 }, { compounded: 1 }, { compounded: 1, not_compounded: 1 }],
    ],
    [
      'it is gone, and counts as removed when three looks in five minutes agree',
      [
        [-5 * MINUTE, [one]],
        [60, [two]],
        [4 * MINUTE, [two]],
        [6 * MINUTE, [two]],
        [7 * MINUTE, [two]],
      ],
      [{}, {}, {}, { removed: 1 }, { removed: 1 }],
    ],
    [
      'it was set to leave',
      [
        [-5 * MINUTE, [one]],
        [-60, [leaving]],
        [60, []],
        [4 * MINUTE, []],
        [6 * MINUTE, []],
      ],
      [{}, {}, {}, {}, { left: 1 }],
    ],
    [
      'a node that does not list it once is wrong',
      [
        [-5 * MINUTE, [one]],
        [60, [two]],
        [4 * MINUTE, [after(1)]],
        [9 * MINUTE, [two]],
        [12 * MINUTE, [two]],
      ],
      [{}, {}, { compounded: 1 }, { compounded: 1 }, { compounded: 1 }],
    ],
    [
      'however often nodes do not list it before its end, it cannot be gone',
      [
        [-60 * MINUTE, [one]],
        [-30 * MINUTE, [two]],
        [-20 * MINUTE, [two]],
        [-10 * MINUTE, [two]],
        [-60, [one]],
      ],
      [{}, {}, {}, {}, {}],
    ],
    [
      'a lagging node reports the previous period, or an ended validation',
      [
        [60, [after(1)]],
        [120, [one]],
        [180, [after(1)]],
        // The end of the next period.
        [30 * DAY - 60, [after(1)]],
        [30 * DAY + 60, []],
        [30 * DAY + 6 * MINUTE, []],
        [30 * DAY + 7 * MINUTE, []],
        [30 * DAY + 8 * MINUTE, [after(1)]],
        [30 * DAY + 60 * MINUTE, []],
        [30 * DAY + 70 * MINUTE, []],
        [30 * DAY + 80 * MINUTE, []],
      ],
      [...Array.from({ length: 6 }, () => ({})), ...Array.from({ length: 5 }, () => ({ removed: 1 }))],
    ],
    [
      'it is staked again after it has left, and renews itself again',
      [
        [-60, [leaving]],
        [60, [two]],
        [4 * MINUTE, [two]],
        // It is another validation, so that this look confirms that the first one is over.
        [8 * MINUTE, [{ ...after(1), txID: 'again' }]],
        [30 * DAY + 60, [{ ...after(2), txID: 'again' }]],
      ],
      [{}, {}, {}, { left: 1 }, { left: 1, compounded: 1 }],
    ],
    [
      'not polled for an hour before the end, and then gone',
      [
        [-60 * MINUTE, [one]],
        [60, []],
        [4 * MINUTE, []],
        [8 * MINUTE, []],
      ],
      [{}, {}, {}, { unseen: 1 }],
    ],
    [
      'not polled for three periods',
      [
        [-60, [one]],
        [65 * DAY, [after(3)]],
        [90 * DAY + 60, [after(4)]],
      ],
      [{}, { unseen: 1 }, { unseen: 1, compounded: 1 }],
    ],
    [
      'not polled for a day, but the outcome is clear',
      [
        [-DAY, [one]],
        [DAY, [after(1)]],
      ],
      [{}, { compounded: 1 }],
    ],
    [
      'failed calls tell nothing',
      [
        [-60, [one]],
        [60, new BaseError('timeout', 'late')],
        [4 * MINUTE, new BaseError('timeout', 'late')],
        [8 * MINUTE, new BaseError('timeout', 'late')],
        [9 * MINUTE, [after(1)]],
      ],
      // What was published stays until it is too old: a quarter of an hour.
      [{}, {}, {}, {}, { compounded: 1 }],
    ],
    [
      'records that do not tell all of it tell nothing',
      [
        [-60, [one]],
        [60, [{ ...after(1), nextPeriod: undefined }]],
        [2 * MINUTE, [{ ...after(1), weight: undefined }]],
        [3 * MINUTE, [{ ...after(1), txID: undefined }]],
        [4 * MINUTE, [{ ...after(1), startTime: undefined }]],
        [5 * MINUTE, [{ ...after(1), endTime: undefined }]],
        // An end before its start, a start in the future.
        [6 * MINUTE, [{ ...after(1), endTime: String(END - 1) }]],
        [7 * MINUTE, [after(3)]],
        [8 * MINUTE, [after(1)]],
      ],
      [...Array.from({ length: 8 }, () => ({})), { compounded: 1 }],
    ],
    ['a fixed term is not renewed', [[-60, [two]]], [undefined]],
  ])('%s', async (_, looks, expected) => {
    const { seen } = await looking(looks)
    expect(seen).toEqual(expected)
  })

  test('a missing validator may be among unreadable records', async () => {
    const broken = { ...two, weight: '-1' }
    const { seen } = await looking([
      [-60, [one, two]],
      [60, [broken]],
      [4 * MINUTE, [broken]],
      [8 * MINUTE, [broken]],
      [9 * MINUTE, [after(1), two]],
    ])
    expect(seen).toEqual([{}, {}, {}, {}, { compounded: 1 }])
  })

  test('continues counting after a restart', async () => {
    const { poller } = await looking([
      [-60, [one]],
      [60, [after(1)]],
    ])
    const { key } = poller.tasks[0]!
    const next = createPoller(yaml, validatorRenewals, (END + 30 * DAY + 60) * 1_000)
    await next.memories.save(key, JSON.parse(JSON.stringify(poller.memories.load(key))))
    await next.poll(() => ({ validators: [after(2)] }))
    expect(counts(next)).toEqual({ compounded: 2 })
  })

  test('does not count a refused id as gone', async () => {
    const poller = createPoller(yaml, validatorRenewals, (END - 60) * 1_000)
    await poller.poll(() => ({ validators: [one, two] }))
    for (const at of [60, 4 * MINUTE, 8 * MINUTE]) {
      poller.clock.now = (END + at) * 1_000
      await poller.poll((_, { body }) => {
        const ids = body['nodeIDs'] as string[] | undefined
        if (ids?.includes(ONE)) {
          return new BaseError('rpc_error', 'error -32000', { details: "couldn't unmarshal an argument" })
        }
        return { validators: [two] }
      })
    }
    expect(counts(poller)).toEqual({})
  })
})
