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
      fixture: 'node/eth_getBlockByNumber.recorded',
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
