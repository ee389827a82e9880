// The table of harms has no empty cell, names only what exists, and leaves out no alert and no metric.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dashboards } from '../../dashboards/src/all.ts'
import { metricsOf } from '../../src/alerts/rule.ts'
import { groupsOf } from '../../src/alerts/rules.ts'
import { everyMetric } from '../../src/commands/catalogue.ts'
import { type Cell, harmNames, type Table, thingNames } from '../../tools/harms/harms.ts'
import { fillings, selfTests, table, tableOf } from '../../tools/harms/table.ts'
import { unread } from '../../tools/harms/unread.ts'
import { incidents } from '../../tools/incidents/scripts/index.ts'
import { panelsOf } from '../dashboards/lint.ts'

/** What the table is held against. */
interface World {
  /** Names of the metrics that each alert reads. */
  alerts: ReadonlyMap<string, readonly string[]>
  /** Names of the alerts that fire in each proof. */
  proofs: ReadonlyMap<string, ReadonlySet<string>>
  /** Names of the metrics in each panel. */
  panels: ReadonlyMap<string, ReadonlySet<string>>
  metrics: readonly string[]
}

interface TestFile {
  tests: { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[]
}

const folder = new URL('../../alerts/tests/', import.meta.url)
const firingIn = (file: string) =>
  (parse(readFileSync(new URL(file, folder), 'utf8')) as TestFile).tests
    .flatMap((one) => one.alert_rule_test ?? [])
    .filter(({ exp_alerts: expected }) => expected.length > 0)
    .map(({ alertname }) => alertname)

const world: World = {
  alerts: new Map(groupsOf().flatMap(({ rules }) => rules.map((rule) => [rule.alert, metricsOf(rule)] as const))),
  proofs: new Map([
    ...incidents.map(({ name, alerts }) => [name, new Set(alerts.map(({ alert }) => alert))] as const),
    ...readdirSync(folder).map((file) => [file, new Set(firingIn(file))] as const),
  ]),
  panels: new Map(
    Object.entries(dashboards).flatMap(([page, dashboard]) =>
      panelsOf(dashboard).map((one) => [`${page}/${one.title}`, shownIn(JSON.stringify(one))] as const),
    ),
  ),
  metrics: everyMetric().map(({ name }) => name),
}

function metricsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/stakewatch_\w+/g))
}

/** A verdict shows what its condition reads. */
function shownIn(panel: string): ReadonlySet<string> {
  const verdicts = new Set(
    [...panel.matchAll(/[{ ]condition=~\\"([^"\\]+)/g)].flatMap(([, names]) => names!.split('|')),
  )
  const judged = groupsOf().flatMap(({ rules }) => rules.filter(({ condition = '' }) => verdicts.has(condition)))
  return new Set([...metricsIn(panel), ...judged.flatMap(metricsOf)])
}

const cellsOf = (given: Table) =>
  thingNames.flatMap((thing) => harmNames.map((harm) => ({ name: `${thing}, ${harm}`, cell: given[thing][harm] })))

const alertsIn = (given: Table) => new Set(cellsOf(given).flatMap(({ cell }) => ('alerts' in cell ? cell.alerts : [])))

/** What is wrong with a cell, in words. */
function faultsOfCell(cell: Cell, { alerts, proofs, panels }: World): string[] {
  if (!('alerts' in cell)) return /^[A-Z].{20,}\.$/.test(cell.none) ? [] : ['the reason is no sentence']
  if ('none' in cell) return ['names an alert and gives a reason to have none']
  if (cell.alerts.length === 0) return ['names no alert and gives no reason']
  const provenBy = (alert: string) => cell.proofs.some((proof) => proofs.get(proof)?.has(alert))
  // Whether stakewatch is there, Prometheus itself reports.
  const readBy = (alert: string) => new Set(alerts.get(alert)?.filter((metric) => metric !== 'up'))
  const shows = (panel: string, alert: string) => [...readBy(alert)].some((metric) => panels.get(panel)?.has(metric))
  return [
    ...cell.alerts.filter((alert) => !alerts.has(alert)).map((alert) => `there is no alert ${alert}`),
    ...cell.proofs.filter((proof) => !proofs.has(proof)).map((proof) => `there is no incident ${proof}`),
    ...cell.panels.filter((panel) => !panels.has(panel)).map((panel) => `there is no panel ${panel}`),
    ...cell.alerts.filter((alert) => !provenBy(alert)).map((alert) => `${alert} fires in no proof`),
    ...cell.alerts
      .filter((alert) => readBy(alert).size > 0 && !cell.panels.some((panel) => shows(panel, alert)))
      .map((alert) => `no panel shows what ${alert} reads`),
    ...cell.proofs
      .filter((proof) => !cell.alerts.some((alert) => proofs.get(proof)?.has(alert)))
      .map((proof) => `${proof} proves nothing`),
    ...cell.panels
      .filter((panel) => cell.alerts.every((alert) => readBy(alert).size > 0 && !shows(panel, alert)))
      .map((panel) => `${panel} shows nothing of it`),
  ]
}

/** The metrics that the alerts judge. */
const readBy = (alerts: readonly string[], { alerts: rules }: World): ReadonlySet<string> =>
  new Set(alerts.flatMap((alert) => rules.get(alert) ?? []))

