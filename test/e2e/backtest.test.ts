// backtest against a real Prometheus that has the history of played incidents, with the ALERTS that promtool finds in them.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { conditions } from '../../src/conditions/index.ts'
import { metricsReadBy } from '../../src/conditions/judge.ts'
import { labelKey, sortedLabels } from '../../src/lib/label-text.ts'
import { createSampleRequests } from '../../tools/history/remote-write.ts'
import { alertsOf, type Fired } from '../../tools/incidents/alerts.ts'
import { play, type Played } from '../../tools/incidents/play.ts'
import { incidents } from '../../tools/incidents/scripts/index.ts'
import { BEFORE } from '../../tools/incidents/stage.ts'
import { start, temporaryFolder } from './support/processes.ts'
import { program } from './support/release.ts'

const MINUTE = 60
/** Seconds between two incidents: longer than any rule looks back. */
const APART = 48 * 60 * MINUTE
/** Two evaluations, in minutes: the daemon judged between scrapes, and looked at counters at other seconds of each minute. */
const TOLERANCE = 2
const WATCHDOG = { alert: 'StakewatchWatchdog', labels: { severity: 'none' } }

const names = {
  messages: 'the relayer stops, and goes on fifty minutes later',
  restarts: 'stakewatch restarts three times within a quarter of an hour, and later time and again',
  limited: 'the data service answers one of twelve requests with 429, and later one of six',
  l1: 'the validators of an L1 go away one after the other',
  failing: 'one operation of the data service fails, first for nine minutes and then for good',
} as const
type Key = keyof typeof names
const keys = Object.keys(names) as Key[]

const endings: (() => Promise<unknown>)[] = []
/** When the play of each incident begins (Unix seconds), and its minutes. */
const slots = {} as Record<Key, { base: number; minutes: number }>
let prometheus: string

beforeAll(async () => {
  const now = Math.floor(Date.now() / 1_000 / MINUTE) * MINUTE
  const judged: Promise<{ played: Played; fired: readonly Fired[] }>[] = []
  for (const key of keys) {
    const played = await play(
      incidents.find(({ name }) => name === names[key])!,
      metricsReadBy(conditions),
    )
    judged.push(alertsOf(played, rulesYaml()).then((fired) => ({ played, fired })))
  }
  prometheus = await startReceiver()
  for (const [at, one] of judged.entries()) {
    const { played, fired } = await one
    const base = now - (keys.length - at) * APART
    slots[keys[at]!] = { base, minutes: played.minutes }
    await write(played, fired, base)
  }
})
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

/** It scrapes nothing: newer samples would make it refuse those of the past. */
async function startReceiver(): Promise<string> {
  const folder = await temporaryFolder()
  endings.push(folder.remove)
  const config = join(folder.path, 'prometheus.yml')
  await writeFile(config, 'scrape_configs: []\n')
  const running = start('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder.path, 'data')}`,
    '--storage.tsdb.retention.time=1y',
    // Most expressions fit into this, some only in parts.
    '--query.max-samples=20000',
    '--web.listen-address=127.0.0.1:0',
    '--web.enable-remote-write-receiver',
  ])
  endings.push(running.end)
  const address = await running.said(/msg="Listening on" address=(\S+)/)
  await running.said(/msg="(Server is ready) to receive web requests/)
  return `http://${address}`
}

