// Whether Alertmanager has notified the receivers of a drill, as far as its counters tell.

import type { Sent, SentAlert } from '../monitoring/alertmanager.ts'
import type { AlertmanagerConfig } from '../monitoring/routes.ts'
import type { Before, Broken } from './chain.ts'

/** The addresses of the receivers of the drill that one counter is about. */
interface Expected {
  integration: string
  /** Undefined if the counter is about all receivers with that integration. */
  receiver: string | undefined
  receivers: readonly string[]
  addresses: number
}

/** The text once every integration of every receiver has sent a message. `others` are alerts that it may send as well. */
export async function notified(
  before: Before,
  alert: SentAlert,
  others: readonly SentAlert[],
): Promise<string | Broken | undefined> {
  const first = await countedOf(before, alert)
  const isSent = first.every(({ requests, addresses }) => requests >= addresses)
  // A request is counted a moment before its failure.
  const all = isSent ? await countedOf(before, alert) : first
  const failed = all.filter((one) => one.failed > 0)
  if (failed.length === 0 && !isSent) return undefined
  const { receivers } = before.managers[0]!.configuration
  const doubt = doubtOf(failed.length > 0 ? failed : all, others, receivers)
  if (failed.length === 0) return `${all.map(shownOf).join(' and ')}, without an error${doubt}`
  return {
    found: `Alertmanager could not notify ${failed.map(shownOf).join(' and ')}${doubt}`,
    fix: 'its log says why: a wrong key, address or proxy',
  }
}

/** Alertmanager counts messages, not alerts, and in most cases for all receivers of an integration together. */
function doubtOf(
  expected: readonly Expected[],
  others: readonly SentAlert[],
  known: AlertmanagerConfig['receivers'],
): string {
  const isShared = (name: string) =>
    expected.some(({ integration, receiver }) =>
      receiver === undefined ? known.get(name)?.some(({ kind }) => kind === integration) : receiver === name,
    )
  const sharing = others.filter(({ receivers }) => receivers.some(({ name }) => isShared(name)))
  if (sharing.length === 0) return ''
  const [which, go] = sharing.length === 1 ? ['another alert', 'goes'] : [`${sharing.length} other alerts`, 'go']
  return `; ${which} ${go} the same way, and Alertmanager counts their messages together`
}

interface Counted extends Expected {
  /** Since the drill began. */
  requests: number
  failed: number
}

async function countedOf({ managers }: Before, alert: SentAlert): Promise<readonly Counted[]> {
  const counts = await Promise.all(
    managers.map(async ({ sent, client }) => ({ before: sent, now: await client.sent() })),
  )
  const sumOf = (one: Expected, key: 'requests' | 'failed') =>
    counts.reduce((sum, { before, now }) => sum + since(before, now, one, key), 0)
  const all = counts.flatMap(({ now }) => now)
  return expectedOf(alert, managers[0]!.configuration.receivers, all).map((one) => ({
    ...one,
    requests: sumOf(one, 'requests'),
    failed: sumOf(one, 'failed'),
  }))
}

const shownOf = ({ integration, receivers }: Expected) => `${receivers.join(' and ')} by ${integration}`

function expectedOf(
  alert: SentAlert,
  known: AlertmanagerConfig['receivers'],
  counters: readonly Sent[],
): readonly Expected[] {
  const isByReceiver = counters.some(({ receiver }) => receiver !== undefined)
  const addresses = alert.receivers.flatMap(({ name }) =>
    (known.get(name) ?? []).map(({ kind }) => ({ integration: kind, name })),
  )
  const groups = Map.groupBy(addresses, ({ integration, name }) => `${integration} ${isByReceiver ? name : ''}`)
  return [...groups.values()].map((some) => ({
    integration: some[0]!.integration,
    receiver: isByReceiver ? some[0]!.name : undefined,
    receivers: [...new Set(some.map(({ name }) => name))],
    addresses: some.length,
  }))
}

/** By one Alertmanager, which counts from 0 again after a restart. */
function since(
  before: readonly Sent[],
  now: readonly Sent[],
  { integration, receiver }: Expected,
  key: 'requests' | 'failed',
): number {
  const sum = (all: readonly Sent[]) =>
    all
      .filter((one) => one.integration === integration && one.receiver === receiver)
      .reduce((total, one) => total + one[key], 0)
  const [earlier, later] = [sum(before), sum(now)]
  return later < earlier ? later : later - earlier
}
