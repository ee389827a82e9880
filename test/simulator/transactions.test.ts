// List latest transactions (document 1, operation 4): whose they are, in what order, in which form, and page by page.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrimaryChain } from '../../src/lib/primary-network.ts'
import type { Draft } from '../../src/simulator/world/ledger.ts'
import type { Utxo } from '../../src/simulator/world/transactions.ts'
import { createWorld, type World } from '../../src/simulator/world/world.ts'
import { ask, EPOCH, startNetwork } from './network.ts'
import { pagesOf, serviceOf } from './service.ts'

const DAY = 86_400
const AVAX_ID = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const ids = {
  P: '11111111111111111111111111111111LpoYY',
  X: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  C: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
}
const pathOf = (chain: PrimaryChain) => `/v1/networks/fuji/blockchains/${chain.toLowerCase()}-chain/transactions`

interface Listed {
  txHash: string
  txType: string
  blockTimestamp: number
  blockNumber: string
  blockHash: string
  consumedUtxos: unknown[]
  emittedUtxos: unknown[]
}
interface Page {
  nextPageToken?: string
  transactions: Listed[]
}
const hashes = ({ transactions }: Page) => transactions.map(({ txHash }) => txHash)

let network: Awaited<ReturnType<typeof startNetwork>>
beforeAll(async () => {
  network = await startNetwork({ speed: 0 })
  network.world.advance(EPOCH + DAY)
})
afterAll(() => network.stop())

/** Each request in a minute of its own, while the network stands still: no test uses up the allowance of another one. */
async function get(path: string, from = network) {
  from.clock.now += 60
  return ask(from.dataUrl + path)
}
async function list(path: string, from = network): Promise<Page> {
  const { status, body } = await get(path, from)
  expect(status).toBe(200)
  return body as Page
}
/** The ids of a block's transactions, the newest first. */
const inBlock = (chain: PrimaryChain, height: number) =>
  network.world.chains[chain].block(height)!.transactions.toReversed()

describe('of a chain', () => {
  test.each(['P', 'X'] as const)('%s: ten at first, the newest first, block by block', async (chain) => {
    const head = network.world.chains[chain].head()
    const expected = Array.from({ length: 20 }, (_, at) => inBlock(chain, head - at)).flat()
    const { body } = await get(pathOf(chain))
    expect(hashes(body as Page)).toEqual(expected.slice(0, 10))
    expect(body).toMatchObject({
      nextPageToken: expect.any(String),
      chainInfo: { chainName: `${chain.toLowerCase()}-chain`, network: 'fuji' },
    })
  })

  test.each(['P', 'X'] as const)('%s: the oldest first', async (chain) => {
    const expected = Array.from({ length: 20 }, (_, height) => inBlock(chain, height).toReversed()).flat()
    expect(hashes(await list(`${pathOf(chain)}?sortOrder=asc&pageSize=20`))).toEqual(expected.slice(0, 20))
  })

  test('C: those between chains alone, which are few', async () => {
    const { chains } = network.world
    const heights = Array.from({ length: chains.C.head() + 1 }, (_, at) => chains.C.head() - at)
    const expected = heights.flatMap((height) => inBlock('C', height))
    expect(hashes(await list(`${pathOf('C')}?pageSize=20`))).toEqual(expected.slice(0, 20))
    expect(hashes(await list(`${pathOf('C')}?pageSize=20&sortOrder=asc`))).toEqual(expected.slice(-20).toReversed())
  })

  test.each([
    ['its id', pathOf('P').replace('p-chain', ids.P)],
    ['testnet', pathOf('P').replace('fuji', 'testnet')],
  ])('by %s it is the same', async (_, path) => {
    expect(await list(`${path}?pageSize=3`)).toMatchObject({
      transactions: (await list(`${pathOf('P')}?pageSize=3`)).transactions,
    })
  })

  test('a page ends early when its UTXOs are many, and is not the last', async () => {
    // Each transaction has two UTXOs at least, a stranger's exactly two: 64 are reached by the 32nd at the latest.
    const page = await list(`${pathOf('P')}?pageSize=100`)
    const utxos = page.transactions.map((one) => one.consumedUtxos.length + one.emittedUtxos.length)
    const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)
    expect(page.transactions.length).toBeLessThanOrEqual(32)
    expect(sum(utxos)).toBeGreaterThanOrEqual(64)
    expect(sum(utxos.slice(0, -1))).toBeLessThan(64)
    const next = await list(`${pathOf('P')}?pageSize=100&pageToken=${page.nextPageToken}`)
    const head = network.world.chains.P.head()
    const expected = Array.from({ length: 100 }, (_, at) => inBlock('P', head - at)).flat()
    expect([...hashes(page), ...hashes(next)]).toEqual(
      expected.slice(0, page.transactions.length + next.transactions.length),
    )
  })
})

