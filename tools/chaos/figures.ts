// Counts of the faults that a run tried, by kind and outcome.

import type { Fault } from './faults/define.ts'
import type { Exchange, Proxy } from './proxy.ts'
import type { Exposition } from './oracle/exposition.ts'

/** Of one kind of fault. */
export interface Figure {
  /** How often it changed the outcome of a request. */
  times: number
  /** Requests of the daemon while it struck, by how they ended for the daemon: ok or the code of the error. */
  outcomes: Record<string, number>
}

export interface Figures {
  note(exchange: Exchange): void
  /** What the daemon says of its requests, since it last said it. */
  look(exposition: Exposition, now: number): void
  restarted(): void
  all(): Record<string, Figure>
  faults(): number
}

export function createFigures(kinds: readonly Fault[], proxies: readonly Proxy[]): Figures {
  const figures: Record<string, Figure> = Object.fromEntries(
    kinds.map(({ name }) => [name, { times: 0, outcomes: {} }]),
  )
  let before: { requests: Map<string, number>; at: number } | undefined

  return {
    note({ fault, isChanged }) {
      // No proxy sees a connection that is refused: those are counted by their outcomes.
      if (fault && isChanged && fault.onConnection !== 'refuse') figures[fault.name]!.times += 1
    },
    look({ series }, now) {
      const requests = new Map<string, number>()
      for (const { name, labels, value } of series.values()) {
        if (name !== 'stakewatch_upstream_requests_total') continue
        const key = `${labels['network']}/${labels['source']} ${labels['code']}`
        requests.set(key, (requests.get(key) ?? 0) + value)
      }
      const earlier = before
      before = { requests, at: now }
      if (!earlier) return
      for (const { upstream, spell } of proxies) {
        const { fault, from, until } = spell() ?? {}
        // What began before the spell, or ends long after it, has other reasons.
        if (!fault || earlier.at < from! + 3_000 || now > until! + 10_000) continue
        const prefix = `${upstream.network}/${upstream.source} `
        for (const [key, value] of requests) {
          const grown = value - (earlier.requests.get(key) ?? 0)
          if (grown <= 0 || !key.startsWith(prefix)) continue
          const { outcomes } = figures[fault.name]!
          const code = key.slice(prefix.length)
          outcomes[code] = (outcomes[code] ?? 0) + grown
          if (fault.onConnection === 'refuse' && code === 'network') figures[fault.name]!.times += grown
        }
      }
    },
    restarted() {
      before = undefined
    },
    all: () => figures,
    faults: () => Object.values(figures).reduce((sum, { times }) => sum + times, 0),
  }
}
