// Expectations of the configuration: whether they are met, and whether stakewatch can check them.

import { TAMPERING, validator } from '../../alerts/rule.ts'
import { EXCUSE_READS, isExcused } from '../chains/chains.ts'
import { type Condition, onlyParts, type Part, problem } from '../condition.ts'
import { ifKnown, NUMBER, TEXT } from '../details.ts'
import { HEAD_KNOWN_READS, isHeadKnown, stallThreshold } from '../heads.ts'
import { isForeign } from '../nodes.ts'
import { HOUR, MINUTE } from '../../lib/seconds.ts'
import { areNodesDown, isDataServiceAway, isFailing, isTargetOfWallet } from '../upstreams.ts'
import type { View } from '../view.ts'
import type { Labels } from '../../lib/label-text.ts'

const met = {
  validator: 'stakewatch_validator_expectation_met',
  chain: 'stakewatch_chain_expectation_met',
  chainByNode: 'stakewatch_blockchain_status_expectation_met',
  index: 'stakewatch_node_index_reachable',
  admin: 'stakewatch_node_admin_api_reachable',
}
const ADMIN_EXPECTED = 'stakewatch_node_admin_api_expected'

/** What was found, of expectations that are numbers. */
const found: Readonly<Record<string, string>> = {
  delegation_fee: 'stakewatch_validator_delegation_fee_ratio',
  min_stake: 'stakewatch_validator_stake_tokens',
  gas_limit: 'stakewatch_chain_gas_limit',
  target_gas: 'stakewatch_chain_target_gas',
  min_base_fee: 'stakewatch_chain_min_base_fee_tokens',
}
const STATUS = 'stakewatch_blockchain_status'
const NEXT_PERIOD = 'stakewatch_validator_next_period_seconds'

function foundText(view: View, { expectation, source }: Labels): string | undefined {
  if (expectation === 'auto_renew') return String((view.value(NEXT_PERIOD) ?? 0) > 0)
  if (expectation !== 'status') return undefined
  return view.all(STATUS).find(({ labels, value }) => value === 1 && labels['source'] === source)?.labels['state']
}

const part = (labels: Labels, value = 0): Part => ({ labels, verdict: problem(value) })
const only = ({ expectation = '', source = '' }: Labels): Labels => ({
  expectation,
  ...(source !== '' && { source }),
})

/** The labels of the samples that are 0. */
const failed = (view: View, metric: string): Labels[] =>
  view.all(metric).flatMap(({ labels, value }) => (value === 0 ? [labels] : []))

/** What a node of another network says of a chain is about another chain. */
const failedByNodes = (chain: View, metric: string) =>
  failed(chain, metric).filter(({ source }) => !chain.of('node', { source: source! }).fact(isForeign))

