// Plays incidents as two replicas of stakewatch report them, to which an operator gives labels of his own: every rule must
// evaluate, and each alert must fire once, in the same minutes as with one.

import { conditionGroups } from '../../src/conditions/index.ts'
import { self } from '../../src/alerts/self.ts'
import { JOB } from '../../src/alerts/groups.ts'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { alertsOf, type Fired } from './alerts.ts'
import type { Played } from './play.ts'
import { isPlayed } from './read.ts'
import { keyOf } from './page-rows.ts'

/** What Prometheus adds to the series of each of them. */
const REPLICAS = [
  { suffix: '', labels: 'dc="north",replica="0"' },
  { suffix: '-south', labels: 'dc="south",replica="1"' },
]
const ADDED = ['instance', 'dc', 'replica']

/** Alerts of each instance, which two instances fire twice. */
const ofInstances = new Set([...self(thresholds, JOB), ...conditionGroups['self']!].map(({ alert }) => alert))

/** The same series twice. */
function doubled({ series, ...played }: Played): Played {
  const both = REPLICAS.flatMap(({ suffix, labels }) =>
    [...series].map(([key, values]) => {
      const named = key.replace(/instance="([^":]+)(:\d+)?"/, (_, host: string, port = '') => {
        return `instance="${host}${suffix}${port}",${labels}`
      })
      return [named, values] as const
    }),
  )
  return { ...played, series: new Map(both) }
}

/** The times at which each alert fires. Those of instances count once, whichever instance they are of. */
function timesOf(fired: readonly Fired[]): readonly string[] {
  const keys = fired
    .filter(({ alert }) => isPlayed(alert))
    .map(({ alert, labels, from, until }) => {
      const kept = Object.entries(labels).filter(([name]) => !(ofInstances.has(alert) && ADDED.includes(name)))
      return `${keyOf(alert, Object.fromEntries(kept))} in minutes ${from} to ${until}`
    })
  return keys.filter((key, at) => !ofInstances.has(key.split(' ', 1)[0]!) || keys.indexOf(key) === at)
}

/** How the alerts of two replicas differ from those of one. Throws when a rule cannot be evaluated. */
export async function replicaDifferences(one: Played, rules = rulesYaml()): Promise<string[]> {
  const [single, both] = [timesOf(await alertsOf(one, rules)), timesOf(await alertsOf(doubled(one), rules))]
  const left = single.filter((key) => key.includes('"instance"') && !ofInstances.has(key.split(' ', 1)[0]!))
  return [
    ...left.map((key) => `of one instance, though it is not about instances: ${key}`),
    ...single.filter((key) => !both.includes(key)).map((key) => `two replicas miss ${key}`),
    ...both.filter((key) => !single.includes(key)).map((key) => `two replicas fire ${key}`),
    ...both.filter((key, at) => both.indexOf(key) !== at).map((key) => `two replicas fire twice ${key}`),
  ]
}
