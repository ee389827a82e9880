// Each alert links to a panel that exists, on a dashboard with the variables that the link sets, and that shows what the rule reads.

import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dashboards } from '../../dashboards/src/all.ts'
import { DASHBOARDS } from '../../src/alerts/links.ts'
import { groupsOf, rulesYaml } from '../../src/alerts/rules.ts'
import { variablesOf } from '../dashboards/lint.ts'

interface Written {
  groups: { name: string; rules: { alert?: string; expr: string; annotations: { dashboard_url: string } }[] }[]
}

const rules = (parse(rulesYaml()) as Written).groups
  .flatMap((group) => group.rules)
  .filter((rule) => rule.alert !== undefined)
const byUid = new Map(Object.values(dashboards).map((dashboard) => [dashboard.uid, dashboard]))

const uidOf = (link: string) => /\/d\/([\w-]+)/.exec(link)![1]!
/** What the conditions judge that the rules read. */
const reads = new Map(
  groupsOf().flatMap((group) =>
    group.rules.flatMap(({ alert, reads: metrics }) => (metrics ? [[alert, new Set(metrics)] as const] : [])),
  ),
)
const metricsIn = (text: string) => new Set(text.match(/stakewatch_\w+/g))

test('every rule has a link', () => {
  expect(rules.map(({ alert }) => alert)).toEqual(groupsOf().flatMap((group) => group.rules.map(({ alert }) => alert)))
  for (const { annotations } of rules)
    expect(annotations.dashboard_url.startsWith(`${DASHBOARDS}d/stakewatch-`)).toBe(true)
})

describe.each(rules)('$alert', ({ alert, expr, annotations: { dashboard_url: link } }) => {
  test('links to a dashboard that has the variables', () => {
    const dashboard = byUid.get(uidOf(link))
    expect(dashboard).toBeDefined()
    const given = [...link.matchAll(/[?&]var-(\w+)=\{\{ \. \| urlquery \}\}/g)].map(([, name]) => name)
    expect(given[0]).toBe('network')
    expect(variablesOf(dashboard!).map(({ name }) => name)).toEqual(expect.arrayContaining(given))
  })

  test('links to a panel that shows a metric of the rule', () => {
    const panels = byUid.get(uidOf(link))!.panels.flatMap((one) => ('panels' in one ? [one, ...one.panels] : [one]))
    const panel = panels.find(({ id }) => id === Number(/[?]viewPanel=(\d+)/.exec(link)?.[1]))
    expect(panel).toBeDefined()
    const read = reads.get(alert!) ?? metricsIn(expr)
    // StakewatchDown reads `up`, and the watchdog reads nothing.
    if (read.size === 0) return
    expect([...metricsIn(JSON.stringify(panel))].filter((metric) => read.has(metric))).not.toEqual([])
  })
})

// Without a validator this page shows another one.
test.each(groupsOf().flatMap(({ rules: all }) => all.filter(({ panel }) => panel.startsWith('validator: '))))(
  '$alert, which links to a single validator, names it',
  ({ description }) => {
    expect(description).toContain('$labels.validator')
  },
)
