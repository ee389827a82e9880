// What an incident has to notice: each alert left out, and each limit of the rules doubled and halved.

import { recorded } from '../../src/alerts/recorded.ts'
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

/** What each alert and each recorded series follows from, by its name. */
const expressions = (limits: Thresholds = thresholds) => ({
  recorded: recorded(limits).map(({ record, expr }) => [record, expr] as const),
  alerts: groupsOf({ limits })
    .flatMap((group) => group.rules)
    .map(({ alert, expr }) => [alert, expr] as const),
})

/** Those that another limit changes, by themselves or by what is recorded: each reads only what is recorded before it. */
function changedBy(limits: Thresholds): ReadonlySet<string> {
  const [before, after] = [expressions(), expressions(limits)]
  const previous = new Map([...before.recorded, ...before.alerts])
  const series: string[] = []
  const isChanged = ([name, expr]: readonly [string, string]) =>
    previous.get(name) !== expr || series.some((record) => expr.includes(record))
  for (const one of after.recorded) if (isChanged(one)) series.push(one[0])
  return new Set(after.alerts.filter(isChanged).map(([alert]) => alert))
}

const FACTORS = { doubled: 2, halved: 0.5 }

function ofLimit(limit: keyof Thresholds): Mutation[] {
  return Object.entries(FACTORS).map(([how, factor]) => {
    const limits = { ...thresholds, [limit]: thresholds[limit] * factor }
    const alerts = changedBy(limits)
    return { name: `${limit} ${how}`, alerts, rules: () => onlyAlerts(rulesYaml({ limits }), alerts) }
  })
}

/** Those that notify: the watchdog fires all the time. */
const notifying = groupsOf()
  .flatMap((group) => group.rules)
  .filter(({ severity }) => severity !== 'none')
const left = [...new Set(notifying.map(({ alert }) => alert))].map((alert) => ({
  name: `${alert} left out`,
  alerts: new Set([alert]),
  rules: () => onlyAlerts(rulesYaml(), new Set()),
}))

export const mutations: readonly Mutation[] = [
  ...left,
  ...(Object.keys(thresholds) as (keyof Thresholds)[]).flatMap(ofLimit),
]
