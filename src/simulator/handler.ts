// What a handler gets and what it may throw. A handler is a query over the world, one file per operation.

import type { z } from 'zod'
import { type Handler, type Operation, pathOf } from '../operations/define.ts'
import type { NodeState } from './node/node-state.ts'
import type { Paging } from './services/paging.ts'
import type { World } from './world/world.ts'

export { Refusal } from './refusal.ts'

/** Where the documents and live services differ: in whose form the answer is given. */
export type Dialect = 'document' | 'live'

/** One question's view of the simulated network. */
export interface Place {
  world: World
  paging: Paging
  dialect: Dialect
  /** The query of a request to a live service, which takes more than the documented parameters at times. */
  query?: URLSearchParams
  /** The asked node; the services have none. */
  node?: NodeState
}

export interface Handled<O extends Operation = Operation> {
  operation: O
  handle: Handler<O, Place>
}

/** Checks a handler against its operation and lets the servers treat all of them alike. */
export function handles<O extends Operation>(operation: O, handle: Handler<O, Place>): Handled {
  return { operation, handle }
}

/** A method of a node. */
export interface Method {
  name: string
  /** As operations name it. */
  path: string
  params: z.ZodObject
  /** Where the method takes its parameters by their place: their names in that order. */
  args: readonly string[]
  handle: Handler<Operation, Place>
}

export function methodOf({ operation, handle }: Handled): Method {
  const { name, params, via } = operation
  return { name, path: pathOf(operation), params, args: 'rpc' in via ? (via.args ?? []) : [], handle }
}

/** The node that was asked, for the handlers of node methods. */
export function nodeOf({ node }: Place): NodeState {
  if (!node) throw new Error('a method of the node was asked of a service')
  return node
}
