// Document 2, P-Chain interface and P-Chain block. What a block holds is in the table of platform.getBlock.

import { type Cases, gone } from '../cases.ts'
import { cases as getBlock } from './platform.getBlock.ts'

export const cases: Cases = {
  operation: 'platform.getBlockByHeight',
  isPartial: true,
  simulated: () => ({ height: '7', encoding: 'json' }),
  asks: [
    { params: { height: '0' }, request: 'POST /ext/bc/P', body: { height: 0, encoding: 'hex' } },
    { params: { height: '7', encoding: 'hex' }, request: 'POST /ext/bc/P', body: { height: 7, encoding: 'hex' } },
    { params: { height: '7', encoding: 'json' }, request: 'POST /ext/bc/P', body: { height: 7, encoding: 'json' } },
    {
      params: { height: '18446744073709551615' },
      request: 'POST /ext/bc/P',
      body: { height: 18_446_744_073_709_551_615n, encoding: 'hex' },
    },
  ],
  refuses: [
    [{}, 'height'],
    [{ height: '-1' }, 'expected a decimal integer'],
    [{ height: '18446744073709551616' }, 'expected an integer of 64 bits'],
    [{ height: '7', encoding: 'cb58' }, 'expected one of "hex"|"json"'],
  ],
  answers: [
    {
      fixture: 'node/platform.getBlockByHeight.document',
      reads: {},
    },
    {
      name: 'hex',
      text: '{ "block": "0x000000000003db1f7f2e8a9d3c5b47a6e1f0fe2ad4e17ff8b4e8dfbb1cb5ad1a7ef90000000000000007", "encoding": "hex" }',
      value: {
        block: '0x000000000003db1f7f2e8a9d3c5b47a6e1f0fe2ad4e17ff8b4e8dfbb1cb5ad1a7ef90000000000000007',
        encoding: 'hex',
      },
    },
    {
      fixture: 'node/platform.getBlockByHeight.live',
      reads: { height: BigInt, txID: gone },
    },
    {
      name: 'minimal',
      text: '{ "block": { "parentID": "p", "height": 1, "id": null, "time": null, "tx": null }, "encoding": null }',
      value: { block: { parentID: 'p', height: 1n } },
    },
  ],
  amounts: getBlock.amounts!,
  missing: ["couldn't get block at height 99999999: not found"],
}
