// Counts how often each kind of fault changed the outcome of a request.

import type { Fault } from './faults/define.ts'
import type { Exchange, Proxy } from './proxy.ts'
import type { Exposition } from './oracle/exposition.ts'

export interface Figures {
  note(exchange: Exchange): void
  /** What the daemon says of its requests, since it last said it. */
  look(exposition: Exposition, now: number): void
  restarted(): void
  /** By the name of the fault; only those that changed an outcome. */
  all(): Record<string, number>
}

export function createFigures(proxies: readonly Proxy[]): Figures {
  const times: Record<string, number> = {}
  let before: { failures: Map<string, number>; at: number } | undefined
  const count = ({ name }: Fault, by: number) => void (times[name] = (times[name] ?? 0) + by)

  return {
    note({ fault, isChanged }) {
      // No proxy sees a connection that is refused: the daemon counts those.
      if (fault && isChanged && fault.onConnection !== 'refuse') count(fault, 1)
    },
    look({ series }, now) {
      const failures = new Map<string, number>()
      for (const { name, labels, value } of series.values()) {
        if (name !== 'stakewatch_upstream_requests_total' || labels['code'] !== 'network') continue
        const key = `${labels['network']}/${labels['source']}`
        failures.set(key, (failures.get(key) ?? 0) + value)
      }
      const earlier = before
      before = { failures, at: now }
      if (!earlier) return
      for (const { upstream, spell } of proxies) {
        const { fault, from, until } = spell() ?? {}
        // What began before the spell, or ends long after it, has other reasons.
        if (fault?.onConnection !== 'refuse' || earlier.at < from! + 3_000 || now > until! + 10_000) continue
        const key = `${upstream.network}/${upstream.source}`
        const grown = (failures.get(key) ?? 0) - (earlier.failures.get(key) ?? 0)
        if (grown > 0) count(fault, grown)
      }
    },
    restarted() {
      before = undefined
    },
    all: () => times,
  }
}
