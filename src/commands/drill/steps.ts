// The links of the chain in the order in which a page passes them: how each shows the drill, and what is wrong where it does not.

import { DRILL } from '../../alerts/self.ts'
import { LONGEST_DRILL } from '../../server/drill.ts'
import { formatDuration } from '../../lib/duration.ts'
import { greatest } from '../../lib/statistics.ts'
import { RELOAD } from '../alerts.ts'
import { orNothing } from '../failure.ts'
import { askTarget, shownOf } from '../http-target.ts'
import { samplesOf, withHosts } from '../monitoring/foreign.ts'
import type { SentAlert } from '../monitoring/alertmanager.ts'
import { everyRoute } from '../monitoring/routes.ts'
import { type Before, type Broken, type Chain, type Drill, groupOf, unsentBy } from './chain.ts'
import { notified } from './notified.ts'
import type { ScrapeTarget } from '../monitoring/prometheus.ts'

export interface Step {
  name: string
  /** Milliseconds that it may take. */
  within(): number
  /** What was seen, as a text; undefined while it is not there yet. Broken where waiting is of no use. */
  look(): Promise<string | Broken | undefined>
  /** Why it did not come in time, as far as the programs say. */
  late(): Promise<Broken>
}

/** For requests, and for clocks that are a little apart. */
const SLACK = 10_000
/** The drill itself does not last long enough for rarer scrapes or evaluations. */
const LONGEST_END = 4 * LONGEST_DRILL

export function stepsOf(chain: Chain, before: Before, drill: Drill): readonly Step[] {
  const further = [scraped(chain, before, drill), firing(chain, before, drill), ...delivered(chain, before, drill)]
  return [
    exposed(chain, drill),
    ...further.map((step) => ({ ...step, late: async () => (await lostBy(chain, drill)) ?? step.late() })),
  ]
}

async function isExposed({ http, daemon }: Chain, { began, path }: Drill): Promise<boolean> {
  const samples = samplesOf(await askTarget(http, daemon, { path }))
  return samples.some(({ name, labels }) => name === 'stakewatch_drill' && labels['began'] === began)
}

async function lostBy(chain: Chain, drill: Drill): Promise<Broken | undefined> {
  const isOver = performance.now() >= drill.endsAt
  if (isOver || (await isExposed(chain, drill))) return undefined
  return {
    found: `${shownOf(chain.daemon)} no longer has the drill: it was started again, or another command has ended the drill`,
    fix: 'begin another drill, with the address of one daemon as --url',
  }
}

function exposed(chain: Chain, drill: Drill): Step {
  const { daemon } = chain
  const { path } = drill
  return {
    name: 'exposed',
    within: () => SLACK,
    look: async () => ((await isExposed(chain, drill)) ? `by ${shownOf(daemon)}${path}` : undefined),
    late: async () => ({
      found: `${shownOf(daemon)}${path} has no stakewatch_drill`,
      fix: 'give the address of one daemon as --url, not that of a load balancer',
    }),
  }
}

function scraped(chain: Chain, { scrapeInterval }: Before, { began, path }: Drill): Step {
  return {
    name: 'scraped',
    within: () => 2 * scrapeInterval + SLACK,
    async look() {
      const found = await chain.prometheus.query(`stakewatch_drill{began="${began}"}`)
      return found.length > 0 ? `by Prometheus, every ${formatDuration(scrapeInterval)}` : undefined
    },
    late: async () => notScraped(chain, path),
  }
}

function firing({ prometheus }: Chain, { evaluationInterval }: Before, { began }: Drill): Step {
  return {
    name: 'firing',
    within: () => 2 * evaluationInterval + SLACK,
    async look() {
      if (!groupOf(await prometheus.rules())) return { found: `Prometheus has no rule ${DRILL}`, fix: RELOAD }
      const found = await prometheus.query(`ALERTS{alertname="${DRILL}",alertstate="firing",began="${began}"}`)
      return found.length > 0 ? `Prometheus evaluates the rule every ${formatDuration(evaluationInterval)}` : undefined
    },
    async late() {
      const rule = groupOf(await prometheus.rules())?.rules.find(({ name }) => name === DRILL)
      const why = rule?.lastError ? `cannot be evaluated: ${rule.lastError}` : 'does not fire: it was changed'
      return { found: `the rule ${DRILL} ${why}`, fix: RELOAD }
    },
  }
}

/** What Alertmanager does with it. */
function delivered(chain: Chain, before: Before, drill: Drill): readonly Step[] {
  const isOurs = ({ labels }: SentAlert) => labels['began'] === drill.began
  let [alert, others, isNew]: [SentAlert | undefined, readonly SentAlert[], boolean] = [undefined, [], false]
  let sentAt = 0
  const waits = () =>
    before.managers
      .flatMap(({ configuration }) => everyRoute(configuration.route))
      .filter(({ receiver }) => alert?.receivers.some(({ name }) => name === receiver))
      // What joins a group is reported at the end of its interval.
      .map(({ groupWait, groupInterval }) => (isNew ? groupWait : Math.max(groupWait, groupInterval)))
  return [
    {
      name: 'sent',
      within: () => 2 * before.evaluationInterval + SLACK,
      async look() {
        const receivers = await receiversOf(chain)
        if (receivers?.length === 0 || chain.managers.length === 0) return noAlertmanager
        if (before.managers.length === 0) return unsentSince(chain, before)
        const groups = await groupsOf(before)
        const ours = groups.filter((alerts) => alerts.some(isOurs))
        alert = ours.flat().find(isOurs)
        others = groups.flat().filter((one) => one.fingerprint !== alert?.fingerprint && one.status.state === 'active')
        isNew = !before.wasDrilled && ours.every((alerts) => alerts.length === 1)
        sentAt = performance.now()
        return alert && (suppressed(alert) ?? routed(alert, before))
      },
      late: async () => notSent(chain, before),
    },
    {
      name: 'notified',
      within: () => greatest(waits()) + SLACK,
      async look() {
        const seen = await notified(before, alert!, others)
        // Before the wait of a new group is over, what was sent is about other alerts.
        const isEarly = isNew && performance.now() < sentAt + greatest(waits())
        if (typeof seen !== 'string') return seen
        // The message may be about other alerts.
        return isEarly ? undefined : ((await lostBy(chain, drill)) ?? seen)
      },
      late: async () => ({
        found: 'Alertmanager has not notified every receiver',
        fix: 'look at its log, and whether a time interval mutes the route',
      }),
    },
  ]
}

