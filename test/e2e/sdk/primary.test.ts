// The data service's own SDK against the simulated one in the live dialect: the primary network. It refuses an answer
// that does not have the live service's form; what it makes of the others is compared here with the world.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PrimaryChain } from '../../../src/lib/primary-network.ts'
import { AVAX, chainIds } from '../../../src/simulator/world/fixed-ids.ts'
import type { Transaction } from '../../../src/simulator/world/transactions.ts'
import { feeOf } from '../../../src/simulator/world/stakes.ts'
import { networkOfTest } from '../../simulator/network.ts'
import { dataSdk, itemsOf, type ListRow, type Row, startLive, tokensIn, tokensOf } from './sdk.ts'

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

const traders = () => world.trade.traders.map(({ address }) => address)
const validator = (at: number) => [...world.validators.all.values()][at]!
const meadow = () => world.l1s.all.find(({ name }) => name === 'meadow')!
const orchard = () => world.l1s.all.find(({ name }) => name === 'orchard')!
/** Two validators and their delegators. */
const stakers = () => [validator(0), validator(1)].flatMap((one) => [one, ...one.delegations].map(({ owner }) => owner))
const names = { P: 'p-chain', X: 'x-chain', C: 'c-chain' } as const
const chains = ['P', 'X', 'C'] as const

type Amount = { amount: string }
/** On the X- and the C-Chain the transaction has another name. */
const utxoLine = (one: { utxoId: string; asset: Amount } & ({ txHash: string } | { creationTxHash: string })) =>
  [one.utxoId, one.asset.amount, 'txHash' in one ? `by ${one.txHash}` : `created by ${one.creationTxHash}`].join(' ')
const utxosOf = (chain: PrimaryChain) =>
  traders().flatMap((one) => world.ledger.utxosOf(one).filter(({ destination }) => destination === chain))

const transactionLine = ({ txHash, txType }: { txHash: string; txType: string }) => `${txHash} ${txType}`
/** Each once; of what was there before the first block only the X-Chain's is in a list. */
function transactionsOf(addresses: readonly string[], chain: PrimaryChain): string[] {
  const all = new Set<Transaction>(addresses.flatMap((one) => world.ledger.transactionsOf(one)))
  return [...all].flatMap((one) =>
    one.chain === chain && (one.position >= 0 || chain === 'X') ? [`${one.id} ${one.type}`] : [],
  )
}
const rewardLine = (one: { txHash: string; rewardType: string }, { amount }: Amount) =>
  `${one.txHash} ${one.rewardType} ${amount}`

