// check --live: runs one round of the daemon's collectors and checks that all watched things exist and meet expectations.

import { createDaemon } from '../../daemon/daemon.ts'
import { collectors } from '../../collectors/index.ts'
import { systemClock } from '../../process/system-clock.ts'
import type { Config } from '../../config/schema.ts'
import { createLogger } from '../../logger.ts'
import { plan, sourcesOfNetwork, type Task } from '../../scheduler/plan.ts'
import { proxiesOf } from '../../config/proxies.ts'
import { createProxyChoice } from '../../upstream/dispatchers.ts'
import type { Io } from '../io.ts'
import { declaredIn, tellsOf } from './live/expected.ts'
import { judge, tellsOfWatched } from './live/judge.ts'
import { countsOf, exitCodeFor, tableOf } from './live/verdict.ts'
import { seenIn } from './live/seen.ts'
import { windowVerdicts } from './live/windows.ts'

export async function checkLive(config: Config, io: Io): Promise<void> {
  const tasks = chosen(config)
  const proxies = proxiesOf(io.env)
  const keys = new Set(tasks.map(({ key }) => key))
  // The lines show all failures, so there is nothing to log.
  const log = createLogger({ level: 'error', format: 'logfmt', write: io.stderr })
  const app = createDaemon({
    config,
    proxies,
    version: io.version,
    log,
    clock: systemClock,
    random: Math.random,
  })
  await app.once(({ key }) => keys.has(key))
  const seen = app.seen()
  await app.stop()
  const now = Date.now()
  const lines = [
    ...judge(seenIn(config, tasks, { ...seen, now: now / 1_000, proxyOf: createProxyChoice(proxies) })),
    ...windowVerdicts(config, seen.readings, now),
  ]
  const expected = lines.filter(({ kind }) => kind === 'expect')
  const met = expected.filter(({ state }) => state === 'ok').length
  io.stdout(tableOf(lines))
  io.stdout(`${countsOf(lines)}; ${met} of ${expected.length} expectations are met\n`)
  const code = exitCodeFor(lines)
  if (code !== 0) io.setExitCode(code)
}

/** The tasks about watched things and expectations, and at least one for each upstream. */
function chosen(config: Config): readonly Task[] {
  const all = plan(config, collectors)
  const declared = declaredIn(config)
  const some = all.filter((task) => tellsOfWatched(task) || declared.some((one) => tellsOf(task, one)))
  const asks = (task: Task, network: string, name: string) =>
    task.sources.some((source) => source.network === network && source.name === name)
  const silent = config.networks
    .flatMap(sourcesOfNetwork)
    .filter(({ network, name }) => !some.some((task) => asks(task, network, name)))
  const more = all.filter((task) => silent.some(({ network, name }) => asks(task, network, name)))
  const either = new Set([...some, ...more])
  return all.filter((task) => either.has(task))
}
