// throughput: transactions per second of EVM chains in the last hour and day, average and maximum, from the metrics
// service. rolling-window-metrics (beyond the documents).

import { ofChain } from '../../metrics/define.ts'
import { rollingWindowMetrics } from '../../operations/metrics/chains.ts'
import { defineCollector } from '../define.ts'
import { evmChains } from '../subjects/evm-chains.ts'

const throughput = ofChain.gauge('stakewatch_chain_throughput_tps', {
  help: 'Average or maximum transactions per second of the EVM chain in the last hour or day (metrics service, rolling-window-metrics).',
  labels: ['statistic', 'window'],
})

const statistics = { average: 'avgTps', maximum: 'maxTps' } as const
const windows = { hour: 'lastHour', day: 'lastDay' } as const

export const chainThroughput = defineCollector({
  name: 'throughput',
  about: 'Average and maximum transactions per second of the configured EVM chains in the last hour and day.',
  every: '1h',
  uses: [rollingWindowMetrics],
  metrics: [throughput],
  subjects: (network) => (network.metrics_api ? evmChains(network) : []),
  estimate: () => ({ calls: [{ operation: rollingWindowMetrics, times: 2 }], series: 4 }),
  async collect({ subject: { chainId }, attempt }) {
    const parts = []
    for (const [statistic, metric] of Object.entries(statistics)) {
      const answer = await attempt((ask) => ask.call(rollingWindowMetrics, { chainId, metric }))
      const samples = Object.entries(windows).flatMap(([window, name]) => {
        const value = answer.value?.value.result[name]
        return throughput.ifKnown({ statistic, window }, value)
      })
      parts.push({ name: statistic, of: [answer], samples })
    }
    return { samples: [], parts }
  },
})
