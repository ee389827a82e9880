// How late a wallet is noticed that runs low, or that something has left: what the budgets make of the configured intervals.

import type { Clock } from '../lib/clock.ts'
import { formatDuration } from '../lib/duration.ts'
import { greatest } from '../lib/extremes.ts'
import type { Task } from '../scheduler/plan.ts'
import { createAccounts } from './accounts.ts'
import { rankOf } from './review.ts'

const SECOND = 1_000
const SILENT = { info() {}, warn() {} }

/** For each network with a wallet about which an alert can page. */
export function latenessOf(tasks: readonly Task[], clock: Clock): string[] {
  const accounts = createAccounts({ tasks, clock, circuits: { isOpen: () => false }, log: SILENT })
  const first = tasks.filter((task) => rankOf(task) === 'first')
  return [...Map.groupBy(first, ({ network }) => network.name)].map(([network, some]) => {
    const wanted = greatest(some.map(({ settings }) => settings.every))
    const every = greatest(some.map((task) => accounts.stretched(task).settings.every))
    const why = every > wanted ? `, as the budget does not allow every ${textOf(wanted)}` : ''
    return `${network}  a drained wallet is noticed after up to ${textOf(every)}${why}`
  })
}

const textOf = (milliseconds: number) => formatDuration(Math.ceil(milliseconds / SECOND) * SECOND)
