// avg_tps: one point a day, newest first. The service works out a day soon after its end.

import { avgTps } from '../../operations/metrics/avg-tps.ts'
import { handles, Refusal } from '../serve.ts'

const DAY = 86_400
/** After midnight, when the point of the day before is there. */
const LATE = 600
const POINTS = 90
const PAGE = 30

export const handleAvgTps = handles(avgTps, ({ world, paging }, { chainId, pageToken }) => {
  const chain = world.evm.find((one) => String(one.chainId) === chainId)
  if (!chain) throw new Refusal(404, `chain ${chainId} not found`)
  const now = world.now()
  const today = Math.max(0, Math.floor((now - LATE) / DAY))
  const days = Array.from({ length: Math.min(POINTS, today) }, (_, back) => today - 1 - back)
  const { items, ...next } = paging.page<number>({
    list: `avg_tps ${chainId}`,
    pageToken,
    pageSize: PAGE,
    now,
    after: (last) => days.filter((day) => last === undefined || day < last),
  })
  return {
    ...next,
    results: items.map((day) => ({ timestamp: day * DAY, value: chain.averageTps(day) })),
    status: 200,
    ...(now < LATE ? {} : { lastRun: today * DAY + LATE }),
  }
})
