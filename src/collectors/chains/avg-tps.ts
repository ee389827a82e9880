// avg-tps: average transactions per second of EVM chains, as the metrics service computes them (document 2).

import { z } from 'zod'
import { ofChain } from '../../metrics/define.ts'
import { avgTps as operation } from '../../operations/metrics/chains.ts'
import { believedType, inFuture, refusalOf, updateTotal } from '../counting/believed.ts'
import { isInFuture } from '../../lib/clock.ts'
import { defineCollector } from '../define.ts'
import { evmChains } from '../subjects/evm-chains.ts'

const tps = ofChain.gauge('stakewatch_chain_average_tps', {
  help: 'Average transactions per second at the newest point, usually of one day (metrics service).',
  details: 'The point may be a day or two old because points are daily.',
})
const lastRun = ofChain.gauge('stakewatch_chain_average_tps_last_run_timestamp_seconds', {
  is: 'past',
  help: 'When the metrics service last updated the series, which shows whether it is fresh.',
})

/** Times of the newest point and of the last update. */
const memory = z.object({ point: believedType.optional(), run: believedType.optional() })

export const avgTps = defineCollector({
  name: 'avg-tps',
  about: 'Average transactions per second of the configured EVM chains.',
  every: '15m',
  uses: [operation],
  metrics: [tps, lastRun],
  memory,
  subjects: evmChains,
  estimate: () => ({ series: 2 }),
  async collect({ subject, memory: before, now, call, flawed }) {
    const { value } = await call(operation, { chainId: subject.chainId })
    // A time in the future would stay the newest for ever.
    const points = value.results.filter(({ timestamp }) => !isInFuture(timestamp, now))
    const isAllAhead = points.length === 0 && value.results.length > 0
    if (isAllAhead || isInFuture(value.lastRun ?? 0, now)) {
      return { samples: [], refused: inFuture('every point or the last update') }
    }
    if (points.length < value.results.length) flawed(inFuture('a point'))
    const [newest] = points.toSorted((a, b) => b.timestamp - a.timestamp)
    const point = updateTotal(BigInt(newest?.timestamp ?? 0), before?.point, now)
    const run = value.lastRun === undefined ? before?.run : updateTotal(BigInt(value.lastRun), before?.run, now)
    const refused = refusalOf(point, OLDER) ?? (value.lastRun === undefined ? undefined : run && refusalOf(run, OLDER))
    if (refused) return { samples: [], memory: { point, run }, refused }
    return {
      samples: [...tps.ifKnown({}, newest?.value), ...lastRun.ifKnown({}, value.lastRun)],
      memory: { point, run },
    }
  },
})

const OLDER = 'the newest point or the last update is older than a previous one'
