// check --live: is what the configuration expects so? Each upstream that can tell is asked once.

import { createApp } from '../app.ts'
import { collectors } from '../collectors/index.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/schema.ts'
import { createLogger } from '../logger.ts'
import type { TaskStatus } from '../metrics/snapshot.ts'
import { canTell, expectedIn, isAbout } from '../scheduler/expected.ts'
import { plan } from '../scheduler/plan.ts'
import { adminDeclared, nameOf, rowsOf, tellsBySeries } from './check-series.ts'
import type { Io } from './io.ts'
import { printable } from './printable.ts'

export async function checkLive(config: Config, io: Io): Promise<void> {
  const declared = [...expectedIn(config), ...adminDeclared(config)]
  const tasks = plan(config, collectors).filter((task) =>
    declared.some((one) => canTell(task, one) || tellsBySeries(task, one)),
  )
  const { rows, text } = await ask(config, new Set(tasks.map(({ key }) => key)), io)
  const judged = rows.flatMap(({ expectations = [] }) => expectations)
  // Where a collector judges as well, its word is enough.
  const read = rowsOf(config, text).filter((one) => !judged.some((row) => isAbout(row, one)))
  const told = [...judged, ...read]
  const untold = declared.filter((one) => !told.some((row) => isAbout(row, one)))
  const met = told.filter(({ isMet }) => isMet).length
  const lines = [
    ...rows
      .filter(({ result }) => result !== 'success')
      .map(({ key, result, reason }) => [result, `${key}: ${reason}`]),
    ...told.map((row) => [
      row.isMet ? 'met' : 'not met',
      `${nameOf(row)}: expected ${row.expected}, found ${row.found || 'none'}`,
    ]),
    ...untold.map((one) => ['unknown', `${nameOf(one)}: nothing that was asked tells`]),
  ]
  for (const [state, text] of lines) io.stdout(`${state!.padEnd(WIDEST)}  ${printable(text!)}\n`)
  const all = told.length + untold.length
  const failed = rows.filter(({ result }) => result === 'failure').length
  const unasked = failed === 0 ? '' : `; ${failed} ${failed === 1 ? 'task' : 'tasks'} failed`
  io.stdout(`${met} of ${all} expectations are met${unasked}\n`)
  if (met < all || failed > 0) io.setExitCode(1)
}

const WIDEST = 'unsupported'.length

/** What went wrong stands in the rows, so that nothing has to be logged; they come in the order of the plan. */
async function ask(
  config: Config,
  keys: ReadonlySet<string>,
  io: Io,
): Promise<{ rows: readonly TaskStatus[]; text: string }> {
  const log = createLogger({ level: 'error', format: 'logfmt', write: io.stderr })
  const app = createApp({ config, version: io.version, log, clock: systemClock, random: Math.random })
  const { rows, text } = await app.once(({ key }) => keys.has(key))
  await app.stop()
  return { rows: [...keys].flatMap((key) => rows.find((row) => row.key === key) ?? []), text }
}
