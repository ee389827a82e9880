// One upstream that can be asked.

import type { Secret } from '../lib/secret.ts'
import type { Operation, Service, Wire } from '../operations/define.ts'
import type { Attempts } from './http.ts'

export interface Source {
  service: Service
  /** Label `network`. */
  network: string
  /** The configured name: label `source`. */
  name: string
  /** Base URL. */
  url: Secret
  /** The validator that runs on this node, where it is configured: its view of itself is no evidence. */
  nodeId?: string
  /** Sent with each request, as a header of this name. */
  key?: { header: string; value: Secret }
}

/** What a call passes before anything of it is sent. One for each call. */
export interface Door extends Attempts {
  /** Resolves when a request may go out, with its deadline: waiting before that is not the upstream's failure. */
  open(): Promise<AbortSignal>
  /** Nobody waits for the answer any more: what has not been sent yet need not be. */
  unsent: AbortSignal
}

/** One transport: the answer before it is checked, and the node's own id where the node tells it. */
export type Ask = (source: Source, operation: Operation, wire: Wire, door: Door) => Promise<Asked>

interface Asked {
  /** The body as it came. */
  text: string
  /** What it says: the body itself, or the result in its envelope. */
  raw: unknown
  nodeId?: string
}
