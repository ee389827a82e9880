// What several checks need to know.

import { BaseError } from '../../errors.ts'
import type { Labels } from '../../lib/label-text.ts'
import type { Series } from '../../metrics/read-exposition.ts'
import type { Daemon, Ready } from '../monitoring/daemon.ts'
import type { Prometheus, ScrapeTarget } from '../monitoring/prometheus.ts'
import { orNothing } from '../failure.ts'
import { fact } from './check.ts'

/** Of each daemon what it answers, or why it does not. */
export type Seen = { daemon: Daemon } & ({ ready: Ready; samples: readonly Series[] } | { error: BaseError })

export const daemons = fact('daemon', (all) =>
  Promise.all(
    all.map(async (daemon): Promise<Seen> => {
      try {
        const [ready, samples] = await Promise.all([daemon.ready(), daemon.samples()])
        return { daemon, ready, samples }
      } catch (error) {
        if (error instanceof BaseError) return { daemon, error }
        throw error
      }
    }),
  ),
)

/** vmalert has rules, and answers no query. */
export const answers = (prometheus: Prometheus) =>
  prometheus.time().catch(async (error: BaseError) => {
    if (error.code !== 'unsupported') throw error
    await prometheus.rules().catch(() => Promise.reject(error))
  })

export const targets = fact('prometheus', (prometheus) => prometheus.targets())
export const ruleGroups = fact('prometheus', (prometheus) => prometheus.rules())
export const prometheusConfig = fact('prometheus', (prometheus) => prometheus.config())
export const prometheusFlags = fact('prometheus', (prometheus) => prometheus.flags())

export const sentAlerts = fact('alertmanager', (alertmanager) => alertmanager.alerts())

/** Labels of the instances of stakewatch whose series Prometheus has. */
export const instances = fact('prometheus', instancesIn)

/** Without those whose target is gone: a query finds their series for another five minutes. */
async function instancesIn(prometheus: Prometheus): Promise<readonly Labels[]> {
  const series = await prometheus.query('stakewatch_build_info')
  // Servers behind which Prometheus scrapes have no targets.
  const scraped = await orNothing(prometheus.targets(), 'unsupported')
  const all = series.map(({ labels }) => labels)
  if (!scraped) return all
  // Relabelling may add labels. Where it does not, series with other labels than the target are of an earlier target.
  const isExact = (one: Labels, target: Labels) =>
    Object.keys(one).every((name) => OWN.has(name) || one[name] === target[name])
  const targets = Map.groupBy(scraped, ({ labels }) => targetOf(labels))
  const exact = new Set(all.filter((one) => targets.get(targetOf(one))?.some(({ labels }) => isExact(one, labels))))
  const withExact = targetsOf([...exact])
  return all.filter((one) => exact.has(one) || (targets.has(targetOf(one)) && !withExact.has(targetOf(one))))
}

const OWN = new Set(['__name__', 'version', 'node_version'])
/** The same text for series of the same target. */
export const targetOf = ({ job, instance }: Labels) => JSON.stringify([job, instance])
/** There may be as many as an answer has room for: each is looked up. */
export const targetsOf = (all: readonly Labels[]): ReadonlySet<string> => new Set(all.map(targetOf))

/** The targets of which Prometheus has series of stakewatch. */
export function scrapedOf(targets: readonly ScrapeTarget[], instances: readonly Labels[]): ScrapeTarget[] {
  const known = targetsOf(instances)
  return targets.filter(({ labels }) => known.has(targetOf(labels)))
}
