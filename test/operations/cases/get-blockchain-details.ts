// Document 1, operation 16, and GenesisData.

import type { Cases } from '../cases.ts'

const given = { network: 'fuji', blockchainId: 'chain-1' }

export const cases: Cases = {
  operation: 'get-blockchain-details',
  simulated: ({ l1s }) => ({ network: 'fuji', blockchainId: l1s.all[0]!.blockchainId }),
  asks: [
    { params: given, request: 'GET /v1/networks/fuji/blockchains/chain-1' },
    {
      params: { network: 'mainnet', blockchainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5' },
      request: 'GET /v1/networks/mainnet/blockchains/2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
    },
    {
      params: { network: 'testnet', blockchainId: 'a' },
      request: 'GET /v1/networks/testnet/blockchains/a',
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: '' }, 'expected string to have >=1 characters'],
    [{ network: 'fuji' }, 'blockchainId'],
  ],
  nullsDiffer: ['genesisData.alloc.*', 'genesisData.alloc.*.storage.*'],
  answers: [
    {
      fixture: 'data/get-blockchain-details.document',
      reads: {
        createBlockNumber: BigInt,
        evmChainId: BigInt,
        airdropAmount: BigInt,
        balance: BigInt,
        baseFeePerGas: BigInt,
        blobGasUsed: BigInt,
        berlinBlock: BigInt,
        byzantiumBlock: BigInt,
        chainId: BigInt,
        constantinopleBlock: BigInt,
        eip150Block: BigInt,
        eip155Block: BigInt,
        eip158Block: BigInt,
        homesteadBlock: BigInt,
        istanbulBlock: BigInt,
        londonBlock: BigInt,
        muirGlacierBlock: BigInt,
        petersburgBlock: BigInt,
        subnetEVMTimestamp: BigInt,
        baseFeeChangeDenominator: BigInt,
        blockGasCostStep: BigInt,
        gasLimit: BigInt,
        maxBlockGasCost: BigInt,
        minBaseFee: BigInt,
        minBlockGasCost: BigInt,
        targetBlockRate: BigInt,
        targetGas: BigInt,
        blockTimestamp: BigInt,
        quorumNumerator: BigInt,
        difficulty: BigInt,
        excessBlobGas: BigInt,
        gasUsed: BigInt,
        nonce: BigInt,
        number: BigInt,
        timestamp: BigInt,
      },
    },
    {
      fixture: 'data/get-blockchain-details.live',
      value: {
        blockchainId: 'chain-1',
        blockchainName: 'My L1',
        createBlockTimestamp: 1_700_000_001,
        createBlockNumber: 5_001n,
        vmId: 'vm-1',
        subnetId: 'subnet-1',
        evmChainId: 9_007_199_254_740_993n,
        genesisData: {
          airdropAmount: 100_000_000_000_000_000_000n,
          alloc: { '01': { balance: 255n } },
          baseFeePerGas: 7n,
          config: { chainId: 9_007_199_254_740_993n, feeConfig: { minBaseFee: 25_000_000_000n } },
          gasLimit: 15_000_000n,
        },
      },
    },
    { fixture: 'data/get-blockchain-details.minimal', value: { blockchainId: 'chain-1' } },
    {
      fixture: 'data/get-blockchain-details.other-vm',
      value: { blockchainId: 'chain-1', blockchainName: 'My timestamps' },
    },
  ],
  // Any creator of a chain writes a genesis: test/operations/numbers.test.ts has its own rules for these amounts.
  amounts: [],
}
