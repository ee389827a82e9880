// What the control endpoint counts since a moment, against what the world keeps count of as it happens.

import { expect, test } from 'vitest'
import { ask, EPOCH, networkOfFile, post } from '../network.ts'

const NOW = EPOCH + 3_600

const network = await networkOfFile({ speed: 0, delegations: 400 })
network.world.advance(NOW)

async function counted<T>(of: string, since: number) {
  const { status, body } = await ask(`${network.controlUrl}/counts/${of}?since=${since}`)
  expect(status).toBe(200)
  return Object.entries(body as Record<string, T>)
}

test('all blocks, by their types', async () => {
  const blocks = await counted<{ types: object; transactions: number }>('blocks', 0)
  const { chains } = network.world
  expect(blocks.map(([name, { types, transactions }]) => [name, { blocks: types, transactions }])).toEqual(
    Object.entries(chains).map(([name, chain]) => [name, chain.totals()]),
  )
})

test('a top-up, from the block on that it is in', async () => {
  const { l1s, chains } = network.world
  const { validationId } = l1s.all[0]!.validators[0]!
  const own = async () => new Map(await counted<object>('top-ups', NOW)).get(validationId)
  await post(`${network.controlUrl}/actions`, { kind: 'top-up', validationId, amount: 5_000 })
  expect(await own()).toEqual({ count: 0, amount: '0' })
  network.world.advance(chains.P.due())
  expect(await own()).toEqual({ count: 1, amount: '5000' })
})

test.each([
  ['an unknown counter', 'gremlins?since=1'],
  ['no moment', 'blocks'],
  ['a moment that is none', 'blocks?since=yesterday'],
  ['a moment before time', 'blocks?since=-1'],
])('%s is refused', async (_, asked) => {
  expect((await ask(`${network.controlUrl}/counts/${asked}`)).status).toBe(400)
})
