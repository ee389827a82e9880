// The genesis of an EVM chain in the data service's words (document 1, GenesisData).

import type { Dialect } from '../handler.ts'
import type { Blockchain } from '../world/blockchains.ts'

/** Whatever its virtual machine reads. */
const OTHER_GENESIS = Buffer.from('the first state of this chain').toString('base64')
const NO_ADDRESS = `0x${'00'.repeat(20)}`
const NOTHING = `0x${'00'.repeat(32)}`
const ADMIN = `0x${'ad'.repeat(20)}`

const hex = (number: number) => `0x${number.toString(16)}`
const precompile = { blockTimestamp: 0, adminAddresses: [ADMIN], managerAddresses: [], enabledAddresses: [ADMIN] }

const forks = {
  homesteadBlock: 0,
  eip150Block: 0,
  eip150Hash: NOTHING,
  eip155Block: 0,
  eip158Block: 0,
  byzantiumBlock: 0,
  constantinopleBlock: 0,
  petersburgBlock: 0,
  istanbulBlock: 0,
  muirGlacierBlock: 0,
  berlinBlock: 0,
  londonBlock: 0,
  subnetEVMTimestamp: 0,
}

/** Of a chain without an EVM the live service gives the text that it was created with, and the document nothing. */
export function genesisOf(evm: Blockchain['evm'], dialect: Dialect) {
  if (evm) return genesisRecord(evm)
  return dialect === 'live' ? OTHER_GENESIS : undefined
}

function genesisRecord({ chainId, gasLimit }: NonNullable<Blockchain['evm']>) {
  return {
    airdropAmount: null,
    airdropHash: NOTHING,
    alloc: { [ADMIN]: { balance: '0x52b7d2dcc80cd2e4000000', code: '0x', storage: { [NOTHING]: NOTHING } } },
    baseFeePerGas: null,
    blobGasUsed: null,
    coinbase: NO_ADDRESS,
    config: {
      ...forks,
      chainId,
      allowFeeRecipients: false,
      feeConfig: feeConfigOf(gasLimit),
      warpConfig: { blockTimestamp: 0, quorumNumerator: 67, requirePrimaryNetworkSigners: false },
      txAllowListConfig: precompile,
      contractDeployerAllowListConfig: precompile,
      contractNativeMinterConfig: precompile,
      feeManagerConfig: precompile,
      rewardManagerConfig: precompile,
    },
    difficulty: '0x0',
    excessBlobGas: null,
    extraData: '0x',
    gasLimit: hex(gasLimit),
    gasUsed: '0x0',
    mixHash: NOTHING,
    nonce: '0x0',
    number: '0x0',
    parentHash: NOTHING,
    timestamp: '0x0',
  }
}

/** The rules for fees that an L1 begins with. */
function feeConfigOf(gasLimit: number) {
  return {
    gasLimit,
    targetBlockRate: 2,
    minBaseFee: 25_000_000_000,
    targetGas: gasLimit * 5,
    baseFeeChangeDenominator: 36,
    minBlockGasCost: 0,
    maxBlockGasCost: 1_000_000,
    blockGasCostStep: 200_000,
  }
}
