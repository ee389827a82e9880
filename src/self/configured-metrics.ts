// Series from the configuration alone, so that alerts can see data that never came.

import { watchedSubnets } from '../collectors/subjects/subnets.ts'
import type { Chain, Config, Validator } from '../config/schema.ts'
import { ofAddress, ofChain, ofUpstream, ofValidator, type Sample } from '../metrics/define.ts'

const own = {
  validatorTracked: ofValidator.gauge('stakewatch_validator_tracked', {
    help: 'Always 1: the configuration names this validator.',
  }),
  plannedEnd: ofValidator.gauge('stakewatch_validator_planned_end_timestamp_seconds', {
    help: 'Configured end of the validation; absent for one that is to continue.',
  }),
  chainTracked: ofChain.gauge('stakewatch_chain_tracked', {
    help: 'Always 1: the configuration names this chain.',
  }),
  addressTracked: ofAddress.gauge('stakewatch_address_tracked', {
    help: 'Always 1: the configuration names this wallet.',
  }),
  minimumBalance: ofAddress.gauge('stakewatch_address_minimum_balance_tokens', {
    help: 'Configured minimum balance of the wallet, in tokens that can be spent at once.',
  }),
  stallThreshold: ofChain.gauge('stakewatch_chain_stall_threshold_seconds', {
    help: 'Configured time without a new block after which the chain counts as stalled.',
  }),
  expectedStatus: ofChain.stateSet('stakewatch_chain_expected_status', {
    help: 'Status that the configuration expects of the chain on every node: 1 for the expected one.',
    states: ['validating', 'created', 'preferred', 'syncing', 'unknown'],
  }),
  adminExpected: ofUpstream.gauge('stakewatch_node_admin_api_expected', {
    help: "Whether the configuration requires the node's admin API to answer (1) or to be off (0).",
  }),
}

export const configuredMetrics = Object.values(own)

export function configuredSamples({ networks }: Config): Sample[] {
  return networks.flatMap((network) => [
    ...watchedSubnets(network).flatMap(({ labels, tracked }) =>
      tracked.flatMap((one) => validatorSamples({ network: network.name, ...labels }, one)),
    ),
    ...network.chains.flatMap((chain) => chainSamples(network.name, chain)),
    ...network.addresses.flatMap(({ name, min_balance }) => {
      const labels = { network: network.name, address: name }
      return [own.addressTracked.sample(labels, 1), ...own.minimumBalance.ifKnown(labels, min_balance)]
    }),
    ...network.nodes.flatMap(({ name, admin }) =>
      admin === 'off' ? [] : [own.adminExpected.sample({ network: network.name, source: name }, admin === 'on')],
    ),
  ])
}

function validatorSamples(of: { network: string }, { node_id, name, planned_end: end }: Validator) {
  const labels = { ...of, node_id, validator: name }
  return [own.validatorTracked.sample(labels, 1), ...own.plannedEnd.ifKnown(labels, end)]
}

function chainSamples(network: string, { name, stall_after, expect: { status } }: Chain): Sample[] {
  const labels = { network, chain: name }
  return [
    own.chainTracked.sample(labels, 1),
    ...own.stallThreshold.ifKnown(labels, stall_after && stall_after / 1_000),
    ...(status === undefined ? [] : [own.expectedStatus.sample(labels, status)]),
  ]
}
