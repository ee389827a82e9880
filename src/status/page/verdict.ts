// The first sentence of the page: is something wrong, with what, since when, and how much time is left.

import type { Alert, Status } from '../value/status-schema.ts'
import type { Tone } from './markup.ts'
import { type Thresholds, thresholds } from '../../alerts/thresholds.ts'
import { durationText, listed } from '../../lib/figures.ts'
import { keyOf } from '../value/readings.ts'
import { isRewardLost } from './words.ts'

export interface Verdict {
  tone: Tone
  text: string
  /** What the sentence leaves out; may be empty. */
  more: string
}

export const isFiring = ({ state }: Alert) => state === 'firing' || state === 'held'
export const isUrgent = (one: Alert) => one.severity === 'critical' && isFiring(one)

export function verdictOf(status: Status, limits: Thresholds = thresholds): Verdict {
  const { alerts, rules, scheduler_stalled: isStalled, timestamp_seconds: now } = status
  if (isStalled) return unknown('Polling has stopped: nothing on this page is current.')
  if (rules.evaluated_timestamp_seconds === null) return unknown('Nothing has been judged yet.')
  if (!rules.current) return unknown('Nothing has been judged for two minutes: the state of everything is unknown.')
  const urgent = alerts.filter(isUrgent)
  const warnings = alerts.filter((one) => isFiring(one) && one.severity === 'warning')
  const waiting = countText(warnings.length, 'warning')
  const soon = alerts.filter(({ severity, state }) => severity === 'critical' && state === 'pending')
  const about = rules.problems.length > 0 ? 'Some conditions cannot be judged.' : ''
  const [first, ...others] = leastLeftFirst(status)(urgent)
  if (first) {
    const alike = others.filter(({ alert }) => alert === first.alert)
    const since = durationText(now - (first.firing_timestamp_seconds ?? now))
    return {
      tone: 'critical',
      text: `${needing(status, urgent)}: ${first.title}${networkOf(first)}${timeLeft(status, first, limits)}; firing for ${since}${alike.length > 0 ? `, ${alike.length} more like it` : ''}.`,
      more: [about, soon.length > 0 && `${soon.length} more may page soon.`, waiting && `${waiting} can wait.`]
        .filter(Boolean)
        .join(' '),
    }
  }
  const [next] = leastLeftFirst(status)(soon)
  if (next)
    return { tone: 'warning', text: `May page soon: ${next.title}${timeLeft(status, next, limits)}.`, more: about }
  const unseen = status.validators.filter(({ state }) => state === 'unknown')
  const calm =
    unseen.length === 0 ? 'Nothing is urgent' : `Nothing pages, but no node sees ${namesText(validatorNames(unseen))}`
  if (waiting) {
    const text = `${calm}. ${waiting} can wait for the morning: ${namesText(titlesOf(warnings))}.`
    return { tone: 'warning', text, more: about }
  }
  if (about) return { tone: 'warning', text: about, more: '' }
  if (unseen.length > 0) return { tone: 'warning', text: `${calm}.`, more: '' }
  return { tone: 'good', text: `All is well: ${watchedText(status)}.`, more: '' }
}

const unknown = (text: string): Verdict => ({ tone: 'critical', text, more: '' })

