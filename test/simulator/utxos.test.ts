// Lists of UTXOs (document 1, operations 3 and 7), on the wire.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, post, startNetwork } from './network.ts'

let network: Awaited<ReturnType<typeof startNetwork>>
beforeAll(async () => {
  network = await startNetwork({ speed: 0 })
})
afterAll(() => network.stop())

const PATH = '/v1/networks/fuji/blockchains/p-chain/utxos'
interface Page {
  nextPageToken?: string
  utxos: { utxoId: string; amount: string }[]
}
/** The first ten have rewards from before. */
const validators = () => [...network.world.validators.all.values()].slice(10)
const wallets = (count: number) =>
  validators()
    .slice(0, count)
    .map(({ owner }) => `P-${owner}`)
    .join(',')

describe('stakes as UTXOs', () => {
  test('by GET, in the form of the document', async () => {
    const { owner, weight, start, end } = validators()[2]!
    const { body } = await ask(`${network.dataUrl}${PATH}?addresses=P-${owner}`)
    const asset = {
      assetId: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
      name: 'Avalanche',
      symbol: 'AVAX',
      denomination: 9,
      type: 'secp256k1',
      amount: String(weight),
    }
    expect(body).toEqual({
      utxos: [
        {
          utxoId: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{50}$/),
          addresses: [owner],
          asset,
          amount: String(weight),
          assetId: asset.assetId,
          createdOnChainId: '11111111111111111111111111111111LpoYY',
          consumedOnChainId: '11111111111111111111111111111111LpoYY',
          txHash: expect.any(String),
          outputIndex: 0,
          blockNumber: '0',
          blockTimestamp: network.world.chains.P.time(0),
          platformLocktime: 0,
          staked: true,
          threshold: 1,
          utxoType: 'STAKE',
          utxoStartTimestamp: start,
          utxoEndTimestamp: end,
        },
      ],
      chainInfo: { chainName: 'p-chain', network: 'fuji' },
    })
  })

  test('by POST, page by page as all at once, in the order asked for', async () => {
    const url = `${network.dataUrl}${PATH}`
    const read = async (query: string) => (await post(`${url}?${query}`, { addresses: wallets(10) })).body as Page
    const all = await read('pageSize=1024&sortBy=amount&sortOrder=asc')
    const amounts = all.utxos.map(({ amount }) => BigInt(amount))
    expect(amounts).toEqual(
      validators()
        .map(({ weight }) => weight)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    )
    const paged: Page['utxos'] = []
    for (let token: string | undefined = ''; token !== undefined;) {
      const page = await read(`pageSize=4&sortBy=amount&sortOrder=asc${token && `&pageToken=${token}`}`)
      paged.push(...page.utxos)
      token = page.nextPageToken
    }
    expect(paged).toEqual(all.utxos)
    const least = amounts[4]!
    expect((await read(`pageSize=1024&minUtxoAmount=${least}`)).utxos).toHaveLength(6)
  })

  test.each([
    ['no body', '', 'the body must be a JSON object'],
    ['a list', '[]', 'the body must be a JSON object'],
    ['no addresses', '{}', 'addresses: '],
  ])('%s is refused', async (_, body, message) => {
    const answer = await post(network.dataUrl + PATH, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ statusCode: 400, error: 'Bad Request', message: expect.stringContaining(message) })
  })
})

test('the live service answers a POST with 201', async () => {
  const live = await startNetwork({ speed: 0, dialect: 'live' })
  try {
    expect((await post(live.dataUrl + PATH, { addresses: wallets(1) })).status).toBe(201)
  } finally {
    await live.stop()
  }
})
