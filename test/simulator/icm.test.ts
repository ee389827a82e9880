// Messages between chains over HTTP (document 1, operations 17 and 18).

import { describe, expect, test } from 'vitest'
import { ask, EPOCH, networkOfFile, networkOfTest } from './network.ts'

const network = await networkOfFile({ speed: 0 })

interface Message {
  messageId: string
  messageNonce: string
  sourceBlockchainId: string
  destinationBlockchainId: string
  sourceEvmChainId: string
  from: string
  to: string
  messageExecuted: boolean
  receipts: { receivedMessageNonce: string; relayerRewardAddress: string }[]
  receiptDelivered: boolean
  sourceTransaction: { txHash: string; timestamp: number; gasSpent: string }
  destinationTransaction?: { timestamp: number }
  status: string
}
interface Page {
  nextPageToken?: string
  messages: Message[]
}

/** Each request in a minute of its own. */
async function page(path: string, from = network): Promise<Page> {
  from.clock.now += 60
  const { status, body } = await ask(from.dataUrl + path)
  expect(status).toBe(200)
  return body as Page
}
async function all(query = '', size = 100, from = network, base = '/v1/icm/messages'): Promise<Message[]> {
  const found: Message[] = []
  for (let token: string | undefined = ''; token !== undefined;) {
    const next: Page = await page(`${base}?pageSize=${size}${query}${token && `&pageToken=${token}`}`, from)
    found.push(...next.messages)
    token = next.nextPageToken
  }
  return found
}

describe('list ICM messages', () => {
  test('gives ten at first, newest first, in the form of the document', async () => {
    const { messages, nextPageToken } = await page('/v1/icm/messages')
    expect(messages).toHaveLength(10)
    expect(nextPageToken).toEqual(expect.any(String))
    const times = messages.map(({ sourceTransaction }) => sourceTransaction.timestamp)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const { relayer } = network.world.evmWallets
    const chains = new Map(network.world.evm.map((chain) => [chain.blockchainId, String(chain.chainId)]))
    for (const one of messages) {
      expect(one).toEqual({
        messageId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        icmContractAddress: '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf',
        sourceBlockchainId: one.sourceBlockchainId,
        destinationBlockchainId: one.destinationBlockchainId,
        sourceEvmChainId: chains.get(one.sourceBlockchainId),
        destinationEvmChainId: chains.get(one.destinationBlockchainId),
        messageNonce: expect.stringMatching(/^[1-9]\d*$/),
        from: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        to: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        data: expect.stringMatching(/^0x[0-9a-f]+$/),
        messageExecuted: one.status === 'delivered',
        receipts: one.receipts.map(({ receivedMessageNonce }) => ({
          receivedMessageNonce,
          relayerRewardAddress: relayer,
        })),
        receiptDelivered: expect.any(Boolean),
        rewardDetails: {
          address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
          name: 'Fuji Dollar',
          symbol: 'FUSD',
          decimals: 6,
          logoUri: expect.any(String),
          ercType: 'ERC-20',
          price: { currencyCode: 'usd', value: expect.stringMatching(/^\d+(\.\d+)?$/) },
          value: expect.stringMatching(/^\d+$/),
        },
        sourceTransaction: {
          txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          timestamp: expect.any(Number),
          gasSpent: expect.stringMatching(/^\d+$/),
        },
        status: expect.stringMatching(/^(pending|delivered)$/),
      })
      expect(one.sourceBlockchainId).not.toBe(one.destinationBlockchainId)
    }
  })

  test('goes by the filters', async () => {
    const everything = await all()
    const [c, orchard] = network.world.evm.map(({ blockchainId }) => blockchainId)
    const { treasury, market, relayer } = network.world.evmWallets
    const from = (id?: string) => (one: Message) => one.sourceBlockchainId === id
    const to = (id?: string) => (one: Message) => one.destinationBlockchainId === id
    const cases: [query: string, isWanted: (one: Message) => boolean][] = [
      [`sourceBlockchainId=${orchard}`, from(orchard)],
      ['sourceBlockchainId=43214', from(orchard)],
      ['destinationBlockchainId=43113', to(c)],
      [`sourceBlockchainId=43113&destinationBlockchainId=${orchard}`, (one) => from(c)(one) && to(orchard)(one)],
      [`blockchainId=${orchard}`, (one) => from(orchard)(one) || to(orchard)(one)],
      [`from=${treasury}`, (one) => one.from === treasury],
      [`to=${treasury.toUpperCase().replace('X', 'x')}`, (one) => one.to === treasury],
      [`from=${market}&to=${treasury}&destinationBlockchainId=43214`, (one) => one.from === market && to(orchard)(one)],
      ['network=fuji', () => true],
      ['network=testnet', () => true],
    ]
    for (const [query, isWanted] of cases) {
      const expected = everything.filter(isWanted)
      expect(expected.length).toBeGreaterThan(3)
      expect(await all(`&${query}`)).toEqual(expected)
    }
    const emptyQueries = [`from=${relayer}`, 'network=mainnet', 'sourceBlockchainId=1', 'sourceBlockchainId=43216']
    for (const query of emptyQueries) expect(await page(`/v1/icm/messages?${query}`)).toEqual({ messages: [] })
  })
})

test('the control endpoint counts how many messages of the last day are in each state', async () => {
  const own = await networkOfTest({ speed: 0 })
  const counts = async () => ((await ask(`${own.controlUrl}/state`)).body as { icm: Record<string, number> }).icm
  const messages = await all('', 100, own)
  const of = (state: string) => messages.filter(({ status }) => status === state).length
  expect(await counts()).toEqual({ pending: of('pending'), delivered: of('delivered') })
  own.world.advance(EPOCH + 30 * 3_600)
  const { pending, delivered } = await counts()
  const times = Array.from(own.world.icm.sent(), ({ time }) => time)
  expect(pending! + delivered!).toBe(times.filter((time) => time >= EPOCH + 6 * 3_600).length)
  expect(times.length).toBeGreaterThan(pending! + delivered!)
})
