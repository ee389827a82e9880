// An upstream as a source of answers, and the transport that asks it.

import type { Secret } from '../lib/secret.ts'
import type { Operation, Service, Wire } from '../operations/define.ts'
import type { Link } from './dispatchers.ts'
import type { Attempts } from './http.ts'

export interface Source extends Link {
  service: Service
  /** Label `network`. */
  network: string
  /** The configured name: label `source`. */
  name: string
  /** Base URL. */
  url: Secret
  /** Configured id of the validator on this node: its view of itself is no evidence. */
  nodeId?: string
  /** Sent with each request, as a header of this name. */
  key?: { header: string; value: Secret }
}

export type SourceName = Pick<Source, 'network' | 'name'>

export function sourceKey({ network, name }: SourceName): string {
  return `${network}/${name}`
}

/** What identifies us to the upstream, in words; undefined where nothing is known to. */
export function credentialsOf({ key, url }: Pick<Source, 'key' | 'url'>): string | undefined {
  if (key) return `the key in the header ${key.header}`
  const { username, password, search } = new URL(url.reveal())
  if (username !== '' || password !== '') return 'the user and password in the url'
  return search === '' ? undefined : 'what the url has after its ?'
}

/** Admits the requests of one call. */
export interface Admission extends Attempts {
  /** Resolves with a deadline when a request may be sent: the wait before that is not the upstream's failure. */
  open(): Promise<AbortSignal>
  /** Aborts when no asker waits any more: further requests need not be sent. */
  unsent: AbortSignal
}

/** A transport: returns the answer before it is checked, and the node's id where its answer has it. */
export type Ask = (source: Source, operation: Operation, wire: Wire, admission: Admission) => Promise<Asked>

interface Asked {
  /** The body as it came. */
  text: string
  /** What it says: the body itself, or the result in its envelope. */
  raw: unknown
  nodeId?: string
}
