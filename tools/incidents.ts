// npm run incidents: plays every incident, compares the alerts that fire with the expected ones, and prints what is wrong.
// `npm run incidents -- WORDS` plays all with the words in their names, and prints what each of them fires. With `--mutants`
// each alert is left out and each limit doubled and halved, and it prints the incident that notices. With `--replicas` two
// replicas have to fire what one does, in the few incidents that cause most alerts, or in those of WORDS. With `--window` a
// maintenance window over the whole network is open throughout: only what it must not suppress has to fire. With `--cover`
// incidents are left out that cause no alert which another one does not cause: CI has no time for all.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { coverOf, standingFor } from './incidents/cover.ts'
import type { Incident } from './incidents/incident.ts'
import { mutations } from './incidents/mutations.ts'
import { incidents, long } from './incidents/scripts/index.ts'
import type { Job, Outcome } from './incidents/worker.ts'

/** As many at a time as the machine has cores, the longest first. */
export async function playAll(
  names: readonly string[],
  job: Omit<Job, 'name'>,
  report: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const minutesOf = (name: string) => incidents.find((one) => one.name === name)!.minutes ?? 0
  const left = names.toSorted((a, b) => minutesOf(b) - minutesOf(a))
  const open = new Set(job.open)
  const outcomes: Outcome[] = []
  async function work(): Promise<void> {
    const worker = fork(new URL('incidents/worker.ts', import.meta.url), {
      stdio: 'inherit',
      execArgv: ['--min-semi-space-size=64', '--max-semi-space-size=64'],
    })
    const ended = once(worker, 'exit')
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      worker.send({ ...job, name, open: [...open] } satisfies Job)
      const [outcome] = (await Promise.race([once(worker, 'message'), ended])) as [Outcome | number | null]
      if (outcome === null || typeof outcome === 'number') throw new Error(`${name}: the worker has ended`)
      for (const one of outcome.caught) open.delete(one)
      outcomes.push(outcome)
      report(outcome)
    }
    worker.disconnect()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return names.map((name) => outcomes.find((one) => one.name === name)!)
}

function describeOutcome({ name, fired, verdict, seconds }: Outcome): string {
  const delays = new Set(fired.map(({ alert, from }) => `${alert} in minute ${from}`))
  return [
    `${name}: ${delays.size === 0 ? 'silent' : [...delays].join(', ')} (${seconds.toFixed(1)} s)`,
    ...verdict.missed.map((one) => `  missed: ${one}`),
    ...verdict.false.map((one) => `  false: ${one}`),
  ].join('\n')
}

/** With replicas longer plays cost minutes, and the alerts that only they cause read what others read. */
const LONGEST = 3 * 60

/** What is played when no words select some. */
function withoutWords({ ofReplicas, isCover }: { ofReplicas: boolean; isCover: boolean }): readonly Incident[] {
  if (ofReplicas) return coverOf(incidents.filter(({ minutes = 0 }) => minutes <= LONGEST))
  const short = incidents.filter((one) => !long.includes(one))
  return isCover ? standingFor(short) : short
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const { values, positionals } = parseArgs({
    options: { mutants: flag, replicas: flag, window: flag, cover: flag },
    allowPositionals: true,
  })
  const { mutants: hasMutants, replicas: ofReplicas, window: isInWindow, cover: isCover } = values
  const [named = ''] = positionals
  const played = named === '' ? withoutWords({ ofReplicas, isCover }) : incidents
  const chosen = isInWindow ? played.filter(({ scenery }) => !scenery?.maintenance) : played
  const names = chosen.map(({ name }) => name).filter((name) => name.includes(named))
  const open = hasMutants ? mutations.map(({ name }) => name) : []
  const isWrong = ({ verdict }: Outcome) => verdict.missed.length + verdict.false.length > 0
  const outcomes = await playAll(names, { open, ofReplicas, isInWindow }, (outcome) => {
    if (named !== '' || ofReplicas || isWrong(outcome)) console.log(describeOutcome(outcome))
  })
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, one) => total + of(one), 0)
  const [missed, wrong] = [sum(({ verdict }) => verdict.missed.length), sum(({ verdict }) => verdict.false.length)]
  for (const mutant of open) {
    console.log(`${mutant}: ${outcomes.find(({ caught }) => caught.includes(mutant))?.name ?? 'not noticed'}`)
  }
  console.log(`${outcomes.length} incidents, ${missed} missed, ${wrong} false`)
  process.exitCode = missed + wrong === 0 ? 0 : 1
}

if (import.meta.main) await main()
