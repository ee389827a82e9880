// Whether Prometheus scrapes each stakewatch, often enough, and keeps all of its series and labels.

import { listed } from '../../../lib/figures.ts'
import { conditionMetrics } from '../../../self/judge-metrics.ts'
import { formatDuration } from '../../../lib/duration.ts'
import { greatest } from '../../../lib/statistics.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { Series } from '../../../metrics/read-exposition.ts'
import { withHosts } from '../../monitoring/foreign.ts'
import type { PrometheusConfig, Relabelling, ScrapeTarget } from '../../monitoring/prometheus.ts'
import { bad, check, fact, failed, note, ok, unlessOk, warning } from '../check.ts'
import { daemons, instances, prometheusConfig, ruleGroups, scrapedOf, targetOf, targets, targetsOf } from '../facts.ts'
import { jobOf } from './prometheus-rules.ts'

const kept = fact('prometheus', (prometheus) => prometheus.query('scrape_samples_post_metric_relabeling'))
const scraped = fact('prometheus', (prometheus) => prometheus.query('scrape_samples_scraped'))
/** One series of each metric. Those that a changed configuration no longer lets through are found for another five minutes. */
const examples = fact('prometheus', async (prometheus) => {
  const intervals = (await prometheus.targets()).map(({ scrapeInterval = 0 }) => scrapeInterval)
  const range = formatDuration(2 * greatest(intervals, 1_000))
  return prometheus.query(`topk by (__name__) (1, last_over_time({__name__=~"stakewatch_.+"}[${range}]))`)
})

/** Series are gone five minutes after their last sample: one scrape may fail (milliseconds). */
const LONGEST_INTERVAL = 150_000
/** Alerts are late by an interval. */
const GOOD_INTERVAL = 60_000

export const prometheusScrapes = [
  check({
    name: 'prometheus/targets',
    why: 'No alert about what an instance watches can fire while Prometheus has no series of it.',
    needs: { targets, instances, ruleGroups },
    judge({ targets, instances, ruleGroups }) {
      const ours = namedOf(targets, instances, jobOf(ruleGroups))
      const known = targetsOf(instances)
      return unlessOk(
        ours.flatMap((target) => healthOf(target, known)),
        `${ours.length === 1 ? '1 instance is' : `${ours.length} instances are`} up`,
      )
    },
  }),
  check({
    name: 'prometheus/interval',
    why: 'Series disappear between scrapes that are far apart, and alerts fire late.',
    needs: { targets, instances, ruleGroups },
    judge({ targets, instances, ruleGroups }) {
      const jobs = Map.groupBy(namedOf(targets, instances, jobOf(ruleGroups)), ({ scrapePool }) => scrapePool)
      return [...jobs].flatMap(([job, [target]]) => {
        const { scrapeInterval: interval } = target!
        if (interval === undefined) return []
        const found = `the job ${job} is scraped every ${formatDuration(interval)}`
        if (interval <= GOOD_INTERVAL) return ok(found)
        const level = interval > LONGEST_INTERVAL ? 'failed' : 'warning'
        return bad(level, found, `set scrape_interval: 30s in the job ${job}`)
      })
    },
  }),
  check({
    name: 'prometheus/sample-limit',
    why: 'A scrape with more samples than the limit is dropped as a whole.',
    needs: { targets, instances, kept, config: prometheusConfig },
    judge({ targets, instances, kept, config }) {
      const limits = new Map(config.scrape_configs.map((job) => [job.job_name, job.sample_limit]))
      const counts = valuesOf(kept)
      return scrapedOf(targets, instances).flatMap(({ labels, scrapePool }) => {
        const limit = limits.get(scrapePool) ?? 0
        const samples = counts.get(targetOf(labels))
        if (limit === 0 || samples === undefined) return []
        const found = `the job ${scrapePool} allows ${limit} samples, and ${labels['instance']} has ${samples}`
        if (samples <= 0.8 * limit) return ok(found)
        return warning(found, `set sample_limit: ${roomFor(samples)} in the job ${scrapePool}, or remove it`)
      })
    },
  }),
  check({
    name: 'prometheus/series',
    why: 'Alerts and dashboards read series that Prometheus drops.',
    needs: { targets, instances, kept, scraped, config: prometheusConfig },
    judge({ targets, instances, kept, scraped, config }) {
      const [before, after] = [valuesOf(scraped), valuesOf(kept)]
      const results = scrapedOf(targets, instances).flatMap(({ labels, scrapePool }) => {
        const dropped = (before.get(targetOf(labels)) ?? 0) - (after.get(targetOf(labels)) ?? 0)
        if (dropped <= 0) return []
        const found = `Prometheus drops ${dropped} series of ${labels['instance']}`
        return failed(found, withoutRule(config, scrapePool, ['drop', 'keep', 'dropequal', 'keepequal']))
      })
      return unlessOk(results, 'Prometheus keeps all series')
    },
  }),
  check({
    name: 'prometheus/labels',
    why: 'Rules and dashboards join and filter series by these labels.',
    needs: { daemons, examples, targets, instances, config: prometheusConfig },
    judge({ daemons, examples, targets, instances, config }) {
      const served = Map.groupBy(
        daemons.flatMap((one) => ('samples' in one ? one.samples : [])),
        ({ name }) => name,
      )
      const [target] = scrapedOf(targets, instances)
      if (served.size === 0 || !target) return []
      const names = new Set([...served.values()].flat().flatMap(({ labels }) => Object.keys(labels)))
      const { honor_labels } = jobIn(config, target.scrapePool) ?? {}
      const hidden = honor_labels ? [] : Object.keys(target.labels).filter((name) => names.has(name))
      const dropped = examples.flatMap(({ labels }) => {
        const name = labels['__name__'] ?? ''
        return varying.has(name) ? [] : lacks(labels, served.get(name) ?? [])
      })
      const job = target.scrapePool
      return unlessOk(
        [
          ...hidden.flatMap((name) =>
            failed(
              `a label ${name} of the target replaces the label ${name} of its series`,
              `rename the label ${name} that the job ${job} gives its targets`,
            ),
          ),
          ...(dropped.length === 0
            ? []
            : failed(
                `Prometheus drops the ${new Set(dropped).size === 1 ? 'label' : 'labels'} ${listed([...new Set(dropped)])}`,
                withoutRule(config, job, ['labeldrop', 'labelkeep', 'replace']),
              )),
        ],
        'Prometheus keeps all labels',
      )
    },
  }),
  check({
    name: 'prometheus/replicas',
    why: 'Each series that arrives twice makes another alert, and joins of rules fail.',
    needs: { instances, targets },
    judge({ instances }) {
      const twice = [...Map.groupBy(instances, ({ job, instance }) => `${instance} (job ${job})`)].filter(
        ([, some]) => some.length > 1,
      )
      return unlessOk(
        twice.flatMap(([name, some]) => {
          const differing = [...new Set(some.flatMap((one) => Object.keys(one)))].filter(
            (label) => new Set(some.map((one) => one[label])).size > 1,
          )
          const labels = listed(differing)
          return warning(
            `Prometheus has ${some.length} copies of ${name}, which differ in ${labels}`,
            `scrape it once; for copies of replicas of Prometheus, let the server remove ${labels} (Thanos: --query.replica-label)`,
          )
        }),
        'each instance is there once',
      )
    },
  }),
]