describe('of wallets', () => {
  const traders = () => network.world.trade.traders

  /** From the blocks: those that an address pays for or gets something from. */
  function expected(chain: PrimaryChain, of: readonly string[]): string[] {
    const { ledger } = network.world
    const isTheirs = ({ owner }: Utxo) => of.includes(owner)
    return [...ledger.transactions(chain)]
      .filter(
        ({ consumed, emitted, facts }) =>
          [...consumed, ...emitted].some(isTheirs) || facts.evm?.some(({ address }) => of.includes(address)),
      )
      .map(({ id }) => id)
  }

  test.each(['P', 'X', 'C'] as const)(
    '%s: with or without the prefix of a chain, of one or of several',
    async (chain) => {
      const [{ address: one }, { address: other }] = [traders()[0]!, traders()[1]!]
      const path = `${pathOf(chain)}?pageSize=5&addresses=`
      const theirs = expected(chain, [one]).slice(0, 5)
      expect(theirs).toHaveLength(5)
      expect(hashes(await list(`${path}${one}`))).toEqual(theirs)
      expect(hashes(await list(`${path}P-${one}`))).toEqual(theirs)
      expect(hashes(await list(`${path}X-${one},${one}`))).toEqual(theirs)
      expect(hashes(await list(`${path}X-${one},P-${other}`))).toEqual(expected(chain, [one, other]).slice(0, 5))
    },
  )

  test('C: by an address of the EVM, in capitals as well, and mixed with others', async () => {
    const { evm, address } = traders()[2]!
    const path = `${pathOf('C')}?pageSize=5&addresses=`
    const theirs = expected('C', [evm])
    expect(theirs.length).toBeGreaterThan(10)
    expect(hashes(await list(path + evm))).toEqual(theirs.slice(0, 5))
    expect(hashes(await list(`${path}0x${evm.slice(2).toUpperCase()}`))).toEqual(theirs.slice(0, 5))
    const others = traders()[3]!.address
    expect(hashes(await list(`${path}${evm},P-${others}`))).toEqual(expected('C', [evm, others]).slice(0, 5))
    // A trader moves only its own money.
    expect(expected('C', [address])).toEqual(theirs)
  })

  test('a stranger has the coin and gives it away', async () => {
    const all = [...network.world.ledger.transactions('P')].filter(({ position }) => position < 3)
    const [after, got] = [all[4]!, all[5]!]
    const { owner } = got.emitted[0]!
    expect(hashes(await list(`${pathOf('P')}?addresses=P-${owner}`))).toEqual([after.id, got.id])
    expect(await list(`${pathOf('X')}?addresses=P-${owner}`)).toMatchObject({ transactions: [] })
  })

  test('of some types, from one time to another, either way', async () => {
    const { address } = traders()[0]!
    const all = network.world.ledger
      .transactionsOf(address)
      .filter(({ chain, position }) => chain === 'P' && position >= 0)
      .toSorted((a, b) => a.time - b.time)
    const [from, to] = [all[10]!.time, all[40]!.time]
    const between = all.slice(10, 41)
    const path = `${pathOf('P')}?pageSize=50&addresses=${address}&sortOrder=asc`
    const first = async (query: string) => hashes(await list(path + query)).slice(0, 8)
    const idsOf = (found: typeof all) => found.map(({ id }) => id).slice(0, 8)
    expect(await first(`&startTimestamp=${from}`)).toEqual(idsOf(all.slice(10)))
    expect(await first(`&startTimestamp=${from}&endTimestamp=${to}&txTypes=BaseTx`)).toEqual(
      idsOf(between.filter(({ type }) => type === 'BaseTx')),
    )
    const isBetweenChains = ({ type }: { type: string }) => ['ImportTx', 'ExportTx'].includes(type)
    const atomic = idsOf(between.filter(isBetweenChains))
    expect(atomic.length).toBeGreaterThan(1)
    expect(await first(`&startTimestamp=${from}&endTimestamp=${to}&txTypes=ImportTx&txTypes=ExportTx`)).toEqual(atomic)
    expect(await first(`&startTimestamp=${from}&endTimestamp=${to}&txTypes=ImportTx,ExportTx`)).toEqual(atomic)
    expect(hashes(await list(`${path}&endTimestamp=${to}`.replace('asc', 'desc'))).slice(0, 8)).toEqual(
      idsOf(all.slice(0, 41).toReversed()),
    )
  })

  test.each([
    ['nobody', 'addresses=fuji1nobody'],
    ['an L1 validator that there is not', 'l1ValidationId=2nobody'],
    ['a time to come', `startTimestamp=${EPOCH + 2 * DAY}&addresses=fuji1nobody`],
  ])('of %s there are none', async (_, query) => {
    expect((await get(`${pathOf('P')}?${query}`)).body).toEqual({
      transactions: [],
      chainInfo: { chainName: 'p-chain', network: 'fuji' },
    })
  })
})

