// Collectors of wallets publish nothing about expectations that cannot be judged.

import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../src/errors.ts'
import type { AnyCollector } from '../../../src/collectors/define.ts'
import { balances } from '../../../src/collectors/wallets/balances.ts'
import { erc20Transfers } from '../../../src/collectors/wallets/erc20-transfers.ts'
import { nativeBalances } from '../../../src/collectors/wallets/native-balances.ts'
import { transactions } from '../../../src/collectors/wallets/transactions.ts'
import { createPoller } from '../../support/poll.ts'

const OWNER = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const USDC = '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'
const TOKEN = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'

const withWallet = (wallet: string) => `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    chains: [{ id: c-chain, name: c, evm_chain_id: 43113 }]
    addresses: [{ name: treasury, ${wallet} }]
`
const native = {
  nativeTokenBalance: { chainId: '43113', symbol: 'AVAX', decimals: 18, balance: '2000000000000000000' },
}

/** What is declared, and an answer by which it is met. */
const declared: [AnyCollector, string, unknown][] = [
  [
    balances,
    `addresses: [P-${OWNER}], min_balance: 1`,
    { balances: { unlockedUnstaked: [{ assetId: TOKEN, amount: '2000000000' }] } },
  ],
  [nativeBalances, `addresses: ["${EVM}"], chains: [c], min_balance: 1`, native],
  [transactions, `addresses: [P-${OWNER}], expect: { outgoing: none }`, { transactions: [] }],
  [
    erc20Transfers,
    `addresses: ["${EVM}"], chains: [c], tokens: { "${USDC}": USDC }, expect: { outgoing: none }`,
    { transactions: [], blocks: [] },
  ],
]
const unsupported = new BaseError('unsupported', 'HTTP 404: the chain is not supported')

describe.each(declared)('$name', (collector, wallet, good) => {
  function started() {
    const poller = createPoller(withWallet(wallet), collector, 1_700_000_000_000)
    return {
      ...poller,
      poll: async (answer: unknown) => {
        poller.clock.now += 1_000
        await poller.poll(() => answer)
      },
      published: () => ({
        met: poller.list(/expectation_met$/),
        // What `check --live` shows.
        rows: poller.status().flatMap(({ expectations = [] }) => expectations.map(({ isMet }) => isMet)),
        success: poller.success(),
      }),
    }
  }

  test('withdraws the judgement once the service no longer has the data', async () => {
    const poller = started()
    await poller.poll(good)
    expect(poller.published()).toEqual({ met: [1], rows: [true], success: [1] })
    await poller.poll(unsupported)
    expect(poller.published()).toEqual({ met: [], rows: [], success: [1] })
    await poller.poll(good)
    expect(poller.published()).toEqual({ met: [1], rows: [true], success: [1] })
  })
})