/** Each of their series has the labels of its own object: one that has ended may have had others than those that are served now. */
const varying: ReadonlySet<string> = new Set(conditionMetrics.map(({ name }) => name))

/** Labels that every series of the metric has where it is served, and this one has not. */
function lacks(labels: Labels, served: readonly Series[]): string[] {
  const absent = served.map((one) => Object.keys(one.labels).filter((name) => labels[name] === undefined))
  return absent.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** Also those that are down, by the name of their job. */
function namedOf(targets: readonly ScrapeTarget[], instances: readonly Labels[], job: string) {
  const known = targetsOf(instances)
  return targets.filter(({ labels }) => labels['job'] === job || known.has(targetOf(labels)))
}

/** Counts of samples by target; what is no count is unknown. */
const valuesOf = (series: readonly { labels: Labels; value: number }[]): ReadonlyMap<string, number> =>
  new Map(
    series
      .filter(({ value }) => Number.isSafeInteger(value) && value >= 0)
      .map(({ labels, value }) => [targetOf(labels), value] as const)
      .toReversed(),
  )

/** Twice the samples, rounded up to two digits: networks grow. */
function roomFor(samples: number): number {
  const unit = 10 ** (Math.floor(Math.log10(2 * samples)) - 1)
  return Math.ceil((2 * samples) / unit) * unit
}

const jobIn = ({ scrape_configs }: PrometheusConfig, job: string) =>
  scrape_configs.find(({ job_name }) => job_name === job)

function withoutRule(config: PrometheusConfig, job: string, actions: readonly string[]): string {
  const rules = jobIn(config, job)?.metric_relabel_configs ?? []
  const some = rules.filter(({ action }) => actions.includes(action)).map(shownOf)
  return `remove from metric_relabel_configs of the job ${job}: ${some.join('; ') || 'the rule that does it'}`
}

export function shownOf({ action, source_labels, regex, target_label }: Relabelling): string {
  const from = source_labels.length > 0 ? ` source_labels [${source_labels.join(', ')}]` : ''
  return `action ${action}${from} regex ${regex}${target_label === undefined ? '' : ` target_label ${target_label}`}`
}

function healthOf({ labels, health, lastError, scrapeUrl, scrapePool }: ScrapeTarget, known: ReadonlySet<string>) {
  const { instance = '' } = labels
  if (health === 'unknown') {
    return note(`${instance} has not been scraped yet`, 'run doctor again after a scrape')
  }
  if (health === 'down') return failed(`${instance} is down: ${lastError}`, repair(lastError, scrapePool, scrapeUrl))
  if (known.has(targetOf(labels))) return []
  return failed(
    `${instance} answers, and has no series of stakewatch`,
    `give the job ${scrapePool} the port of stakewatch, or remove the rule that drops its series`,
  )
}

const repairs: readonly (readonly [error: RegExp, fix: (job: string) => string])[] = [
  [/sample.limit/, (job) => `raise sample_limit of the job ${job}, or remove it`],
  [
    /label_(?:value_length_|name_length_)?limit/,
    (job) => `remove label_limit and label_value_length_limit from the job ${job}`,
  ],
  [/body.size/, (job) => `raise body_size_limit of the job ${job}, or remove it`],
  [/refused|no such host|unreachable/, (job) => `start stakewatch there, or correct the address in the job ${job}`],
  [/deadline exceeded|timeout/i, (job) => `raise scrape_timeout of the job ${job}`],
  [/HTTP status 40[13]\b/, (job) => `give the job ${job} the user and password of stakewatch (basic_auth)`],
  [/HTTP status 404\b/, (job) => `correct metrics_path of the job ${job}`],
  [/certificate|x509|tls|HTTP response to HTTPS/i, (job) => `correct scheme and tls_config of the job ${job}`],
]

function repair(error: string, job: string, url: string): string {
  const [, fix] = repairs.find(([pattern]) => pattern.test(error)) ?? []
  return fix?.(job) ?? `open the metrics of ${withHosts(url)} on the machine of Prometheus`
}
