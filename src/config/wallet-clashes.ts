// Wallets that clash with each other, within themselves, or with the chains that they name.

import { nearest } from '../lib/nearest.ts'
import { bareAddress } from '../lib/primary-network.ts'
import { alike, asEntry, asName, type Clash, entriesOf, inside, type Item, listOf, mapOf } from './clash.ts'

export function walletClashes(wallets: unknown, chains: unknown): Clash[] {
  return [
    ...alike('addresses', wallets, ['name'], asName),
    ...entriesOf(wallets).flatMap((wallet, at) => [
      ...inside(['addresses', at, 'addresses'], clashingAddresses(wallet['addresses'], at)),
      ...inside(['addresses', at], isEvm(wallet) ? evmParts(wallet, chains) : misplacedParts(wallet)),
    ]),
  ]
}

/** What the addresses of a wallet have is added up: none may count twice. Two wallets may share an address. */
function clashingAddresses(addresses: unknown, wallet: number): Clash[] {
  const items = listOf(addresses).map((address) => ({ address }))
  const within = `addresses[${wallet}].addresses`
  return [...alike(within, items, ['address'], asEntry, sameKey), ...otherKinds(within, items)].map(
    ({ path: [, at], message }) => ({ path: [at!], message }),
  )
}

/** Capitals in 0x... are a mere checksum. */
function sameKey(address: string): string {
  return bareAddress(address).toLowerCase()
}

/** The two kinds of address belong to different services: no balance is the sum of both. */
function otherKinds(list: string, items: readonly Item[]): Clash[] {
  const kinds = items.map(({ address }) => (typeof address === 'string' ? address.startsWith('0x') : undefined))
  const first = kinds.find((kind) => kind !== undefined)
  const message = 'expected addresses of one kind in a wallet: put those with 0x into a wallet of their own'
  return kinds.flatMap((kind, at) => (kind === undefined || kind === first ? [] : [{ path: [list, at], message }]))
}

function isEvm({ addresses }: Item): boolean {
  return listOf(addresses).some((address) => typeof address === 'string' && address.startsWith('0x'))
}

function misplacedParts({ chains, tokens }: Item): Clash[] {
  const given = { chains: listOf(chains), tokens: Object.keys(mapOf(tokens)) }
  return Object.entries(given).flatMap(([part, { length }]) =>
    length === 0 ? [] : [{ path: [part], message: 'is for wallets of 0x addresses: remove it' }],
  )
}

function evmParts({ chains: own, tokens }: Item, chains: unknown): Clash[] {
  const given = Object.entries(mapOf(tokens))
  const contracts = given.map(([contract, token]) => ({ contract, token }))
  const clashing = [
    ...alike(
      'tokens',
      contracts,
      ['contract'],
      () => 'this contract stands above already: remove one of the two',
      sameKey,
    ),
    ...alike('tokens', contracts, ['token'], () => 'another token of this wallet has this name: choose another'),
  ]
  return [
    ...inside(['chains'], unknownChains(listOf(own), chains)),
    ...clashing.map(({ path: [, at], message }) => ({ path: ['tokens', given[Number(at)]![0]], message })),
  ]
}

/** The hint says where the name that is meant stands, as no report repeats values. */
function unknownChains(own: readonly unknown[], chains: unknown): Clash[] {
  const known = entriesOf(chains).map(({ name, id, evm_chain_id }, at) => ({
    at,
    name: String(name ?? id),
    id,
    isEvm: evm_chain_id !== undefined,
  }))
  const names = known.filter((chain) => chain.isEvm).map(({ name }) => name)
  return own.flatMap((chain, at) => {
    if (typeof chain !== 'string' || names.includes(chain)) return []
    const near = nearest(chain, names)
    const meant =
      known.find(({ id, name }) => id === chain || name === chain) ?? known.find(({ name }) => name === near)
    const message = 'expected the name of a chain that is listed under chains and has an evm_chain_id'
    return [{ path: [at], message: `${message}${meant ? hintOf(meant, chain) : ''}` }]
  })
}

function hintOf({ at, name, isEvm }: { at: number; name: string; isEvm: boolean }, said: string): string {
  return isEvm || name !== said ? `; did you mean that of chains[${at}]?` : `; chains[${at}] has none`
}
