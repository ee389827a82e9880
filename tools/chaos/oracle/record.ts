// The harness's own record of what upstreams truly answered, and what they were asked: by this the daemon is judged.

import type { Exchange } from '../proxy.ts'

export interface Record {
  note(exchange: Exchange): void
  /** When an answer that can be read went out last for any of these operations; -Infinity when never. */
  lastAnswer(network: string, sources: readonly string[], operations: readonly string[]): number
  /** When something other than the truth went out last that can pass for it. */
  lastLie(network: string, operations: readonly string[]): number
  /** When a request of the network was last not answered in good time, for whatever reason. */
  lastTrouble(network: string): number
  /** Requests that the source has read by then. */
  requests(network: string, source: string, until: number): number
  /** Units that the source was asked for between the two times. */
  units(network: string, source: string, from: number, until: number): number
}

interface Asked {
  at: number
  units: number
}

/** Milliseconds from a request to its answer that count as good time. */
const GOOD_TIME = 5_000
/** Milliseconds that requests are kept for one by one. */
const KEPT = 200_000

export function createRecord(): Record {
  const answers = new Map<string, number>()
  const lies = new Map<string, number>()
  const asked = new Map<string, Asked[]>()
  const forgotten = new Map<string, number>()
  const trouble = new Map<string, number>()

  return {
    note({ upstream: { network, source }, operation, at, answeredAt, sent, fault }) {
      if (answeredAt === undefined) return
      if (sent !== 'proper' || answeredAt - at > GOOD_TIME) trouble.set(network, answeredAt)
      const key = `${network}/${source}`
      let requests = asked.get(key)
      if (!requests) asked.set(key, (requests = []))
      // Exchanges end in another order than they begin.
      let place = requests.length
      while (place > 0 && requests[place - 1]!.at > at) place -= 1
      requests.splice(place, 0, { at, units: operation?.cost ?? 0 })
      if (requests.length > 5_000 && requests[2_000]!.at < at - KEPT) {
        requests.splice(0, 2_000)
        forgotten.set(key, (forgotten.get(key) ?? 0) + 2_000)
      }
      if (operation === undefined) return
      const name = `${network}/${operation.name}`
      if (sent !== 'none' || fault?.isCertain)
        answers.set(`${key}/${operation.name}`, Math.max(answeredAt, answers.get(`${key}/${operation.name}`) ?? 0))
      if (sent === 'other' && fault?.lies) lies.set(name, Math.max(answeredAt, lies.get(name) ?? 0))
    },
    lastAnswer: (network, sources, operations) =>
      Math.max(
        ...sources.flatMap((source) =>
          operations.map((name) => answers.get(`${network}/${source}/${name}`) ?? -Infinity),
        ),
        -Infinity,
      ),
    lastLie: (network, operations) =>
      Math.max(...operations.map((name) => lies.get(`${network}/${name}`) ?? -Infinity), -Infinity),
    lastTrouble: (network) => trouble.get(network) ?? -Infinity,
    requests(network, source, until) {
      const key = `${network}/${source}`
      const list = asked.get(key) ?? []
      let place = list.length
      while (place > 0 && list[place - 1]!.at > until) place -= 1
      return place + (forgotten.get(key) ?? 0)
    },
    units: (network, source, from, until) =>
      (asked.get(`${network}/${source}`) ?? []).reduce(
        (sum, { at, units }) => (at >= from && at < until ? sum + units : sum),
        0,
      ),
  }
}
