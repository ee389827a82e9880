// Plays incidents as two replicas of stakewatch report them, to which an operator gives labels of his own: every rule must
// evaluate, and each alert must fire once, in the same minutes as with one. Also when one of the two stops once the first alert
// fires: the other one still sees how it ends.

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

/** The southern one answers until the first alert fires about what it watches. */
function halfStopped(both: Played, fired: readonly Fired[]): Played {
  const first = fired
    .filter(({ alert }) => isPlayed(alert) && !ofInstances.has(alert))
    .toSorted((a, b) => a.from - b.from)[0]
  const stopsAt = first ? first.from / both.sampleMinutes + 1 : 0
  const stopped = [...both.series].map(([key, values]) => {
    if (!key.includes(REPLICAS[1]!.labels)) return [key, values] as const
    return [key, values.map((value, at) => (at < stopsAt ? value : key.startsWith('up{') ? 0 : undefined))] as const
  })
  return { ...both, series: new Map(stopped) }
}

/** The times at which each alert fires. Those of instances count once, whichever instance they are of. */
function timesOf(fired: readonly Fired[]): readonly string[] {
  const keys = fired
    .filter(({ alert }) => isPlayed(alert))
    .map(({ alert, labels, from, until }) => {
      const kept = Object.entries(labels).filter(([name]) => !(ofInstances.has(alert) && ADDED.includes(name)))
      return `${keyOf(alert, Object.fromEntries(kept))} in minutes ${from} to ${until}`
    })
  return keys.filter((key, at) => !isOfInstances(key) || keys.indexOf(key) === at)
}

/** How the alerts of two replicas differ from those of one. Throws when a rule cannot be evaluated. */
export async function replicaDifferences(one: Played, rules = rulesYaml()): Promise<string[]> {
  const [alone, two] = [await alertsOf(one, rules), doubled(one)]
  const [single, both] = [timesOf(alone), timesOf(await alertsOf(two, rules))]
  const half = timesOf(await alertsOf(halfStopped(two, alone), rules)).filter((key) => !isOfInstances(key))
  const left = single.filter((key) => key.includes('"instance"') && !isOfInstances(key))
  return [
    ...left.map((key) => `of one instance, though it is not about instances: ${key}`),
    ...differences(single, both, 'two replicas'),
    ...both.filter((key, at) => both.indexOf(key) !== at).map((key) => `two replicas fire twice ${key}`),
    ...differences(
      single.filter((key) => !isOfInstances(key)),
      half,
      'two replicas of which one stops',
    ),
  ]
}

const isOfInstances = (key: string) => ofInstances.has(key.split(' ', 1)[0]!)

const differences = (single: readonly string[], seen: readonly string[], who: string) => [
  ...single.filter((key) => !seen.includes(key)).map((key) => `${who} miss ${key}`),
  ...seen.filter((key) => !single.includes(key)).map((key) => `${who} fire ${key}`),
]
