// Series from the configuration alone, so that alerts can see data that never came.

import { watchedSubnets } from '../collectors/subjects/subnets.ts'
import type { Chain, Config, Validator } from '../config/schema.ts'
import { gauge, type Sample, stateSet } from '../metrics/define.ts'

const validatorTracked = gauge({
  name: 'stakewatch_validator_tracked',
  help: 'The configuration names this validator. Always 1.',
  of: 'validator',
})
const plannedEnd = gauge({
  name: 'stakewatch_validator_planned_end_timestamp_seconds',
  help: 'When the validation is to end and not to go on, says the configuration; absent for one that is to go on.',
  of: 'validator',
})
const chainTracked = gauge({
  name: 'stakewatch_chain_tracked',
  help: 'The configuration names this chain. Always 1.',
  of: 'chain',
})
const addressTracked = gauge({
  name: 'stakewatch_address_tracked',
  help: 'The configuration names this wallet. Always 1.',
  of: 'address',
})

const minimumBalance = gauge({
  name: 'stakewatch_address_minimum_balance_tokens',
  help: 'What the configuration wants the wallet to have at least, in tokens that can be spent at once.',
  of: 'address',
})
const stallThreshold = gauge({
  name: 'stakewatch_chain_stall_threshold_seconds',
  help: 'Without a new block for so long the chain counts as stalled, says the configuration.',
  of: 'chain',
})
const expectedStatus = stateSet({
  name: 'stakewatch_chain_expected_status',
  help: 'The status that the configuration expects of the chain on every node: 1 for that one, 0 for the others.',
  of: 'chain',
  states: ['validating', 'created', 'preferred', 'syncing', 'unknown'],
})
const adminExpected = gauge({
  name: 'stakewatch_node_admin_api_expected',
  help: 'Whether the admin interface of the node must answer (1) or must not (0), says the configuration.',
  of: 'upstream',
})

export const configuredMetrics = [
  validatorTracked,
  plannedEnd,
  chainTracked,
  addressTracked,
  minimumBalance,
  stallThreshold,
  expectedStatus,
  adminExpected,
]

export function configuredSamples({ networks }: Config): Sample[] {
  return networks.flatMap((network) => [
    ...watchedSubnets(network).flatMap(({ labels, tracked }) =>
      tracked.flatMap((one) => validatorSamples({ network: network.name, ...labels }, one)),
    ),
    ...network.chains.flatMap((chain) => chainSamples(network.name, chain)),
    ...network.addresses.flatMap(({ name, min_balance }) => {
      const labels = { network: network.name, address: name }
      const least = min_balance === undefined ? [] : [minimumBalance.sample(labels, min_balance)]
      return [addressTracked.sample(labels, 1), ...least]
    }),
    ...network.nodes.flatMap(({ name, admin }) =>
      admin === 'off' ? [] : [adminExpected.sample({ network: network.name, source: name }, admin === 'on' ? 1 : 0)],
    ),
  ])
}

function validatorSamples(of: { network: string }, { node_id, name, planned_end: end }: Validator) {
  const labels = { ...of, node_id, validator: name }
  return [validatorTracked.sample(labels, 1), ...(end === undefined ? [] : [plannedEnd.sample(labels, end)])]
}

function chainSamples(network: string, { name, stall_after, expect: { status } }: Chain): Sample[] {
  const labels = { network, chain: name }
  return [
    chainTracked.sample(labels, 1),
    ...(stall_after === undefined ? [] : [stallThreshold.sample(labels, stall_after / 1_000)]),
    ...(status === undefined ? [] : [expectedStatus.sample(labels, status)]),
  ]
}
