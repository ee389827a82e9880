// Fixed names of the simulated network: it goes by those of the test network.

import { PRIMARY_NETWORK_ID, type PrimaryChain } from '../../lib/primary-network.ts'

export const chainIds: Readonly<Record<PrimaryChain, string>> = {
  P: PRIMARY_NETWORK_ID,
  X: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  C: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
}

export interface Asset {
  id: string
  name: string
  symbol: string
  denomination: number
  /** Left out: coins, of which one is like the other. */
  type?: 'secp256k1' | 'nft'
}

export const AVAX: Asset = {
  id: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
  name: 'Avalanche',
  symbol: 'AVAX',
  denomination: 9,
}

/** An asset of the X-Chain that somebody created. */
export const HAZEL: Asset = {
  id: '2Q4hazeLjYFZ5mVv9c3hXJcYk6eYw6q8qAuNhUUz7M5xQp7T8a',
  name: 'Hazelnut',
  symbol: 'HAZEL',
  denomination: 2,
}

/** An asset of the X-Chain of which no two are alike. */
export const BURR: Asset = {
  id: '3burrLNsVQnhJYp6oVBZ9cLzDhEqyWgkXjT1wMuS4xR2vFe8t',
  name: 'Prize burr',
  symbol: 'BURR',
  denomination: 0,
  type: 'nft',
}

/** Coins that nobody has before one of the traders makes them. */
export const WALNUT: Asset = {
  id: 'nutWzKe3xXoXhE9dVwYpbT5dTqU7kQjGcS4fF2mR8vNhLrBsA',
  name: 'Walnut',
  symbol: 'WNUT',
  denomination: 0,
}
