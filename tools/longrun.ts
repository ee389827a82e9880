// npm run longrun: thirty simulated days of daemon and network, with everything coming and going. Prints one table, and
// ends with 1 when one of them holds more at the end than it did after its first days.

import { type LongRun, longRun, type Outcome } from './longrun/run.ts'

const FULL: LongRun = { days: 30, before: 16, isCostly: true, warmUp: 5 * 24, every: 360, measured: 12 }

/** For the end-to-end tests. */
export const SLICE: LongRun = { days: 1, before: 1, isCostly: false, warmUp: 12, every: 240, measured: 2 }

export function violations({ daemon, network, left, runs, expectedRuns, orders }: Outcome): string[] {
  const grown = (of: string, all: Outcome['daemon']) =>
    all.flatMap(({ name, isViolation }) => (isViolation ? [`${of}: ${name} grew`] : []))
  return [
    ...grown('daemon', daemon),
    ...grown('network', network),
    ...(left.timers > 0 ? [`daemon: ${left.timers} timers are left after it has stopped`] : []),
    ...(left.sockets > 0 ? [`daemon: ${left.sockets} sockets are left after it has stopped`] : []),
    // What does not run holds nothing.
    ...(runs < 0.9 * expectedRuns || runs === 0 ? [`daemon: ${runs} of ${expectedRuns} runs`] : []),
    ...(orders.done === 0 ? ['network: nothing came or went'] : []),
  ]
}

export function table({ daemon, network, runs, series, orders }: Outcome): string {
  const rows = [
    ['', 'first third', 'last third', 'growth'],
    ...[daemon, network].flatMap((all, at) =>
      all.map(({ name, first, last }) => [
        `${at === 0 ? 'daemon' : 'network'} ${name}`,
        first.toFixed(1),
        last.toFixed(1),
        first === 0 ? '' : `${(100 * (last / first - 1)).toFixed(1)} %`,
      ]),
    ),
  ]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]!.length)))
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[at]!))).join('  '),
  )
  const range = `${Math.min(...series)} to ${Math.max(...series)}`
  return [
    ...lines,
    `${runs} runs, ${range} series, ${orders.done} orders to the network (${orders.refused} refused)`,
  ].join('\n')
}

if (import.meta.main) {
  const [, days = String(FULL.days)] = /^--days=(\d+)$/.exec(process.argv[2] ?? '') ?? []
  const outcome = await longRun({ ...FULL, days: Number(days) })
  console.log(table(outcome))
  const found = violations(outcome)
  for (const one of found) console.log(`violation: ${one}`)
  process.exitCode = found.length > 0 ? 1 : 0
}
