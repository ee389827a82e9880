// What an incident has to notice: each alert left out. Limits are the judge's; tools/sabotage.ts changes them.

import { groupsOf, rulesYaml } from '../../src/alerts/rules.ts'
import { onlyAlerts } from '../alerts.ts'

export interface Mutation {
  name: string
  /** The alerts that it changes. */
  alerts: ReadonlySet<string>
  /** The file of rules with those alone. */
  rules: () => string
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

export const mutations: readonly Mutation[] = left
