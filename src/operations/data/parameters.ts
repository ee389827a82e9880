// Parameters that operations of the data service share (document 1, Shared parameters and Limits).

import { z } from 'zod'
import { primaryChains, PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { flag, integer, pageToken, unsigned } from '../fields.ts'

export const network = z.enum(['mainnet', 'fuji', 'testnet']).describe('the network; fuji and testnet are the same')

/** The identifiers differ by network. The document names none; the live service accepts these. */
export const blockchainId = z
  .enum(Object.keys(primaryChains), `expected one of ${Object.keys(primaryChains).join(', ')}`)
  .describe('p-chain, x-chain, c-chain or the identifier of one of them')

export const pChainId = z
  .enum(['p-chain', PRIMARY_NETWORK_ID], `expected p-chain or ${PRIMARY_NETWORK_ID}`)
  .describe('p-chain or its identifier')

export const evmChainId = z.string().min(1).describe('EVM chain id or blockchain id')
const evmAddressForm = /^0x[0-9a-fA-F]{40}$/
export const evmAddress = z
  .string()
  .regex(evmAddressForm, 'expected an address: 0x and 40 hexadecimal digits')
  .describe('wallet address, 0x...')

export const pageSize = pageSizeUpTo(100)
export function pageSizeUpTo(most: number) {
  const message = `expected 1 to ${most}`
  return integer.pipe(z.int().min(1, message).max(most, message)).default(10).describe('items per page')
}

export const sortOrder = z.enum(['asc', 'desc']).optional().describe('by timestamp, or by sortBy where that is given')

const someTime = integer.pipe(z.int().min(0, 'expected a Unix time from 0 on'))
export const sinceTimestamp = someTime.optional().describe('items after this Unix time')
export const untilTimestamp = someTime.optional().describe('items before this Unix time')

export const currency = z
  .enum(['usd', 'eur', 'aud', 'cad', 'chf', 'clp', 'cny', 'czk', 'dkk', 'gbp', 'hkd', 'huf', 'jpy', 'nzd'])
  .default('usd')
  .describe('of the prices')

const ASSET_ID_ON_X = { path: ['assetId'], message: 'assetId applies to the X-Chain alone' }
function isAssetIdOnX({ blockchainId, assetId }: { blockchainId: string; assetId?: string | undefined }) {
  return assetId === undefined || primaryChains[blockchainId] === 'X'
}

const address = /^([PX]-)?(avax|fuji)1[a-z0-9]+$/
const addressOfAnyForm = /^([PXC]-)?(avax|fuji)1[a-z0-9]+$/
const ADDRESSES = 'expected comma-separated addresses such as P-avax1..., X-fuji1... or fuji1...'
const ABOUT_ADDRESSES = 'comma-separated wallet addresses, with or without P- or X- before each'
export const someAddresses = z
  .string()
  .refine((text) => listed(text).every((one) => address.test(one)), ADDRESSES)
  .optional()
  .describe(ABOUT_ADDRESSES)

/** Operation 3: one list may mix the forms of all chains. Live services accept that of the C-Chain as well. */
export const mixedAddresses = z
  .string()
  .refine((text) => listed(text).every((one) => addressOfAnyForm.test(one)), {
    message: 'expected comma-separated addresses such as P-avax1..., X-fuji1..., C-fuji1... or fuji1...',
  })
  .describe('comma-separated wallet addresses, with or without P-, X- or C- before each')

/** Operation 4: those of the C-Chain are for its atomic transactions. */
export const addressesOfAnyChain = z
  .string()
  .refine((text) => listed(text).every((one) => address.test(one) || evmAddressForm.test(one)), {
    message: `${ADDRESSES}, or 0x... for the C-Chain`,
  })
  .optional()
  .describe(`${ABOUT_ADDRESSES}, or 0x... on the C-Chain`)

/** A wallet address begins with the prefix of its network. */
export const OTHER_NETWORK = {
  path: ['addresses'],
  message: 'expected addresses of the network: avax1... on mainnet, fuji1... on fuji',
}
export function areOfNetwork({ network, addresses }: { network: string; addresses?: string | undefined }) {
  if (addresses === undefined) return true
  const other = network === 'mainnet' ? /^([PXC]-)?fuji1/ : /^([PXC]-)?avax1/
  return !listed(addresses).some((one) => other.test(one))
}

/** Parameters of lists of UTXOs (operations 3 and 7). */
export function ofUtxos<A extends z.ZodType<string | undefined>>(addresses: A, size: typeof pageSize) {
  return z
    .object({
      network,
      blockchainId,
      addresses,
      assetId: z.string().min(1).optional().describe('only of this asset; X-Chain alone'),
      minUtxoAmount: unsigned.default(0n).describe('only of this amount or more, in the smallest unit'),
      includeSpent: flag.optional().describe('spent ones as well'),
      sortBy: z.enum(['timestamp', 'amount']).optional(),
      sortOrder,
      pageToken,
      pageSize: size,
    })
    .refine(isAssetIdOnX, ASSET_ID_ON_X)
    .refine(areOfNetwork, OTHER_NETWORK)
}

/** The parts of a comma-separated list. */
export function listed(text: string): string[] {
  return text.split(',').map((one) => one.trim())
}

/** Identifiers in base58 (cb58): no 0, O, I, l. */
export const base58 = /^[1-9A-HJ-NP-Za-km-z]+$/

export const atTimestamp = someTime.optional().describe('as of this Unix time; default: now')
