// The interface of a chain with an EVM: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

const request = 'POST /ext/bc/C/rpc'

export const cases: Cases = {
  operation: 'eth_getBlockByNumber',
  isPartial: true,
  simulated: () => ({ chain: 'C' }),
  asks: [
    { params: { chain: 'C' }, request, body: ['latest', false] },
    ...['latest', 'finalized', 'pending', 'earliest', '0x0', '0xffffffffffffffff', '0xABCDEF'].map((block) => ({
      params: { chain: 'C', block, full: 'true' },
      request,
      body: [block, true],
    })),
  ],
  refuses: [
    [{}, 'chain'],
    [{ chain: '' }, 'chain'],
    ...['', 'x', '12', '0x', '0xg', '-0x1', '0x1ffffffffffffffff', '0x1 '].map(
      (block) => [{ chain: 'C', block }, 'block'] as const,
    ),
    [{ chain: 'C', full: 'yes' }, 'full'],
  ],
  answers: [
    {
      name: 'recorded',
      text: `{
        "baseFeePerGas": "0x1",
        "blobGasUsed": "0x0",
        "blockExtraData": "0x",
        "blockGasCost": "0x0",
        "difficulty": "0x1",
        "excessBlobGas": "0x0",
        "extDataGasUsed": "0x0",
        "extDataHash": "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
        "extraData": "0x000000000098447800000000000052080000000000000000000000000000",
        "gasLimit": "0x989680",
        "gasUsed": "0x5208",
        "hash": "0xbbeb69be925221b8d8c64e5ec6af522f19f8ed6a85de041a2b8b5999fce172ce",
        "logsBloom": "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
        "minDelayExcess": "0x799d4c",
        "miner": "0x0100000000000000000000000000000000000000",
        "mixHash": "0x0000000000000000000000000000000000000000000000000000000000000000",
        "nonce": "0x0000000000000000",
        "number": "0x4",
        "parentBeaconBlockRoot": "0x0000000000000000000000000000000000000000000000000000000000000000",
        "parentHash": "0x2d6fec4912e5615873294e42e2803d15c2a6c02e1ad64bbc078b68303d89dda2",
        "receiptsRoot": "0x056b23fbba480696b65fe5a59b8f2148a1299103c4f57df839233af2cf4ca2d2",
        "sha3Uncles": "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
        "size": "0x2da",
        "stateRoot": "0xf7b5f6de2551d21eeab41abab203a99321ced2dc2d22f97bdca1ba415dac04ca",
        "timestamp": "0x6b023c90",
        "timestampMilliseconds": "0x1a200bc9593",
        "totalDifficulty": "0x4",
        "transactions": ["0xa118f24035faf24cbc3c48b29a10d26c70de3fd7998e17170f2fcdad0652aeaf"],
        "transactionsRoot": "0x9e08e7984ce4d153942c345983cc094df20de28315557c0c09a833db18107847",
        "uncles": []
      }`,
      value: {
        number: 4n,
        hash: '0xbbeb69be925221b8d8c64e5ec6af522f19f8ed6a85de041a2b8b5999fce172ce',
        parentHash: '0x2d6fec4912e5615873294e42e2803d15c2a6c02e1ad64bbc078b68303d89dda2',
        // 2026-11-22T00:51:28Z, and 787 ms.
        timestamp: 1_795_308_688,
        timestampMilliseconds: 1_795_308_688_787,
        gasLimit: 10_000_000n,
        gasUsed: 21_000n,
        baseFeePerGas: 1n,
        blockGasCost: 0n,
        size: 730,
      },
    },
    {
      name: 'required',
      text: `{
        "number": "0x0",
        "hash": "0xabc",
        "timestamp": "0x6b023c90",
        "gasLimit": "0xffffffffffffffff",
        "gasUsed": "0x0"
      }`,
      value: {
        number: 0n,
        hash: '0xabc',
        parentHash: undefined,
        timestamp: 1_795_308_688,
        timestampMilliseconds: undefined,
        gasLimit: 18_446_744_073_709_551_615n,
        gasUsed: 0n,
        baseFeePerGas: undefined,
        blockGasCost: undefined,
        size: undefined,
      },
    },
  ],
  missing: ['cannot query unfinalized data'],
}
