// The data service's own SDK against the simulated one in the live dialect: EVM chains, messages between chains, and
// signatures. It refuses an answer that does not have the live service's form; what it makes of the others is compared
// here with the world.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toTokens } from '../../../src/lib/units.ts'
import { unsignedMessage } from '../../../src/simulator/world/warp.ts'
import { itemsOf, type ListRow, type Row, dataSdk, startLive, tokensIn, tokensOf, turnedOver } from './sdk.ts'

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

/** The C-Chain, and an L1. */
const evm = (at: number) => world.evm[at]!
const chainOf = (at: number) => ({ chainId: String(evm(at).chainId) })
const treasury = () => world.evmWallets.treasury
/** The newest block of the C-Chain with calls, transfers and contracts that are made. */
function busy() {
  const { head, block, transactions } = evm(0)
  let number = head()
  while (new Set(transactions(number).map(({ callType }) => callType)).size < 3) number -= 1
  return block(number)!
}
const messageLine = (one: { messageId: string; status: string; messageNonce: string }) =>
  `${one.messageId} ${one.status} ${one.messageNonce}`
/** Some of them have not arrived: their form is another one. */
function messagesTold(sent: ReturnType<typeof world.icm.sent>): string[] {
  const messages = [...sent].map((one) => world.icm.message(one))
  expect(new Set(messages.map(({ delivery }) => delivery === undefined))).toEqual(new Set([true, false]))
  return messages.map(({ id, delivery, nonce }) => `${id} ${delivery ? 'delivered' : 'pending'} ${nonce}`)
}

const lists: ListRow[] = [
  [
    'list-erc20-transfers',
    'of a wallet on an L1',
    20,
    (page) =>
      itemsOf(
        data.evm.address.transactions.listErc20({ ...chainOf(1), address: treasury(), startBlock: 1, ...page }),
        ({ result }) =>
          result.transactions.map((one) =>
            [
              one.txHash,
              one.logIndex,
              one.from.address.toLowerCase(),
              one.to.address.toLowerCase(),
              one.value,
              one.erc20Token.symbol,
            ].join(' '),
          ),
      ),
    () => {
      const chain = evm(1)
      const all = [
        ...chain.transfers(treasury(), chain.transactionsBefore(1), chain.transactionsBefore(chain.head() + 1) - 1),
      ]
      return all.map(({ transaction, logIndex, from, to, value, token }) =>
        [transaction.hash, logIndex, from, to, value, token.symbol].join(' '),
      )
    },
  ],
  [
    'list-evm-block-transactions',
    'of a block of the C-Chain',
    10,
    (page) => {
      const request = { ...chainOf(0), blockId: busy().hash, ...page }
      return turnedOver(
        (token) => data.evm.blocks.listTransactions({ ...request, ...token }),
        ({ transactions }) =>
          transactions.map((one) =>
            [
              one.txHash,
              one.from.address.toLowerCase(),
              one.to.address.toLowerCase(),
              one.value,
              one.method?.callType,
            ].join(' '),
          ),
      )
    },
    () =>
      evm(0)
        .transactions(busy().number)
        .map((one) => [one.hash, one.from, one.to, one.value, one.callType].join(' ')),
  ],
  [
    'list-latest-evm-blocks',
    'of an L1',
    100,
    (page) =>
      itemsOf(data.evm.blocks.listLatest({ ...chainOf(1), ...page }), ({ result }) =>
        result.blocks.map((one) => [one.blockNumber, one.blockHash, one.txCount, one.feesSpent].join(' ')),
      ),
    () =>
      Array.from({ length: evm(1).head() + 1 }, (_, at) => evm(1).block(at)!).map((one) =>
        [one.number, one.hash, one.txCount, one.fees].join(' '),
      ),
  ],
  [
    'list-icm-messages',
    'of the network',
    50,
    (page) => itemsOf(data.icm.list({ network: 'fuji', ...page }), ({ result }) => result.messages.map(messageLine)),
    () => messagesTold(world.icm.sent()),
  ],
  [
    'list-icm-messages-by-address',
    'of a wallet',
    50,
    (page) =>
      turnedOver(
        (token) => data.icm.listByAddress({ network: 'fuji', address: treasury(), ...page, ...token }),
        ({ messages }) => messages.map(messageLine),
      ),
    () => messagesTold(world.icm.sentWith(treasury())),
  ],
]

const others: Row[] = [
  [
    'aggregate-signatures',
    'of a message of an L1',
    () => data.signatureAggregator.aggregate({ signatureAggregatorRequest: { message: greeting() } }),
    // What is signed, and then a type, the length of the bits for eight signers, these, and the signature.
    () => ({
      signedMessage: expect.stringMatching(new RegExp(`^${greeting()}0{8}0{6}01[0-9a-f]{${2 * (1 + 96)}}$`)),
    }),
  ],
  [
    'get-aggregated-signatures',
    'of a transaction that changed an L1 validator',
    async () => data.signatureAggregator.get({ txHash: ofAnL1().id }),
    // A version, the number of the network, and the id of the P-Chain.
    () => ({ signedMessage: expect.stringMatching(/^0{4}0{7}5(00){32}[0-9a-f]{200,}$/) }),
  ],
  [
    'get-native-token-balance',
    'of a wallet on the C-Chain',
    async () => {
      const request = { ...chainOf(0), address: treasury(), currency: 'eur' as const }
      return (await data.evm.address.balances.getNative(request)).nativeTokenBalance
    },
    () => {
      const balance = evm(0).balance(treasury(), evm(0).head())
      const price = world.price('AVAX', 'eur')!
      const value = toTokens(balance, 18) * price
      return {
        balance: String(balance),
        symbol: 'AVAX',
        price: { currencyCode: 'eur', value: price },
        balanceValue: { currencyCode: 'eur', value: expect.closeTo(value, 1) },
      }
    },
  ],
]

function greeting(): string {
  const { blockchainId, validators, legacy } = world.l1s.all[0]!
  expect(validators.length + legacy.length).toBeLessThanOrEqual(8)
  return Buffer.from(unsignedMessage(blockchainId, Buffer.from('hello'))).toString('hex')
}

/** Of the first L1, as enough of its validators sign. */
function ofAnL1() {
  const { subnetId } = world.l1s.all[0]!
  return [...world.ledger.transactions('P')].find(({ facts }) => facts.l1Validators?.[0]?.subnetId === subnetId)!
}

test.each(lists)('%s: %s, to the last page', async (_, _what, pageSize, ask, readWorld) => {
  const answer = await ask({ pageSize })
  const expected = readWorld()
  expect(answer.toSorted()).toEqual(expected.toSorted())
  expect(tokensIn(exchanges)).toEqual(tokensOf(expected.length, pageSize))
})

test.each(others)('%s: %s', async (_, _what, ask, readWorld) => {
  expect({ answer: await ask() }).toMatchObject({ answer: readWorld() })
})
