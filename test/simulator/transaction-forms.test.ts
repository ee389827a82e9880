// The forms in which transactions are listed (document 1, PrimaryNetworkTransaction and Utxo, and the live service's own of
// the X- and the C-Chain).

import { expect, test } from 'vitest'
import type { PrimaryChain } from '../../src/lib/primary-network.ts'
import type { Draft } from '../../src/simulator/world/ledger.ts'
import type { Utxo } from '../../src/simulator/world/transactions.ts'
import type { World } from '../../src/simulator/world/world.ts'
import { ask, EPOCH, networkOfTest } from './network.ts'

const AVAX_ID = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const ids = {
  P: '11111111111111111111111111111111LpoYY',
  X: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  C: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
}
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
  const act = (chain: PrimaryChain, draft: Draft) => {
    ledger.submit(chain, () => draft)
    world.advance(world.now() + 60)
    return [...ledger.unspentOf(me)]
  }
  const [leaving] = act('P', {
    type: 'ExportTx',
    consumed: [first],
    outputs: [
      { owner: me, amount: 2_000_000_000n, destination: 'C' },
      { owner: me, amount: 2_999_960_000n },
    ],
    facts: { sourceChain: 'P', destinationChain: 'C', memo: 'hello' },
  })
  act('C', {
    type: 'ImportTx',
    consumed: [leaving!],
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
}

const asset = { assetId: AVAX_ID, name: 'Avalanche', symbol: 'AVAX', denomination: 9, type: 'secp256k1' }
const avax = (amount: string) => [{ ...asset, amount }]
const nuts = { assetId: '2nut', name: 'Nut', symbol: 'NUT', denomination: 2, type: 'secp256k1' }
const id = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{44,51}$/)
const bytes = (length: number) => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${2 * length}}$`))

/** Of the chain, the oldest first, and its blocks. */
async function seen(chain: PrimaryChain, dialect: 'document' | 'live') {
  const own = await networkOfTest({ speed: 0, dialect })
  scene(own.world)
  const addresses = chain === 'C' ? `${evm},${me}` : me
  const path = `/v1/networks/fuji/blockchains/${chain.toLowerCase()}-chain/transactions`
  const { body } = await ask(`${own.dataUrl}${path}?addresses=${addresses}&sortOrder=asc`)
  const { transactions } = body as { transactions: unknown[] }
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
}

test.each(['document', 'live'] as const)('on the P-Chain that of the document (%s)', async (dialect) => {
  const { transactions, places } = await seen('P', dialect)
  const [{ txHash, time: blockTimestamp, height, hash: blockHash }] = places as [(typeof places)[0]]
  const blockNumber = String(height)
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
  const made = { txHash, blockNumber, blockTimestamp }
  expect(transactions).toEqual([
    {
      ...made,
      blockHash,
      txType: 'ExportTx',
      consumedUtxos: [
        {
          ...utxo('5000000000', 0),
          txHash: id,
          blockNumber: '0',
          blockTimestamp: EPOCH - 3_600,
          consumingTxHash: txHash,
          consumingBlockNumber: blockNumber,
          consumingBlockTimestamp: blockTimestamp,
        },
      ],
      emittedUtxos: [
        {
          ...utxo('2000000000', 0),
          ...made,
          consumedOnChainId: ids.C,
          consumingTxHash: id,
          consumingBlockNumber: expect.any(String),
          consumingBlockTimestamp: expect.any(Number),
        },
        { ...utxo('2999960000', 1), ...made },
      ],
      sourceChain: ids.P,
      destinationChain: ids.C,
      value: avax('4999960000'),
      amountBurned: avax('40000'),
      amountStaked: [],
      amountL1ValidatorBalanceBurned: [],
      memo: '0x68656c6c6f',
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

test('an id that begins with zeros has all its digits', async () => {
  const own = await networkOfTest({ speed: 0 })
  const l1Validators = [{ validationId: ids.P, nodeId: 'NodeID-1', subnetId: ids.X, weight: 1n, remainingBalance: 1 }]
  const facts = { l1Validators }
  own.world.ledger.submit('P', () => ({ type: 'DisableL1ValidatorTx', consumed: [], outputs: [], facts }))
  own.world.advance(EPOCH + 60)
  const path = `/v1/networks/fuji/blockchains/p-chain/transactions?l1ValidationId=${ids.P}`
  const { body } = await ask(own.dataUrl + path)
  expect(body).toMatchObject({ transactions: [{ l1ValidatorDetails: [{ validationIdHex: `0x${'00'.repeat(32)}` }] }] })
})