describe('of an L1 validator', () => {
  test('from the transaction that made it one, of some types, and of a wallet as well', async () => {
    const { ledger, l1s } = network.world
    const { validationId, owner } = l1s.all[0]!.validators[0]!
    network.world.take({ kind: 'top-up', validationId, amount: 1_000_000_000 })
    network.world.advance(network.world.now() + 60)
    const path = `${pathOf('P')}?l1ValidationId=${validationId}`
    const { transactions } = await list(path)
    expect(transactions.map(({ txType }) => txType)).toEqual(['IncreaseL1ValidatorBalanceTx', 'ConvertSubnetToL1Tx'])
    const typed = await list(`${path}&txTypes=ConvertSubnetToL1Tx&endTimestamp=${EPOCH}`)
    expect(hashes(typed)).toEqual([transactions[1]!.txHash])
    expect(hashes(await list(`${path}&startTimestamp=${EPOCH}`))).toEqual([transactions[0]!.txHash])
    expect(await list(`${path}&addresses=${owner}`)).toMatchObject({ transactions: [] })
    const payer = ledger.find(transactions[0]!.txHash)!.consumed[0]!.owner
    expect(hashes(await list(`${path}&addresses=${payer}`))).toEqual([transactions[0]!.txHash])
  })
})

test.each([
  ['mainnet', pathOf('P').replace('fuji', 'mainnet'), 404, 'Not Found', 'the simulated network is fuji'],
  ['a token that nobody gave', `${pathOf('P')}?pageToken=abc`, 400, 'Bad Request', 'pageToken is unknown'],
])('%s is refused', async (_, path, statusCode, error, message) => {
  const answer = await get(path)
  expect([answer.status, answer.body]).toEqual([
    statusCode,
    { statusCode, error, message: expect.stringContaining(message) },
  ])
})

