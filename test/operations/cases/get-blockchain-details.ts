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
      value: {
        blockchainId: 'chain-1',
        blockchainName: 'My L1',
        createBlockTimestamp: 1_700_000_001,
        createBlockNumber: 5_001n,
        vmId: 'vm-1',
        subnetId: 'subnet-1',
        evmChainId: 99_999n,
        genesisData: {
          airdropAmount: 17n,
          airdropHash: '0xairdrop',
          alloc: {
            '0x1000000000000000000000000000000000000001': {
              // 100,000,000 tokens with 18 decimal places.
              balance: 100_000_000_000_000_000_000_000_000n,
              code: '0xc0de',
              storage: { '0x01': '0xa1', '0x02': '0xa2' },
            },
          },
          baseFeePerGas: 18n,
          blobGasUsed: 19n,
          coinbase: '0xcoinbase',
          config: {
            chainId: 99_999n,
            homesteadBlock: 107n,
            eip150Block: 104n,
            eip150Hash: '0xeip150',
            eip155Block: 105n,
            eip158Block: 106n,
            byzantiumBlock: 102n,
            constantinopleBlock: 103n,
            petersburgBlock: 111n,
            istanbulBlock: 108n,
            muirGlacierBlock: 110n,
            berlinBlock: 101n,
            londonBlock: 109n,
            subnetEVMTimestamp: 112n,
            allowFeeRecipients: true,
            feeConfig: {
              baseFeeChangeDenominator: 36n,
              blockGasCostStep: 200_000n,
              gasLimit: 8_000_000n,
              maxBlockGasCost: 1_000_000n,
              minBaseFee: 25_000_000_000n,
              minBlockGasCost: 3n,
              targetBlockRate: 2n,
              targetGas: 15_000_000n,
            },
            warpConfig: {
              blockTimestamp: 1_700_000_021n,
              quorumNumerator: 67n,
              requirePrimaryNetworkSigners: false,
            },
            txAllowListConfig: {
              blockTimestamp: 1_700_000_022n,
              adminAddresses: ['0xadmin1', '0xadmin2'],
              managerAddresses: ['0xmanager1'],
              enabledAddresses: ['0xenabled1'],
            },
            contractDeployerAllowListConfig: { blockTimestamp: 1_700_000_023n, adminAddresses: ['0xadmin3'] },
            contractNativeMinterConfig: { blockTimestamp: 1_700_000_024n, adminAddresses: ['0xadmin4'] },
            feeManagerConfig: { blockTimestamp: 1_700_000_025n, adminAddresses: ['0xadmin5'] },
            rewardManagerConfig: { blockTimestamp: 1_700_000_026n, adminAddresses: ['0xadmin6'] },
          },
          difficulty: 20n,
          excessBlobGas: 21n,
          extraData: '0xextra',
          gasLimit: 15_000_000n,
          gasUsed: 22n,
          mixHash: '0xmix',
          nonce: 23n,
          number: 24n,
          parentHash: '0xparent',
          timestamp: 1_700_000_000n,
        },
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
