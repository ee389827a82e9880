// What the data service refuses alike wherever it is asked: another network, and a token of another request.

import { describe, expect, test } from 'vitest'
import { networkOfFile, post } from './network.ts'

const network = await networkOfFile({ speed: 0, dialect: 'live' })

const FUJI = '/v1/networks/fuji'
const P = `${FUJI}/blockchains/p-chain`
const [ONE, OTHER] = network.world.validators.all.keys()
const PENDING = `${FUJI}/rewards:listPending?pageSize=1&nodeIds=${ONE},${OTHER}`

describe('mainnet is not found:', () => {
  const notFound = [404, { statusCode: 404, error: 'Not Found', message: 'the simulated network is fuji' }]

  test.each([
    `${P}/blocks`,
    `${P}/balances`,
    `${P}/utxos`,
    `${P}/transactions`,
    `${P}/transactions:listStaking`,
    `${FUJI}/rewards?nodeIds=NodeID-none`,
    `${FUJI}/rewards:listPending?nodeIds=NodeID-none`,
    `${FUJI}/l1Validators`,
    `${FUJI}/validators`,
    `${FUJI}/validators/NodeID-1`,
    `${FUJI}/delegators`,
  ])('%s', async (path) => {
    const { status, body } = await network.askLater(path.replace('fuji', 'mainnet'))
    expect([status, body]).toEqual(notFound)
  })

  test.each([
    [`${P}/utxos`, { addresses: 'avax1abc' }],
    ['/v1/signatureAggregator/fuji/aggregateSignatures', { message: 'c0ffee' }],
  ])('%s, by POST', async (path, asked) => {
    const { status, body } = await post(network.dataUrl + path.replace('fuji', 'mainnet'), asked)
    expect([status, body]).toEqual(notFound)
  })
})

test.each([
  ['blocks of another chain', `${P}/blocks?`, `${FUJI}/blockchains/x-chain/blocks?`],
  ['blocks of another time', `${P}/blocks?`, `${P}/blocks?startTimestamp=1`],
  ['transactions of another chain', `${P}/transactions?`, `${FUJI}/blockchains/x-chain/transactions?`],
  ['transactions in another order', `${P}/transactions?`, `${P}/transactions?sortOrder=asc`],
  ['transactions of an address', `${P}/transactions?`, `${P}/transactions?addresses=fuji1unknown`],
  ['transactions of an L1 validator', `${P}/transactions?`, `${P}/transactions?l1ValidationId=2nobody`],
  ['stakes in another order', `${P}/transactions:listStaking?`, `${P}/transactions:listStaking?sortOrder=asc`],
  ['stakes of an address', `${P}/transactions:listStaking?`, `${P}/transactions:listStaking?addresses=fuji1unknown`],
  ['some stakes', `${P}/transactions:listStaking?`, `${P}/transactions:listStaking?txTypes=AddValidatorTx`],
  ['stakes since a time', `${P}/transactions:listStaking?`, `${P}/transactions:listStaking?startTimestamp=1`],
  ['all transactions', `${P}/transactions:listStaking?`, `${P}/transactions?sortOrder=desc`],
  ['what was paid', PENDING, PENDING.replace(':listPending', '')],
  ['rewards in another order', PENDING, `${PENDING}&sortOrder=desc`],
  ['rewards of another node', PENDING, `${FUJI}/rewards:listPending?nodeIds=NodeID-none`],
  ['rewards of an address', PENDING, `${PENDING}&addresses=fuji1nobody`],
  [
    'messages of another chain',
    '/v1/icm/messages?sourceBlockchainId=43113',
    '/v1/icm/messages?sourceBlockchainId=43214',
  ],
])('the token of a page is not one for %s, and no other text is one', async (_, path, other) => {
  const { nextPageToken } = (await network.askLater(path)).body as { nextPageToken: string }
  expect(nextPageToken).toEqual(expect.any(String))
  const message = 'pageToken is unknown, expired or of another request'
  for (const asked of [`${other}&pageToken=${nextPageToken}`, `${path}&pageToken=abc`]) {
    const { status, body } = await network.askLater(asked)
    expect([status, body]).toEqual([400, { statusCode: 400, error: 'Bad Request', message }])
  }
})