test.each([
  ['another chain', pathOf('X')],
  ['another order', `${pathOf('P')}?sortOrder=asc`],
  ['somebody', `${pathOf('P')}?addresses=fuji1nobody`],
  ['an L1 validator', `${pathOf('P')}?l1ValidationId=2nobody`],
])('the token of a chain is refused for %s', async (_, path) => {
  const { nextPageToken } = await list(pathOf('P'))
  const { body } = await get(`${path}${path.includes('?') ? '&' : '?'}pageToken=${nextPageToken}`)
  expect(body).toEqual({
    statusCode: 400,
    error: 'Bad Request',
    message: 'pageToken is unknown, expired or of another request',
  })
})

describe('in which form', () => {
  const me = 'fuji1watched'
  const evm = `0x${'ab'.repeat(20)}`
  const nut = { id: '2nut', name: 'Nut', symbol: 'NUT', denomination: 2 }

  /** One of each kind, each in a block of its own; the fees are 40,000 on P, a million on X and 350,000 on C. */
  function scene(world: World) {
    const { ledger } = world
    const [first] = ledger.genesis('P', {
      type: 'BaseTx',
      consumed: [],
      outputs: [{ owner: me, amount: 5_000_000_000n }],
    }).emitted as [Utxo]
    const made: Utxo[] = [first]
    const act = (chain: PrimaryChain, draft: Draft) => {
      ledger.submit(chain, () => draft)
      world.advance(world.now() + 60)
      const unspent = [...ledger.unspentOf(me)]
      made.push(unspent.at(draft.outputs.length === 2 ? -2 : -1)!)
      return unspent
    }
    const [, change] = act('P', {
      type: 'ExportTx',
      consumed: [first],
      outputs: [
        { owner: me, amount: 2_000_000_000n, destination: 'C' },
        { owner: me, amount: 2_999_960_000n },
      ],
      facts: { sourceChain: 'P', destinationChain: 'C', memo: 'hello' },
    }) as [Utxo, Utxo]
    act('C', {
      type: 'ImportTx',
      consumed: [made[1]!],
      outputs: [],
      facts: { sourceChain: 'P', destinationChain: 'C', evm: [{ address: evm, amount: 1_999_650_000n }] },
    })
    const exported = act('C', {
      type: 'ExportTx',
      consumed: [],
      outputs: [{ owner: me, amount: 1_000_000_000n, destination: 'X' }],
      facts: { sourceChain: 'C', destinationChain: 'X', evm: [{ address: evm, amount: 1_000_350_000n }] },
    }).at(-1)!
    const imported = act('X', {
      type: 'ImportTx',
      consumed: [exported],
      outputs: [{ owner: me, amount: 999_000_000n }],
      facts: { sourceChain: 'C', destinationChain: 'X' },
    }).at(-1)!
    act('X', {
      type: 'CreateAssetTx',
      consumed: [imported],
      outputs: [
        { owner: me, amount: 700n, asset: nut },
        { owner: me, amount: 989_000_000n },
      ],
    })
    const l1Validators = [
      {
        validationId: '2validation',
        nodeId: 'NodeID-1',
        subnetId: '2subnet',
        weight: 7n,
        remainingBalance: 5_000_000_000,
        balanceChange: 1_000_000_000,
      },
    ]
    act('P', {
      type: 'IncreaseL1ValidatorBalanceTx',
      consumed: [change],
      outputs: [{ owner: me, amount: 1_999_920_000n }],
      facts: { l1Balance: 1_000_000_000n, l1Validators },
    })
  }

  const asset = { assetId: AVAX_ID, name: 'Avalanche', symbol: 'AVAX', denomination: 9, type: 'secp256k1' }
  const avax = (amount: string) => [{ ...asset, amount }]
  const nuts = { assetId: '2nut', name: 'Nut', symbol: 'NUT', denomination: 2, type: 'secp256k1' }
  const id = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{50}$/)
  const bytes = (length: number) => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${2 * length}}$`))

  /** Of the chain, the oldest first, and its blocks. */
  async function seen(chain: PrimaryChain, dialect: 'document' | 'live') {
    const own = await startNetwork({ speed: 0, dialect })
    try {
      scene(own.world)
      const addresses = chain === 'C' ? `${evm},${me}` : me
      const { transactions } = await list(`${pathOf(chain)}?addresses=${addresses}&sortOrder=asc`, own)
      const places = own.world.ledger
        .transactionsOf(me)
        .filter((one) => one.chain === chain && one.position >= 0)
        .map(({ id: txHash, height, time }) => ({
          txHash,
          time,
          height,
          hash: own.world.chains[chain].block(height)!.hash,
        }))
      return { transactions, places }
    } finally {
      await own.stop()
    }
  }

  test.each(['document', 'live'] as const)('on the P-Chain that of the document (%s)', async (dialect) => {
    const { transactions, places } = await seen('P', dialect)
    const at = (place: number) => ({
      txHash: places[place]!.txHash,
      blockTimestamp: places[place]!.time,
      blockNumber: String(places[place]!.height),
      blockHash: places[place]!.hash,
    })
    const utxo = (amount: string, outputIndex: number) => ({
      utxoId: id,
      utxoBytes: bytes(118),
      addresses: [me],
      asset: { ...asset, amount },
      createdOnChainId: ids.P,
      consumedOnChainId: ids.P,
      threshold: 1,
      utxoType: 'TRANSFER',
      amount,
      assetId: AVAX_ID,
      outputIndex,
      platformLocktime: 0,
      staked: false,
    })
    const made = (place: number) => ({
      txHash: places[place]!.txHash,
      blockNumber: String(places[place]!.height),
      blockTimestamp: places[place]!.time,
    })
    const spent = (place: number) => ({
      consumingTxHash: places[place]!.txHash,
      consumingBlockNumber: String(places[place]!.height),
      consumingBlockTimestamp: places[place]!.time,
    })
    const nothing = { amountStaked: [] }
    expect(transactions).toEqual([
      {
        ...at(0),
        ...nothing,
        txType: 'ExportTx',
        consumedUtxos: [
          { ...utxo('5000000000', 0), txHash: id, blockNumber: '0', blockTimestamp: EPOCH - 3_600, ...spent(0) },
        ],
        emittedUtxos: [
          {
            ...utxo('2000000000', 0),
            ...made(0),
            consumedOnChainId: ids.C,
            consumingTxHash: id,
            consumingBlockNumber: expect.any(String),
            consumingBlockTimestamp: expect.any(Number),
          },
          { ...utxo('2999960000', 1), ...made(0), ...spent(1) },
        ],
        sourceChain: ids.P,
        destinationChain: ids.C,
        value: avax('4999960000'),
        amountBurned: avax('40000'),
        amountL1ValidatorBalanceBurned: [],
        memo: '0x68656c6c6f',
      },
      {
        ...at(1),
        ...nothing,
        txType: 'IncreaseL1ValidatorBalanceTx',
        consumedUtxos: [{ ...utxo('2999960000', 1), ...made(0), ...spent(1) }],
        emittedUtxos: [{ ...utxo('1999920000', 0), ...made(1) }],
        value: avax('1999920000'),
        amountBurned: avax('40000'),
        amountL1ValidatorBalanceBurned: avax('1000000000'),
        l1ValidatorDetails: [
          {
            validationId: '2validation',
            validationIdHex: bytes(32),
            nodeId: 'NodeID-1',
            subnetId: '2subnet',
            weight: 7,
            remainingBalance: 5_000_000_000,
            balanceChange: 1_000_000_000,
          },
        ],
      },
    ])
  })

  test('on the X-Chain that of the document', async () => {
    const { transactions, places } = await seen('X', 'document')
    expect(transactions).toEqual([
      {
        txHash: places[0]!.txHash,
        blockTimestamp: places[0]!.time,
        blockNumber: String(places[0]!.height),
        blockHash: places[0]!.hash,
        txType: 'ImportTx',
        consumedUtxos: [expect.objectContaining({ amount: '1000000000', createdOnChainId: ids.C, outputIndex: 0 })],
        emittedUtxos: [expect.objectContaining({ amount: '999000000', blockTimestamp: places[0]!.time })],
        sourceChain: ids.C,
        destinationChain: ids.X,
        value: avax('999000000'),
        amountBurned: avax('1000000'),
        amountStaked: [],
        amountL1ValidatorBalanceBurned: [],
      },
      expect.objectContaining({
        txType: 'CreateAssetTx',
        value: [{ ...nuts, amount: '700' }, ...avax('989000000')],
        amountBurned: avax('10000000'),
      }),
    ])
  })

  test('on the X-Chain that of the live service', async () => {
    const { transactions, places } = await seen('X', 'live')
    const utxo = (amount: string, outputIndex: string) => ({
      utxoId: id,
      utxoBytes: bytes(118),
      addresses: [me],
      asset: { ...asset, amount },
      createdOnChainId: ids.X,
      consumedOnChainId: ids.X,
      threshold: 1,
      utxoType: 'TRANSFER',
      outputIndex,
      locktime: 0,
    })
    const spent = (place: number) => ({
      consumingTxHash: places[place]!.txHash,
      consumingTxTimestamp: places[place]!.time,
    })
    const made = (place: number) => ({ creationTxHash: places[place]!.txHash, timestamp: places[place]!.time })
    const at = (place: number) => ({
      txHash: places[place]!.txHash,
      timestamp: places[place]!.time,
      blockHeight: places[place]!.height,
      blockHash: places[place]!.hash,
      chainFormat: 'linear',
      memo: '0x',
    })
    const imported = { ...utxo('999000000', '0'), ...made(0), ...spent(1) }
    expect(transactions).toEqual([
      {
        ...at(0),
        txType: 'ImportTx',
        consumedUtxos: [
          {
            ...utxo('1000000000', '0'),
            ...spent(0),
            createdOnChainId: ids.C,
            creationTxHash: id,
            timestamp: expect.any(Number),
          },
        ],
        emittedUtxos: [imported],
        amountUnlocked: avax('1000000000'),
        amountCreated: avax('999000000'),
        sourceChain: ids.C,
        destinationChain: ids.X,
      },
      {
        ...at(1),
        txType: 'CreateAssetTx',
        consumedUtxos: [imported],
        emittedUtxos: [
          { ...utxo('700', '0'), ...made(1), asset: { ...nuts, amount: '700' } },
          { ...utxo('989000000', '1'), ...made(1) },
        ],
        amountUnlocked: avax('999000000'),
        amountCreated: [{ ...nuts, amount: '700' }, ...avax('989000000')],
        assetCreated: { ...nuts, createdAtTimestamp: places[1]!.time, cap: 'variable' },
      },
    ])
  })

  test('on the C-Chain that of the document, where the EVM pays and is paid', async () => {
    const { transactions, places } = await seen('C', 'document')
    expect(transactions).toEqual([
      expect.objectContaining({
        txHash: places[0]!.txHash,
        txType: 'ImportTx',
        consumedUtxos: [expect.objectContaining({ amount: '2000000000' })],
        emittedUtxos: [],
        sourceChain: ids.P,
        destinationChain: ids.C,
        value: avax('1999650000'),
        amountBurned: avax('350000'),
      }),
      expect.objectContaining({
        txType: 'ExportTx',
        consumedUtxos: [],
        emittedUtxos: [expect.objectContaining({ amount: '1000000000', consumedOnChainId: ids.X })],
        value: avax('1000000000'),
        amountBurned: avax('350000'),
      }),
    ])
  })

  test('on the C-Chain that of the live service', async () => {
    const { transactions, places } = await seen('C', 'live')
    const at = (place: number) => ({
      txHash: places[place]!.txHash,
      timestamp: places[place]!.time,
      blockHeight: places[place]!.height,
      blockHash: places[place]!.hash,
      memo: '0x',
    })
    expect(transactions).toEqual([
      {
        ...at(0),
        txType: 'ImportTx',
        consumedUtxos: [
          expect.objectContaining({ asset: avax('2000000000')[0], creationTxHash: id, outputIndex: '0' }),
        ],
        evmOutputs: [{ toAddress: evm, asset: avax('1999650000')[0] }],
        amountUnlocked: avax('2000000000'),
        amountCreated: avax('1999650000'),
        sourceChain: ids.P,
        destinationChain: ids.C,
      },
      {
        ...at(1),
        txType: 'ExportTx',
        evmInputs: [
          {
            fromAddress: evm,
            asset: avax('1000350000')[0],
            credentials: [{ signature: bytes(65), publicKey: bytes(33) }],
          },
        ],
        emittedUtxos: [expect.objectContaining({ asset: avax('1000000000')[0], consumedOnChainId: ids.X })],
        amountUnlocked: avax('1000350000'),
        amountCreated: avax('1000000000'),
        sourceChain: ids.C,
        destinationChain: ids.X,
      },
    ])
  })
})

describe('page by page, while blocks arrive', () => {
  const asked = fc.record({
    seed: fc.nat(),
    chain: fc.constantFrom('P', 'X', 'C'),
    whose: fc.constantFrom('chain', 'traders', 'types'),
    order: fc.constantFrom('asc', 'desc'),
    pageSize: fc.integer({ min: 1, max: 100 }),
    pause: fc.integer({ min: 0, max: 40 }),
  })

  test('no page repeats or loses a transaction, and each is in its block', () => {
    fc.assert(
      fc.property(asked, ({ seed, chain, whose, order, pageSize, pause }) => {
        const world = createWorld({ seed, epoch: EPOCH, validators: 5, delegations: 5, observers: 2 })
        const read = serviceOf(world)
        const [one, other] = world.trade.traders
        const types = whose === 'types' ? '&txTypes=BaseTx,ExportTx' : ''
        const addresses = whose === 'chain' ? '' : `&addresses=${one!.address},${other!.address}${types}`
        const path = `${pathOf(chain as PrimaryChain)}?sortOrder=${order}${addresses}`
        const hashesOf = (pages: readonly Listed[][]) => pages.flat().map(({ txHash }) => txHash)
        const before = hashesOf(pagesOf<Listed>(read, `${path}&pageSize=100`, 'transactions'))
        // Of the oldest first, one transaction a page would never come to an end if blocks came for ever.
        let pauses = 20
        const pages = pagesOf<Listed>(read, `${path}&pageSize=${pageSize}`, 'transactions', () => {
          if ((pauses -= 1) >= 0) world.advance(world.now() + pause)
        })
        const after = hashesOf(pagesOf<Listed>(read, `${path}&pageSize=100`, 'transactions'))
        // What arrives comes at the end of the oldest first, and is not seen of the newest first.
        expect(hashesOf(pages)).toEqual(order === 'desc' ? before : after.slice(0, hashesOf(pages).length))
        expect(hashesOf(pages).length).toBeGreaterThanOrEqual(before.length)
        expect(new Set(after).size).toBe(after.length)
        expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(pageSize)
        for (const { txHash, blockNumber, blockHash, blockTimestamp } of pages.flat()) {
          const block = world.chains[chain as PrimaryChain].block(Number(blockNumber))!
          expect(block.transactions).toContain(txHash)
          expect([blockHash, blockTimestamp]).toEqual([block.hash, block.time])
        }
      }),
      { numRuns: 25 },
    )
  })
})
