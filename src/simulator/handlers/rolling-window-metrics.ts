// Metrics of a chain over the last hour and the last day.

import { rollingWindowMetrics } from '../../operations/metrics/chains.ts'
import { handles, Refusal } from '../handler.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import { measuredChain } from './measured-chain.ts'

const windows = { lastHour: 3_600, lastDay: 86_400 } as const

const metrics: Readonly<Record<string, (chain: EvmChain, now: number, seconds: number) => number>> = {
  txCount: (chain, now, seconds) => sentIn(chain, now - seconds),
  avgTps: (chain, now, seconds) => sentIn(chain, now - seconds) / seconds,
  maxTps: (chain, now, seconds) => mostInASecond(chain, now - seconds),
}

export const handleRollingWindowMetrics = handles(rollingWindowMetrics, ({ world }, { chainId, metric }) => {
  const chain = measuredChain(world, chainId)
  const of = metrics[metric]
  if (!of) throw new Refusal(400, `the simulated service has ${Object.keys(metrics).join(', ')} alone`)
  const now = world.now()
  return {
    result: Object.fromEntries(Object.entries(windows).map(([name, seconds]) => [name, of(chain, now, seconds)])),
  }
})

function sentIn(chain: EvmChain, since: number): number {
  return chain.transactionsBefore(chain.head() + 1) - chain.transactionsBefore(chain.blockAt(since) + 1)
}

/** Several blocks may have the time of one second. */
function mostInASecond(chain: EvmChain, since: number): number {
  let [most, sent, second] = [0, 0, 0]
  for (let block = chain.blockAt(since) + 1; block <= chain.head(); block += 1) {
    const before = chain.transactionsBefore(block)
    const count = chain.transactionsBefore(block + 1) - before
    if (count === 0) continue
    const time = chain.timeOf(before)!
    sent = time === second ? sent + count : count
    second = time
    most = Math.max(most, sent)
  }
  return most
}
