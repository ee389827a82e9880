// What the control endpoint counts since a moment, against what the world keeps count of as it happens.

import { describe, expect, test } from 'vitest'
import { ask, EPOCH, networkOfFile, post } from '../network.ts'

const NOW = EPOCH + 10 * 3_600

const network = await networkOfFile({ speed: 0, delegations: 400 })
network.world.advance(NOW)

async function counted<T>(of: string, since: number) {
  const { status, body } = await ask(`${network.controlUrl}/counts/${of}?since=${since}`)
  expect(status).toBe(200)
  return Object.entries(body as Record<string, T>)
}
const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0)

describe('from the beginning', () => {
  test('all blocks, by their types', async () => {
    const blocks = await counted<{ types: object; transactions: number }>('blocks', 0)
    const { chains } = network.world
    expect(blocks.map(([name, { types, transactions }]) => [name, { blocks: types, transactions }])).toEqual(
      Object.entries(chains).map(([name, chain]) => [name, chain.totals()]),
    )
  })

  test('all rewards, of all receivers', async () => {
    const owners = await counted<Record<string, { count: number; amount: string }>>('rewards', 0)
    const { validators, staking } = network.world
    for (const type of ['VALIDATOR', 'VALIDATOR_FEE', 'DELEGATOR'] as const) {
      const all = [...validators.all.keys()].map((nodeId) => staking.totals(nodeId)[type])
      const got = owners.flatMap(([, types]) => types[type] ?? [])
      expect(sum(got.map(({ count }) => count))).toBe(sum(all.map(({ count }) => count)))
      expect(got.reduce((tokens, { amount }) => tokens + BigInt(amount), 0n)).toBe(
        all.reduce((tokens, { amount }) => tokens + amount, 0n),
      )
    }
  })

  test('all messages', async () => {
    const routes = (await counted<{ sent: number; delivered: number }>('messages', 0)).map(([, route]) => route)
    // Of the last day, which is longer than the network is old.
    const { icm } = (await ask(`${network.controlUrl}/state`)).body as { icm: { pending: number; delivered: number } }
    expect(sum(routes.map(({ delivered }) => delivered))).toBe(icm.delivered)
    expect(sum(routes.map(({ sent, delivered }) => sent - delivered))).toBe(icm.pending)
  })
})

describe('since a moment', () => {
  const since = NOW - 600

  test('the transactions of EVM chains and their gas, and no others', async () => {
    const outcomes = await counted<Record<'done' | 'failed', Record<string, number>>>('evm-transactions', since)
    const found = outcomes.map(([id, { done, failed }]) => [id, sum([done, failed].flatMap(Object.values))])
    const stated = network.world.evm.map((chain) => {
      const [before, newest] = [chain.block(chain.blockAt(since))!, chain.block(chain.head())!]
      return [String(chain.chainId), newest.cumulative - before.cumulative]
    })
    expect(found).toEqual(stated)
    const blocks = await counted<{ blocks: number; gas: number }>('evm-blocks', since)
    const gas = network.world.evm.map((chain) => {
      const all = Array.from({ length: chain.head() - chain.blockAt(since) }, (_, at) => chain.head() - at)
      return sum(all.flatMap((number) => chain.transactions(number)).map(({ gasUsed }) => gasUsed))
    })
    expect(blocks.map(([, one]) => one.gas)).toEqual(gas)
  })

  test('a top-up, from the block on that it is in', async () => {
    const { l1s, chains } = network.world
    const { validationId } = l1s.all[0]!.validators[0]!
    const at = NOW
    const own = async () => new Map(await counted<object>('top-ups', at)).get(validationId)
    await post(`${network.controlUrl}/actions`, { kind: 'top-up', validationId, amount: 5_000 })
    expect(await own()).toEqual({ count: 0, amount: '0' })
    network.world.advance(chains.P.due())
    expect(await own()).toEqual({ count: 1, amount: '5000' })
  })

  test('what a trader paid is the fee of each of its transactions', async () => {
    const wallets = new Map(await counted<Record<'P' | 'X', { burned: string }>>('transactions', EPOCH))
    const burned = network.world.trade.traders.map(({ address }) => wallets.get(address)!)
    // In the smallest unit: 40,000 each on the P-Chain, 1,000,000 on the X-Chain.
    expect(burned.map(({ P }) => Number(P.burned) % 40_000)).toEqual(burned.map(() => 0))
    expect(burned.map(({ X }) => Number(X.burned) % 1_000_000)).toEqual(burned.map(() => 0))
    expect(burned.every(({ P, X }) => P.burned !== '0' && X.burned !== '0')).toBe(true)
  })
})

test.each([
  ['an unknown counter', 'gremlins?since=1'],
  ['no moment', 'blocks'],
  ['a moment that is none', 'blocks?since=yesterday'],
  ['a moment before time', 'blocks?since=-1'],
])('%s is refused', async (_, asked) => {
  expect((await ask(`${network.controlUrl}/counts/${asked}`)).status).toBe(400)
})
