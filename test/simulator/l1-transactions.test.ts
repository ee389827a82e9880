// The transactions of L1s as operation 4 of document 1 lists them: each type with the members that it alone has.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readId } from '../../src/lib/ids.ts'
import { ask, EPOCH, type Network, startNetwork } from './network.ts'

const HOUR = 3_600
const BEGIN = EPOCH - HOUR
const FEE = '1000000'
const AVAX_ID = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const SUBNET_EVM = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'

interface Amount {
  amount: string
}
interface Details {
  validationId: string
  weight: number
  remainingBalance: number
  balanceChange: number
}
interface Transaction {
  blockNumber: string
  consumedUtxos: (Amount & { addresses: string[] })[]
  emittedUtxos: (Amount & { addresses: string[] })[]
  value: Amount[]
  l1ValidatorDetails: Details[]
}

const hex = (bytes: number) => expect.stringMatching(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`)) as string
const avax = (amount: string) => [
  { assetId: AVAX_ID, name: 'Avalanche', symbol: 'AVAX', denomination: 9, type: 'secp256k1', amount },
]
const hexOf = (id: string) => `0x${Buffer.from(readId(id).value!).toString('hex')}`

describe.each(['document', 'live'] as const)('in the form of the %s', (dialect) => {
  let network: Network
  let operator: string
  beforeAll(async () => {
    network = await startNetwork({ speed: 0, dialect })
    const { validationId } = l1('lantern').validators[3]!
    network.world.take({ kind: 'top-up', validationId, amount: 7_000_000_000 })
    network.world.advance(EPOCH + 4 * HOUR)
    const [conversion] = await list(`l1ValidationId=${validationId}&sortOrder=asc`)
    operator = conversion!.consumedUtxos[0]!.addresses[0]!
  })
  afterAll(() => network.stop())

  const l1 = (name: string) => network.world.l1s.all.find((one) => one.name === name)!
  async function list(query: string): Promise<Transaction[]> {
    const path = '/v1/networks/fuji/blockchains/p-chain/transactions'
    const { status, body } = await network.askLater(`${path}?pageSize=100&${query}`)
    expect(status).toBe(200)
    return (body as { transactions: Transaction[] }).transactions
  }
  /** Of the operator, the oldest first; a page of this type has room for all that there are in these hours. */
  const ofType = (txType: string) => list(`addresses=${operator}&txTypes=${txType}&sortOrder=asc`)

  /** What any of them has, with the amounts of its own UTXOs; `burned` goes into balances of validators. */
  function common({ blockNumber, consumedUtxos, emittedUtxos }: Transaction, txType: string, burned?: string) {
    const { hash, time, transactions } = network.world.chains.P.block(Number(blockNumber))!
    const out = emittedUtxos.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    return {
      txHash: expect.toSatisfy((id: string) => transactions.includes(id)) as string,
      txType,
      blockTimestamp: time,
      blockNumber,
      blockHash: hash,
      consumedUtxos,
      emittedUtxos,
      value: avax(String(out)),
      amountBurned: avax(FEE),
      amountStaked: [],
      amountL1ValidatorBalanceBurned: burned === undefined ? [] : avax(burned),
    }
  }

  test('CreateSubnetTx: who may change the subnet', async () => {
    const found = await ofType('CreateSubnetTx')
    expect(found).toEqual(
      ['orchard', 'harbour', 'lantern', 'meadow'].map((name, at) => ({
        ...common(found[at]!, 'CreateSubnetTx'),
        blockTimestamp: BEGIN,
        blockNumber: '0',
        subnetId: l1(name).subnetId,
        subnetOwnershipInfo: { locktime: 0, threshold: 1, addresses: [operator] },
      })),
    )
  })

  test('CreateChainTx: the blockchain, with its genesis where that is known', async () => {
    const found = await ofType('CreateChainTx')
    const genesisOf = async (name: string) => {
      const url = `${network.dataUrl}/v1/networks/fuji/blockchains/${l1(name).blockchainId}`
      return ((await ask(url)).body as { genesisData?: unknown }).genesisData
    }
    const created = [
      { chainName: 'orchard', vmId: SUBNET_EVM, genesisData: await genesisOf('orchard') },
      { chainName: 'harbour', vmId: SUBNET_EVM, genesisData: await genesisOf('harbour') },
      { chainName: 'lantern', vmId: expect.any(String) as string },
      { chainName: 'meadow', vmId: expect.any(String) as string },
    ]
    expect(typeof created[0]!.genesisData).toBe('object')
    expect(found).toEqual(
      created.map((blockchainInfo, at) => ({
        ...common(found[at]!, 'CreateChainTx'),
        subnetId: l1(blockchainInfo.chainName).subnetId,
        blockchainInfo,
      })),
    )
  })

  test('ConvertSubnetToL1Tx: the manager and the first validators, with what they are given', async () => {
    const [, , conversion] = await ofType('ConvertSubnetToL1Tx')
    const { subnetId, blockchainId, validators } = l1('lantern')
    // 0.02, 0.05, 2 and 6 days, at 512 a second.
    const balances = [884_736, 2_211_840, 88_473_600, 265_420_800]
    expect(conversion).toEqual({
      ...common(conversion!, 'ConvertSubnetToL1Tx', '356990976'),
      subnetId,
      l1ValidatorManagerDetails: { blockchainId, contractAddress: hex(20) },
      l1ValidatorDetails: validators.map(({ validationId, nodeId, weight, publicKey }, at) => ({
        validationId,
        validationIdHex: hexOf(validationId),
        nodeId,
        subnetId,
        weight: Number(weight),
        remainingBalance: balances[at],
        balanceChange: balances[at],
        blsCredentials: { publicKey, proofOfPossession: hex(96) },
      })),
    })
  })

  test('RegisterL1ValidatorTx: the new validator, its key, and what it is given', async () => {
    const [registration] = await ofType('RegisterL1ValidatorTx')
    const { subnetId } = l1('meadow')
    const [{ validationId, weight, remainingBalance }] = registration!.l1ValidatorDetails as [Details]
    const blsCredentials = { publicKey: hex(48), proofOfPossession: hex(96) }
    expect(registration).toEqual({
      ...common(registration!, 'RegisterL1ValidatorTx', String(remainingBalance)),
      subnetId,
      blsCredentials,
      l1ValidatorDetails: [
        {
          validationId,
          validationIdHex: hexOf(validationId),
          nodeId: expect.stringMatching(/^NodeID-/) as string,
          subnetId,
          weight,
          remainingBalance,
          balanceChange: remainingBalance,
          blsCredentials,
        },
      ],
    })
    expect(weight).toBeGreaterThan(0)
  })

  test('IncreaseL1ValidatorBalanceTx: what it has after that, and how much more that is', async () => {
    const { subnetId, validators } = l1('lantern')
    const { validationId, nodeId, weight } = validators[3]!
    const [, increase] = await list(`l1ValidationId=${validationId}&sortOrder=asc`)
    const { time } = network.world.chains.P.block(Number(increase!.blockNumber))!
    expect(increase).toEqual({
      ...common(increase!, 'IncreaseL1ValidatorBalanceTx', '7000000000'),
      l1ValidatorDetails: [
        {
          validationId,
          validationIdHex: hexOf(validationId),
          nodeId,
          subnetId,
          weight: Number(weight),
          remainingBalance: 265_420_800 - 512 * (time - BEGIN) + 7_000_000_000,
          balanceChange: 7_000_000_000,
        },
      ],
    })
  })

  test.each([
    ['SetL1ValidatorWeightTx', 'stays', ({ weight }: Details) => weight > 0, 1],
    ['SetL1ValidatorWeightTx', 'leaves', ({ weight }: Details) => weight === 0, 2],
    ['DisableL1ValidatorTx', 'stays without a balance', ({ weight }: Details) => weight > 0, 2],
  ] as const)('%s: of one that %s', async (txType, _, isIt, outputs) => {
    const found = (await ofType(txType)).find((one) => isIt(one.l1ValidatorDetails[0]!))!
    const [details] = found.l1ValidatorDetails as [Details]
    const returned = outputs === 1 ? 0 : Number(found.emittedUtxos[0]!.amount)
    // What is left of a balance comes back to its owner.
    expect(found.emittedUtxos).toHaveLength(outputs)
    expect(found).toEqual({
      ...common(found, txType),
      l1ValidatorDetails: [
        {
          validationId: details.validationId,
          validationIdHex: hexOf(details.validationId),
          nodeId: expect.stringMatching(/^NodeID-/) as string,
          subnetId: l1('meadow').subnetId,
          weight: details.weight,
          remainingBalance: outputs === 1 ? details.remainingBalance : 0,
          balanceChange: 0 - returned,
        },
      ],
    })
  })
})
