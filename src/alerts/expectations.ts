// Alerts about what the configuration declares under `expect`, `index` and `admin`, of things in several rooms.

import { awayOf, DATA_SERVICE, failingOf, FAILING_OF_CHAIN, FAILING_OF_WALLET, FOREIGN } from './causes.ts'
import { HEAD_KNOWN, THRESHOLD } from './heads.ts'
import { type Group, HOLD, HOUR, latest, MINUTE, NODES_DOWN, TAMPERING, unmet, validator } from './rule.ts'

const AWAY = `(${NODES_DOWN} or ${awayOf(DATA_SERVICE)})`

export const expectations: Group = {
  name: 'stakewatch-expectations',
  rules: [
    {
      alert: 'StakewatchExpectationNotMet',
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
      hold: HOLD,
      summary: 'A validator, a chain or a node is not what the configuration declares.',
      description: `{{ if $labels.validator }}Validator ${validator}{{ else if $labels.chain }}Chain {{ $labels.chain }} of {{ $labels.network }}{{ with $labels.source }} on node {{ . }}{{ end }}{{ else }}Node {{ $labels.source }} of {{ $labels.network }}{{ end }} is not what the configuration declares under {{ or $labels.expectation "admin" }}.`,
    },
    {
      alert: 'StakewatchExpectationUnknown',
      severity: 'warning',
      // A collector that fails, and a source that is away, are the news instead.
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
      // After a start all of them are unknown until the slowest collectors have run.
      for: HOUR,
      hold: HOLD,
      summary: 'Nothing tells whether a validator, a chain or a wallet is what the configuration declares.',
      description: `For an hour nothing has told whether {{ if $labels.validator }}validator ${validator}{{ else if $labels.chain }}chain {{ $labels.chain }} of {{ $labels.network }}{{ else }}wallet {{ $labels.address }} of {{ $labels.network }}{{ end }} meets {{ $labels.expectation }}. The alert about it cannot fire meanwhile.`,
    },
  ],
}
