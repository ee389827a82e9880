// The genesis of an EVM chain, as blockchain details and the transactions that create chains give it.

import { z } from 'zod'
import { exactIntegers } from '../../lib/raw-json.ts'
import { orNone, unsigned } from '../fields.ts'

/** The creator of a chain writes its genesis. We read a field of another form as absent: it is no fault of the service. */
function optional<T extends z.ZodType>(type: T) {
  return orNone(type).catch(undefined)
}

/** A hexadecimal text in the document; some genesis files have numbers. */
const quantity = z.union([
  unsigned,
  z
    .string()
    .regex(/^0x[0-9a-f]{1,64}$/i)
    .transform((text) => BigInt(text)),
])

const account = z.object({
  balance: optional(quantity),
  code: optional(z.string()),
  storage: optional(z.record(z.string(), z.string())),
})

const feeConfig = z.object({
  baseFeeChangeDenominator: optional(unsigned),
  blockGasCostStep: optional(unsigned),
  gasLimit: optional(unsigned),
  maxBlockGasCost: optional(unsigned),
  minBaseFee: optional(unsigned),
  minBlockGasCost: optional(unsigned),
  targetBlockRate: optional(unsigned).describe('seconds from block to block'),
  targetGas: optional(unsigned),
})

const warpConfig = z.object({
  blockTimestamp: optional(unsigned),
  quorumNumerator: optional(unsigned),
  requirePrimaryNetworkSigners: optional(z.boolean()),
})

const precompile = z.object({
  blockTimestamp: optional(unsigned),
  adminAddresses: optional(z.array(z.string())),
  managerAddresses: optional(z.array(z.string())),
  enabledAddresses: optional(z.array(z.string())),
})

const config = z.object({
  chainId: optional(unsigned),
  homesteadBlock: optional(unsigned),
  eip150Block: optional(unsigned),
  eip150Hash: optional(z.string()),
  eip155Block: optional(unsigned),
  eip158Block: optional(unsigned),
  byzantiumBlock: optional(unsigned),
  constantinopleBlock: optional(unsigned),
  petersburgBlock: optional(unsigned),
  istanbulBlock: optional(unsigned),
  muirGlacierBlock: optional(unsigned),
  berlinBlock: optional(unsigned),
  londonBlock: optional(unsigned),
  subnetEVMTimestamp: optional(unsigned),
  allowFeeRecipients: optional(z.boolean()),
  feeConfig: optional(feeConfig),
  warpConfig: optional(warpConfig),
  txAllowListConfig: optional(precompile),
  contractDeployerAllowListConfig: optional(precompile),
  contractNativeMinterConfig: optional(precompile),
  feeManagerConfig: optional(precompile),
  rewardManagerConfig: optional(precompile),
})

const genesis = z.object({
  airdropAmount: optional(quantity),
  airdropHash: optional(z.string()),
  alloc: optional(z.record(z.string(), account)).describe('accounts at the start, by address'),
  baseFeePerGas: optional(quantity),
  blobGasUsed: optional(quantity),
  coinbase: optional(z.string()),
  config: optional(config),
  difficulty: optional(quantity),
  excessBlobGas: optional(quantity),
  extraData: optional(z.string()),
  gasLimit: optional(quantity),
  gasUsed: optional(quantity),
  mixHash: optional(z.string()),
  nonce: optional(quantity),
  number: optional(quantity),
  parentHash: optional(z.string()),
  timestamp: optional(quantity).describe('Unix time in seconds'),
})

const text = z.string().transform(parseOrUndefined).pipe(genesis)
const other = z.unknown().transform(() => undefined)

/**
 * Document 1, GenesisData. Live services give the object or its JSON as a text. Other virtual machines have a genesis of
 * any form: we read it as absent, and keep the rest of the answer.
 */
export const genesisData = z.union([genesis, text, other]).optional()

function parseOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json, exactIntegers)
  } catch {
    return undefined
  }
}
