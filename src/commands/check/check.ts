// check: validates the configuration and shows its effect: what its tasks cost, when windows open, and what cannot work as expected.

import { type Command, Option } from 'commander'
import { collectors } from '../../collectors/index.ts'
import { costOf, seriesOf, seriesWarnings, type UpstreamCost, warningOf, whole } from '../../budget/cost.ts'
import { latenessOf } from '../../budget/accounts.ts'
import type { Config, Network } from '../../config/schema.ts'
import { NOTHING_CONFIGURED, plan, settingsOf, type Task, whyOff } from '../../scheduler/plan.ts'
import { planOf } from '../../scheduler/shard.ts'
import { explained } from '../../config/file/effective.ts'
import { type Shard, shardText } from '../../lib/shard.ts'
import { systemClock } from '../../process/system-clock.ts'
import { validateTls } from '../../server/listener.ts'
import { checkLive } from './check-live.ts'
import { readConfig, readWithPlaces } from '../config.ts'
import { configFlag, type Io } from '../io.ts'
import { entryOf } from '../../lib/entry.ts'
import { printable } from '../../lib/printable.ts'
import { counted } from '../terminal-text.ts'
import { type ShardFlag, shardFlag, shardOf } from '../flag-values.ts'
import { webSourceOf } from '../serve/watched-files.ts'
import { publicValidators } from '../../config/public-validators.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { canTell, expectedIn } from '../../scheduler/expected.ts'
import { nameOf } from './live/expected.ts'
import type { WebConfig } from '../../config/web/web-config.ts'
import { readCertificates } from '../../config/pem.ts'
import { BaseError } from '../../errors.ts'
import type { MaintenanceWindow } from '../../maintenance/window.ts'
import { occurrencesFrom } from '../../maintenance/schedule.ts'
import { requiredUptime } from '../../judgements/reward.ts'
import { localText } from '../../lib/calendar.ts'
import { coveredBy, isWhole } from '../../maintenance/coverage.ts'

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
      ...hourlyWarnings(config),
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

/** Times of the configuration that do not take effect. */
function hourlyWarnings(config: Config): string[] {
  return collectors.flatMap((collector) => {
    const { name } = collector
    const { every, schedule } = config.collectors[name] ?? {}
    const settings = settingsOf(config, collector)
    const isSlower = every !== undefined && settings.every !== every
    if (!settings.enabled || (!isSlower && settings.schedule === schedule)) return []
    const key = `collectors.${name}.${isSlower ? 'every' : 'schedule'}`
    return [`${name}: it makes validators work, so it runs once an hour at most; correct ${key}`]
  })
}

function unjudgedWarnings(config: Config, tasks: readonly Task[]): string[] {
  return [
    ...withoutUpstream(config),
    ...sameNode(config),
    ...unobserved(config),
    ...unobservable(config, tasks),
    ...unpolledInPublic(config, tasks),
  ]
}

function withoutUpstream({ networks }: Config): string[] {
  return networks
    .filter(({ nodes, data_api, metrics_api }) => nodes.length === 0 && !data_api && !metrics_api)
    .map(({ name }) => `${name}: nothing is polled: add a node under nodes or a data_api, or remove the network`)
}

/** Nodes vote, so that one with two names has two votes. */
function sameNode({ networks }: Config): string[] {
  return networks.flatMap(({ name: network, nodes }) => {
    const first = new Map<string, string>()
    return nodes.flatMap(({ name, url }) => {
      const other = entryOf(first, new URL(url.reveal()).href, () => name)
      const advice = 'correct it, or remove one of them'
      return other === name
        ? []
        : [`${network}/${name}: has the url of ${other}, so that one opinion counts as two: ${advice}`]
    })
  })
}

/** A node always counts itself as connected, so it cannot observe itself. */
function unobserved({ networks }: Config): string[] {
  return networks.flatMap(({ name: network, nodes, validators, subnets }) => {
    const primary = subnets.find(({ id }) => id === PRIMARY_NETWORK_ID)?.name
    const alone = validators.filter(
      ({ subnet, node_id }) => subnet === primary && nodes.every((node) => node.node_id === node_id),
    )
    const why =
      nodes.length === 0
        ? 'no node is configured'
        : 'the only node is the validator itself, whose own view is no evidence'
    return alone.map(
      ({ name }) =>
        `${network}/${name}: no other node observes this validator: ${why}; its uptime, connection and reward stay unknown until another node is listed under nodes`,
    )
  })
}

/** The collector `validators` has what the public page says first: whether it validates, and its stake. */
function unpolledInPublic(config: Config, tasks: readonly Task[]): string[] {
  return publicValidators(config)
    .filter(
      ({ network, validator: { subnet } }) =>
        !tasks.some(
          (task) =>
            task.collector.name === 'validators' && task.network.name === network.name && task.subject.name === subnet,
        ),
    )
    .map(
      ({ network, validator }) =>
        `${network.name}/${validator.name}: the public page shows it as unknown, because no node is asked for its stake: list a node, and leave the collector validators on`,
    )
}