const lists: ListRow[] = [
  ...chains.flatMap((chain): ListRow[] => {
    const blockchainId = names[chain]
    const pageSize = chain === 'C' ? 2 : 20
    const by = chain === 'P' ? 'by' : 'created by'
    const readWorld = () => utxosOf(chain).map(({ id, amount, txId }) => `${id} ${amount} ${by} ${txId}`)
    const listed = (request: { pageSize: number }) => ({ blockchainId, includeSpent: true, ...request })
    return [
      [
        'list-utxos',
        blockchainId,
        pageSize,
        (page) => {
          const addresses = traders().join(',')
          return itemsOf(data.primaryNetwork.utxos.listByAddresses({ ...listed(page), addresses }), ({ result }) =>
            result.utxos.map(utxoLine),
          )
        },
        readWorld,
      ],
      [
        'list-utxos-v2',
        blockchainId,
        pageSize,
        (page) => {
          const primaryNetworkAddressesBodyDto = { addresses: traders().join(',') }
          return itemsOf(
            data.primaryNetwork.utxos.listByAddressesV2({ ...listed(page), primaryNetworkAddressesBodyDto }),
            ({ result }) => result.utxos.map(utxoLine),
          )
        },
        readWorld,
      ],
    ]
  }),
  ...chains.map((chain): ListRow => {
    // Those of the C-Chain go by the addresses of the EVM.
    const addresses = () => (chain === 'C' ? world.trade.traders.map(({ evm }) => evm) : traders())
    const request = { blockchainId: names[chain] }
    return [
      'list-latest-transactions',
      names[chain],
      chain === 'C' ? 2 : 10,
      (page) =>
        itemsOf(
          data.primaryNetwork.transactions.listLatest({ ...request, ...page, addresses: addresses().join(',') }),
          ({ result }) => result.transactions.map(transactionLine),
        ),
      () => transactionsOf(addresses(), chain),
    ]
  }),
  [
    'list-latest-transactions',
    'of some types, of an L1 validator',
    1,
    (page) => {
      const { validationId: l1ValidationId } = meadow().validators.at(-1)!
      const txTypes = ['RegisterL1ValidatorTx' as const, 'SetL1ValidatorWeightTx' as const]
      const request = { blockchainId: 'p-chain', l1ValidationId, txTypes, ...page } as const
      return itemsOf(data.primaryNetwork.transactions.listLatest(request), ({ result }) =>
        result.transactions.map((one) =>
          [transactionLine(one), 'l1ValidatorDetails' in one && one.l1ValidatorDetails?.[0]?.validationId].join(' '),
        ),
      )
    },
    () => {
      const { validationId } = meadow().validators.at(-1)!
      const all = transactionsOf([validationId], 'P').filter((one) => !one.endsWith(' IncreaseL1ValidatorBalanceTx'))
      return all.map((one) => `${one} ${validationId}`)
    },
  ],
  [
    'list-pending-rewards',
    'of two nodes',
    3,
    (page) => {
      const nodeIds = [validator(0), validator(1)].map(({ nodeId }) => nodeId).join(',')
      return itemsOf(data.primaryNetwork.rewards.listPendingRewards({ nodeIds, ...page }), ({ result }) =>
        result.pendingRewards.map((one) => rewardLine(one, one.estimatedReward)),
      )
    },
    () =>
      [validator(0), validator(1)].flatMap((one) => [
        `${one.txId} VALIDATOR ${one.reward}`,
        ...one.delegations.flatMap((each) => [
          `${each.txId} VALIDATOR_FEE ${feeOf(one, each)}`,
          `${each.txId} DELEGATOR ${each.reward - feeOf(one, each)}`,
        ]),
      ]),
  ],
  [
    'list-historical-rewards',
    'of stakers, those of before the first block as well',
    4,
    (page) => {
      const addresses = stakers().join(',')
      return itemsOf(data.primaryNetwork.rewards.listHistoricalRewards({ addresses, ...page }), ({ result }) =>
        result.historicalRewards.map(({ utxoId, rewardType, reward }) => `${utxoId} ${rewardType} ${reward.amount}`),
      )
    },
    () =>
      stakers()
        .flatMap((one) => world.ledger.utxosOf(one))
        .flatMap(({ id, rewardType, amount }) => (rewardType ? [`${id} ${rewardType} ${amount}`] : [])),
  ],
  [
    'list-staking-transactions',
    'of stakers',
    2,
    (page) => {
      const request = { blockchainId: 'p-chain' as const, addresses: stakers().join(','), ...page }
      return itemsOf(data.primaryNetwork.transactions.listActiveStakingTransactions(request), ({ result }) =>
        result.transactions.map(({ txHash, amountStaked }) => `${txHash} ${amountStaked[0]?.amount}`),
      )
    },
    () => {
      const all = [...world.validators.all.values()].flatMap((one) => [one, ...one.delegations])
      return all.filter(({ owner }) => stakers().includes(owner)).map(({ txId, weight }) => `${txId} ${weight}`)
    },
  ],
  ...chains.map((chain): ListRow => [
    'list-latest-primary-network-blocks',
    names[chain],
    chain === 'X' ? 25 : 100,
    (page) => {
      // Of half an hour, as the C-Chain has a block every other second.
      const request = { blockchainId: names[chain], startTimestamp: world.now() - 1_800, ...page }
      return itemsOf(data.primaryNetwork.blocks.listLatest(request), ({ result }) =>
        result.blocks.map(({ blockNumber, blockHash, txCount }) => `${blockNumber} ${blockHash} ${txCount}`),
      )
    },
    () =>
      Array.from({ length: world.chains[chain].head() + 1 }, (_, height) => world.chains[chain].block(height)!)
        .filter(({ time }) => time >= world.now() - 1_800)
        .map(({ height, transactions }) => `${height} ${hashIn(chain, height)} ${transactions.length}`),
  ]),
]

/** The live service has the blocks of the C-Chain by the hashes of its EVM. */
const hashIn = (chain: keyof typeof world.chains, height: number) =>
  (chain === 'C' ? world.evm[0]! : world.chains[chain]).block(height)!.hash

const total = (lists: object) =>
  Object.values(lists as Record<string, Amount[]>)
    .flat()
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)

