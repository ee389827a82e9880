// The data service's own SDK against the simulated one: what the live service has beyond the documents. It refuses an
// answer that does not have the live service's form; what it makes of the others is compared here with the world.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dataSdk, itemsOf, type ListRow, startLive, tokensIn, tokensOf } from './support/sdk.ts'

let { network, world, clock } = {} as Awaited<ReturnType<typeof startLive>>
let { data, exchanges } = {} as Awaited<ReturnType<typeof dataSdk>>
beforeAll(async () => {
  ;({ network, world, clock } = await startLive())
  ;({ data, exchanges } = await dataSdk(network.dataUrl))
})
beforeEach(() => {
  clock.now += 60
  exchanges.length = 0
})
afterAll(() => network.stop())

const newest = () => world.chains.P.time(world.chains.P.head())!
function l1Told(isWanted: (balance: number, subnetId: string) => boolean): string[] {
  return world.l1s.all.flatMap(({ subnetId, validators }) =>
    validators.flatMap((one) => {
      const balance = world.l1s.balance(one, newest())
      if (!isWanted(balance, subnetId)) return []
      return [[one.validationId, one.nodeId, subnetId, one.weight, balance, one.start, one.owner].join(' ')]
    }),
  )
}
const l1Listed = (request: object) =>
  itemsOf(data.primaryNetwork.listL1Validators(request), ({ result }) => {
    expect(result.blockHeight).toBe(String(world.chains.P.head()))
    return result.validators.map((one) =>
      [
        one.validationId,
        one.nodeId,
        one.subnetId,
        one.weight,
        one.remainingBalance,
        one.creationTimestamp,
        one.remainingBalanceOwner.addresses[0],
      ].join(' '),
    )
  })
const lantern = () => world.l1s.all.find(({ name }) => name === 'lantern')!

const lists: ListRow[] = [
  [
    'list-l1-validators',
    'of all L1s that have a balance',
    5,
    (page) => l1Listed(page),
    () => l1Told((balance) => balance > 0),
  ],
  [
    'list-l1-validators',
    'of an L1, the inactive one as well',
    2,
    (page) => l1Listed({ ...page, subnetId: lantern().subnetId, includeInactiveL1Validators: true }),
    () => {
      // Before the first block that a client sees, a balance has run out there.
      const { subnetId } = lantern()
      expect(l1Told((balance, of) => of === subnetId && balance === 0)).not.toEqual([])
      return l1Told((_, of) => of === subnetId)
    },
  ],
]

test.each(lists)('%s: %s, to the last page', async (_, _what, pageSize, ask, told) => {
  const answer = await ask({ pageSize })
  const expected = told()
  expect(answer.toSorted()).toEqual(expected.toSorted())
  expect(tokensIn(exchanges)).toEqual(tokensOf(expected.length, pageSize))
})
