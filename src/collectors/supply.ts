// supply: the upper bound on the tokens that can stake a subnet. platform.getCurrentSupply (document 2).

import { BaseError } from '../errors.ts'
import { toTokens } from '../lib/units.ts'
import { gauge } from '../metrics/define.ts'
import { getCurrentSupply } from '../operations/node/platform.getCurrentSupply.ts'
import { defineCollector } from './define.ts'

const supplyTokens = gauge({
  name: 'stakewatch_supply_tokens',
  help: 'Upper bound on the tokens that can stake the subnet, burnt tokens not deducted (platform.getCurrentSupply).',
  of: 'subnet',
})

export const supply = defineCollector({
  name: 'supply',
  about: 'Upper bound on the tokens that can stake a subnet.',
  every: '5m',
  uses: [getCurrentSupply],
  observer: 'any',
  metrics: [supplyTokens],
  subjects: ({ subnets }) => subnets.map(({ id, name }) => ({ id, name, labels: { subnet: name } })),
  estimate: () => ({ calls: [{ operation: getCurrentSupply, times: 1 }], series: 1 }),
  async collect({ subject, call }) {
    const { value } = await call(getCurrentSupply, { subnetID: subject.id }).catch(withoutSupply)
    return { samples: [supplyTokens.sample({}, toTokens(value.supply))] }
  },
})

/** A subnet with no staking token of its own has no supply: the node's error says so, and it is no failure. */
function withoutSupply(error: unknown): never {
  if (error instanceof BaseError && error.code === 'rpc_error' && error.details?.endsWith('not found')) {
    throw new BaseError('unsupported', 'the subnet has no supply of its own', { cause: error })
  }
  throw error
}
