// Alerts about `expect`, `index` and `admin` of the configuration, for things in several rooms.

import { awayOf, DATA_SERVICE, failingOf, FAILING_OF_CHAIN, FAILING_OF_WALLET, FOREIGN } from './causes.ts'
import { HEAD_KNOWN, THRESHOLD } from './heads.ts'
import { type Group, HOUR, latest, MINUTE, NODES_DOWN, TAMPERING, unmet, validator } from './rule.ts'

const AWAY = `(${NODES_DOWN} or ${awayOf(DATA_SERVICE)})`

export const expectations: Group = {
  name: 'stakewatch-expectations',
  rules: [
    {
      alert: 'StakewatchExpectationNotMet',
      panel: 'fleet: Expectations of validators',
      severity: 'warning',
      expr: `${unmet(`stakewatch_validator_expectation_met{expectation!~"${TAMPERING}"}`)}
  or ${unmet('stakewatch_chain_expectation_met')}
  or (
    ${unmet('stakewatch_blockchain_status_expectation_met')}
    or label_replace(${latest('stakewatch_node_index_reachable')} == 0, "expectation", "index", "", "")
    or ${latest('stakewatch_node_admin_api_reachable')} == 0
      and on (job, network, source) stakewatch_node_admin_api_expected == 1
  ) unless on (job, network, source) ${FOREIGN}`,
      for: 10 * MINUTE,
      summary: 'A validator, chain or node differs from the configuration.',
      description: `{{ if $labels.validator }}Validator ${validator}{{ else if $labels.chain }}Chain {{ $labels.chain }} on {{ $labels.network }}{{ with $labels.source }} (node {{ . }}){{ end }}{{ else }}Node {{ $labels.source }} on {{ $labels.network }}{{ end }} does not match the configuration: {{ or $labels.expectation "admin" }}.`,
    },
    {
      alert: 'StakewatchExpectationUnknown',
      panel: 'self: Expectations known',
      severity: 'warning',
      // Failing collectors and unavailable sources have alerts of their own.
      expr: `${latest('stakewatch_validator_expectation_known')} == 0
    unless on (job, network, subnet) ${failingOf('subnet', '(.+)')}
    unless on (job, network) ${NODES_DOWN}
  or ${latest('stakewatch_chain_expectation_known')} == 0
    unless on (job, network, chain) ${FAILING_OF_CHAIN}
    unless on (job, network) ${AWAY}
  or ${latest('stakewatch_address_expectation_known')} == 0
    unless on (job, network, address) ${FAILING_OF_WALLET}
    unless on (job, network) ${awayOf(DATA_SERVICE)}
  or label_replace(${THRESHOLD}, "expectation", "stall_after", "", "")
    unless on (job, network, chain) ${HEAD_KNOWN}
    unless on (job, network, chain) ${FAILING_OF_CHAIN}
    unless on (job, network) ${AWAY}`,
      // After a start, every expectation is unknown until the slowest collectors have run.
      for: HOUR,
      summary: 'stakewatch cannot check whether a validator, chain or wallet matches the configuration.',
      description: `There has been no data for an hour to check {{ $labels.expectation }} of {{ if $labels.validator }}validator ${validator}{{ else if $labels.chain }}chain {{ $labels.chain }} on {{ $labels.network }}{{ else }}wallet {{ $labels.address }} on {{ $labels.network }}{{ end }}. Until there is, the alert about it cannot fire.`,
    },
  ],
}
