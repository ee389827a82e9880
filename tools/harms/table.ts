// The table of harms: incidents and promtool tests name the cells that their alerts fill, and rest.ts has what they leave.

import { groupsOf } from '../../src/alerts/rules.ts'
import { incidents } from '../incidents/scripts/index.ts'
import { byPromtool } from './by-promtool.ts'
import {
  type Cell,
  type Filling,
  type Harm,
  harmNames,
  type PanelPath,
  type Table,
  type Thing,
  thingNames,
} from './harms.ts'
import { rest } from './rest.ts'

export const fillings: readonly Filling[] = [
  ...incidents.flatMap(({ name: proof, alerts }) => alerts.map(({ alert, fills = {} }) => ({ alert, proof, fills }))),
  ...byPromtool,
]

const order = groupsOf().flatMap(({ rules }) => rules.map(({ alert }) => alert))

interface Claim {
  alert: string
  proof: string
  panels: readonly PanelPath[]
}

function claimsOf(thing: Thing, harm: Harm, given: readonly Filling[]): Claim[] {
  const other = rest[thing]?.[harm]
  const own = given.flatMap(({ alert, proof, fills }) => {
    const panels: PanelPath[] = [fills[thing]?.[harm] ?? []].flat()
    return panels.length === 0 ? [] : { alert, proof, panels }
  })
  return typeof other === 'object' ? [...own, ...claimsOf(other.like, harm, given)] : own
}

function reasonOf(thing: Thing, harm: Harm): string | undefined {
  const other = rest[thing]?.[harm]
  return typeof other === 'object' ? reasonOf(other.like, harm) : other
}

function cellOf(thing: Thing, harm: Harm, given: readonly Filling[]): Cell {
  const claims = claimsOf(thing, harm, given).toSorted((a, b) => order.indexOf(a.alert) - order.indexOf(b.alert))
  const none = reasonOf(thing, harm)
  if (claims.length === 0 && none !== undefined) return { none }
  return {
    alerts: [...new Set(claims.map(({ alert }) => alert))],
    proofs: [...new Set(claims.map(({ proof }) => proof))],
    panels: [...new Set(claims.flatMap(({ panels }) => panels))],
    ...(none !== undefined && { none }),
  }
}

export const tableOf = (given: readonly Filling[]): Table =>
  byName(thingNames, (thing) => byName(harmNames, (harm) => cellOf(thing, harm, given)))

function byName<Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>
}

export const table = tableOf(fillings)

/** Alerts that are about no thing, with why they exist. */
export const selfTests: Readonly<Record<string, string>> = {
  StakewatchDrill: 'It is a test of what happens after an alert fires.',
  StakewatchWatchdog: 'It always fires, so that a service outside notices when alerts no longer arrive.',
}
