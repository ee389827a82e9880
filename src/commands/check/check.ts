// check: validates the configuration and shows its effect.

import { type Command, Option } from 'commander'
import { collectors } from '../../collectors/index.ts'
import { costOf, seriesOf, seriesWarnings, type UpstreamCost, warningOf, whole } from '../../budget/cost.ts'
import { latenessOf } from '../../budget/accounts.ts'
import type { Config } from '../../config/schema.ts'
import { NOTHING_CONFIGURED, plan, settingsOf, type Task, whyOff } from '../../scheduler/plan.ts'
import { planOf } from '../../scheduler/shard.ts'
import { explained } from '../../config/file/effective.ts'
import { type Shard, shardText } from '../../lib/shard.ts'
import { systemClock } from '../../process/system-clock.ts'
import { validateTls } from '../../server/listener.ts'
import { checkLive } from './check-live.ts'
import { unjudgedWarnings, webWarnings, windowLines, windowWarnings } from './check-warnings.ts'
import { readConfig, readWithPlaces } from '../config.ts'
import { configFlag, type Io } from '../io.ts'
import { printable } from '../../lib/printable.ts'
import { counted } from '../terminal-text.ts'
import { type ShardFlag, shardFlag, shardOf } from '../serve/shard-flag.ts'
import { webSourceOf } from '../serve/watched-files.ts'

interface CheckFlags extends ShardFlag {
  'config.file': string
  'web.config.file'?: string
  live?: true
  explain?: true
}

export function check(program: Command, io: Io): void {
  const command = program
    .command('check')
    .description(
      'say whether the configuration is valid and what its tasks cost, and list the next maintenance windows and the tasks',
    )
  command.option(
    '--live',
    'instead, ask once whether all that is watched is there and as expected, and what maintenance windows would cost; exit 1 for a problem, 3 if something is unknown. Only configured budgets bound it, and it knows nothing of what a running daemon spends',
  )
  const explaining = 'instead, print the configuration as it takes effect, and where each value comes from'
  command.addOption(new Option('--explain', explaining).conflicts('live'))
  command.addOption(shardFlag().conflicts(['live', 'explain']))
  command.option('--web.config.file <file>', 'validate this web configuration as well')
  configFlag(command).action(async (flags: CheckFlags) => {
    const { 'web.config.file': webFile = '' } = flags
    const web = webSourceOf(webFile, io)?.read()
    if (web) {
      validateTls(web)
      for (const warning of webWarnings(web, webFile, new Date())) io.stderr(`warning: ${warning}\n`)
    }
    if (flags.explain) return explain(flags['config.file'], io)
    const config = readConfig(flags['config.file'], io)
    if (flags.live) return checkLive(config, io)
    const shard = shardOf(flags, io)
    const tasks = planOf(config, collectors, shard)
    // For all shards: tasks of other shards are not turned off.
    const all = plan(config, collectors)
    const costs = costOf(tasks)
    const ofShard =
      shard.shards === 1 ? '' : ` for shard ${shardText(shard)} of ${all.length}, with 1/${shard.shards} of each budget`
    io.stdout(`${flags['config.file']}: valid, ${counted(tasks.length, 'task')}${ofShard}\n`)
    if (web) io.stdout(`${webFile}: valid\n`)
    for (const cost of costs) io.stdout(`${costLine(cost)}\n`)
    if (costs.length > 0) io.stdout(`${UNITS}\n`)
    for (const line of latenessOf(tasks, systemClock)) io.stdout(`${line}\n`)
    io.stdout(`about ${whole(seriesOf(tasks))} series of the collectors\n`)
    const now = Date.now()
    for (const warning of [
      ...costs.flatMap((cost) => warningOf(cost) ?? []),
      ...seriesWarnings(tasks),
      ...unjudgedWarnings(config, all),
      ...windowWarnings(config, now),
      ...idleWarnings(tasks, shard),
    ])
      io.stderr(`warning: ${warning}\n`)
    for (const line of windowLines(config, now)) io.stdout(`${line}\n`)
    io.stdout('\n')
    for (const line of [...tasks.map(taskLine), ...offLines(config, all)]) io.stdout(`${line}\n`)
  })
}

const UNITS = '(a request to a node is one unit; the services count some as 10, 20 or 100)'

const shareText = (units: number, limit: number | undefined, period: string) =>
  limit === undefined ? [] : [`${Math.ceil((100 * units) / limit)} % of the budget of a ${period}`]

function costLine({ upstream, perMinute, perDay, budget }: UpstreamCost): string {
  const shares = [...shareText(perDay, budget.per_day, 'day'), ...shareText(perMinute, budget.per_minute, 'minute')]
  const units = `about ${whole(perDay)} request units a day, up to ${whole(perMinute)} a minute`
  return `${upstream}: ${[...shares, units].join('; ')}`
}

function taskLine({ key, settings: { schedule, every }, sources }: Task): string {
  const asked = sources.map(({ name }) => name).join(', ')
  const times = schedule ? `at ${schedule.pattern} (${schedule.timezone})` : `every ${every / 1_000} s`
  return `${key}  ${times}  asks ${asked}`
}

function offLines(config: Config, tasks: readonly Task[]): string[] {
  const busy = new Set(tasks.map(({ collector }) => collector.name))
  const off = collectors.filter(({ name }) => !busy.has(name))
  const byReason = Map.groupBy(off, (collector) => whyOff(config, collector))
  const idle = byReason.get(NOTHING_CONFIGURED) ?? []
  byReason.delete(NOTHING_CONFIGURED)
  return [
    ...[...byReason].flatMap(([reason, some]) => some.map(({ name }) => `${name}  off: ${reason}`)),
    ...(idle.length === 0 ? [] : [`nothing is configured for ${idle.map(({ name }) => name).join(', ')}`]),
  ]
}

function idleWarnings(tasks: readonly Task[], shard: Shard): string[] {
  if (shard.shards === 1 || tasks.length > 0) return []
  return [`nothing falls to shard ${shardText(shard)}: fewer shards will do`]
}

function explain(file: string, io: Io): void {
  const loaded = readWithPlaces(file, io)
  const settings = collectors.map((collector) => [collector.name, settingsOf(loaded.value, collector)] as const)
  const text = explained(loaded, file, Object.fromEntries(settings))
  io.stdout(text.split('\n').map(printable).join('\n'))
}
