// docs/reliability.md: what the chaos runs did to the daemon, how often, and what came of it. It is made from the tables of
// faults and from the committed figures of the runs.

import { manners } from './chaos/clients.ts'
import { type Fault, phases } from './chaos/faults/define.ts'
import { faults } from './chaos/faults/index.ts'
import { limits } from './chaos/oracle/life.ts'
import { rules } from './chaos/oracle/define.ts'
import type { Sums } from './chaos/sums.ts'

/** Kinds that struck less often have a table of their own. */
const ENOUGH = 1_000
/** Every fault may be part of a run, and a test shows that it changes what is sent. */
const TEST = '`npm run chaos`, `test/chaos/faults.test.ts`'

const happenings: Readonly<Record<string, string>> = {
  kill: 'the process is killed with SIGKILL and started again on the same storage',
  stop: 'the process is stopped with SIGSTOP, for up to three minutes of its own clock',
  suspend:
    'the machine sleeps for up to seven minutes: the wall clock jumps, the steady clock does not, and the network goes on',
  jump: 'the wall clock is set back or forward by two seconds to a day, and set right again later',
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
  const struck = faults.filter(({ name }) => (figures[name]?.times ?? 0) > 0)
  const tables =
    often.length === 0
      ? table(rest, figures)
      : `${table(often, figures)}\n\n### Faults that struck less often\n\n${table(rest, figures)}`
  const sum = (of: (run: Sums['runs'][number]) => number) => runs.reduce((total, run) => total + of(run), 0)
  const most = (of: (run: Sums['runs'][number]) => number) => Math.max(0, ...runs.map(of))
  return `# Reliability

<!-- ${mark} -->

This page shows what was broken around stakewatch on purpose, how often, and what came of it.
\`npm run chaos -- --minutes=N --seed=S\` repeats a run. The daemon is a process of its own, and its clocks run faster than real
ones. On one side it has a simulated network: a proxy in front of each upstream breaks requests. On the other side it has
clients, some of which misbehave. An oracle with its own parser checks every scrape. The seed determines every fault. A short
run is part of the end-to-end tests (\`test/e2e/chaos.test.ts\`).

## The runs

| seed | minutes | speed | networks | on time | requests | faults | scrapes | slowest scrape | memory | handles | violations |
|---|---|---|---|---|---|---|---|---|---|---|---|
${runs.map(runRow).join('\n')}

On time: one of the networks was left alone, and what it has had to be there in time whatever happened to the others.

Together: ${count(sum((run) => run.faults))} faults in ${count(sum((run) => run.requests))} requests, ${count(sum((run) => run.scrapes))} scrapes, ${count(sum((run) => run.violations))} violations; at most ${megabytes(most((run) => run.most.rss))} and ${most((run) => run.most.handles)} handles.

## Faults of upstreams

\`times\` says how often a fault changed the outcome of a request: no proper answer came, the daemon gave up before it came, or
the answer said something else. It is 0 where the fault never met a request that it could change. Of ${faults.length} kinds, ${struck.length} struck at
least once and ${often.length} at least ${count(ENOUGH)} times. \`outcomes\` are those of all requests to the upstream while the fault was
active, also of requests that it did not change. They are values of the label \`code\` of
\`stakewatch_upstream_requests_total\`.

${tables}

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

Well-behaved scrapers ask three times a second: as text, as OpenMetrics, and compressed. These clients come as well:

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

The limits are ${megabytes(limits.rss)} of memory, ${count(limits.handles)} handles, and ${count(limits.scrape)} ms for a scrape, not counting the time in which other
processes had the processor. \`test/chaos/oracle.test.ts\` and \`test/chaos/exposition.test.ts\` show that each rule can fail.
`
}

function runRow(run: Sums['runs'][number]): string {
  const { seed, minutes, speed, networks, hasHealthy, requests, faults, scrapes, most, violations } = run
  const figures = [requests, faults, scrapes].map(count)
  const worst = [`${Math.round(most.latency)} ms`, megabytes(most.rss), count(most.handles)]
  return `| ${[seed, minutes, speed, networks, hasHealthy ? 'yes' : '', ...figures, ...worst, count(violations)].join(' | ')} |`
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

/** The outcomes of at least one per cent, the commonest first. */
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
