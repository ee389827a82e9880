// Methods of the interfaces that a node has at one path each.

import type { z } from 'zod'
import { defineOperation } from '../define.ts'

/** By the first part of a method's name. The P-Chain's methods that document 2 has name their section themselves. */
const interfaces = {
  admin: { source: 'document 2, Admin interface', via: { rpc: '/ext/admin' } },
  health: { source: "the node's own interface, health", via: { rpc: '/ext/health' } },
  info: { source: "the node's own interface, info", via: { rpc: '/ext/info' } },
  platform: { source: "the node's own interface, P-Chain", via: { rpc: '/ext/bc/P' } },
} as const

type Named = `${keyof typeof interfaces}.${string}`
type Definition<N extends string, A extends z.ZodType, P extends z.ZodObject> = Parameters<
  typeof defineOperation<N, A, P>
>[0]

/** As `defineOperation`; the name says where the method is, and what defines it unless `source` does. */
export function defineMethod<const N extends Named, A extends z.ZodType, P extends z.ZodObject = z.ZodObject<{}>>(
  definition: Omit<Definition<N, A, P>, 'source' | 'via'> & { source?: string },
) {
  const [name] = definition.name.split('.') as [keyof typeof interfaces]
  return defineOperation<N, A, P>({ ...interfaces[name], ...definition })
}