export const countText = (count: number, what: string) =>
  count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`

/** What a telephone shows without scrolling. */
const MOST_NAMED = 3

const namesText = (names: readonly string[]) => listed([...new Set(names)], MOST_NAMED)

const networkOf = ({ labels: { network }, title }: Alert) =>
  network === undefined || title.startsWith(network) ? '' : ` on ${network}`

const areSeveral = (networks: readonly (string | undefined)[]) => new Set(networks).size > 1

/** With their networks where these are several: things of the same name would look like one. */
export function titlesOf(alerts: readonly Alert[]): string[] {
  const isMixed = areSeveral(alerts.map(({ labels }) => labels['network']))
  return alerts.map((one) => (isMixed ? one.title + networkOf(one) : one.title))
}

function validatorNames(all: Status['validators']): string[] {
  const isMixed = areSeveral(all.map(({ network }) => network))
  return all.map(({ name, network }) => (isMixed ? `${name} on ${network}` : name))
}

/** `2 of 7 validators and 1 wallet need you`. */
function needing(status: Status, urgent: readonly Alert[]): string {
  const kinds: readonly [string, readonly { alerts: readonly Alert[] }[]][] = [
    ['validator', status.validators],
    ['L1', status.subnets.filter(({ weight_ratio: ratio }) => ratio !== null)],
    ['subnet', status.subnets.filter(({ weight_ratio: ratio }) => ratio === null)],
    ['chain', status.chains],
    ['wallet', status.wallets],
    ['route', status.routes],
    ['probe', status.probes],
    ['upstream', status.upstreams],
  ]
  const parts = kinds.flatMap(([kind, all]) => {
    const some = all.filter((one) => one.alerts.some(isUrgent)).length
    return some === 0
      ? []
      : `${some}${all.length > some ? ` of ${all.length}` : ''} ${all.length === 1 ? kind : `${kind}s`}`
  })
  if (parts.length === 0)
    return `${countText(urgent.length, urgent.every(isAboutValidator) ? 'validator' : 'problem')} ${urgent.length === 1 ? 'needs' : 'need'} you`
  const others = othersIn(status, urgent)
  if (others > 0) {
    const isNext = status.validators.some((one) => one.alerts.some(isUrgent))
    parts.splice(isNext ? 1 : 0, 0, isNext ? countText(others, 'other') : countText(others, 'other validator'))
  }
  const isOne = parts.length === 1 && parts[0]!.startsWith('1 ')
  return `${listed(parts, parts.length)} ${isOne ? 'needs' : 'need'} you`
}

/** How many validators of an L1 that are not configured. */
function othersIn({ validators }: Status, urgent: readonly Alert[]): number {
  const known = new Set(validators.map(({ network, node_id: id }) => keyOf(network, id)))
  const about = urgent.filter(isAboutValidator).map(({ labels }) => keyOf(labels['network'] ?? '', labels['node_id']!))
  return new Set(about.filter((key) => !known.has(key))).size
}

/** Where the rest of an L1 is watched, a validator need not be configured. */
const isAboutValidator = ({ labels }: Alert) => labels['node_id'] !== undefined

/** How long a validator may still be away, where it is away or has little left. The title of a balance that ends has its time. */
function timeLeft({ validators }: Status, { labels }: Alert, limits: Thresholds): string {
  const about = validators.find(
    ({ network, subnet, node_id: id }) =>
      network === labels['network'] && id === labels['node_id'] && subnet === (labels['subnet'] ?? subnet),
  )
  if (!about) return ''
  const { state, downtime_budget_seconds: budget } = about
  if (budget === null) return ''
  if (budget > limits.budgetEnding && state === 'connected') return ''
  if (budget < 0) return `, its reward is ${isRewardLost(about) ? 'lost' : 'at risk'}`
  if (state === 'disconnected') return `, its reward is lost in ${durationText(budget)} if it stays away`
  return `, ${durationText(budget)} of downtime left`
}

function watchedText({ validators, subnets, chains, wallets, upstreams, shard }: Status): string {
  const nothing = shard.shards > 1 ? 'nothing falls to this shard' : 'nothing is configured yet'
  const parts = [
    countText(validators.length, 'validator'),
    countText(subnets.filter(({ weight_ratio: ratio }) => ratio !== null).length, 'L1'),
    countText(chains.length, 'chain'),
    countText(wallets.length, 'wallet'),
    countText(upstreams.length, 'upstream'),
  ].filter(Boolean)
  return parts.length === 0 ? nothing : `${listed(parts, parts.length)} watched`
}

/** What has happened waits for nothing: it counts as if this were left (seconds). */
const OF_WHAT_HAPPENED = 3_600

/**
 * Of alerts that are as urgent. Where they have as much, the validators have that order already. Alerts about anything else keep
 * theirs, and stay before them.
 */
export function leastLeftFirst({ validators }: Pick<Status, 'validators'>): (alerts: readonly Alert[]) => Alert[] {
  const places = new Map(validators.map(({ network, subnet, node_id: id }, at) => [keyOf(network, subnet, id), at]))
  const placeOf = ({ labels: { network = '', subnet = '', node_id: id = '' } }: Alert) =>
    places.get(keyOf(network, subnet, id)) ?? -1
  const leftOf = ({ time_left_seconds: left }: Alert) => left ?? OF_WHAT_HAPPENED
  return (alerts) => alerts.toSorted((a, b) => leftOf(a) - leftOf(b) || placeOf(a) - placeOf(b))
}