function unobservable(config: Config, tasks: readonly Task[]): string[] {
  return expectedIn(config)
    .filter((one) => !tasks.some((task) => canTell(task, one)))
    .map((one) => `${nameOf(one)}: no configured source can check this`)
}

/** Warnings. Throws a BaseError when a certificate is not valid at this time. */
function webWarnings({ tls }: WebConfig, file: string, now: Date): string[] {
  if (!tls) return []
  const invalid = [
    ...invalidIn('the certificate', tls.cert, now),
    ...(tls.clientCa === undefined ? [] : invalidIn('the authority of clients', tls.clientCa, now)),
  ]
  if (invalid.length > 0) {
    throw new BaseError('config', invalid.map((why) => `${file}: tls_server_config: ${why}`).join('\n'))
  }
  return tls.policy === 'RequireAnyClientCert'
    ? [
        `${file}: RequireAnyClientCert takes any certificate, also one that a client made itself; RequireAndVerifyClientCert protects`,
      ]
    : []
}

function invalidIn(what: string, pem: string, now: Date): string[] {
  return readCertificates(pem).certificates.flatMap(({ subject, validFromDate, validToDate }) => {
    const name = `${what} of ${subject.replaceAll('\n', ', ')}`
    if (now > validToDate) return [`${name} expired at ${validToDate.toISOString()}: renew it`]
    if (now < validFromDate) return [`${name} is valid only from ${validFromDate.toISOString()} on`]
    return []
  })
}

const SHOWN = 5

/** `now` is in milliseconds. */
export function windowLines({ networks }: Config, now: number): string[] {
  return networks.flatMap(({ name: network, maintenance }) =>
    maintenance.flatMap((window) => {
      const next = occurrencesFrom(window, now).take(SHOWN).toArray()
      const name = `window ${network}/${window.name}`
      if (next.length === 0) return [`${name}  is over since ${times(window, [window.to!])}: remove it`]
      return next.map(({ start, end }) => {
        return `${name}  ${times(window, [start, end])}${start <= now ? '  open now' : ''}`
      })
    }),
  )
}

/** In the time zone of the window, and in UTC. */
function times({ timezone }: MaintenanceWindow, of: readonly number[]): string {
  const zones = [...new Set([timezone, 'UTC'])]
  return zones.map((zone) => `${of.map((time) => localText(time, zone)).join(' to ')} ${zone}`).join(' = ')
}

/** `now` is in milliseconds. */
export function windowWarnings({ networks }: Config, now: number): string[] {
  return networks.flatMap((network) =>
    network.maintenance.flatMap((window) =>
      [coversNothing(window, network), hasNoId(window, network), isOpenTooLong(window, network, now)]
        .filter((text) => text !== undefined)
        .map((text) => `window ${network.name}/${window.name}${text}`),
    ),
  )
}

function coversNothing(window: MaintenanceWindow, network: Network): string | undefined {
  const isEmpty = Object.values(coveredBy(window, network)).every((things) => things.length === 0)
  return isEmpty
    ? ' covers nothing: name what it covers, or remove its empty lists to cover the whole network'
    : undefined
}

/** Only its id says which validators run on a node. */
function hasNoId(window: MaintenanceWindow, { nodes }: Network): string | undefined {
  if (isWhole(window)) return undefined
  const named = nodes.filter(({ name, node_id }) => node_id === undefined && window.nodes?.includes(name))
  if (named.length === 0) return undefined
  const names = named.map(({ name }) => name).join(', ')
  return ` does not cover the validators that run on ${names}: write node_id at the entry of the node`
}

const WEEKS = 28 * 86_400_000
/** Percent of its stake for which any validator may be down. */
const MAY_BE_DOWN = Math.round(100 * (1 - requiredUptime(0, undefined)))

function isOpenTooLong(window: MaintenanceWindow, network: Network, now: number): string | undefined {
  const primary = network.subnets.find(({ id }) => id === PRIMARY_NETWORK_ID)?.name
  const staked = coveredBy(window, network).validators.filter(({ subnet }) => subnet === primary)
  if (window.schedule === undefined || staked.length === 0) return undefined
  let open = 0
  for (const { start, end } of occurrencesFrom(window, now)) {
    if (start >= now + WEEKS) break
    open += end - start
  }
  const percent = Math.round((100 * open) / WEEKS)
  if (percent <= MAY_BE_DOWN) return undefined
  const names = staked.map(({ name }) => name).join(', ')
  return ` is open for ${percent} % of the next four weeks, and a validator that is down for more than ${MAY_BE_DOWN} % of a stake loses its reward: shorten it for ${names}`
}
