import { describe, expect, test } from 'vitest'
import { validatorRenewals } from '../../../src/collectors/validators/renewals.ts'
import { BaseError } from '../../../src/errors.ts'
import { withoutZeros } from '../../support/exposition.ts'
import { createPoller, type Poller } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

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
  const said: Readonly<Record<string, readonly object[] | Error>> = {
    one: [one],
    two: [two],
    leaving: [leaving],
    none: [],
    late: new BaseError('timeout', 'late'),
    after1: [after(1)],
    after2: [after(2)],
    after3: [after(3)],
    after4: [after(4)],
    // All of the second reward was paid.
    paid2: [after(2, '2005000000000')],
    again1: [{ ...after(1), txID: 'again' }],
    again2: [{ ...after(2), txID: 'again' }],
  }
  const units = { s: 1, m: MINUTE, d: DAY } as const
  /** `-5m:one`, `30d1m:after1`: when it looks, and what the node lists then. */
  function looksOf(text: string): Look[] {
    return text.split(' ').map((look) => {
      const [, sign, times = '', listed = ''] = /^(-?)(\w+):(\w+)$/.exec(look)!
      const spans = [...times.matchAll(/(\d+)([smd])/g)]
      const at = spans.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0)
      return [sign === '-' ? -at : at, said[listed]!]
    })
  }
  /** What is counted after each look; `-` is nothing, and `no` no series at all. */
  const written = (seen: Counts | undefined) =>
    seen &&
    (Object.entries(seen)
      .map(([outcome, count]) => (count === 1 ? outcome : `${count}${outcome}`))
      .join() ||
      '-')

  test.each(
    rowsOf(`
      // With half of its reward, and then without any of it.
      it goes on                       | -5m:one 0s:one 5m:after1 30d1m:paid2           | - - compounded compounded,not_compounded
      // Three looks in five minutes agree.
      it is gone                       | -5m:one 1m:two 4m:two 6m:two 7m:two            | - - - removed removed
      it was set to leave              | -5m:one -1m:leaving 1m:none 4m:none 6m:none    | - - - - left
      a node that lacks it once errs   | -5m:one 1m:two 4m:after1 9m:two 12m:two        | - - compounded compounded compounded
      it cannot be gone before its end | -60m:one -30m:two -20m:two -10m:two -1m:one    | - - - - -
      a node lags by a period          | 1m:after1 2m:one 3m:after1                     | - - -
      // Its last answer is of an ended validation.
      a node lags after the end        | -1m:one 1m:none 6m:none 7m:none 8m:one 60m:none | - - - removed removed removed
      // It is another validation, so that this look confirms that the first one is over.
      it is staked again               | -1m:leaving 1m:two 4m:two 8m:again1            | - - - left
      and renews itself again          | -1m:leaving 1m:two 4m:two 8m:again1 30d1m:again2 | - - - left compounded,left
      not looked at for an hour        | -60m:one 1m:none 4m:none 8m:none               | - - - unseen
      not looked at for three periods  | -1m:one 65d:after3 90d1m:after4                | - unseen compounded,unseen
      for a day, and it is clear       | -1d:one 1d:after1                              | - compounded
      // What was published stays until it is too old: a quarter of an hour.
      failed calls tell nothing        | -1m:one 1m:late 4m:late 8m:late 9m:after1      | - - - - compounded
      a fixed term is not renewed      | -1m:two                                        | no
    `),
  )('%s', async (_, looks, expected) => {
    const { seen } = await looking(looksOf(looks))
    expect(seen.map((one) => written(one) ?? 'no').join(' ')).toBe(expected)
  })

  test('records that do not tell all of it tell nothing', async () => {
    const { seen } = await looking([
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
    ])
    expect(seen).toEqual([...Array.from({ length: 8 }, () => ({})), { compounded: 1 }])
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
