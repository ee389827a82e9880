// One upstream that can be asked.

import type { Secret } from '../lib/secret.ts'
import type { Operation, Service, Wire } from '../operations/define.ts'

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

/**
 * One transport: the answer before it is checked, and the node's own id where the node tells it. `deadline` starts the
 * time of the request, when its turn has come: waiting in line is not the upstream's failure.
 */
export type Ask = (source: Source, operation: Operation, wire: Wire, deadline: () => AbortSignal) => Promise<Asked>

interface Asked {
  /** The body as it came. */
  text: string
  /** What it says: the body itself, or the result in its envelope. */
  raw: unknown
  nodeId?: string
}
