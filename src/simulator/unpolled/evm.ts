// What the interface of a chain with an EVM tells besides the operations.

import { z } from 'zod'
import { EVM_PATH } from '../../operations/node/evm-path.ts'
import { ethGetBlockByNumber } from '../../operations/node/eth_getBlockByNumber.ts'
import { evmOf, heightOf, quantity } from '../handlers/evm-of-node.ts'
import { feeConfigOf } from '../handlers/genesis-record.ts'
import { nodeOf, type Place, Refusal } from '../handler.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import { chainIds } from '../world/fixed-ids.ts'
import { methodsAt, placed } from './define.ts'

/** Smallest unit per gas: what a node suggests as the least tip. */
const LEAST_TIP = 1n

const { block } = ethGetBlockByNumber.params.shape

const address = z
  .string()
  .refine((text) => flawOfAddress(text) === undefined, { error: ({ input }) => flawOfAddress(input as string)! })
  .transform((text) => text.toLowerCase())

/** In the words of Ethereum's library. */
function flawOfAddress(text: string): string | undefined {
  const flaw = (what: string) => `json: cannot unmarshal ${what} into Go value of type common.Address`
  if (!text.startsWith('0x')) return flaw('hex string without 0x prefix')
  if (text.length % 2 === 1) return flaw('hex string of odd length')
  if (!/^0x[\da-f]*$/i.test(text)) return flaw('invalid hex string')
  return text.length === 42 ? undefined : `hex string has length ${text.length - 2}, want 40 for common.Address`
}

const count = z
  .string()
  .regex(/^0x[\da-f]{1,4}$/i)
  .transform(Number)

export const evmMethods = methodsAt(EVM_PATH, {
  eth_feeConfig: placed({ block: block.optional() }, (place, { chain }) => {
    const { blockchainId, gasLimit } = evmOf(place, chain)
    if (blockchainId === chainIds.C) throw notThere('eth_feeConfig')
    // It has been the same since the first block.
    return { feeConfig: feeConfigOf(gasLimit), lastChangedAt: 0 }
  }),
  eth_feeHistory: placed(
    { blockCount: count, newestBlock: block, rewardPercentiles: z.array(z.number().min(0).max(100)) },
    (place, { chain, blockCount, newestBlock, rewardPercentiles }) => {
      const evm = evmOf(place, chain)
      const last = heightOf(evm, newestBlock)
      const first = Math.max(0, last - blockCount + 1)
      const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      const blocks = numbers.map((number) => evm.block(number)!)
      return {
        oldestBlock: quantity(first),
        reward: numbers.map((number) => rewardPercentiles.map((percent) => quantity(tipAt(evm, number, percent)))),
        baseFeePerGas: blocks.map(({ baseFee }) => quantity(baseFee)),
        gasUsedRatio: blocks.map(({ gasUsed, gasLimit }) => gasUsed / gasLimit),
      }
    },
  ),
  eth_gasPrice: placed({}, (place, { chain }) => quantity(nextBaseFee(place, chain) + tipOf(evmOf(place, chain)))),
  eth_getBalance: placed({ address, block }, (place, { chain, address: whose, block: at }) => {
    const evm = evmOf(place, chain)
    return quantity(evm.balance(whose, heightOf(evm, at)))
  }),
  eth_getChainConfig: placed({}, (place, { chain }) => configOf(evmOf(place, chain), place)),
  eth_getTransactionCount: placed({ address, block }, (place, { chain, address: whose, block: at }) => {
    const evm = evmOf(place, chain)
    return quantity(evm.transactionsFrom(whose, heightOf(evm, at)))
  }),
  eth_maxPriorityFeePerGas: placed({}, (place, { chain }) => quantity(tipOf(evmOf(place, chain)))),
  eth_suggestPriceOptions: placed({}, (place, { chain }) => {
    const evm = evmOf(place, chain)
    if (evm.blockchainId !== chainIds.C) throw notThere('eth_suggestPriceOptions')
    const option = (tip: bigint) => ({
      maxPriorityFeePerGas: quantity(tip),
      // Enough while the base fee doubles.
      maxFeePerGas: quantity(2n * nextBaseFee(place, chain) + tip),
    })
    const tip = tipOf(evm)
    return { slow: option((tip * 95n) / 100n), normal: option(tip), fast: option((tip * 105n) / 100n) }
  }),
  net_listening: placed({}, () => true),
  // Peers are the node's, not the chain's.
  net_peerCount: placed({}, () => '0x0'),
  net_version: placed({}, (place, { chain }) => String(evmOf(place, chain).chainId)),
  web3_clientVersion: placed({}, (place) => {
    const { releases, now } = place.world
    return releases.of(nodeOf(place).nodeId, now()).version.replace(/^.*\//, 'v')
  }),
})

function notThere(method: string): Refusal {
  return new Refusal(-32_601, `the method ${method} does not exist/is not available`)
}

function nextBaseFee(place: Place, chain: string): bigint {
  const evm = evmOf(place, chain)
  return evm.baseFee(evm.head() + 1)
}

/** What half of the gas of the newest block paid at most. */
function tipOf(evm: EvmChain): bigint {
  const tip = tipAt(evm, evm.head(), 50)
  return tip > LEAST_TIP ? tip : LEAST_TIP
}

/** What that share of the gas of a block paid at most for its place in it. */
function tipAt(evm: EvmChain, number: number, percent: number): bigint {
  const { baseFee, gasUsed } = evm.block(number)!
  const cheapestFirst = evm.transactions(number).toSorted((a, b) => Number(a.gasPrice - b.gasPrice))
  let left = (gasUsed * percent) / 100
  const found = cheapestFirst.find((one) => (left -= one.gasUsed) <= 0) ?? cheapestFirst.at(-1)
  return found ? found.gasPrice - baseFee : 0n
}

/** All forks that the network had before it began. */
const FORKS = Object.fromEntries(
  [
    'berlin',
    'byzantium',
    'constantinople',
    'eip150',
    'eip155',
    'eip158',
    'homestead',
    'istanbul',
    'london',
    'muirGlacier',
    'petersburg',
  ].map((fork) => [`${fork}Block`, 0]),
)
/** Unix seconds. */
const LONG_AGO = 1_607_144_400
const OF_C_CHAIN = [
  ...['1', '2', '3', '4', '5', '6', 'Post6', 'Pre6'].map((phase) => `apricotPhase${phase}`),
  'banff',
  'cortina',
  'durango',
]

function configOf({ blockchainId, chainId, gasLimit }: EvmChain, { world }: Place) {
  const common = {
    ...FORKS,
    chainId,
    cancunTime: LONG_AGO,
    etnaTimestamp: LONG_AGO,
    graniteTimestamp: LONG_AGO,
    heliconTimestamp: world.upgrade,
    shanghaiTime: LONG_AGO,
  }
  if (blockchainId === chainIds.C) {
    const phases = Object.fromEntries(OF_C_CHAIN.map((name) => [`${name}BlockTimestamp`, LONG_AGO]))
    return { ...common, ...phases, daoForkBlock: 0, daoForkSupport: true, fortunaTimestamp: LONG_AGO }
  }
  return {
    ...common,
    durangoTimestamp: LONG_AGO,
    feeConfig: feeConfigOf(gasLimit),
    subnetEVMTimestamp: 0,
    warpConfig: { blockTimestamp: LONG_AGO, quorumNumerator: 0, requirePrimaryNetworkSigners: false },
    upgrades: {},
  }
}
