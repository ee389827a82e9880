// The committed figures: what all runs that were written into the file have tried together.

import type { Figure } from './figures.ts'
import type { ChaosResult } from './run.ts'

export interface Settings {
  seed: number
  minutes: number
  speed: number
  networks: number
  /** Whether one of them was left alone, whose data had to be there in time. */
  hasHealthy: boolean
}

export interface Sums {
  /** Each run with what it came to. */
  runs: readonly (Settings & Pick<ChaosResult, 'faults' | 'requests' | 'scrapes' | 'violations' | 'most'>)[]
  figures: Readonly<Record<string, Figure>>
  events: Readonly<Record<string, number>>
  clients: Readonly<Record<string, number>>
}

export const NO_SUMS: Sums = { runs: [], figures: {}, events: {}, clients: {} }

export function addRun(
  sums: Sums,
  settings: Settings,
  { figures, events, clients, faults, requests, scrapes, violations, most }: ChaosResult,
): Sums {
  const both = Object.keys({ ...sums.figures, ...figures })
  return {
    runs: [...sums.runs, { ...settings, faults, requests, scrapes, violations, most }],
    figures: Object.fromEntries(
      both.map((name) => {
        const [before, now] = [sums.figures[name], figures[name]]
        const outcomes = added(before?.outcomes ?? {}, now?.outcomes ?? {})
        return [name, { times: (before?.times ?? 0) + (now?.times ?? 0), outcomes }]
      }),
    ),
    events: added(sums.events, events),
    clients: added(sums.clients, clients),
  }
}

function added(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.keys({ ...a, ...b }).map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}