const others: Row[] = [
  ...chains.map((chain): Row => [
    'get-balances',
    names[chain],
    async () => {
      const request = { blockchainId: names[chain], addresses: traders().join(',') }
      const { balances, chainInfo } = await data.primaryNetwork.balances.listByAddresses(request)
      const of = (isAtomic: boolean) =>
        Object.fromEntries(Object.entries(balances).filter(([kind]) => kind.startsWith('atomic') === isAtomic))
      return { own: total(of(false)), atomic: total(of(true)), chain: chainInfo.chainName }
    },
    () => {
      const unspent = utxosOf(chain).filter(({ spent }) => !spent)
      const sum = (isAtomic: boolean) =>
        unspent.reduce((all, one) => ((one.chain !== chain) === isAtomic ? all + one.amount : all), 0n)
      return { own: sum(false), atomic: sum(true), chain: names[chain] }
    },
  ]),
  [
    'get-balances',
    'what a validator has staked',
    async () => {
      const request = { blockchainId: 'p-chain' as const, addresses: `P-${validator(0).owner}` }
      const { balances } = await data.primaryNetwork.balances.listByAddresses(request)
      return 'unlockedStaked' in balances && balances.unlockedStaked
    },
    () => [{ assetId: AVAX.id, symbol: 'AVAX', amount: String(validator(0).weight), utxoCount: 1 }],
  ],
  [
    'list-latest-transactions',
    'the one that made an L1, by one of its validators',
    async () => {
      const l1ValidationId = orchard().validators[0]!.validationId
      const { result } = await data.primaryNetwork.transactions.listLatest({ blockchainId: 'p-chain', l1ValidationId })
      return result.transactions
    },
    () => {
      const { blockchainId, subnetId, validators } = orchard()
      const l1ValidatorDetails = validators.map(({ validationId, nodeId }) => ({ validationId, nodeId, subnetId }))
      return [{ txType: 'ConvertSubnetToL1Tx', l1ValidatorManagerDetails: { blockchainId }, l1ValidatorDetails }]
    },
  ],
  [
    'get-primary-network-block',
    'by its hash',
    () => data.primaryNetwork.blocks.get({ blockchainId: 'p-chain', blockId: world.chains.P.block(17)!.hash }),
    () => {
      const block = world.chains.P.block(17)!
      const { parentHash, time, transactions, type } = block
      return {
        blockNumber: '17',
        parentHash,
        blockTimestamp: time,
        blockType: type,
        transactions,
        l1ValidatorsAccruedFees: world.l1s.market.at(time).accrued,
        currentSupply: String(world.supply(time)),
        proposerDetails: { proposerNodeId: world.proposals.P.of(block).proposer },
      }
    },
  ],
  [
    'get-blockchain-details',
    'of an L1, its genesis as an object',
    async () => {
      const blockchainId = orchard().blockchainId
      const { genesisData, ...details } = await data.primaryNetwork.getBlockchainById({ blockchainId })
      return { ...details, genesis: genesisData }
    },
    () => {
      const { name, subnetId, evmChainId } = orchard()
      return { blockchainName: name, subnetId, evmChainId, genesis: { config: { chainId: evmChainId } } }
    },
  ],
  [
    'get-blockchain-details',
    'of a chain without an EVM',
    () => data.primaryNetwork.getBlockchainById({ blockchainId: chainIds.X }),
    () => ({ blockchainName: 'X-Chain', blockchainId: chainIds.X, genesisData: expect.any(String) }),
  ],
]

test.each(lists)('%s: %s, to the last page', async (_, _what, pageSize, ask, readWorld) => {
  const answer = await ask({ pageSize })
  const expected = readWorld()
  expect(answer.toSorted()).toEqual(expected.toSorted())
  expect(tokensIn(exchanges)).toEqual(tokensOf(expected.length, pageSize))
})

test.each(others)('%s: %s', async (_, _what, ask, readWorld) => {
  expect({ answer: await ask() }).toMatchObject({ answer: readWorld() })
})

test('a genesis that is no text, as the document has it, is to the liking of the SDK as well', async () => {
  const document = await networkOfTest({ speed: 0 })
  const { blockchainId, evmChainId } = document.world.l1s.all[0]!
  const { data } = await dataSdk(document.dataUrl)
  const { genesisData } = await data.primaryNetwork.getBlockchainById({ blockchainId })
  expect(genesisData).toMatchObject({ config: { chainId: evmChainId, feeConfig: { gasLimit: 12_000_000 } } })
})

test('the SDK sends its key by the name that live services have for it, and it is taken', async () => {
  await data.primaryNetwork.getBlockchainById({ blockchainId: chainIds.C })
  expect(exchanges.map(({ request }) => request.headers.get('x-glacier-api-key'))).toEqual(['sesame'])
})