const noAlertmanager: Broken = {
  found: 'Prometheus has no Alertmanager',
  fix: 'name yours under alerting: alertmanagers: in prometheus.yml',
}

/** The alerts of each group, of each member of a cluster. */
async function groupsOf({ managers }: Before): Promise<readonly (readonly SentAlert[])[]> {
  const all = await Promise.all(managers.map(({ client }) => client.groups()))
  return all.flat().map(({ alerts }) => alerts)
}

function suppressed({ status: { silencedBy, inhibitedBy } }: SentAlert): Broken | undefined {
  if (silencedBy.length > 0) {
    return {
      found: `a silence hides the drill, and would hide a page: ${silencedBy.join(', ')}`,
      fix: 'expire the silence, or wait for its end',
    }
  }
  if (inhibitedBy.length === 0) return undefined
  return {
    found: `an alert that fires inhibits the drill, and would inhibit a page: ${inhibitedBy.join(', ')}`,
    fix: 'look at inhibit_rules of Alertmanager, and at that alert',
  }
}

function routed({ receivers }: SentAlert, { managers }: Before): string | Broken {
  const names = receivers.map(({ name }) => name)
  const addresses = managers.flatMap(({ configuration }) =>
    names.flatMap((name) => configuration.receivers.get(name) ?? []),
  )
  if (addresses.length > 0) return `to Alertmanager, which routes it to ${names.join(' and ')}`
  return {
    found: `Alertmanager routes the drill to ${names.join(' and ')}, which notifies no one`,
    fix: 'give that receiver an address, or route alerts with these labels to another one',
  }
}

/** The Alertmanagers of Prometheus; undefined if it does not say. */
const receiversOf = async ({ prometheus }: Chain) =>
  (await orNothing(prometheus.alertmanagers(), 'unsupported'))?.map(withHosts)

/** Broken if Prometheus says that it could not send alerts since the drill began. */
async function unsentSince(chain: Chain, { unsent }: Before): Promise<Broken | undefined> {
  const now = await unsentBy(chain.prometheus)
  if (unsent === undefined || now === undefined || now <= unsent) return undefined
  return {
    found: `Prometheus cannot send alerts to ${(await receiversOf(chain))?.join(' or ') ?? 'Alertmanager'}`,
    fix: 'start Alertmanager, or correct its address in prometheus.yml; the log of Prometheus has the reason',
  }
}

const UNCOUNTED = 'its page of metrics does not count what it could not send'

async function notSent(chain: Chain, before: Before): Promise<Broken> {
  const unsent = await unsentSince(chain, before)
  if (unsent) return unsent
  const { managers, unreachable } = before
  const isCounted = before.unsent !== undefined
  if (managers.length === 0) {
    const sends = isCounted
      ? 'Prometheus sends the drill,'
      : `whether Prometheus sends the drill is unknown, as ${UNCOUNTED};`
    return {
      found: `${sends} and Alertmanager does not answer here: ${unreachable!.message}`,
      fix: 'give the address that Alertmanager has for this machine as --alertmanager',
    }
  }
  const asked = managers.map(({ client }) => client.shown).join(', ')
  const receivers = await receiversOf(chain)
  const sends = receivers ? `sends to ${receivers.join(', ')}` : 'does not say where it sends alerts'
  return {
    found: `${asked} did not get it, and Prometheus ${sends}${isCounted ? '' : `; ${UNCOUNTED}`}`,
    fix: 'see whether these are the same, alert_relabel_configs drops alerts, or their clocks differ by minutes',
  }
}

/** After the end of the drill. */
export function stepsAfter(chain: Chain, before: Before, { began }: Drill): readonly Step[] {
  const isOurs = ({ labels }: Pick<SentAlert, 'labels'>) => labels['began'] === began
  return [
    {
      name: 'resolved',
      within: () => Math.min(2 * (before.scrapeInterval + before.evaluationInterval), LONGEST_END) + SLACK,
      async look() {
        const firing = await chain.prometheus.query(`ALERTS{alertname="${DRILL}",began="${began}"}`)
        const left = (await groupsOf(before)).flat().filter(isOurs)
        return firing.length + left.length === 0 ? 'at Prometheus and Alertmanager' : undefined
      },
      late: async () => ({
        found: `${DRILL} still fires though the drill has ended`,
        fix: `see whether the loaded rule has keep_firing_for; if so: ${RELOAD}`,
      }),
    },
  ]
}

/** Replicas often start in the same second; the time of loading has milliseconds. */
const IDENTITY = ['process_start_time_seconds', 'stakewatch_config_last_reload_success_timestamp_seconds']

/** Why Prometheus does not have the series of a drill. */
async function notScraped(chain: Chain, path: string): Promise<Broken> {
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