/** Each minute of the play as a scrape, with what fired in it; after the last one all series end. */
async function write({ series, minutes }: Played, fired: readonly Fired[], base: number): Promise<void> {
  const request = createSampleRequests({})
  for (let minute = 0; minute <= minutes + 1; minute += 1) {
    const samples = new Map<string, number>()
    if (minute <= minutes) {
      for (const [key, values] of series) {
        const value = values[minute]
        // The times of a play count from its beginning.
        const isTime = /^(process_start_time_seconds|\w+_timestamp_seconds)\{/.test(key)
        if (value !== undefined) samples.set(key, isTime ? value + base : value)
      }
      for (const { alert, labels, from, until } of [...fired, { ...WATCHDOG, from: 0, until: minutes }]) {
        const all = Object.entries({ ...labels, alertname: alert, alertstate: 'firing' })
        const key = `ALERTS{${all.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}}`
        if (from <= minute && minute <= until) samples.set(key, 1)
      }
    }
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' }
    const body = request(samples, base + minute * MINUTE)
    const answer = await fetch(`${prometheus}/api/v1/write`, { method: 'POST', body, headers })
    if (!answer.ok) throw new Error(`Prometheus refuses a minute: ${await answer.text()}`)
  }
}

interface Column {
  episodes: { start: string; end: string; labels: Record<string, string> }[]
}
interface Answer {
  without_data: { start: string; end: string }[]
  without_rules: unknown[]
  problems: unknown[]
  alerts: { alert: string; would_fire: Column; did_fire: Column; would_fire_with_limits?: Column }[]
}

async function backtest(...flags: readonly string[]): Promise<string> {
  const since = `--since=${(keys.length + 1) * 48}h`
  const args = [program, 'backtest', `--prometheus=${prometheus}`, since, ...flags]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, out, said) =>
      error ? reject(new Error(said)) : resolve(out),
    )
  })
}

/** An episode in the minutes of its incident. */
interface Seen {
  alert: string
  labels: string
  from: number
  until: number
}

/** What a column has of an incident, in the order of its beginnings. The play lacks what it does not need, which is missing. */
function seenIn(key: Key, { alerts }: Answer, column: 'would_fire' | 'did_fire' | 'would_fire_with_limits'): Seen[] {
  const { base, minutes } = slots[key]
  const minuteOf = (time: string) => Math.round((Date.parse(time) / 1_000 - base) / MINUTE) - BEFORE
  return alerts
    .filter(({ alert }) => alert !== 'StakewatchSeriesMissing')
    .flatMap((one) => one[column]!.episodes.map((episode) => ({ alert: one.alert, ...episode })))
    .map(({ alert, start: began, end, labels }) => ({
      alert,
      labels: labelKey(sortedLabels(Object.entries(labels))),
      from: minuteOf(began),
      // The end is the first minute in which it does not fire.
      until: minuteOf(end) - 1,
    }))
    .filter(({ from }) => from >= -BEFORE && from <= minutes)
    .toSorted((a, b) => a.from - b.from || a.labels.localeCompare(b.labels))
}

/** A minute, or the first and the last in which it may be. */
type When = number | readonly [earliest: number, latest: number]
/** The episodes of each alert that other limits change, from the story of the incident; none if it never fires. */
type Changed = Readonly<Record<string, readonly (readonly [from: When, until: When])[]>>

const run = async (limits: Readonly<Record<string, string>>) => {
  const flags = Object.entries(limits).map(([name, value]) => `--limit=${name}=${value}`)
  return JSON.parse(await backtest('--json', ...flags)) as Answer
}
let halved: Answer
let doubled: Answer
beforeAll(async () => {
  ;[halved, doubled] = await Promise.all([
    run({ messagePending: '15m', restarts: '1.5', rateLimited: '0.05', l1Messages: '0.335', collectorFailing: '5m' }),
    run({ messagePending: '1h', restarts: '6', rateLimited: '0.2', collectorFailing: '20m' }),
  ])
})

describe('with the shipped limits it finds what promtool did', () => {
  test.each(keys)('%s', (key) => {
    const [would, did] = [seenIn(key, halved, 'would_fire'), seenIn(key, halved, 'did_fire')]
    const which = ({ alert, labels }: Seen) => `${alert} ${labels}`
    expect(did.length).toBeGreaterThan(0)
    expect(would.map(which)).toEqual(did.map(which))
    for (const [at, { from, until }] of did.entries()) {
      expect(Math.abs(would[at]!.from - from)).toBeLessThanOrEqual(TOLERANCE)
      expect(Math.abs(would[at]!.until - until)).toBeLessThanOrEqual(TOLERANCE)
    }
  })
})

/** Each play ends while the alert fires. */
const END: Readonly<Record<Key, number>> = {
  messages: 60,
  restarts: 44,
  limited: 50,
  l1: 36,
  failing: 36,
}

