// Fixed names of the simulated network: it goes by those of the test network.

import { PRIMARY_NETWORK_ID, type PrimaryChain } from '../../lib/primary-network.ts'

export const chainIds: Readonly<Record<PrimaryChain, string>> = {
  P: PRIMARY_NETWORK_ID,
  X: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  C: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
}

/** That of the test network, as nodes report it. */
export const NETWORK_ID = 5

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

/** A custom asset of the X-Chain. */
export const HAZEL: Asset = {
  id: 'Hdpr9g9jFp2kMJG1J5wr3StSrkrhrAJ9rQVk1HFa1NMsxfRZ9',
  name: 'Hazelnut',
  symbol: 'HAZEL',
  denomination: 2,
}

/** An asset of the X-Chain of which no two are alike. */
export const BURR: Asset = {
  id: '28sFDR9Jz4maTcY7bYyz7XFPF3gCWMyakKwMR7Ap93pLtbs4Dp',
  name: 'Prize burr',
  symbol: 'BURR',
  denomination: 0,
  type: 'nft',
}

/** Coins that do not exist before one of the traders makes them. */
export const WALNUT: Asset = {
  id: 'vDg7fTj3d9xPurMoo1CutXVszuRTSCUbdkzrynstDcx3wtL9t',
  name: 'Walnut',
  symbol: 'WNUT',
  denomination: 0,
}
