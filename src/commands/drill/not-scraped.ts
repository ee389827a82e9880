// Why Prometheus does not have the series of a drill.

import { askTarget, shownOf } from '../http-target.ts'
import { samplesOf, withHosts } from '../monitoring/foreign.ts'
import type { ScrapeTarget } from '../monitoring/prometheus.ts'
import type { Broken, Chain } from './chain.ts'

/** Replicas often start in the same second; the time of loading has milliseconds. */
const IDENTITY = ['process_start_time_seconds', 'stakewatch_config_last_reload_success_timestamp_seconds']

export async function notScraped(chain: Chain, path: string): Promise<Broken> {
  const [instances, targets, identity] = await Promise.all([
    chain.prometheus.query('stakewatch_build_info'),
    chain.prometheus.targets(),
    identityOf(chain, path),
  ])
  // Addresses can differ, as with a proxy: the same daemon has the same times.
  const [same] = await chain.prometheus.query(`stakewatch_build_info ${identity}`)
  const instance = same?.labels['instance']
  const target = targets.find(({ labels }) => labels['instance'] === instance && labels['job'] === same?.labels['job'])
  if (same && target?.health !== 'down') {
    return {
      found: `Prometheus scrapes ${instance}, and drops stakewatch_drill or changes its labels`,
      fix: `look at metric_relabel_configs and params of the scrape job ${same.labels['job']}`,
    }
  }
  const down = target ?? targets.find((one) => one.health === 'down' && isAt(one, chain.daemon.url))
  if (down)
    return {
      found: `Prometheus cannot scrape ${withHosts(down.scrapeUrl)}: ${down.lastError}`,
      fix: 'see its page Targets',
    }
  const others = instances.map(({ labels }) => labels['instance']).join(', ')
  return {
    found: `Prometheus does not scrape ${shownOf(chain.daemon)}${others === '' ? '' : `, only ${others}`}`,
    fix: 'add its address to a scrape job, or give the --url of a daemon that is scraped',
  }
}

/** As conditions of PromQL. */
async function identityOf({ http, daemon }: Chain, path: string): Promise<string> {
  const samples = samplesOf(await askTarget(http, daemon, { path }))
  const valueOf = (metric: string) => samples.find(({ name }) => name === metric)?.value ?? 0
  return IDENTITY.map((metric) => `and on (job, instance) ${metric} == ${valueOf(metric)}`).join(' ')
}

const isAt = ({ scrapeUrl }: ScrapeTarget, url: string) => URL.parse(scrapeUrl)?.port === URL.parse(url)?.port
