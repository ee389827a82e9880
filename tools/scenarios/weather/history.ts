// By what the daemon is judged: what was true when, and what its upstreams truly answered. Times are milliseconds of the play.

import type { Exchange } from './proxy.ts'

export type History = ReturnType<typeof createHistory>
export type Answers = ReturnType<typeof createRecord>

type Entry = readonly [from: number, value: number | undefined]

/** Entries that ended before that are forgotten. */
const KEPT = 6 * 3_600_000
/** Numbers that were written as text and read again. */
const TOLERANCE = 1e-9
const SMALL = 1e-6

export function createHistory() {
  const all = new Map<string, Entry[]>()

  /** Those that held at some moment from then on. */
  function since(key: string, time: number): readonly Entry[] {
    const entries = all.get(key) ?? []
    const later = entries.findIndex(([from]) => from > time)
    return entries.slice(Math.max(0, (later < 0 ? entries.length : later) - 1))
  }

  return {
    /** The value from now on; undefined when there is none any more. */
    note(key: string, at: number, value: number | undefined) {
      let entries = all.get(key)
      if (!entries) all.set(key, (entries = []))
      if (entries.length > 0 && entries.at(-1)![1] === value) return
      entries.push([at, value])
      if (entries.length > 4_000 && entries[1_000]![0] < at - KEPT) entries.splice(0, 1_000)
    },
    /** Whether the value held at some moment from then on. Of what grows any value between two that held did. */
    held(key: string, value: number, time: number, grows = false): boolean {
      const held = since(key, time).flatMap(([, one]) => one ?? [])
      if (grows) return held.length > 0 && value >= held[0]! - SMALL && value <= held.at(-1)! + SMALL
      return held.some((one) => Math.abs(one - value) <= TOLERANCE * Math.max(1, Math.abs(one)))
    },
    /** Whether there was a value at every moment from then on. */
    wasThere(key: string, time: number): boolean {
      const entries = since(key, time)
      return entries.length > 0 && entries[0]![0] <= time && entries.every(([, value]) => value !== undefined)
    },
    /** The last values since then: for words. */
    values: (key: string, time: number) =>
      since(key, time)
        .flatMap(([, value]) => value ?? [])
        .slice(-3),
    keys: () => all.keys(),
  }
}

/** From a request to its answer. */
const GOOD_TIME = 5_000
/** Exchanges are kept for so long one by one. */
const LISTED = 200_000

export function createRecord() {
  const answers = new Map<string, number>()
  const lies = new Map<string, number>()
  const trouble = new Map<string, number>()
  const spent = new Map<string, { at: number; cost: number }[]>()
  const latest = (map: ReadonlyMap<string, number>, keys: readonly string[]) =>
    Math.max(-Infinity, ...keys.map((key) => map.get(key) ?? -Infinity))

  return {
    note({ upstream: { network, source }, operation, cost, at, answeredAt, sent }: Exchange) {
      if (sent !== 'the truth' || answeredAt - at > GOOD_TIME) trouble.set(network, answeredAt)
      if (sent !== 'nothing') answers.set(`${network}/${source}/${operation}`, answeredAt)
      if (sent === 'a lie') lies.set(`${network}/${operation}`, answeredAt)
      const key = `${network}/${source}`
      const kept = (spent.get(key) ?? []).filter((one) => one.at > at - LISTED)
      spent.set(key, [...kept, { at, cost }])
    },
    /** When an answer went out last for any of these operations; -Infinity when never. */
    lastAnswer: (network: string, sources: readonly string[], operations: readonly string[]) =>
      latest(
        answers,
        sources.flatMap((source) => operations.map((name) => `${network}/${source}/${name}`)),
      ),
    lastLie: (network: string, operations: readonly string[]) =>
      latest(
        lies,
        operations.map((name) => `${network}/${name}`),
      ),
    /** When a request of the network was last not answered in good time, for whatever reason. */
    lastTrouble: (network: string) => trouble.get(network) ?? -Infinity,
    /** Units that the source was asked for since then. */
    units: (network: string, source: string, since: number) =>
      (spent.get(`${network}/${source}`) ?? []).reduce((sum, { at, cost }) => (at >= since ? sum + cost : sum), 0),
  }
}
