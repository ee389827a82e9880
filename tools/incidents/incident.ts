// What an incident is: what happens to a simulated network, and which alerts somebody has to get because of it.

import type { Shard } from '../../src/lib/shard.ts'
import type { Scenery, Stage } from './stage.ts'

/** To the control endpoint of the network, or to one of its nodes, as a call of its JSON-RPC. */
export type Order =
  | { path: 'actions' | 'faults'; method: 'POST' | 'DELETE'; body?: object }
  | { node: string; endpoint: string; method: string; params: object }
  /** The daemon ends, and another one starts. */
  | { daemon: 'stop' | 'start' }
  /** Another instance is started as this shard, or the last one is taken away and Prometheus no longer looks for it. */
  | { instance: Shard | 'removed' }
  /** So many milliseconds are added to the clock that the daemon goes by. */
  | { skew: number }
  /** No timer of the daemon goes off: it still answers scrapes. */
  | { timers: 'held' | 'released' }
  /** Its configuration is read again, with a mistake in it or without. */
  | { configuration: 'broken' | 'mended' }
  /** The folder of its storage goes away. */
  | { storage: 'gone' }

/** An alert that has to fire, once for each of these sets of labels. */
export interface Expected {
  alert: string
  /** Some of the labels of each of its instances; default: one instance, whatever its labels. */
  of?: readonly Readonly<Record<string, string>>[]
  /** The minute after the beginning in which it becomes true; it must not fire before. Default: 0. */
  at?: number
  /** Minutes in which it has to fire then; default: that of its severity. */
  within?: number
}

export interface Incident {
  /** In one sentence: what happens. */
  name: string
  /** How long it is watched once it has begun; default: 30. */
  minutes?: number
  /** Minutes from one sample to the next; default: 1. */
  sampleMinutes?: number
  scenery?: Scenery
  /** By the minute after its beginning; before 0 is what has to be so already. */
  orders: (stage: Stage) => Readonly<Record<number, readonly Order[]>>
  /** None for what must wake nobody. */
  alerts: readonly Expected[]
}

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
