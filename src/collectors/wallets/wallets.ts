// Subjects that several collectors share: wallets of the primary network, and wallets on EVM chains.

import type { Network, Wallet } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { bareAddress, type DataNetwork, nameOfPrimary, type PrimaryChain } from '../../lib/primary-network.ts'
import type { Subject } from '../define.ts'
import { type EvmChain, evmChains } from '../subjects/evm-chains.ts'

export interface PrimaryWallet extends Subject {
  wallet: Wallet
  network: DataNetwork
  /** Comma-separated, as the data service takes them, without the prefix of a chain: a key has the same address on all chains. */
  addresses: string
}

export function primaryWallets({ data_api, addresses }: Network): PrimaryWallet[] {
  if (!data_api) return []
  const { network } = data_api
  return addresses.filter(isPrimary).map((wallet) => {
    const addresses = wallet.addresses.map(bareAddress).join(',')
    return { name: wallet.name, labels: { address: wallet.name }, wallet, network, addresses }
  })
}

/** What a history of the wallet is about: with other addresses, which have a history of their own, counting restarts. */
export function askedOf({ network, addresses }: Pick<PrimaryWallet, 'network' | 'addresses'>): string {
  return [network, ...addresses.split(',').toSorted()].join(' ')
}

export function isPrimary({ addresses }: Wallet): boolean {
  return !addresses.some((address) => address.startsWith('0x'))
}

export interface WalletOnChain extends PrimaryWallet {
  chain: PrimaryChain
  chainName: string
  blockchainId: string
}

/** Every wallet on the P-Chain; on the X- and the C-Chain, wallets with an address of that prefix. */
export function walletsOnChains(network: Network): WalletOnChain[] {
  return primaryWallets(network).flatMap((wallet) =>
    (['P', 'X', 'C'] as const)
      .filter((chain) => chain === 'P' || isNamed(wallet.wallet, chain))
      .map((chain) => {
        const blockchainId = `${chain.toLowerCase()}-chain`
        const chainName = nameOfPrimary(chain, network)
        const labels = { ...wallet.labels, chain: chainName }
        return { ...wallet, name: `${wallet.name}:${chainName}`, labels, chain, chainName, blockchainId }
      }),
  )
}

/** Whether the wallet has an address with the prefix of the chain; one without a prefix is for the P-Chain. */
export function isNamed({ addresses }: Wallet, chain: PrimaryChain): boolean {
  return addresses.some((address) => (/^([XC])-/.exec(address)?.[1] ?? 'P') === chain)
}

/** The items of the requested addresses, and those without an address. */
export function ownItems<I>(
  { addresses }: Pick<PrimaryWallet, 'addresses'>,
  items: readonly I[],
  whose: (item: I) => readonly string[],
): I[] {
  const own = new Set(addresses.split(','))
  const kept = items.filter((item) => {
    const said = whose(item)
    return said.length === 0 || said.some((address) => own.has(bareAddress(address)))
  })
  // A list of other addresses' items must not pass for an empty one.
  if (kept.length === 0 && items.length > 0) {
    throw new BaseError('bad_response', 'the data service lists only items of other addresses')
  }
  return kept
}

export interface EvmWallet extends EvmChain {
  wallet: Wallet
  chain: string
}

export function evmWallets(network: Network): EvmWallet[] {
  if (!network.data_api) return []
  const chains = evmChains(network)
  return network.addresses.flatMap((wallet) =>
    chains
      .filter(({ name }) => wallet.chains.includes(name))
      .map(({ name: chain, labels, ...of }) => ({
        ...of,
        name: `${wallet.name}:${chain}`,
        labels: { address: wallet.name, ...labels },
        wallet,
        chain,
      })),
  )
}
