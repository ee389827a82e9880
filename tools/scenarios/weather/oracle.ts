// Judges a scrape by the record of what upstreams answered and the history of what was true.

import type { Judge, Violation } from '../runner.ts'
import { type Exposition, readExposition, type Series } from './exposition.ts'
import type { History, Answers } from './history.ts'
import { judged, keyOf } from './truth.ts'

/** A collector as the configuration has it, by what its documentation says. Times in milliseconds. */
export interface Polled {
  name: string
  /** Metrics that it publishes. */
  metrics: ReadonlySet<string>
  operations: readonly { name: string; service: string }[]
  every: number
  ttl: number
  /** The age that it accepts of an answer. */
  maxAge: number
  /** Whether its counters outlive the process. */
  isStored: boolean
}

export interface Watched {
  network: string
  /** `healthy` is never touched; `honest` is broken, but what looks like an answer is the truth; `lying` is not. */
  role: 'healthy' | 'honest' | 'lying'
  /** Names of its sources by service. */
  sources: Readonly<Record<string, readonly string[]>>
  /** Units a minute of its data service. */
  granted: number
}

/** What the daemon serves. */
export interface Seen {
  text: string
  /** Statuses of the pages of its life. */
  ready: number
  healthy: number
}

export interface OracleOptions {
  networks: readonly Watched[]
  collectors: readonly Polled[]
  record: Answers
  history: History
}

/** However seldom an upstream is asked, nothing lives longer (milliseconds). */
const LONGEST = 3_600_000
/** Time from the start, or from a disturbance, until the data of a healthy upstream must be there. */
const SOON = 90_000
/** What a fact may take from an upstream into a scrape, over all that is configured. */
const SLACK = 30_000
/** A little less than a minute: what waits on the way arrives closer together than it was sent. */
const MINUTE = 55_000

/**
 * That a node does not answer is known without an answer, and so are the states that it is then not in, and what was counted
 * of it. What is left needs one: that it runs, starts or bootstraps.
 */
const isOfSilence = ({ name, labels, value }: Series) =>
  ['stakewatch_node_state_since_timestamp_seconds', 'stakewatch_node_restarts_total'].includes(name) ||
  (name === 'stakewatch_node_state' && (value === 0 || labels['state'] === 'not_answering'))

