// Fixed names of the primary network (document 1, Shared parameters; the identifiers are facts of the live networks).

import { table } from './entry.ts'

/** The primary network as a subnet; the P-Chain has the same id. */
export const PRIMARY_NETWORK_ID = '11111111111111111111111111111111LpoYY'

export type PrimaryChain = 'P' | 'X' | 'C'

const fuji = {
  X: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  C: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
}

/** The chains whose ids differ between the public networks, by the data service's name of the network. */
export const blockchainIds: Readonly<Record<string, Readonly<Record<'X' | 'C', string>>>> = table({
  mainnet: {
    X: '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
    C: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
  },
  fuji,
  testnet: fuji,
})

/** Every value that the data service accepts as {blockchainId}, with the chain that it names. */
export const primaryChains: Readonly<Record<string, PrimaryChain>> = table({
  'p-chain': 'P',
  [PRIMARY_NETWORK_ID]: 'P',
  'x-chain': 'X',
  '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM': 'X',
  '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm': 'X',
  'c-chain': 'C',
  '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5': 'C',
  yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp: 'C',
})

/** Label `chain`: as configured, else the data service's alias. */
export function nameOfPrimary(
  chain: PrimaryChain,
  { chains }: { chains: readonly { id: string; name: string }[] },
): string {
  return chains.find(({ id }) => primaryChains[id] === chain)?.name ?? `${chain.toLowerCase()}-chain`
}

/** Asset ids of staking tokens by the data service's network name. Users can issue assets of the same name. */
export const stakingTokens = {
  mainnet: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z',
  fuji: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
  testnet: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
} as const

export type DataNetwork = keyof typeof stakingTokens

/** Without the prefix of a chain: a key has the same address on all of them. */
export function bareAddress(address: string): string {
  return address.replace(/^[PXC]-/, '')
}

/** Addresses in the form in which they are compared: without the prefix of a chain, and 0x... in lower case. */
export function plainAddress(address: string): string {
  return bareAddress(address).toLowerCase()
}
