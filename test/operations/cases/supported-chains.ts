// The data service's own interface, as the types of its SDK describe it (DataListChainsResponse, ChainInfo).

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'supported-chains',
  asks: [
    { params: {}, request: 'GET /v1/chains' },
    { params: { network: 'mainnet', feature: 'webhooks' }, request: 'GET /v1/chains?network=mainnet&feature=webhooks' },
    {
      params: { network: 'fuji', feature: 'nftIndexing' },
      request: 'GET /v1/chains?network=fuji&feature=nftIndexing',
    },
    {
      params: { network: 'testnet', feature: 'teleporter' },
      request: 'GET /v1/chains?network=testnet&feature=teleporter',
    },
  ],
  refuses: [
    [{ network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ feature: 'magic' }, 'expected one of "nftIndexing"|"webhooks"|"teleporter"'],
    [{ pageSize: '1' }, 'pageSize'],
  ],
  answers: [
    {
      fixture: 'data/supported-chains.live',
      value: {
        chains: [
          {
            chainId: '43114',
            status: 'OK',
            chainName: 'Avalanche (C-Chain)',
            description: 'The contract chain',
            platformChainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
            subnetId: '11111111111111111111111111111111LpoYY',
            vmId: 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6',
            vmName: 'EVM',
            isTestnet: false,
            private: true,
            networkToken: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
            rpcUrl: 'https://rpc.example',
            wsUrl: 'wss://rpc.example',
            explorerUrl: 'https://explorer.example',
            chainLogoUri: 'https://logo.example',
            utilityAddresses: { multicall: '0xed' },
            enabledFeatures: ['webhooks'],
          },
        ],
      },
    },
    {
      fixture: 'data/supported-chains.minimal',
      // Without an id, or with a status that is none or too long.
      dropped: 4,
      fieldsDropped: 19,
      value: {
        chains: [
          { chainId: '1', status: '' },
          { chainId: '2', status: 'UNAVAILABLE', networkToken: {}, utilityAddresses: {} },
          { chainId: '3', status: 'OK' },
        ],
      },
    },
  ],
}
