// Warnings of check about expectations in a valid configuration that can never be met or observed, and about maintenance windows that
// cannot do what they are for; and when each window opens next.

import type { Config, Network } from '../../config/schema.ts'
import { publicValidators } from '../../config/public-validators.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { canTell, expectedIn } from '../../scheduler/expected.ts'
import type { Task } from '../../scheduler/plan.ts'
import { nameOf } from './live/expected.ts'
import type { WebConfig } from '../../config/web/web-config.ts'
import { readCertificates } from '../../config/pem.ts'
import { BaseError } from '../../errors.ts'
import type { MaintenanceWindow } from '../../maintenance/window.ts'
import { occurrencesFrom } from '../../maintenance/schedule.ts'
import { requiredUptime } from '../../judgements/reward.ts'
import { localText } from '../../lib/calendar.ts'
import { coveredBy, isWhole } from '../../maintenance/coverage.ts'

export function unjudgedWarnings(config: Config, tasks: readonly Task[]): string[] {
  return [...unobserved(config), ...unobservable(config, tasks), ...unpolledInPublic(config, tasks)]
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
export function webWarnings({ tls }: WebConfig, file: string, now: Date): string[] {
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
