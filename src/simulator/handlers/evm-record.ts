// Accounts, tokens and prices of the EVM chains in the data service's words.

import { type Dialect, Refusal } from '../handler.ts'
import { addressIn } from './checksum-address.ts'
import type { Token } from '../world/evm-accounts.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import type { World } from '../world/world.ts'

/** By its number or by its blockchain id. */
export function evmChainOf(world: World, chainId: string): EvmChain {
  const chain = world.evm.find((one) => [String(one.chainId), one.blockchainId].includes(chainId))
  if (!chain) throw new Refusal(404, `chain ${chainId} is not supported`)
  return chain
}

/** The document gives the value as text, the live service as a number. */
export function money(value: number, currencyCode: string, dialect: Dialect) {
  return { currencyCode, value: dialect === 'live' ? value : String(value) }
}

/** Nothing where the token has no price. */
function priced(world: World, symbol: string, currency: string, dialect: Dialect) {
  const price = world.price(symbol, currency)
  return price === undefined ? {} : { price: money(price, currency, dialect) }
}

export function tokenRecord(token: Token, world: World, dialect: Dialect) {
  return { ...namesOf(token, dialect), ercType: 'ERC-20', ...priced(world, token.symbol, 'usd', dialect) }
}

/** An address, with the names of the token whose contract it is. */
export function accountRecord({ accounts }: EvmChain, address: string, dialect: Dialect) {
  const token = [...accounts.tokens, accounts.spam].find((one) => one.address === address)
  return token ? namesOf(token, dialect) : { address: addressIn(address, dialect) }
}

function namesOf({ address, name, symbol, decimals }: Token, dialect: Dialect) {
  return { address: addressIn(address, dialect), name, symbol, decimals, logoUri: logoOf(symbol) }
}

/** Only the live form has it, together with the time in seconds. */
export function milliseconds(seconds: number, dialect: Dialect) {
  return dialect === 'live' ? { blockTimestampMilliseconds: seconds * 1_000 } : {}
}

export function logoOf(symbol: string): string {
  return `https://logos.example/${encodeURIComponent(symbol)}.png`
}
