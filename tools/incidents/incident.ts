// What an incident is: what happens to a simulated network, and which alerts the operator has to get because of it.

import type { Shard } from '../../src/lib/shard.ts'
import type { Fills } from '../harms/harms.ts'
import type { Scenery, Stage } from './stage.ts'

/** To the control endpoint of the network, or to one of its nodes, as a call of its JSON-RPC. */
export type Order =
  | { path: 'actions' | 'faults'; method: 'POST' | 'DELETE'; body?: object }
  | { node: string; endpoint: string; method: string; params: object }
  /** The daemon ends, and another one starts. */
  | { daemon: 'stop' | 'start' }
  /** Another instance is started as this shard, or the last one is taken away and Prometheus no longer looks for it. */
  | { instance: Shard | 'removed' }
  /** Milliseconds that are added to the clock of the daemon. */
  | { skew: number }
  /** No timer of the daemon goes off: it still answers scrapes. */
  | { timers: 'held' | 'released' }
  /** Its configuration is read again, with a mistake in it or without. */
  | { configuration: 'broken' | 'mended' }
  /** A drill begins or ends. */
  | { drill: 'POST' | 'DELETE'; query: string }
  /** The folder of its storage goes away, or the disk of it hangs. */
  | { storage: 'gone' | 'hangs' | 'goes on' }

/**
 * An alert that has to fire, once for each of these sets of labels, and then without a gap. One that ends and fires again
 * is expected twice.
 */
export interface Expected {
  alert: string
  severity: 'critical' | 'warning' | 'info'
  /** Some of the labels of each of its instances; default: one instance, whatever its labels. */
  of?: readonly Readonly<Record<string, string>>[]
  /** The minute after the beginning in which it becomes true; it must not fire before. Default: 0. */
  at?: number
  /** Minutes in which it has to fire then. Default: 10 for critical, 30 for warning and info. */
  within?: number
  /**
   * The last minute in which it fires: what happened is over, the next poll or the time to live of the last one says so, and
   * the rule has held it (`hold`). It may be off by half of that hold, or by a poll and a sample if that is more. Default: it
   * fires to the end of the play.
   */
  until?: number
  /**
   * What its first instance says, as promtool renders it. Such an alert needs no test in alerts/tests: it has to begin and end to
   * the minute, give or take a poll and a sample.
   */
  says?: { description: string; dashboard_url: string }
  /** The cells of docs/harm.md for which this incident proves the alert. */
  fills?: Fills
}

/** How long an incident is watched unless it says so. */
export const MINUTES = 30

export interface Incident {
  /** In one sentence: what happens. */
  name: string
  /** How long it is watched once it has begun; default: MINUTES. */
  minutes?: number
  /** Minutes from one sample to the next; default: 1. */
  sampleMinutes?: number
  scenery?: Scenery
  /** By the minute after its beginning, a whole number of steps of 12 s (0.2); before 0 is what has to be so already. */
  orders: (stage: Stage) => Readonly<Record<number, readonly Order[]>>
  /** Names of collectors that may fail. Those that ask what an order breaks may do so anyway; any other failure is a defect. */
  fails?: readonly string[]
  /** None for what must not page. */
  alerts: readonly Expected[]
}

type Times = Omit<Expected, 'alert' | 'severity' | 'of'>
/** An alert that an incident expects, by its severity: a critical one pages. */
const expected =
  (severity: Expected['severity']) =>
  (alert: string, of?: Expected['of'], times: Times = {}): Expected => ({
    alert,
    severity,
    ...(of && { of }),
    ...times,
  })
export const pages = expected('critical')
export const warns = expected('warning')
export const informs = expected('info')

export const action = (body: object): Order => ({ path: 'actions', method: 'POST', body })
export const repair: Order = { path: 'faults', method: 'DELETE' }

/** Whatever is asked of the server is answered so; or one operation alone. */
export const fault = (server: string, what: object, operation?: string): Order => ({
  path: 'faults',
  method: 'POST',
  body: { server, fault: what, ...(operation && { operation }) },
})
/** Every `every`th request to a server is answered so. */
export const faultOfEvery = (every: number, server: string, what: object): Order => ({
  path: 'faults',
  method: 'POST',
  body: { server, fault: what, every },
})
export const status = (code: number) => ({ kind: 'status', status: code })
/** A service that does not have what it is asked for says so in a message of its own. */
export const notThere = {
  kind: 'status',
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: '{"statusCode":404,"message":"Not Found"}',
}
export const gone = { kind: 'reset' }