const ofHalved: Readonly<Record<Key, Changed>> = {
  // The first message after minute 0 is pending for 15 minutes and not yet for 30; then the rule waits for 10.
  messages: { StakewatchIcmStuck: [[[25, 29], END.messages]] },
  // Two starts within 15 minutes: from minute 3 to 18, and from 32 on; the rule waits for three minutes and holds nothing.
  restarts: {
    StakewatchDown: [
      [
        [6, 8],
        [17, 20],
      ],
      [[35, 37], END.restarts],
    ],
  },
  // One of twelve is more than 0.05 and less than 0.1; the rule waits for five minutes.
  limited: { StakewatchRateLimited: [[[5, 20], END.limited]] },
  // 73.5 percent from minute 10 on and 65.3 from 20 on: both stall blocks, and neither is below 33.5.
  l1: { StakewatchL1Stalled: [[[12, 14], END.l1]], StakewatchL1MessagesUnsigned: [] },
  // Both chains fail for nine minutes, and from minute 20 on. The rule waits for two and holds for ten.
  failing: {
    StakewatchCollectorFailing: [
      [
        [7, 9],
        [18, 21],
      ],
      [
        [7, 9],
        [18, 21],
      ],
      [[27, 29], END.failing],
      [[27, 29], END.failing],
    ],
  },
}

const ofDoubled: Readonly<Record<Key, Changed>> = {
  // The relayer goes on after 50 minutes.
  messages: { StakewatchIcmStuck: [] },
  // There are five starts.
  restarts: { StakewatchDown: [] },
  // One of six is 0.17. Two requests in a row never fail, so that the service does not count as down.
  limited: { StakewatchRateLimited: [] },
  l1: {},
  // From minute 20 it fails for 16 minutes.
  failing: { StakewatchCollectorFailing: [] },
}

/**
 * A service is away while its last request has failed. Once it no longer counts as rate limited, one of six failures may make it
 * seem to come and go: that depends on which of its requests a scrape sees last.
 */
const eitherWay: Readonly<Partial<Record<Key, string>>> = { limited: 'StakewatchUpstreamUnsteady' }

describe.each([
  ['halved', () => halved, ofHalved],
  ['doubled', () => doubled, ofDoubled],
])('with %s limits the incident says what changes, and nothing else does', (_, answer, expected) => {
  test.each(keys)('%s', (key) => {
    const [shipped, other] = [seenIn(key, answer(), 'would_fire'), seenIn(key, answer(), 'would_fire_with_limits')]
    const isChanged = ({ alert }: Seen) => alert in expected[key] || alert === eitherWay[key]
    expect(other.filter((one) => !isChanged(one))).toEqual(shipped.filter((one) => !isChanged(one)))
    for (const [alert, episodes] of Object.entries(expected[key])) {
      const found = other.filter((one) => one.alert === alert)
      expect(found.map(({ from, until }) => [from, until])).toEqual(
        episodes.map(([from, until]) => [within(from), within(until)]),
      )
    }
  })
})

const within = (when: When) =>
  expect.toSatisfy((minute: number) => {
    const [earliest, latest] = typeof when === 'number' ? [when, when] : when
    return minute >= earliest && minute <= latest
  }, JSON.stringify(when)) as number

describe('the time between the incidents', () => {
  test('is known to be without data, to the minute', () => {
    const starts = keys.map((key) => slots[key].base)
    const ends = keys.map((key) => slots[key].base + (slots[key].minutes + 1) * MINUTE)
    const seconds = halved.without_data.map(({ start: from, end }) => [
      Date.parse(from) / 1_000,
      Date.parse(end) / 1_000,
    ])
    expect(seconds.map(([, end]) => end).slice(0, -1)).toEqual(starts)
    expect(seconds.map(([from]) => from).slice(1)).toEqual(ends)
  })

  test('has rules whenever there is data', () => {
    expect(halved.without_rules).toEqual([])
  })
})

test('every rule could be evaluated', () => {
  expect([halved.problems, doubled.problems]).toEqual([[], []])
})
