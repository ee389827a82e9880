// What a command line names, as a maintenance window, and the matchers of silences that do what it does.

import type { Maintained } from '../../alerts/rule.ts'
import { rulesOf } from '../../alerts/rules.ts'
import type { Config, Network } from '../../config/schema.ts'
import { listed } from '../../lib/figures.ts'
import { type Covered, coveredBy } from '../../maintenance/coverage.ts'
import { type Matcher, matchersText } from '../monitoring/alertmanager.ts'
import { coveredLists, type MaintenanceWindow } from '../../maintenance/window.ts'
import { BaseError } from '../../errors.ts'
import { meantOr } from '../../lib/suggestion.ts'

/** One list for each silence: its matchers must all fit. */
export function matchersFor({ name: network, nodes: all }: Network, covered: Covered): Matcher[][] {
  const { validators, nodes, chains, subnets, wallets } = covered
  const silence = (kind: Maintained, ...of: readonly Matcher[]) => [
    anyOf('alertname', alertsOf(kind)),
    anyOf('network', [network]),
    ...of,
  ]
  const named = (kind: Maintained, label: string, some: readonly { name: string }[]) =>
    some.length === 0 ? [] : [silence(kind, anyOf(label, namesOf(some)))]
  // Machines that validate the same subnets share a silence.
  const subnetsOf = Map.groupBy(validators, ({ node_id }) => node_id)
  const machines = Map.groupBy(subnetsOf, ([, some]) => some.map(({ subnet }) => subnet).join('|'))
  return [
    ...[...machines.values()].map((alike) =>
      silence(
        'validator',
        anyOf(
          'subnet',
          alike[0]![1].map(({ subnet }) => subnet),
        ),
        anyOf(
          'node_id',
          alike.map(([id]) => id),
        ),
      ),
    ),
    ...(validators.length > 0 ? [silence('machine', anyOf('node_id', [...subnetsOf.keys()]))] : []),
    ...named('node', 'source', nodes),
    ...(nodes.length > 0 && nodes.length === all.length ? [silence('nodes')] : []),
    ...named('chain', 'chain', chains),
    ...named('subnet', 'subnet', subnets),
    ...named('wallet', 'address', wallets),
  ]
}

/** The alerts that a window over such an object suppresses. */
export function alertsOf(kind: Maintained): string[] {
  return rulesOf()
    .filter(({ quietFor }) => quietFor === kind)
    .map(({ alert }) => alert)
}

const namesOf = (some: readonly { name: string }[]) => some.map(({ name }) => name)

/** Alertmanager anchors patterns at both ends. */
function anyOf(name: string, values: readonly string[]): Matcher {
  const isRegex = values.length > 1
  const value = isRegex ? values.map((one) => one.replaceAll('.', String.raw`\.`)).join('|') : values[0]!
  return { name, value, isRegex, isEqual: true }
}

/** The objects, and the first of the many alerts. */
export function shownOf(matchers: readonly Matcher[]): string {
  const [alerts, objects] = [true, false].map((isAlert) =>
    matchers.filter(({ name }) => (name === 'alertname') === isAlert),
  ) as [Matcher[], Matcher[]]
  const names = alerts.flatMap(({ value, isRegex }) => (isRegex ? value.split('|') : value))
  return `${matchersText(objects)}  ${listed(names, 2)}`.trimEnd()
}

/** As a window names them: `validators`. */
type Key = keyof typeof coveredLists
const keys = Object.keys(coveredLists) as Key[]
/** As a command line names one: `validator`. */
const kindOf = (key: Key) => key.slice(0, -1)

/** Not a name that a configured window may have. */
export const THIS_SILENCE = 'this silence'

export interface Planned {
  network: Network
  window: MaintenanceWindow
}

interface Found {
  network: Network
  key: Key
  name: string
}

interface Times {
  from: number
  to: number
}

/** For each network of the names. Throws a BaseError with code `config`. */
export function windowsOver(
  names: readonly string[],
  { networks }: Config,
  { only, ...times }: Times & { only?: string | undefined },
): Planned[] {
  const among = only === undefined ? networks : networks.filter(({ name }) => name === only)
  if (among.length === 0) {
    throw new BaseError('config', `--network: expected one of ${networks.map(({ name }) => name).join(', ')}`)
  }
  const found = names.map((name) => theOne(name, among))
  return [...Map.groupBy(found, ({ network }) => network)].map(([network, all]) => ({
    network,
    window: windowOf(all, times),
  }))
}

/** `val-1`, or `validator/val-1` where a name has several kinds. */
function theOne(text: string, networks: readonly Network[]): Found {
  const [, ofKind, name = text] = /^(\w+)\/(.*)$/.exec(text) ?? []
  const all = networks.flatMap((network) =>
    keys.flatMap((key): Found[] => network[coveredLists[key][0]].map((one) => ({ network, key, name: one.name }))),
  )
  const found = distinct(all.filter((one) => one.name === name && (ofKind === undefined || kindOf(one.key) === ofKind)))
  const [first, other] = found
  if (first && !other) return first
  if (!first) {
    const known = [...new Set(all.map((one) => one.name))]
    const hint = meantOr(`there are ${known.join(', ')}`, name, known)
    throw new BaseError('config', `${text} is no ${ofKind ?? 'validator, node, chain, subnet or wallet'} here; ${hint}`)
  }
  const inNetworks = [...new Set(found.map(({ network }) => network.name))]
  throw new BaseError(
    'config',
    inNetworks.length > 1
      ? `${text} is in several networks; give ${inNetworks.map((one) => `--network=${one}`).join(' or ')}`
      : `${text} is the name of several things; give ${found.map(({ key }) => `${kindOf(key)}/${name}`).join(' or ')}`,
  )
}

/** A validator and its node are the same machine, and may share their name. */
function distinct(found: readonly Found[]): Found[] {
  const coverage = (one: Found) =>
    JSON.stringify([one.network.name, coveredBy(windowOf([one], { from: 0, to: 1 }), one.network)])
  return [...new Map(found.toReversed().map((one) => [coverage(one), one])).values()].toReversed()
}

function windowOf(found: readonly Found[], times: Times): MaintenanceWindow {
  const named = keys.map(
    (wanted) => [wanted, found.filter(({ key }) => key === wanted).map(({ name }) => name)] as const,
  )
  return { name: THIS_SILENCE, timezone: 'UTC', grace: 0, ...times, ...Object.fromEntries(named) }
}
