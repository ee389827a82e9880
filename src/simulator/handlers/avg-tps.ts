// avg_tps: one point a day, newest first. The service works out a day soon after its end.

import { avgTps } from '../../operations/metrics/chains.ts'
import { handles, Refusal } from '../handler.ts'
import { measuredChain } from './measured-chain.ts'

const DAY = 86_400
/** After midnight, when the point of the day before is there. */
const LATE = 600
const POINTS = 90
/** Points on a page: fixed in the document, a parameter of the live service. */
const PAGE = 30
const LIVE_PAGE = { default: 100, most: 2_160 }

export const handleAvgTps = handles(avgTps, ({ world, paging, dialect, query }, { chainId, pageToken }) => {
  const chain = measuredChain(world, chainId)
  const { averagesAt } = world.levels
  const now = Math.min(world.now(), averagesAt)
  const today = Math.max(0, Math.floor((now - LATE) / DAY))
  const days = Array.from({ length: Math.min(POINTS, today) }, (_, back) => today - 1 - back)
  const { items, ...next } = paging.page<number>({
    list: `avg_tps ${chainId}`,
    pageToken,
    pageSize: dialect === 'live' ? livePageSize(query) : PAGE,
    now: world.now(),
    after: (last) => days.filter((day) => last === undefined || day < last),
  })
  const page = { ...next, results: items.map((day) => ({ timestamp: day * DAY, value: chain.averageTps(day) })) }
  if (dialect === 'live') return page
  return { ...page, status: 200, ...(now < LATE ? {} : { lastRun: today * DAY + LATE }) }
})

function livePageSize(query = new URLSearchParams()): number {
  const interval = query.get('timeInterval')
  if (interval !== null && interval !== 'day') throw new Refusal(400, 'the simulated service has points of days alone')
  const size = Number(query.get('pageSize') ?? LIVE_PAGE.default)
  if (Number.isInteger(size) && size >= 1 && size <= LIVE_PAGE.most) return size
  throw new Refusal(400, `pageSize must be an integer from 1 to ${LIVE_PAGE.most}`)
}
