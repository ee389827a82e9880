// Subjects that several collectors share: wallets of the primary network, and wallets on EVM chains.

import type { Network, Wallet } from '../config/schema.ts'
import type { Subject } from './define.ts'

export interface PrimaryWallet extends Subject {
  wallet: Wallet
  /** The data service's name of the network. */
  network: 'mainnet' | 'fuji' | 'testnet'
  /** Comma-separated, as the data service takes them, without the prefix of a chain: they are the same on all. */
  addresses: string
}

export function primaryWallets({ data_api, addresses }: Network): PrimaryWallet[] {
  if (!data_api) return []
  const { network } = data_api
  return addresses.filter(isPrimary).map((wallet) => {
    const bare = wallet.addresses.map((address) => address.replace(/^[PXC]-/, ''))
    return { name: wallet.name, labels: { address: wallet.name }, wallet, network, addresses: bare.join(',') }
  })
}

export function isPrimary({ addresses }: Wallet): boolean {
  return !addresses.some((address) => address.startsWith('0x'))
}

export interface EvmWallet extends Subject {
  wallet: Wallet
  chain: string
  /** As the data service takes it. */
  chainId: string
  /** Decimal places of the chain's own token. */
  decimals: number
}

/** One for each chain that the wallet names. */
export function evmWallets({ data_api, addresses, chains }: Network): EvmWallet[] {
  if (!data_api) return []
  return addresses.flatMap((wallet) =>
    chains.flatMap(({ name: chain, evm_chain_id, decimals }) =>
      evm_chain_id === undefined || !wallet.chains.includes(chain)
        ? []
        : [
            {
              name: `${wallet.name}:${chain}`,
              labels: { address: wallet.name, chain },
              wallet,
              chain,
              chainId: String(evm_chain_id),
              decimals,
            },
          ],
    ),
  )
}