/** What is wrong with the table, in words. */
function faultsOf(given: Table, at: World): string[] {
  const named = alertsIn(given)
  const isExcused = (metric: string) => unread.some(({ metrics }) => metrics.includes(metric))
  const read = readBy([...named, ...Object.keys(selfTests)], at)
  return [
    ...cellsOf(given).flatMap(({ name, cell }) => faultsOfCell(cell, at).map((fault) => `${name}: ${fault}`)),
    ...[...at.alerts.keys()]
      .filter((alert) => !named.has(alert) && !(alert in selfTests))
      .map((alert) => `${alert} is in no cell`),
    ...at.metrics
      .filter((metric) => !read.has(metric) && !isExcused(metric))
      .map((metric) => `no alert of the table reads ${metric}, and there is no reason`),
  ]
}

test('the table is complete, and all that it names exists', () => {
  expect(faultsOf(table, world)).toEqual([])
})

const without = (alert: string): World => ({
  ...world,
  alerts: new Map([...world.alerts].filter(([name]) => name !== alert)),
})

/** The table as it would be if the alert had never been written. */
const tableWithout = (alert: string): Table => tableOf(fillings.filter((one) => one.alert !== alert))

describe.each([...alertsIn(table)])('%s', (alert) => {
  test('is missed when it is taken out of the rules', () => {
    expect(faultsOf(table, without(alert)).filter((fault) => fault.endsWith(`no alert ${alert}`))).not.toEqual([])
  })

  test('is missed when it is taken out of the table', () => {
    expect(faultsOf(tableWithout(alert), world)).toContain(`${alert} is in no cell`)
  })
})

test.each([
  ['StakewatchL1ValidatorDisconnected', 'l1Validator, offline'],
  ['StakewatchChainStalled', 'xChain, stalled'],
  ['StakewatchSubnetChanged', 'l1, changed'],
])('had %s never been written, the cell %s would be empty', (alert, cell) => {
  expect(faultsOf(tableWithout(alert), without(alert))).toContain(`${cell}: names no alert and gives no reason`)
})

test.each<[string, Cell, string]>([
  [
    'an unknown incident',
    { alerts: ['StakewatchDown'], proofs: ['it snows'], panels: [] },
    'there is no incident it snows',
  ],
  [
    'an incident of another alert',
    { alerts: ['StakewatchDown'], proofs: ['nothing happens'], panels: [] },
    'StakewatchDown fires in no proof',
  ],
  [
    'a panel of another metric',
    { alerts: ['StakewatchWalletLow'], proofs: [], panels: ['validator/Stake timeline'] },
    'no panel shows what StakewatchWalletLow reads',
  ],
  [
    'an unknown panel',
    { alerts: ['StakewatchDown'], proofs: [], panels: ['self/Snow'] },
    'there is no panel self/Snow',
  ],
  ['a reason of one word', { none: 'no' }, 'the reason is no sentence'],
])('a cell with %s is wrong', (_, cell, fault) => {
  expect(faultsOfCell(cell, world)).toContain(fault)
})

test('a cell that an alert fills has no reason to have none', () => {
  const filling = {
    alert: 'StakewatchDown',
    proof: 'down.test.yaml',
    fills: { self: { ending: 'self/Instances' } },
  } as const
  expect(faultsOf(tableOf([...fillings, filling]), world)).toEqual([
    'self, ending: names an alert and gives a reason to have none',
  ])
})

test('each incident that fills a cell alone is missed when it does not', () => {
  const alone = cellsOf(table).flatMap(({ name, cell }) =>
    'alerts' in cell && cell.proofs.length === 1 ? { name, proof: cell.proofs[0] } : [],
  )
  expect(alone.length).toBeGreaterThan(80)
  for (const { name, proof } of alone) {
    const faults = faultsOf(tableOf(fillings.filter((one) => one.proof !== proof)), world)
    expect(faults).toContain(`${name}: names no alert and gives no reason`)
  }
})

test.each([
  ['StakewatchIcmStuck', 'stakewatch_icm_abandoned_total'],
  ['StakewatchSubnetChanged', 'stakewatch_subnet_changes_total'],
])('without %s no alert reads %s', (alert, metric) => {
  const reason = `no alert of the table reads ${metric}, and there is no reason`
  expect(faultsOf(tableWithout(alert), without(alert))).toContain(reason)
})

test('a metric that no alert reads needs a reason', () => {
  const snow = { ...world, metrics: [...world.metrics, 'stakewatch_snow'] }
  expect(faultsOf(table, snow)).toEqual(['no alert of the table reads stakewatch_snow, and there is no reason'])
})

test('every excused metric exists, is excused once, and no alert reads it', () => {
  const excused = unread.flatMap(({ metrics }) => metrics)
  const read = readBy([...world.alerts.keys()], world)
  expect(excused.filter((name) => !world.metrics.includes(name))).toEqual([])
  expect(excused.filter((name) => read.has(name))).toEqual([])
  expect(excused.filter((name, at) => excused.indexOf(name) !== at)).toEqual([])
})

test('every alert without a cell exists', () => {
  expect(Object.keys(selfTests).filter((alert) => !world.alerts.has(alert) || alertsIn(table).has(alert))).toEqual([])
})
