// What an incident has to notice: each alert left out, and each limit of the rules doubled and halved.

import { parse, stringify } from 'yaml'
import { groupsOf, rulesYaml } from '../../src/alerts/rules.ts'
import { type Thresholds, thresholds } from '../../src/alerts/thresholds.ts'

export interface Mutation {
  name: string
  /** The alerts that it changes. */
  alerts: ReadonlySet<string>
  /** The file of rules with those alone, and what is recorded. */
  rules: string
}

const expressions = (limits: Thresholds = thresholds) =>
  groupsOf({ limits })
    .flatMap((group) => group.rules)
    .map(({ alert, expr }) => [alert, expr] as const)

/** The file of rules with these alerts alone. */
function fileOf(alerts: ReadonlySet<string>, limits: Thresholds = thresholds): string {
  const { groups } = parse(rulesYaml({ limits })) as { groups: { name: string; rules: { alert?: string }[] }[] }
  const isLeft = ({ alert }: { alert?: string }) => alert === undefined || alerts.has(alert)
  return stringify({ groups: groups.map(({ name, rules }) => ({ name, rules: rules.filter(isLeft) })) })
}

const FACTORS = { doubled: 2, halved: 0.5 }

function ofLimit(limit: keyof Thresholds): Mutation[] {
  const before = new Map(expressions())
  return Object.entries(FACTORS).map(([how, factor]) => {
    const limits = { ...thresholds, [limit]: thresholds[limit] * factor }
    const changed = expressions(limits).filter(([alert, expr]) => before.get(alert) !== expr)
    const alerts = new Set(changed.map(([alert]) => alert))
    return { name: `${limit} ${how}`, alerts, rules: fileOf(alerts, limits) }
  })
}

const left = [...new Map(expressions()).keys()].map((alert) => ({
  name: `${alert} left out`,
  alerts: new Set([alert]),
  rules: fileOf(new Set()),
}))

export const mutations: readonly Mutation[] = [
  ...left,
  ...(Object.keys(thresholds) as (keyof Thresholds)[]).flatMap(ofLimit),
]
