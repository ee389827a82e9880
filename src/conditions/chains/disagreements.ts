// Sources that contradict each other, or that answer for another chain.

import { HOUR } from '../../lib/seconds.ts'
import { type Condition, OK, onlyParts, type Part, problem } from '../condition.ts'
import { PLAIN } from '../details.ts'
import { isForeign } from '../nodes.ts'
import type { View } from '../view.ts'
import type { Labels } from '../../lib/label-text.ts'

/** Answers of the data service for another chain than the one that was asked about. */
const mismatches = {
  chain: ['stakewatch_primary_blocks_chain_mismatch', 'stakewatch_utxos_chain_mismatch'],
  wallet: [
    'stakewatch_balances_chain_mismatch',
    'stakewatch_stakes_chain_mismatch',
    'stakewatch_transactions_chain_mismatch',
  ],
} as const

const CANONICAL = 'stakewatch_node_on_canonical_chain'
const SUPPLY = 'stakewatch_supply_difference_tokens'
const ACTIVE = 'stakewatch_l1_validator_active'
const LISTED = 'stakewatch_l1_validator_listed_balance_tokens'
const MINIMUM = 'stakewatch_address_balance_expectation_met'
const MINIMUM_BY_NODE = 'stakewatch_node_address_balance_expectation_met'

/** One of the nodes follows another network or another chain, so it is right to contradict the data service. */
function isAnyNodeAstray(network: View): boolean {
  for (const node of network.every('node')) if (node.fact(isForeign)) return true
  for (const chain of network.every('chain')) if (chain.all(CANONICAL).some(({ value }) => value === 0)) return true
  return false
}

/** Whether the node and the data service disagree on whether the L1 validator has a balance. */
function isBalanceDisputed(validator: View): boolean {
  const [active, listed] = [validator.value(ACTIVE), validator.value(LISTED)]
  if (active === undefined || listed === undefined) return false
  return active !== Number(listed > 0)
}

const isAstray = (view: View) => view.of('network').fact(isAnyNodeAstray)

const part = (labels: Labels): Part => ({ labels, verdict: problem(1) })

/** The wallet has its minimum by only one of the sources. */
function disputedMinimums(wallet: View): Part[] {
  return wallet.all(MINIMUM_BY_NODE).flatMap(({ labels: { chain, expectation }, value }) => {
    const own = { chain: chain!, expectation: expectation! }
    const listed = wallet.value(MINIMUM, own)
    return listed === undefined || listed === value ? [] : [part(own)]
  })
}

/** One alert for each chain of the wallet, or for the wallet itself. */
function mismatchesOf(wallet: View): Part[] {
  const chains = new Set(
    mismatches.wallet.flatMap((metric) =>
      wallet.all(metric).flatMap(({ labels, value }) => (value === 1 ? [labels['chain']] : [])),
    ),
  )
  return [...chains].map((chain) => part(chain === undefined ? {} : { chain }))
}

export const sourcesDisagree: Condition = {
  alert: 'StakewatchSourcesDisagree',
  panel: 'self: Answers of another chain',
  severity: 'warning',
  for: HOUR,
  parts: ['chain', 'expectation'],
  reads: [
    ...Object.values(mismatches).flat(),
    SUPPLY,
    ACTIVE,
    LISTED,
    MINIMUM,
    MINIMUM_BY_NODE,
    CANONICAL,
    'stakewatch_node_in_network',
  ],
  judge: {
    chain: (view) => (mismatches.chain.some((metric) => view.value(metric) === 1) ? problem(1) : OK),
    wallet: (view) => onlyParts([...mismatchesOf(view), ...(isAstray(view) ? [] : disputedMinimums(view))]),
    subnet(view) {
      const difference = Math.abs(view.value(SUPPLY) ?? 0)
      return difference > 0 && !isAstray(view) ? problem(difference) : OK
    },
    validator: (view) => (isBalanceDisputed(view) && !isAstray(view) ? problem(1) : OK),
  },
  title: '{{ or $labels.validator $labels.address $labels.chain $labels.subnet }}: sources disagree',
  summary: 'The data service contradicts the node, or answers for another chain.',
  action: 'Check which upstream `data_api` names, and ask it and a node the same question.',
  description: `{{ if $labels.node_id }}The node and the data service disagree on whether L1 validator {{ $labels.node_id }} on {{ $labels.network }}/{{ $labels.subnet }} has a balance left.{{ else if $labels.expectation }}The node and the data service disagree on whether wallet {{ $labels.address }} on {{ $labels.network }} has its {{ $labels.expectation }} on {{ $labels.chain }}.{{ else if $labels.subnet }}The node and the data service report supplies of {{ $labels.network }}/{{ $labels.subnet }} that differ by {{ $value | ${PLAIN} }} tokens at the same height.{{ else }}The data service answered for another chain or network when asked about{{ with $labels.address }} wallet {{ . }}{{ end }}{{ with $labels.chain }} {{ . }}{{ end }} on {{ $labels.network }}. stakewatch does not use the answer.{{ end }}`,
}
