// docs/reliability.md: what was done to the daemon, how often, and what it made of it. From the tables of the chaos runs
// and their committed figures.

import { manners } from './chaos/clients.ts'
import { type Fault, phases } from './chaos/faults/define.ts'
import { faults } from './chaos/faults/index.ts'
import { limits } from './chaos/oracle/life.ts'
import { rules } from './chaos/oracle/define.ts'
import type { Sums } from './chaos/sums.ts'

/** A kind that was tried less often is in the table of its own: some silence an upstream for long. */
const ENOUGH = 1_000
const TEST = '`npm run chaos`, `test/chaos/faults.test.ts`'

const happenings: Readonly<Record<string, string>> = {
  kill: 'the process is killed with SIGKILL and started again on the same storage',
  stop: 'the process is stopped with SIGSTOP, for up to three minutes of its time',
  suspend:
    'the machine sleeps: the wall clock jumps, the steady clock does not, the network goes on, for up to seven minutes',
  jump: 'the wall clock is set back or forward, by two seconds to a day, and right again later',
}

interface KillFigures {
  kills: number
  wrong: number
  /** How often it was where. */
  at: Readonly<Record<string, number>>
}

interface Kills {
  records: KillFigures & { saved: number }
  daemon: KillFigures & { scrapes: number; compared: number; series: number }
}

export function reliabilityPage(mark: string, { runs, figures, events, clients }: Sums, kills: Kills): string {
  const often = faults.filter(({ name }) => (figures[name]?.times ?? 0) >= ENOUGH)
  const rest = faults.filter((fault) => !often.includes(fault))
  const sum = (of: (run: Sums['runs'][number]) => number) => runs.reduce((total, run) => total + of(run), 0)
  const most = (of: (run: Sums['runs'][number]) => number) => Math.max(0, ...runs.map(of))
  return `# Reliability

<!-- ${mark} -->

What was done to stakewatch on purpose, how often, and what it made of it. \`npm run chaos -- --minutes=N --seed=S\` does it
again: the program runs as a process of its own, in a faster time, between a simulated network and rude clients. A proxy in
front of each upstream breaks requests, and an oracle with a parser of its own looks at every scrape. The seed plans
every fault. A short run is part of the end-to-end tests (\`test/e2e/chaos.test.ts\`).

## The runs

| seed | minutes | speed | requests | faults | scrapes | slowest scrape | memory | handles | violations |
|---|---|---|---|---|---|---|---|---|---|
${runs.map(runRow).join('\n')}

Together: ${count(sum((run) => run.faults))} faults in ${count(sum((run) => run.requests))} requests, ${count(sum((run) => run.scrapes))} scrapes, ${count(sum((run) => run.violations))} violations; at most ${megabytes(most((run) => run.most.rss))} and ${most((run) => run.most.handles)} handles.

A fault counts when it changed the outcome of a request: there was no proper answer, whoever asked gave up before it came,
or a client reads something else in it. ${often.length} of ${faults.length} kinds were tried at least ${count(ENOUGH)} times. The outcomes are those of all
requests to an upstream while the fault struck some of them, by the label \`code\` of \`stakewatch_upstream_requests_total\`.

## Faults of upstreams

${table(often, figures)}

## Tried less often

Some of these silence an upstream for minutes, or strike only answers that are rare.

${table(rest, figures)}

## The process, its clock and the machine

| what | times | test |
|---|---|---|
${Object.entries(happenings)
  .map(([name, about]) => `| ${about} | ${count(events[name] ?? 0)} | \`npm run chaos\` |`)
  .join('\n')}

## Kills at the instants of a write

\`npm run chaos:kill\` kills with SIGKILL in turns before, within and after a transaction, within its COMMIT, while it is
published, while the log is moved into the file and while the file is closed; then it starts again on the same file.

| what is killed | kills | where it was | checks | wrong |
|---|---|---|---|---|
${killRows(kills).join('\n')}

## Clients

While scrapers with good manners ask three times a second, as text, as OpenMetrics and compressed, others come as well:

| client | times | test |
|---|---|---|
${Object.keys(manners)
  .map((name) => `| ${name} | ${count(clients[name] ?? 0)} | \`npm run chaos\` |`)
  .join('\n')}

## What the oracle checks at every scrape

| rule | holds when |
|---|---|
${Object.entries(rules)
  .map(([name, about]) => `| ${name} | ${about} |`)
  .join('\n')}

Memory may reach ${megabytes(limits.rss)}, handles ${count(limits.handles)}, and a scrape ${count(limits.scrape)} ms, without the time in which others had the processor.
Each rule is shown to fail by \`test/chaos/oracle.test.ts\` and \`test/chaos/exposition.test.ts\`.
`
}

function runRow({ seed, minutes, speed, requests, faults, scrapes, most, violations }: Sums['runs'][number]): string {
  const figures = [requests, faults, scrapes].map(count)
  const worst = [`${Math.round(most.latency)} ms`, megabytes(most.rss), count(most.handles)]
  return `| ${[seed, minutes, speed, ...figures, ...worst, count(violations)].join(' | ')} |`
}

function table(some: readonly Fault[], figures: Sums['figures']): string {
  const rows = phases.flatMap((phase) =>
    some
      .filter((fault) => fault.phase === phase)
      .map(({ name, about }) => {
        const { times = 0, outcomes = {} } = figures[name] ?? {}
        return `| ${phase} | \`${name}\` | ${about} | ${count(times)} | ${shares(outcomes)} | ${TEST} |`
      }),
  )
  return ['| phase | fault | what happens | times | outcomes | test |', '|---|---|---|---|---|---|', ...rows].join('\n')
}

/** The commonest outcomes, in per cent. */
function shares(outcomes: Readonly<Record<string, number>>): string {
  const all = Object.values(outcomes).reduce((sum, one) => sum + one, 0)
  return Object.entries(outcomes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, times]) => ({ code, share: Math.round((100 * times) / all) }))
    .filter(({ share }) => share >= 1)
    .map(({ code, share }) => `${code} ${share} %`)
    .join(', ')
}

const count = (number: number) => number.toLocaleString('en')
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`

function killRows({ records, daemon }: Kills): string[] {
  const row = (what: string, { kills, wrong, at }: KillFigures, checks: string) =>
    `| ${what} | ${count(kills)} | ${Object.entries(at)
      .map(([where, times]) => `${where} ${times}`)
      .join(', ')} | ${checks} | ${wrong} |`
  return [
    row(
      'the daemon',
      daemon,
      `no counter of ${count(daemon.series)} series fell in ${count(daemon.scrapes)} scrapes; after every 25 kills all counters equal those of the simulated network (${daemon.compared} times)`,
    ),
    row(
      'a process that only writes records',
      records,
      `after every kill: nothing of ${count(records.saved)} durable records is lost, no half of a transaction is there`,
    ),
  ]
}
