// Requests and units: what the daemon may ask, and what it says that it asked. Times are milliseconds of the run.

import type { Violation } from './define.ts'
import type { Exposition } from './exposition.ts'
import type { Record } from './record.ts'

const MINUTE = 60_000
/** A little less than a minute: what waits on the way arrives closer together than it was sent. */
const WITHIN = 55_000

interface Account {
  network: string
  source: string
}

/** Each request that was read two minutes ago is counted by now: requests that are retried and pages too. */
export function checkRequests(
  { series }: Exposition,
  accounts: readonly Account[],
  record: Pick<Record, 'requests'>,
  times: { startedAt: number; now: number },
): Violation[] {
  const counted = new Map<string, number>()
  for (const { name, labels, value } of series.values()) {
    if (name !== 'stakewatch_upstream_requests_total') continue
    const key = `${labels['network']}/${labels['source']}`
    counted.set(key, (counted.get(key) ?? 0) + value)
  }
  return accounts.flatMap(({ network, source }): Violation[] => {
    const read =
      record.requests(network, source, times.now - 2 * MINUTE) - record.requests(network, source, times.startedAt)
    const count = counted.get(`${network}/${source}`)
    // While nothing at all is published of the source, nothing wrong is.
    if (count === undefined || count >= read) return []
    return [
      { rule: 'requests', subject: `${network}/${source}`, says: `${count} requests are counted, ${read} were read` },
    ]
  })
}

export function checkBudget(
  accounts: readonly Account[],
  record: Pick<Record, 'units'>,
  perMinute: (network: string) => number,
  now: number,
): Violation[] {
  return accounts.flatMap(({ network, source }): Violation[] => {
    const units = record.units(network, source, now - WITHIN, now)
    const granted = perMinute(network)
    if (units <= granted) return []
    const says = `${units} units within a minute, ${granted} are granted`
    return [{ rule: 'budget', subject: `${network}/${source}`, says }]
  })
}
