// Lists of UTXOs (document 1, operations 3 and 7), on the wire.

import { describe, expect, test } from 'vitest'
import { ask, EPOCH, networkOfFile, post } from './network.ts'
import { pagesOf, serviceOf } from './service.ts'

const network = await networkOfFile({ speed: 0 })

const PATH = '/v1/networks/fuji/blockchains/p-chain/utxos'
interface Page {
  nextPageToken?: string
  utxos: { utxoId: string; amount: string }[]
}
/** The first ten have rewards from before. */
const validators = () => [...network.world.validators.all.values()].slice(10)

describe('stakes as UTXOs', () => {
  test('each says until when it is locked, and of what it is the reward', async () => {
    const { world, dataUrl } = network
    const { owner } = [...world.validators.all.values()][0]!
    const lock = { platformLocktime: 2_000_000_000, stakeableLocktime: 2_100_000_000 }
    world.ledger.genesis('P', { type: 'BaseTx', consumed: [], outputs: [{ owner, amount: 7n, ...lock }] })
    const { body } = await ask(`${dataUrl}${PATH}?addresses=${owner}&pageSize=100`)
    const { utxos } = body as { utxos: { amount: string; rewardType?: string }[] }
    expect(utxos.find(({ amount }) => amount === '7')).toMatchObject(lock)
    const rewards = world.ledger.utxosOf(owner).flatMap(({ rewardType }) => rewardType ?? [])
    expect(rewards).toContain('VALIDATOR')
    expect(utxos.flatMap(({ rewardType }) => rewardType ?? []).toSorted()).toEqual(rewards.toSorted())
  })

  test('by POST, for one wallet in the forms of all chains: each UTXO once', async () => {
    const { owner, weight } = validators()[2]!
    const addresses = ['P-', 'X-', 'C-', ''].map((prefix) => `${prefix}${owner}`).join(',')
    const { status, body } = await post(`${network.dataUrl}${PATH}`, { addresses })
    expect([status, (body as Page).utxos.map(({ amount }) => amount)]).toEqual([200, [String(weight)]])
    // The other operations take the forms of the document.
    expect((await ask(`${network.dataUrl}${PATH}?addresses=C-${owner}`)).status).toBe(400)
  })

  test.each([
    ['no body', '', 'the body must be a JSON object'],
    ['a list', '[]', 'the body must be a JSON object'],
  ])('%s is refused', async (_, body, message) => {
    const answer = await post(network.dataUrl + PATH, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ statusCode: 400, error: 'Bad Request', message: expect.stringContaining(message) })
  })
})

describe('of the X-Chain', () => {
  const AVAX = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
  const HAZEL = 'Hdpr9g9jFp2kMJG1J5wr3StSrkrhrAJ9rQVk1HFa1NMsxfRZ9'
  /** Of which each is the only one of its kind. */
  const BURR = '28sFDR9Jz4maTcY7bYyz7XFPF3gCWMyakKwMR7Ap93pLtbs4Dp'
  const X = PATH.replace('p-chain', 'x-chain')
  interface Unspent {
    utxoId: string
    assetId: string
    amount: string
    createdOnChainId: string
    consumedOnChainId: string
    consumingTxHash?: string
  }
  const later = () => {
    network.clock.now += 60
    network.world.advance(EPOCH + 6 * 3_600)
  }
  const read = async (query: string, path = X) => {
    later()
    const { address } = network.world.trade.traders[0]!
    const { status, body } = await ask(`${network.dataUrl}${path}?addresses=X-${address}&pageSize=100&${query}`)
    expect(status).toBe(200)
    return (body as { utxos: Unspent[] }).utxos
  }
  const idsOf = (utxos: readonly Unspent[]) => utxos.map(({ utxoId }) => utxoId)

  test.each(['asc', 'desc'])('spent ones as well, page by page, by their times (%s)', (order) => {
    later()
    const { ledger, trade } = network.world
    const { address } = trade.traders[0]!
    const all = ledger.utxosOf(address).filter(({ destination }) => destination === 'X')
    const ascending = all.toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
    expect(all.filter(({ spent }) => spent).length).toBeGreaterThan(7)
    const path = `${X}?addresses=${address}&includeSpent=true&pageSize=7&sortOrder=${order}`
    const found = idsOf(pagesOf<Unspent>(serviceOf(network.world), path, 'utxos').flat())
    expect(found).toEqual(order === 'asc' ? ascending : ascending.toReversed())
  })

  test('one asset alone, from an amount on that counts as well, or every one', async () => {
    const all = await read('')
    expect(new Set(all.map(({ assetId }) => assetId))).toEqual(new Set([AVAX, HAZEL, BURR]))
    const hazel = await read(`assetId=${HAZEL}&sortBy=amount&sortOrder=asc`)
    expect(new Set(idsOf(hazel))).toEqual(new Set(idsOf(all.filter(({ assetId }) => assetId === HAZEL))))
    expect(hazel.length).toBeGreaterThan(1)
    const least = hazel[1]!.amount
    expect(await read(`assetId=${HAZEL}&sortBy=amount&sortOrder=asc&minUtxoAmount=${least}`)).toEqual(
      hazel.filter(({ amount }) => BigInt(amount) >= BigInt(least)),
    )
  })

  test('what waits to be imported is in the list of the chain that it goes to', async () => {
    const me = network.world.trade.traders[0]!
    network.world.ledger.genesis('P', {
      type: 'ExportTx',
      consumed: [],
      outputs: [{ owner: me.address, amount: 77n, destination: 'X' }],
    })
    const is77 = ({ amount }: Unspent) => amount === '77'
    const [waiting] = (await read('')).filter(is77)
    expect(waiting).toMatchObject({
      createdOnChainId: '11111111111111111111111111111111LpoYY',
      consumedOnChainId: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
    })
    expect((await read('', PATH)).filter(is77)).toEqual([])
  })
})
