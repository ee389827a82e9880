// What the page about a wallet says that is low.

import { expect, test } from 'vitest'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { createBoard } from '../../src/conditions/board.ts'
import { createJudge } from '../../src/conditions/judge.ts'
import { walletLow } from '../../src/conditions/wallets/wallets.ts'

test.each(['p-chain', 'P'])('a node knows what is missing on the P-Chain, also by its own name: %s', (chain) => {
  const wallet = { network: 'fuji', address: 'treasury' }
  const board = createBoard()
  board.replace('unit', [
    { name: 'stakewatch_address_tracked', labels: wallet, value: 1 },
    { name: 'stakewatch_address_minimum_balance_tokens', labels: wallet, value: 10 },
    { name: 'stakewatch_node_address_balance_tokens', labels: { ...wallet, state: 'unlocked' }, value: 4 },
    {
      name: 'stakewatch_node_address_balance_expectation_met',
      labels: { ...wallet, chain, expectation: 'min_balance' },
      value: 0,
    },
  ])
  const { judged } = createJudge([walletLow]).judge(board, 60, thresholds)
  expect(judged.map(({ labels, details }) => [labels['chain'], details])).toEqual([
    [chain, { balance: 4, minimum: 10, missing: 6 }],
  ])
})
