// Wallets that clash with each other, within themselves, or with the chains that they name.

import { plainAddress, primaryChains } from '../../lib/primary-network.ts'
import {
  alike,
  asEntry,
  asName,
  asText,
  type Clash,
  entriesOf,
  expecting,
  given,
  inside,
  insideEach,
  type Item,
  listOf,
  mapOf,
  namesIn,
  taken,
} from './clash.ts'

export function walletClashes(wallets: unknown, list: unknown): Clash[] {
  const chains = knownChains(list)
  return [
    ...alike('addresses', wallets, ['name'], asName),
    ...insideEach(['addresses'], wallets, (wallet, at) => [
      ...inside(['addresses'], clashingAddresses(wallet['addresses'], at)),
      ...(isEvm(wallet) ? [...evmParts(wallet, chains), ...unobservable(wallet, chains)] : misplacedParts(wallet)),
    ]),
  ]
}

/** The balances of a wallet's addresses are added up, so none may count twice. Two wallets may share an address. */
function clashingAddresses(addresses: unknown, wallet: number): Clash[] {
  const items = listOf(addresses).map((address) => ({ address }))
  const within = `addresses[${wallet}].addresses`
  return [...sameAddress(items, within), ...otherKinds(items)]
}

/** A prefix says where else the wallet is looked for, so that the forms of one address differ in what they cover. */
function sameAddress(items: readonly Item[], within: string): Clash[] {
  const first = new Map<string, number>()
  return items.flatMap(({ address }, at) => {
    if (typeof address !== 'string') return []
    const other = first.get(plainAddress(address))
    if (other === undefined) {
      first.set(plainAddress(address), at)
      return []
    }
    return [{ path: [at], message: sameAs(`${within}[${other}]`, asText(items[other]!['address']), address) }]
  })
}

function sameAs(other: string, ...forms: [string, string]): string {
  const [before, here] = forms.map((form) => /^[XC]-/.exec(form)?.[0] ?? 'P-') as [string, string]
  if (before === here) return asEntry(other)
  const [chain] = [before, here].filter((prefix) => prefix !== 'P-') as [string]
  if (before !== 'P-' && here !== 'P-') {
    return `${other} is the same address for another chain: put this one into a wallet of its own`
  }
  return `${other} is the same address: keep the one with ${chain}, which covers the P-Chain as well`
}

/** The two kinds of address belong to different services: no balance is the sum of both. */
function otherKinds(items: readonly Item[]): Clash[] {
  const kinds = items.map(({ address }) => (typeof address === 'string' ? address.startsWith('0x') : undefined))
  const first = kinds.find((kind) => kind !== undefined)
  const message = 'expected addresses of one kind in a wallet: put those with 0x into a wallet of their own'
  return kinds.flatMap((kind, at) => (kind === undefined || kind === first ? [] : [{ path: [at], message }]))
}

function isEvm({ addresses }: Item): boolean {
  return listOf(addresses).some((address) => typeof address === 'string' && address.startsWith('0x'))
}

function misplacedParts({ addresses, chains, tokens }: Item): Clash[] {
  // Without its quotes an 0x address is a number.
  if (listOf(addresses).some((address) => typeof address !== 'string')) return []
  const given = { chains: listOf(chains), tokens: Object.keys(mapOf(tokens)) }
  return Object.entries(given).flatMap(([part, { length }]) =>
    length === 0 ? [] : [{ path: [part], message: 'expected for wallets of 0x addresses alone: remove it' }],
  )
}

function evmParts({ chains: own, tokens }: Item, chains: KnownChains): Clash[] {
  const named = Object.entries(mapOf(tokens))
  const contracts = named.map(([contract, token]) => ({ contract, token }))
  const clashing = [
    ...alike(
      'tokens',
      contracts,
      ['contract'],
      () => 'this contract is already listed above: remove one of the two',
      plainAddress,
    ),
    ...alike('tokens', contracts, ['token'], () => 'another token of this wallet has this name: choose another'),
    ...taken('tokens', contracts, 'token', 'other', 'is reserved for tokens that are not listed: choose another'),
  ]
  return [
    ...inside(['chains'], unknownChains(listOf(own), chains)),
    ...clashing.map(({ path: [, at], message }) => ({ path: ['tokens', named[Number(at)]![0]], message })),
  ]
}

/** Outflows that no collector can see: it needs token transfers or, on the C-Chain, exports to other chains. */
function unobservable(wallet: Item, chains: KnownChains): Clash[] {
  const { chains: own = [], tokens, min_balance } = wallet
  const hasTokens = Object.keys(mapOf(tokens)).length > 0
  const outgoing = (message: string) => expecting(wallet, ['outgoing'], message)
  if (Array.isArray(own) && own.length === 0) {
    const message = 'without chains the wallet is looked for nowhere: add chains, or remove this'
    const parts = { tokens: hasTokens ? tokens : undefined, min_balance }
    return [...given(parts, ['tokens', 'min_balance'], message), ...outgoing(message)]
  }
  const isOnC = listOf(own).some((name) => chains.ofC.has(name))
  return hasTokens || isOnC ? [] : outgoing('outflows on these chains cannot be observed: add tokens, or remove this')
}

type KnownChains = ReturnType<typeof knownChains>

function knownChains(chains: unknown) {
  const all = entriesOf(chains).map(({ name, id, evm_chain_id }, at) => ({
    at,
    name: asText(name ?? id),
    id: asText(id),
    isEvm: evm_chain_id !== undefined,
  }))
  const evm = all.filter(({ isEvm }) => isEvm)
  return {
    evm,
    evmNames: namesIn(evm.map(({ name }) => name)),
    /** By name and by id; the first one that has it. */
    named: new Map(all.toReversed().flatMap((one) => [[one.id, one] as const, [one.name, one] as const])),
    /** Names of the C-Chain. */
    ofC: new Set<unknown>(all.filter(({ id }) => primaryChains[id] === 'C').map(({ name }) => name)),
  }
}

/** The hint gives the place of the intended name, because reports never repeat values. */
function unknownChains(own: readonly unknown[], { evm, evmNames, named }: KnownChains): Clash[] {
  return own.flatMap((chain, at) => {
    if (typeof chain !== 'string' || evmNames.placeOf(chain) !== undefined) return []
    const meant = named.get(chain) ?? evm[evmNames.nearest(chain) ?? -1]
    const message = 'expected the name of a chain that is listed under chains and has an evm_chain_id'
    return [{ path: [at], message: `${message}${meant ? hintOf(meant, chain) : ''}` }]
  })
}

function hintOf({ at, name, isEvm }: { at: number; name: string; isEvm: boolean }, said: string): string {
  return isEvm || name !== said ? `; did you mean that of chains[${at}]?` : `; chains[${at}] has none`
}
