// p-chain-gas: what transactions of the P-Chain cost, and how much gas is left for the next block. platform.getFeeState and
// platform.getFeeConfig.

import { toTokens } from '../../lib/units.ts'
import { ofNetwork } from '../../metrics/define.ts'
import { getFeeConfig, getFeeState } from '../../operations/node/platform-fees.ts'
import { defineCollector } from '../define.ts'

const price = ofNetwork.gauge('stakewatch_p_chain_gas_price_tokens', {
  help: "Price of a unit of gas on the P-Chain at the node's last block (platform.getFeeState).",
})
const minPrice = ofNetwork.gauge('stakewatch_p_chain_gas_min_price_tokens', {
  help: 'Minimum price of a unit of gas on the P-Chain (platform.getFeeConfig).',
})
const capacity = ofNetwork.gauge('stakewatch_p_chain_gas_capacity_ratio', {
  is: 'share',
  help: "Gas left for the next P-Chain block at the node's last block, as a share of the maximum (platform.getFeeState, platform.getFeeConfig).",
})

export const pChainGas = defineCollector({
  name: 'p-chain-gas',
  about: 'Gas price on the P-Chain, which sets the cost of top-ups, and the gas left for the next block.',
  every: '1m',
  uses: [getFeeState, getFeeConfig],
  metrics: [price, minPrice, capacity],
  subjects: () => [{ name: 'all', labels: {} }],
  estimate: () => ({ calls: [getFeeState], series: 3 }),
  async collect({ call, attempt }) {
    const { value } = await call(getFeeState, {})
    // Changes only with an upgrade of the network.
    const config = await attempt((ask) => ask.call(getFeeConfig, {}, { maxAge: '1h' }))
    const limits = config.value?.value
    const samples = [
      ...minPrice.ifKnown({}, toTokens(limits?.minPrice)),
      ...(limits?.maxCapacity ? [capacity.sample({}, Number(value.capacity) / Number(limits.maxCapacity))] : []),
    ]
    return {
      samples: [price.sample({}, toTokens(value.price))],
      parts: [{ name: 'limits', of: [config], samples }],
    }
  },
})
