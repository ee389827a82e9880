// The oracle: what a scrape says, against the record of what upstreams answered and the history of what was true.

import { judged, keyOf } from '../truth.ts'
import type { Series, Violation } from './define.ts'
import type { Exposition } from './exposition.ts'
import type { History } from './history.ts'
import type { Record } from './record.ts'

/** A collector as the configuration has it, by what its documentation says. Times in milliseconds. */
export interface Polled {
  name: string
  /** Metrics that it publishes. */
  metrics: ReadonlySet<string>
  /** Operations by service. */
  operations: readonly { name: string; service: string }[]
  every: number
  ttl: number
  /** The age that it accepts of an answer. */
  maxAge: number
}

export interface Judged {
  network: string
  role: 'healthy' | 'honest' | 'lying'
  /** Names of its sources by service. */
  sources: Readonly<{ [service: string]: readonly string[] }>
}

export interface JudgeOptions {
  networks: readonly Judged[]
  collectors: readonly Polled[]
  record: Record
  history: History
  /** Milliseconds of the run that a fact may take from an upstream into a scrape, over all that is configured. */
  slack: number
}

export interface Judge {
  /** Times are milliseconds of the run. `calmSince`: since when neither process nor clock was disturbed. */
  check(exposition: Exposition, now: number, calmSince: number): Violation[]
  /** The process was restarted. */
  restarted(): void
}

/** However seldom an upstream is asked, nothing lives longer (milliseconds). */
const LONGEST = 3_600_000
/** Time from the start, or from a disturbance, until the data of a healthy upstream must be there. */
const SOON = 90_000

/**
 * That a node does not answer is known without an answer, and so are the states that it is then not in, and what was counted
 * of it. What is left needs one: that it runs, starts or bootstraps.
 */
const isOfSilence = ({ name, labels, value }: Series) =>
  ['stakewatch_node_state_since_timestamp_seconds', 'stakewatch_node_restarts_total'].includes(name) ||
  (name === 'stakewatch_node_state' && (value === 0 || labels['state'] === 'not_answering'))

