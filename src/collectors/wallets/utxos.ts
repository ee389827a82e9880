// utxos: the unspent outputs behind wallets' balances, and when their next lock ends. All wallets on a chain share one
// request: List UTXOs v2 (document 1, operation 3); a single address uses List UTXOs (operation 7).

import type { Network } from '../../config/schema.ts'
import { stakingTokens } from '../../lib/primary-network.ts'
import { sumOf, toTokens } from '../../lib/units.ts'
import { ofAddress, ofChain, type Sample } from '../../metrics/define.ts'
import { listUtxos, listUtxosV2 } from '../../operations/data/utxos.ts'
import { aboutChain, mismatchOf, publishMismatch } from '../answers/chain-info.ts'
import { type Attempt, defineCollector } from '../define.ts'
import { type Output, states, types, unspentOutputs } from './outputs.ts'
import { type WalletOnChain, walletsOnChains } from './wallets.ts'

const count = ofAddress.gauge('stakewatch_address_utxos', {
  help: "Number of the wallet's unspent outputs of the staking token on the chain (data service).",
  details: '`state` is unlocked, locked, staked, or atomic_memory, which waits for its import.',
  labels: ['chain', 'utxo_type', 'state'],
})
const tokens = ofAddress.gauge('stakewatch_address_utxo_tokens', {
  help: "Amount in the wallet's unspent outputs of the staking token on the chain (data service).",
  labels: ['chain', 'utxo_type', 'state'],
})
const smallest = ofAddress.gauge('stakewatch_address_utxo_smallest_tokens', {
  help: 'Amount in the smallest unspent output of the staking token; absent without any (data service).',
  labels: ['chain'],
})
const nextUnlock = ofAddress.gauge('stakewatch_address_next_unlock_timestamp_seconds', {
  is: 'future',
  help: 'When the next locked output of the staking token becomes spendable, stakes excluded; absent without any (data service).',
  labels: ['chain'],
})
const mismatch = ofChain.gauge('stakewatch_utxos_chain_mismatch', mismatchOf('UTXOs'))

const PAGE = 100
const PAGE_V2 = 1_024
/** Addresses per call; the services' limit is not documented. */
const MOST_ADDRESSES = 64

export const utxos = defineCollector({
  name: 'utxos',
  about: 'Unspent outputs behind the balances of wallets, and when their next lock ends.',
  every: '1h',
  uses: [listUtxosV2, listUtxos],
  metrics: [count, tokens, smallest, nextUnlock, mismatch],
  subjects,
  estimate: ({ chain, wallets, addresses }) => ({
    calls: [
      {
        operation: addresses.length === 1 ? listUtxos : listUtxosV2,
        times: Math.ceil(addresses.length / MOST_ADDRESSES),
      },
    ],
    series: 1 + wallets.length * (2 + 2 * states.length * types[chain].length),
  }),
  async collect({ subject, now, attempt, flawed }) {
    const { network, blockchainId, chain, wallets } = subject
    const { only, isOther } = aboutChain(subject)
    // Other assets on the X-Chain, where users can issue them, are not even read.
    const of = { network, blockchainId, ...(chain === 'X' ? { assetId: stakingTokens[network] } : {}) }
    const all = new Map<string, Output>()
    const lists: { some: readonly string[]; list: Attempt<ReadonlyMap<string, Output>> }[] = []
    for (const some of chunks(subject.addresses)) {
      const addresses = some.join(',')
      const areOfOneWallet = wallets.filter((wallet) => hasAny(wallet, some)).length === 1
      const list = await attempt(({ pages }) => {
        const answers =
          some.length === 1
            ? pages(listUtxos, { ...of, addresses, pageSize: PAGE })
            : pages(listUtxosV2, { ...of, addresses, pageSize: PAGE_V2 })
        return unspentOutputs(only(answers), { network, chain, now, addresses: some, areOfOneWallet })
      })
      if (isOther()) return publishMismatch(mismatch.sample({}, 1), flawed)
      for (const [id, output] of list.value ?? []) all.set(id, output)
      lists.push({ some, list })
    }
    const ofWallet = (wallet: WalletOnChain) => lists.filter(({ some }) => hasAny(wallet, some)).map(({ list }) => list)
    return {
      samples: [],
      parts: [
        ...wallets.map((wallet) => ({
          name: `wallet ${wallet.wallet.name}`,
          of: ofWallet(wallet),
          samples: ofWallet(wallet).some(({ state }) => state === 'unsupported')
            ? []
            : walletSamples(wallet, [...all.values()]),
        })),
        {
          name: 'mismatch',
          of: lists.map(({ list }) => list),
          samples: mismatch.ifKnown({}, isOther()),
        },
      ],
    }
  },
})

/** One for each chain. Wallets may share addresses. */
function subjects(configured: Network) {
  return [...Map.groupBy(walletsOnChains(configured), ({ chainName }) => chainName)].map(([name, wallets]) => {
    const { network, chain, blockchainId } = wallets[0]!
    const addresses = [...new Set(wallets.flatMap(addressesOf))]
    return { name, labels: { chain: name }, network, chain, blockchainId, wallets, addresses }
  })
}

function addressesOf({ addresses }: WalletOnChain): string[] {
  return addresses.split(',')
}

function hasAny(wallet: WalletOnChain, addresses: readonly string[]): boolean {
  return addressesOf(wallet).some((address) => addresses.includes(address))
}

function chunks(addresses: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(addresses.length / MOST_ADDRESSES) }, (_, at) =>
    addresses.slice(at * MOST_ADDRESSES, (at + 1) * MOST_ADDRESSES),
  )
}

/** A shared output belongs to each of its wallets. */
function walletSamples(wallet: WalletOnChain, all: readonly Output[]): Sample[] {
  const addresses = new Set(addressesOf(wallet))
  const own = all.filter(({ owners }) => owners.some((owner) => addresses.has(owner)))
  const labels = { ...wallet.labels, chain: wallet.chainName }
  const amounts = own.map(({ amount }) => amount)
  const locks = own.flatMap(({ state, lockedUntil }) => (state === 'locked' ? [lockedUntil] : []))
  return [
    ...[...types[wallet.chain], 'other'].flatMap((utxo_type) => {
      const ofType = own.filter(({ type }) => type === utxo_type)
      if (utxo_type === 'other' && ofType.length === 0) return []
      return states.flatMap((state) => {
        const some = ofType.filter((output) => output.state === state)
        const total = sumOf(some.map(({ amount }) => amount))
        return [
          count.sample({ ...labels, utxo_type, state }, some.length),
          tokens.sample({ ...labels, utxo_type, state }, toTokens(total)),
        ]
      })
    }),
    ...(own.length === 0 ? [] : [smallest.sample(labels, toTokens(least(amounts)))]),
    ...(locks.length === 0 ? [] : [nextUnlock.sample(labels, least(locks))]),
  ]
}

function least(amounts: readonly bigint[]): bigint {
  return amounts.reduce((low, amount) => (amount < low ? amount : low))
}
