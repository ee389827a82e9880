// Methods of a node that stakewatch does not ask for. Nodes of live networks serve them, and SDKs and wallets ask: the
// simulated ones answer them in the live form. Which parameters a method takes is told by their names alone: `Given` says
// what live-arguments.ts makes of them.

import { z } from 'zod'
import type { Method, Place } from '../handler.ts'

interface Unpolled {
  params: z.ZodObject
  args: readonly string[]
  handle: (place: Place, given: never) => unknown
}

/** With parameters by name. */
export function named<Given extends object>(
  names: readonly (keyof Given & string)[],
  handle: (place: Place, given: Given) => unknown,
): Unpolled {
  return { params: z.object(Object.fromEntries(names.map((name) => [name, z.unknown()]))), args: [], handle }
}

/** Without parameters. */
export const plain = (handle: (place: Place) => unknown): Unpolled => named<object>([], handle)

/** With parameters by place, of the interface of a chain with an EVM. */
export function placed<P extends z.ZodRawShape>(
  params: P,
  handle: (place: Place, given: z.output<z.ZodObject<P>> & { chain: string }) => unknown,
): Unpolled {
  return { params: z.object(params), args: Object.keys(params), handle }
}

export function methodsAt(path: string, methods: Readonly<Record<string, Unpolled>>): Method[] {
  return Object.entries(methods).map(([name, one]) => ({ name, path, ...one, handle: one.handle as Method['handle'] }))
}
