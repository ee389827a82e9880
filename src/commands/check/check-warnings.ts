// Warnings of check about expectations in a valid configuration that can never be met or observed.

import type { Config } from '../../config/schema.ts'
import { publicValidators } from '../../config/public-validators.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { canTell, expectedIn } from '../../scheduler/expected.ts'
import type { Task } from '../../scheduler/plan.ts'
import { nameOf } from './live/expected.ts'
import type { WebConfig } from '../../config/web/web-config.ts'
import { readCertificates } from '../../config/pem.ts'
import { BaseError } from '../../errors.ts'

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
