// What the configuration alone tells: without these series, nobody could alert on data that never came.

import { watchedSubnets } from '../collectors/subjects.ts'
import type { Config } from '../config/schema.ts'
import { gauge, type Sample } from '../metrics/define.ts'

const validatorTracked = gauge({
  name: 'stakewatch_validator_tracked',
  help: 'The configuration names this validator. Always 1.',
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

export const trackedMetrics = [validatorTracked, chainTracked, addressTracked]

export function trackedSamples({ networks }: Config): Sample[] {
  return networks.flatMap((network) => [
    ...watchedSubnets(network).flatMap(({ labels, tracked }) =>
      tracked.map(({ node_id, name }) =>
        validatorTracked.sample({ network: network.name, ...labels, node_id, validator: name }, 1),
      ),
    ),
    ...network.chains.map(({ name }) => chainTracked.sample({ network: network.name, chain: name }, 1)),
    ...network.addresses.map(({ name }) => addressTracked.sample({ network: network.name, address: name }, 1)),
  ])
}
