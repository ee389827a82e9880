// Who is who on the EVM chains: a few wallets with a name, strangers who act once, and the contracts they call.

import { random } from './random.ts'

/** The wallets that can be watched. Each has the same address on all chains. */
export type Wallet = 'treasury' | 'payroll' | 'market' | 'relayer'
export type Wallets = Readonly<Record<Wallet, string>>

export interface Token {
  address: string
  name: string
  symbol: string
  decimals: number
}

/** Of a chain. */
export interface Accounts {
  wallets: Wallets
  tokens: readonly Token[]
  /** Worth nothing, and sent to everybody. */
  spam: Token
  contract: string
  /** A stranger's address holds its number: that of the one transaction that is its own. */
  stranger(number: number): string
  numberOf(stranger: string): number | undefined
}

const TOKEN = 10n ** 18n
/** What a wallet has at the beginning and comes back to (smallest unit). */
export const endowments: Readonly<Record<Wallet, bigint>> = {
  treasury: 12_000n * TOKEN,
  payroll: 400n * TOKEN,
  market: 25n * TOKEN,
  relayer: 2n * TOKEN,
}
/** What a stranger begins with: enough for whatever it will do. */
export const STRANGER_HAS = 250n * TOKEN

/** The contract that messages between chains go through has one address everywhere. */
export const ICM_CONTRACT = '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf'

/** Digits at the end of a name: the number of what it names, so that no two are alike and each can be found. */
export const NUMBER = 12

export function numbered(digits: number, number: number, ...name: readonly (string | number)[]): string {
  return `0x${random(...name, number).hex(digits - NUMBER)}${number.toString(16).padStart(NUMBER, '0')}`
}

/** Some number or other when the name has none. */
export const numberIn = (name: string) => Number.parseInt(name.slice(-NUMBER), 16)

export function createWallets(seed: number): Wallets {
  const address = (name: Wallet) => `0x${random(seed, 'evm wallet', name).hex(40)}`
  return {
    treasury: address('treasury'),
    payroll: address('payroll'),
    market: address('market'),
    relayer: address('relayer'),
  }
}

export function createAccounts(seed: number, chainId: number, wallets: Wallets): Accounts {
  const contract = (name: string) => `0x${random(seed, 'evm', chainId, 'contract', name).hex(40)}`
  const stranger = (number: number) => numbered(40, number, seed, 'evm', chainId, 'stranger')
  return {
    wallets,
    tokens: [
      { address: contract('dollar'), name: 'Fuji Dollar', symbol: 'FUSD', decimals: 6 },
      { address: contract('apple'), name: 'Orchard Apple', symbol: 'APPLE', decimals: 18 },
    ],
    spam: {
      address: contract('spam'),
      name: '! 5,000 "USD" for you\nat reward.example \\🎁',
      symbol: 'CLAIM{',
      decimals: 0,
    },
    contract: contract('other'),
    stranger,
    numberOf(address) {
      const number = numberIn(address)
      return stranger(number) === address ? number : undefined
    },
  }
}
