// What the page about a wallet says that is low.

import { expect, test } from 'vitest'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { createBoard } from '../../src/conditions/board.ts'
import { createJudge } from '../../src/conditions/judge.ts'
import { walletLow } from '../../src/conditions/wallets/wallets.ts'

const MINUTE = 60

test.each([
  ['fails', true, 60],
  ['is turned off by the configuration', false, 10],
])('a page is held while a collector that has reported %s', (_, isRunning, most) => {
  const wallet = { network: 'fuji', address: 'treasury' }
  const of = { ...wallet, chain: 'p-chain', expectation: 'min_balance' }
  const run = { network: 'fuji', collector: 'balances', source: '', target: 'treasury:p-chain' }
  const board = createBoard()
  const interval = { name: 'stakewatch_collector_interval_seconds', labels: run, value: 900 }
  board.replace('wallet', [
    { name: 'stakewatch_address_tracked', labels: wallet, value: 1 },
    { name: 'stakewatch_address_expectation_known', labels: { ...wallet, expectation: 'min_balance' }, value: 1 },
    { ...interval, labels: { ...run, collector: 'node-balances', source: 'node-a', target: 'treasury' } },
    { name: 'stakewatch_node_address_balance_expectation_met', labels: of, value: 1 },
  ])
  board.replace('run', [interval])
  board.replace('balances', [{ name: 'stakewatch_address_balance_expectation_met', labels: of, value: 0 }])
  const judge = createJudge([walletLow])
  const pagesAt = (minute: number) => judge.judge(board, minute * MINUTE, thresholds).judged.length > 0
  expect([0, 5].map(pagesAt)).toEqual([true, true])
  board.replace('balances', [])
  if (!isRunning) board.replace('run', [])
  const held = [...Array(60).keys()].filter((passed) => pagesAt(6 + passed))
  expect(held.length).toBe(most)
})

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