export const expectationNotMet: Condition = {
  alert: 'StakewatchExpectationNotMet',
  panel: 'fleet: Expectations of validators',
  severity: 'warning',
  for: 10 * MINUTE,
  parts: ['source', 'expectation'],
  reads: [...Object.values(met), ADMIN_EXPECTED, 'stakewatch_node_in_network'],
  judge: {
    validator(view) {
      const some = failed(view, met.validator).filter(({ expectation }) => !TAMPERING.has(expectation!))
      return onlyParts(some.map((labels) => part(only(labels))))
    },
    chain(view) {
      const some = [
        ...failed(view, met.chain),
        ...failedByNodes(view, met.chainByNode),
        ...failedByNodes(view, met.index).map((labels) => ({ ...labels, expectation: 'index' })),
      ]
      return onlyParts(some.map((labels) => part(only(labels))))
    },
    node(view) {
      const isUnreachable = view.value(met.admin) === 0 && view.value(ADMIN_EXPECTED) === 1
      return onlyParts(isUnreachable && !view.fact(isForeign) ? [part({})] : [])
    },
  },
  title:
    '{{ if eq $labels.expectation "index" }}{{ $labels.source }}: index not as declared{{ else }}{{ or $labels.validator $labels.chain $labels.source }}: not as declared{{ end }}',
  summary: 'A validator, chain or node differs from the configuration.',
  // That a node's admin interface does not answer has no expectation.
  action:
    '{{ if eq $labels.expectation "index" }}Restart {{ $labels.source }} with --index-enabled, or set its `index` to false.{{ else if $labels.expectation }}Compare {{ $labels.expectation }} of {{ or $labels.validator $labels.chain }} with the configuration.{{ else }}Restart {{ $labels.source }} with --api-admin-enabled, or set its `admin` to off.{{ end }}',
  description: `{{ if eq $labels.expectation "index" }}Node {{ $labels.source }} on {{ $labels.network }} serves no index of chain {{ $labels.chain }}, although the configuration says \`index: true\`.{{ else if $labels.expectation }}{{ if $labels.validator }}Validator ${validator}{{ else }}Chain {{ $labels.chain }} on {{ $labels.network }}{{ with $labels.source }} (node {{ . }}){{ end }}{{ end }} does not match the configuration: {{ $labels.expectation }}${ifKnown('number', ` is ${NUMBER}`)}${ifKnown('text', ` is ${TEXT}`)}.{{ else }}The admin interface of node {{ $labels.source }} on {{ $labels.network }} does not answer, although the configuration says \`admin: on\`.{{ end }}`,
  details: {
    reads: [...Object.values(found), STATUS, NEXT_PERIOD],
    of: (view, labels) => ({
      number: view.value(found[labels['expectation'] ?? ''] ?? ''),
      text: foundText(view, labels),
    }),
  },
}

const known = {
  validator: 'stakewatch_validator_expectation_known',
  chain: 'stakewatch_chain_expectation_known',
  wallet: 'stakewatch_address_expectation_known',
}

/** Failing collectors and unavailable sources have conditions of their own. */
function isSubnetExcused(subnet: View): boolean {
  const network = subnet.of('network')
  return network.fact(areNodesDown) || isFailing(network, (target) => target === subnet.labels['subnet'])
}
function isWalletExcused(wallet: View): boolean {
  const network = wallet.of('network')
  return network.fact(isDataServiceAway) || isFailing(network, isTargetOfWallet(wallet.labels['address']!))
}

/** Without the age of the newest block, a stall stays unseen. */
const stallUnseen = (chain: View): Part[] => {
  const threshold = stallThreshold(chain)
  return threshold === undefined || isHeadKnown(chain) ? [] : [part({ expectation: 'stall_after' }, threshold)]
}

const unseen = (view: View, metric: string): Part[] => failed(view, metric).map((labels) => part(only(labels)))

const unlessExcused = (parts: readonly Part[], isExcused: () => boolean) =>
  onlyParts(parts.length > 0 && isExcused() ? [] : parts)

export const expectationUnknown: Condition = {
  alert: 'StakewatchExpectationUnknown',
  panel: 'self: Expectations known',
  severity: 'warning',
  // After a start, every expectation is unknown until the slowest collectors have run.
  for: HOUR,
  parts: ['expectation'],
  reads: [...Object.values(known), ...HEAD_KNOWN_READS, ...EXCUSE_READS],
  judge: {
    validator: (view) => unlessExcused(unseen(view, known.validator), () => view.of('subnet').fact(isSubnetExcused)),
    chain: (view) => unlessExcused([...unseen(view, known.chain), ...stallUnseen(view)], () => view.fact(isExcused)),
    wallet: (view) => unlessExcused(unseen(view, known.wallet), () => view.fact(isWalletExcused)),
  },
  title: '{{ or $labels.validator $labels.chain $labels.address }}: cannot be checked',
  summary: 'stakewatch cannot check whether a validator, chain or wallet matches the configuration.',
  action: 'Look at the collectors of {{ or $labels.validator $labels.chain $labels.address }} on the status page.',
  description: `There is no data to check {{ $labels.expectation }} of {{ if $labels.validator }}validator ${validator}{{ else if $labels.chain }}chain {{ $labels.chain }} on {{ $labels.network }}{{ else }}wallet {{ $labels.address }} on {{ $labels.network }}{{ end }}. Until there is, the alert about it cannot fire.`,
}
