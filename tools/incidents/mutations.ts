// What an incident has to notice: each alert left out, and each limit of the rules doubled and halved.

import { groupsOf, rulesYaml } from '../../src/alerts/rules.ts'
import { type Thresholds, thresholds } from '../../src/alerts/thresholds.ts'
import { onlyAlerts } from '../alerts.ts'

export interface Mutation {
  name: string
  /** The alerts that it changes. */
  alerts: ReadonlySet<string>
  /** The file of rules with those alone, and what is recorded. */
  rules: () => string
}

const expressions = (limits: Thresholds = thresholds) =>
  groupsOf({ limits })
    .flatMap((group) => group.rules)
    .map(({ alert, expr }) => [alert, expr] as const)

const FACTORS = { doubled: 2, halved: 0.5 }

function ofLimit(limit: keyof Thresholds): Mutation[] {
  const before = new Map(expressions())
  return Object.entries(FACTORS).map(([how, factor]) => {
    const limits = { ...thresholds, [limit]: thresholds[limit] * factor }
    const changed = expressions(limits).filter(([alert, expr]) => before.get(alert) !== expr)
    const alerts = new Set(changed.map(([alert]) => alert))
    return { name: `${limit} ${how}`, alerts, rules: () => onlyAlerts(rulesYaml({ limits }), alerts) }
  })
}

/** Those that tell somebody: the watchdog fires all the time. */
const told = groupsOf()
  .flatMap((group) => group.rules)
  .filter(({ severity }) => severity !== 'none')
const left = [...new Set(told.map(({ alert }) => alert))].map((alert) => ({
  name: `${alert} left out`,
  alerts: new Set([alert]),
  rules: () => onlyAlerts(rulesYaml(), new Set()),
}))

export const mutations: readonly Mutation[] = [
  ...left,
  ...(Object.keys(thresholds) as (keyof Thresholds)[]).flatMap(ofLimit),
]
