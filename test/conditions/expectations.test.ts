// What the page about an expectation that is not met says was found.

import { expect, test } from 'vitest'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { createBoard } from '../../src/conditions/board.ts'
import { expectationNotMet } from '../../src/conditions/expectations/expectations.ts'
import { createJudge } from '../../src/conditions/judge.ts'

const validator = { network: 'fuji', subnet: 'primary', node_id: 'NodeID-A', validator: 'val-1' }
const chain = { network: 'fuji', chain: 'c-chain' }
const ofNode = { ...chain, source: 'node-a' }

test.each([
  ['validator', validator, 'delegation_fee', { validator_delegation_fee_ratio: 0.02 }, { number: 0.02 }],
  ['validator', validator, 'min_stake', { validator_stake_tokens: 2_000 }, { number: 2_000 }],
  ['validator', validator, 'auto_renew', { validator_next_period_seconds: 0 }, { text: 'false' }],
  ['validator', validator, 'auto_renew', { validator_next_period_seconds: 1_209_600 }, { text: 'true' }],
  ['validator', validator, 'auto_renew', {}, { text: 'false' }],
  ['chain', chain, 'gas_limit', { chain_gas_limit: 15_000_000 }, { number: 15_000_000 }],
  ['chain', chain, 'target_gas', { chain_target_gas: 1e7 }, { number: 1e7 }],
  ['chain', chain, 'min_base_fee', { chain_min_base_fee_tokens: 2.5e-8 }, { number: 2.5e-8 }],
  [
    'blockchain_status',
    ofNode,
    'status',
    { 'blockchain_status:syncing': 1, blockchain_status: 0 },
    { text: 'syncing' },
  ],
] as const)('%s: %o %s', (of, labels, expectation, found, details) => {
  const board = createBoard()
  board.replace('unit', [
    { name: `stakewatch_${of}_expectation_met`, labels: { ...labels, expectation }, value: 0 },
    ...Object.entries(found).map(([name, value]) => {
      const [metric, state] = name.split(':')
      return { name: `stakewatch_${metric}`, labels: { ...labels, ...(state && { state }) }, value }
    }),
  ])
  const { judged } = createJudge([expectationNotMet]).judge(board, 60, thresholds)
  const known = Object.entries(judged[0]?.details ?? {}).filter(([, value]) => value !== undefined)
  expect([judged.length, Object.fromEntries(known)]).toEqual([1, details])
})