export function createJudge({ networks, collectors, record, history, slack }: JudgeOptions): Judge {
  const networksByName = new Map(networks.map((one) => [one.network, one]))
  const byMetric = new Map(collectors.flatMap((one) => [...one.metrics].map((metric) => [metric, one] as const)))
  const byName = new Map(collectors.map((one) => [one.name, one]))
  let before: { values: ReadonlyMap<string, number>; at: number } | undefined
  /** Times to live that were published of a network's collector and may still hold, the longest and oldest first. */
  const published = new Map<string, { ttl: number; at: number }[]>()

  /**
   * An upstream whose budget is used up is asked less often, and what comes of it may live longer: the daemon says how
   * long. A healthy one is never so.
   */
  function noteTimesToLive(series: readonly Series[], now: number): void {
    for (const { name, labels, value } of series) {
      if (name !== 'stakewatch_collector_ttl_seconds') continue
      const key = `${labels['network']} ${labels['collector']}`
      const { maxAge = 0 } = byName.get(labels['collector'] ?? '') ?? {}
      const ttl = Math.min(value * 1_000, LONGEST)
      // What was published then lives on, however short the time to live is by now.
      const longer = (published.get(key) ?? []).filter(
        (one) => one.ttl > ttl && now - one.at <= one.ttl + maxAge + slack,
      )
      published.set(key, [...longer, { ttl, at: now }])
    }
  }

  function ttlOf({ network, role }: Judged, { name, ttl }: Polled): number {
    return role === 'healthy' ? ttl : Math.max(ttl, published.get(`${network} ${name}`)?.[0]?.ttl ?? 0)
  }

  function sourcesOf(network: Judged, collector: Polled, source: string | undefined): string[] {
    return collector.operations.flatMap(({ service }) => {
      const all = network.sources[service] ?? []
      // An opinion is that of one source; the others only help.
      return source && all.includes(source) ? [source] : all
    })
  }

  const namesOf = ({ operations }: Polled) => operations.map(({ name }) => name)

  /** When the collector last had an answer to go by, from this source or from any; worked out once in a check. */
  function lastAnswers() {
    const known = new Map<string, number>()
    return (network: Judged, collector: Polled, source = ''): number => {
      const key = `${network.network} ${collector.name} ${source}`
      let last = known.get(key)
      if (last === undefined) {
        last = record.lastAnswer(network.network, sourcesOf(network, collector, source), namesOf(collector))
        known.set(key, last)
      }
      return last
    }
  }

  function old(one: Series, network: Judged, now: number, lastAnswer: ReturnType<typeof lastAnswers>): Violation[] {
    if (isOfSilence(one)) return []
    const collector = byMetric.get(one.base) ?? byMetric.get(one.name)
    if (!collector) return []
    const age = now - lastAnswer(network, collector, one.labels['source'])
    const ttl = ttlOf(network, collector)
    if (age <= ttl + collector.maxAge + slack) return []
    const says = `is there ${seconds(age)} after the last answer that it can come from; time to live ${seconds(ttl)}`
    return [{ rule: 'old', subject: textOf(one), says }]
  }

  function untrue(one: Series, network: Judged, now: number, calmSince: number): Violation[] {
    const key = keyOf(one)
    if (key === undefined) return []
    const { collector: owner, grows } = judged[one.name]!
    const collector = byName.get(owner)!
    const lives = ttlOf(network, collector) + collector.maxAge + slack
    const lied = record.lastLie(network.network, namesOf(collector))
    // What was believed of a lie may stay for as long as anything stays, and come from an answer that was shared.
    if (network.role === 'lying' && now - lied < 3 * lives) return []
    const subject = textOf(one)
    if (!history.held(key, one.value, now - lives, grows)) {
      const held = history.around(key, one.value, now - lives).join(', ')
      return [{ rule: 'untrue', subject, says: `is ${one.value}; the network had ${held || 'nothing'}` }]
    }
    const onTime = 2 * collector.every + SOON + slack
    const calm = now - Math.max(calmSince, record.lastTrouble(network.network))
    if (
      network.role === 'healthy' &&
      calm > onTime &&
      !history.held(key, one.value, now - onTime - collector.maxAge, grows)
    ) {
      return [
        { rule: 'late', subject, says: `is ${one.value}, as the network had it more than ${seconds(onTime)} ago` },
      ]
    }
    return []
  }

  function missing(series: readonly Series[], now: number, calmSince: number): Violation[] {
    return networks
      .filter(({ role }) => role === 'healthy')
      .flatMap(({ network }) => {
        const calm = now - Math.max(calmSince, record.lastTrouble(network))
        const there = new Set(series.flatMap((one) => (one.labels['network'] === network ? (keyOf(one) ?? []) : [])))
        return [...history.keys()].flatMap((key): Violation[] => {
          const [name = ''] = key.split('|')
          const { every } = byName.get(judged[name]!.collector)!
          const patience = Math.max(SOON, every + SOON / 2) + slack
          if (calm < patience || there.has(key) || !history.wasThere(key, now - patience)) return []
          return [{ rule: 'missing', subject: `${network} ${key}`, says: `is not there, though its upstreams answer` }]
        })
      })
  }

  /**
   * Runs are counted for all targets of a collector together; which of them succeeded, the time of the last success says. It may
   * go back with the clock.
   */
  function success(series: readonly Series[], now: number, calmSince: number): Violation[] {
    const values = valuesOf(series)
    const earlier = before
    before = { values, at: now }
    if (!earlier) return []
    // What was not there before, as after a start, cannot have grown since.
    const grew = (key: string) => (values.get(key) ?? 0) > (earlier.values.get(key) ?? Infinity)
    const successes = series.filter(({ name }) => name === SUCCESS)
    const groups = Map.groupBy(successes, ({ labels }) => collectorOf(labels))
    return [...groups].flatMap(([group, tasks]) => {
      const [good, bad, absent] = ['success', 'failure', 'unsupported'].map((result) => grew(`${result} ${group}`))
      const isUnnoticed = bad && !good && !absent && tasks.every(({ value }) => value !== 0)
      return tasks.flatMap(({ labels, value }): Violation[] => {
        const subject = `collector_success of ${labels['collector']}/${labels['network']}/${labels['target']}/${labels['source']}`
        const last = keyOfLast(labels)
        // The first success has none before it.
        const lastBefore = earlier.values.get(last)
        const hasSucceeded = lastBefore !== undefined && values.get(last) !== lastBefore
        if (isUnnoticed) return [{ rule: 'success', subject, says: `is ${value} after a failure` }]
        // Of a single target all runs are its own.
        const isGood = hasSucceeded || (tasks.length === 1 && (good || absent))
        if (isGood && !bad && value !== 1) return [{ rule: 'success', subject, says: `is ${value} after a success` }]
        const isSame = lastBefore !== undefined && !hasSucceeded
        if (value === 1 && isSame && earlier.values.get(`${SUCCESS} ${last}`) === 0)
          return [{ rule: 'success', subject, says: 'is 1 without a success' }]
        const network = networksByName.get(labels['network'] ?? '')
        const collector = byName.get(labels['collector'] ?? '')
        // An answer may have been on its way while the machine slept.
        if (!isGood || !good || !network || !collector || now - calmSince < SOON) return []
        const answered = record.lastAnswer(
          network.network,
          sourcesOf(network, collector, labels['source']),
          namesOf(collector),
        )
        if (answered >= earlier.at - collector.every - collector.maxAge - slack) return []
        const says = `a run succeeded ${seconds(now - answered)} after the last answer that it can come from`
        return [{ rule: 'success', subject, says }]
      })
    })
  }

  return {
    check({ series }, now, calmSince) {
      const all = [...series.values()]
      noteTimesToLive(all, now)
      const lastAnswer = lastAnswers()
      const ofNetworks: Violation[] = []
      for (const one of all) {
        const network = networksByName.get(one.labels['network'] ?? '')
        if (network) ofNetworks.push(...old(one, network, now, lastAnswer), ...untrue(one, network, now, calmSince))
      }
      return [...ofNetworks, ...missing(all, now, calmSince), ...success(all, now, calmSince)]
    },
    restarted() {
      before = undefined
    },
  }
}

const SUCCESS = 'stakewatch_collector_success'

const collectorOf = ({ network, collector, source }: Series['labels']) => JSON.stringify([network, collector, source])
const keyOfLast = (labels: Series['labels']) => `last ${collectorOf(labels)} ${labels['target']}`

/** How often the runs of a collector ended in each way; for each of its targets the last success, and whether it is one. */
function valuesOf(series: readonly Series[]): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  for (const { name, labels, value } of series) {
    if (name === 'stakewatch_collector_runs_total') values.set(`${labels['result']} ${collectorOf(labels)}`, value)
    if (name === 'stakewatch_collector_last_success_timestamp_seconds') values.set(keyOfLast(labels), value)
    if (name === SUCCESS) values.set(`${SUCCESS} ${keyOfLast(labels)}`, value)
  }
  return values
}

const seconds = (milliseconds: number) =>
  Number.isFinite(milliseconds) ? `${Math.round(milliseconds / 1_000)} s` : 'for ever'

function textOf({ name, labels }: Series): string {
  return `${name}${JSON.stringify(labels)}`
}
