// The matchers of silences that do what a maintenance window does.

import type { Maintained } from '../../alerts/rule.ts'
import { rulesOf } from '../../alerts/rules.ts'
import type { Network } from '../../config/schema.ts'
import { listed } from '../../lib/figures.ts'
import type { Covered } from '../../maintenance/coverage.ts'
import { type Matcher, matchersText } from '../monitoring/alertmanager.ts'

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
