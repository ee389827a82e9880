// What a handler gets and what it may throw. A handler is a query over the world, one file per operation.

import type { Handler, Operation } from '../operations/define.ts'
import type { Paging } from './paging.ts'
import type { World } from './world/world.ts'

export { Refusal } from './refusal.ts'

/** One question's view of the simulated network. */
export interface Place {
  world: World
  /** Validator on the asked node; empty for the services. */
  observer: string
  paging: Paging
}

export interface Handled<O extends Operation = Operation> {
  operation: O
  handle: Handler<O, Place>
}

/** Checks a handler against its operation and lets the servers treat all of them alike. */
export function handles<O extends Operation>(operation: O, handle: Handler<O, Place>): Handled {
  return { operation, handle }
}
