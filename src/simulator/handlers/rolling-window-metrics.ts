// Metrics of a chain over the last hour and the last day.

import { rollingWindowMetrics } from '../../operations/metrics/rolling-window-metrics.ts'
import { handles, Refusal } from '../serve.ts'
import type { EvmChain } from '../world/evm-chains.ts'

const windows = { lastHour: 3_600, lastDay: 86_400 } as const

const metrics: Readonly<Record<string, (chain: EvmChain, now: number, seconds: number) => number>> = {
  txCount: (chain, now, seconds) => counts(chain, now - seconds).reduce((sum, [, count]) => sum + count, 0),
  avgTps: (chain, now, seconds) => metrics['txCount']!(chain, now, seconds) / seconds,
  maxTps: (chain, now, seconds) => Math.max(0, ...perSecond(counts(chain, now - seconds)).values()),
}

export const handleRollingWindowMetrics = handles(rollingWindowMetrics, ({ world }, { chainId, metric }) => {
  const chain = world.evm.find((one) => String(one.chainId) === chainId)
  if (!chain) throw new Refusal(404, `chain ${chainId} not found`)
  const of = metrics[metric]
  if (!of) throw new Refusal(400, `the simulated service has ${Object.keys(metrics).join(', ')} alone`)
  const now = world.now()
  return {
    result: Object.fromEntries(Object.entries(windows).map(([name, seconds]) => [name, of(chain, now, seconds)])),
  }
})

/** Transactions of the blocks since then that have any, with the times of the blocks. */
function counts(chain: EvmChain, since: number): [time: number, count: number][] {
  const first = chain.blockAt(since) + 1
  return Array.from({ length: chain.head() + 1 - first }, (_, at): [number, number] => {
    const before = chain.transactionsBefore(first + at)
    const count = chain.transactionsBefore(first + at + 1) - before
    return [count === 0 ? 0 : chain.timeOf(before)!, count]
  })
}

function perSecond(all: readonly [time: number, count: number][]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const [time, count] of all) sums.set(time, (sums.get(time) ?? 0) + count)
  return sums
}