export function createOracle({ networks, collectors, record, history }: OracleOptions) {
  const byNetwork = new Map(networks.map((one) => [one.network, one]))
  const byMetric = new Map(collectors.flatMap((one) => [...one.metrics].map((metric) => [metric, one] as const)))
  const byName = new Map(collectors.map((one) => [one.name, one]))
  /** The highest that was scraped. */
  const counted = new Map<string, number>()
  /** Times to live that were published of a network's collector and may still hold, the longest and oldest first. */
  const published = new Map<string, { ttl: number; at: number }[]>()
  /** Since when neither the process nor its clock was disturbed. */
  let calmSince = 0

  const collectorOf = ({ base, name }: Series) => byMetric.get(base) ?? byMetric.get(name)

  /**
   * An upstream whose budget is used up is asked less often, and what comes of it may live longer: the daemon says how
   * long. A healthy one is never so.
   */
  function noteTimesToLive(series: Iterable<Series>, now: number): void {
    for (const { name, labels, value } of series) {
      if (name !== 'stakewatch_collector_ttl_seconds') continue
      const key = `${labels['network']} ${labels['collector']}`
      const { maxAge = 0 } = byName.get(labels['collector'] ?? '') ?? {}
      const ttl = Math.min(value * 1_000, LONGEST)
      // What was published then lives on, however short the time to live is by now.
      const longer = (published.get(key) ?? []).filter(
        (one) => one.ttl > ttl && now - one.at <= one.ttl + maxAge + SLACK,
      )
      published.set(key, [...longer, { ttl, at: now }])
    }
  }

  function livesFor({ network, role }: Watched, { name, ttl, maxAge }: Polled): number {
    const said = role === 'healthy' ? 0 : (published.get(`${network} ${name}`)?.[0]?.ttl ?? 0)
    return Math.max(ttl, said) + maxAge + SLACK
  }

  const calm = (network: string, now: number) => now - Math.max(calmSince, record.lastTrouble(network))
  const namesOf = ({ operations }: Polled) => operations.map(({ name }) => name)

  function old(one: Series, network: Watched, now: number): Violation[] {
    const collector = collectorOf(one)
    if (isOfSilence(one) || !collector) return []
    const { source = '' } = one.labels
    const sources = collector.operations.flatMap(({ service }) => {
      const all = network.sources[service] ?? []
      // An opinion is that of one source; the others only help.
      return all.includes(source) ? [source] : all
    })
    const age = now - record.lastAnswer(network.network, sources, namesOf(collector))
    if (age <= livesFor(network, collector)) return []
    return [violation('old', one, `is there ${seconds(age)} after the last answer that it can come from`)]
  }

  function untrue(one: Series, network: Watched, now: number): Violation[] {
    const key = keyOf(one)
    if (key === undefined) return []
    const { collector: owner, grows } = judged[one.name]!
    const collector = byName.get(owner)!
    const lives = livesFor(network, collector)
    // What was believed of a lie may stay for as long as anything stays, and come from an answer that was shared.
    const lied = record.lastLie(network.network, namesOf(collector))
    if (network.role === 'lying' && now - lied < 3 * lives) return []
    if (!history.held(key, one.value, now - lives, grows)) {
      const held = history.values(key, now - lives).join(', ')
      return [violation('untrue', one, `is ${one.value}; the network had ${held || 'nothing'}`)]
    }
    const onTime = 2 * collector.every + SOON + SLACK
    const isLate =
      network.role === 'healthy' &&
      calm(network.network, now) > onTime &&
      !history.held(key, one.value, now - onTime - collector.maxAge, grows)
    return isLate ? [violation('late', one, `is ${one.value}, as it was more than ${seconds(onTime)} ago`)] : []
  }

  function missing(series: readonly Series[], now: number): Violation[] {
    return networks.flatMap(({ network, role }) => {
      if (role !== 'healthy') return []
      const there = new Set(series.flatMap((one) => (one.labels['network'] === network ? (keyOf(one) ?? []) : [])))
      return [...history.keys()].flatMap((key): Violation[] => {
        const { every } = byName.get(judged[key.split('|')[0]!]!.collector)!
        const patience = Math.max(SOON, every + SOON / 2) + SLACK
        if (calm(network, now) < patience || there.has(key) || !history.wasThere(key, now - patience)) return []
        return [{ rule: 'missing', subject: `${network} ${key}`, says: 'is not there, though its upstreams answer' }]
      })
    })
  }

  /**
   * A counter that repeats a total of the chain may fall from what was never true: only later answers can contradict a lie in
   * the first one.
   */
  function fallen({ series, counters }: Exposition): Violation[] {
    return [...counters].flatMap((key): Violation[] => {
      const one = series.get(key)!
      const before = counted.get(key) ?? 0
      counted.set(key, one.value)
      const total = keyOf(one)
      const wasTrue = total === undefined || history.held(total, before, -Infinity, judged[one.name]!.grows)
      if (one.value >= before || !wasTrue) return []
      return [{ rule: 'counter', subject: key, says: `fell from ${before} to ${one.value}` }]
    })
  }

  const overspent = (now: number) =>
    networks.flatMap(({ network, granted, sources }): Violation[] =>
      (sources['data'] ?? []).flatMap((source) => {
        const units = record.units(network, source, now - MINUTE)
        if (units <= granted) return []
        return [{ rule: 'budget', subject: `${network}/${source}`, says: `was asked for ${units} units in a minute` }]
      }),
    )

  /** One network at least is healthy always: once all is calm there is data, and both pages say so. */
  function ofPages({ ready, healthy }: Seen, series: readonly Series[], now: number): Violation[] {
    const hasData = series.some((one) => collectorOf(one) !== undefined)
    const isCalm = now - calmSince > 2 * SOON
    const says = [
      ...(isCalm && healthy !== 200 ? [`/-/healthy has status ${healthy} while the process works`] : []),
      ...(isCalm && ready !== 200 ? [`/-/ready has status ${ready} while a network has data`] : []),
      ...(ready === 200 && !hasData ? ['/-/ready is 200 while there is no data at all'] : []),
    ]
    return says.map((one) => ({ rule: 'pages', subject: one, says: '' }))
  }

  const judge: Judge<Seen> = {
    see(seen, now) {
      const exposition = readExposition(seen.text)
      const series = [...exposition.series.values()]
      noteTimesToLive(series, now)
      return [
        ...exposition.flaws.map((flaw) => ({ rule: 'exposition', subject: 'a scrape', says: flaw })),
        ...fallen(exposition),
        ...series.flatMap((one) => {
          const network = byNetwork.get(one.labels['network'] ?? '')
          return network ? [...old(one, network, now), ...untrue(one, network, now)] : []
        }),
        ...missing(series, now),
        ...overspent(now),
        ...ofPages(seen, series, now),
      ]
    },
  }
  return {
    ...judge,
    disturbed: (now: number) => (calmSince = now),
    /** Counters begin at zero, but for those that are stored. */
    killed(now: number) {
      calmSince = now
      for (const key of counted.keys()) {
        const [name = ''] = /^\w+/.exec(key) ?? []
        const base = name.replace(/_(bucket|sum|count)$/, '')
        if (!(byMetric.get(name) ?? byMetric.get(base))?.isStored) counted.delete(key)
      }
    },
  }
}

const violation = (rule: string, { name, labels }: Series, says: string): Violation => ({
  rule,
  subject: name + JSON.stringify(labels),
  says,
})

const seconds = (milliseconds: number) =>
  Number.isFinite(milliseconds) ? `${Math.round(milliseconds / 1_000)} s` : 'for ever'
