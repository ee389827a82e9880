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
      name: 'live',
      text: `{
        "chains": [
          {
            "chainId": "43114",
            "status": "OK",
            "chainName": "Avalanche (C-Chain)",
            "description": "The contract chain",
            "platformChainId": "2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5",
            "subnetId": "11111111111111111111111111111111LpoYY",
            "vmId": "mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6",
            "vmName": "EVM",
            "explorerUrl": "https://explorer.example",
            "rpcUrl": "https://rpc.example",
            "wsUrl": "wss://rpc.example",
            "isTestnet": false,
            "utilityAddresses": { "multicall": "0xed" },
            "networkToken": { "name": "Avalanche", "symbol": "AVAX", "decimals": 18, "description": "x" },
            "chainLogoUri": "https://logo.example",
            "private": true,
            "enabledFeatures": ["webhooks"]
          }
        ]
      }`,
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
      name: 'minimal',
      text: `{
        "chains": [
          { "chainId": "1", "status": "" },
          {
            "chainId": "2",
            "status": "UNAVAILABLE",
            "chainName": 1,
            "description": 1,
            "platformChainId": 1,
            "subnetId": 1,
            "vmId": 1,
            "vmName": 1,
            "explorerUrl": 1,
            "rpcUrl": 1,
            "wsUrl": 1,
            "isTestnet": "no",
            "utilityAddresses": { "multicall": 1 },
            "networkToken": { "name": 1, "symbol": 1, "decimals": -1 },
            "chainLogoUri": 1,
            "private": "no",
            "enabledFeatures": [1]
          },
          { "chainId": "3", "status": "OK", "utilityAddresses": 1, "networkToken": 1 },
          { "chainId": "", "status": "OK" },
          { "status": "OK" },
          { "chainId": "4" },
          {
            "chainId": "5",
            "status": "sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"
          }
        ]
      }`,
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
