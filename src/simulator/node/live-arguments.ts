// How a live node reads the arguments of a call: by the types that its own code gives them. What is missing is the zero
// value of its type, and one argument that cannot be read fails the whole call.

import { z } from 'zod'
import { readId, readNodeId } from '../../lib/ids.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { uint64 } from '../../operations/fields.ts'
import { LOG_LEVELS, refusal, UNREADABLE } from './node-words.ts'
import type { World } from '../world/world.ts'

/** Missing, or null, which a node reads as missing. */
const orZero = <T extends z.ZodType, Z>(type: T, zero: Z) => type.nullish().transform((value) => value ?? zero)

const text = orZero(z.string(), '')
const number = orZero(uint64, 0n)
const level = z
  .string()
  .transform((name) => name.toUpperCase())
  .pipe(z.enum(LOG_LEVELS))
  .nullish()
  .transform((value) => value ?? undefined)
const nodeId = z.string().refine((id) => readNodeId(id).wrong === undefined)

const isId = (id: string) => readId(id).wrong === undefined

/** The types by name: with one exception (see `liveArguments`), a name means the same in every method. */
const types = {
  addresses: orZero(z.array(z.string()), []),
  alias: text,
  blockchainID: text,
  chain: text,
  displayLevel: level,
  encoding: orZero(
    z
      .string()
      .transform((name) => name.toLowerCase())
      .pipe(z.enum(['hex', 'json'])),
    'hex',
  ),
  endpoint: text,
  height: number,
  index: number,
  logLevel: level,
  loggerName: text,
  nodeIDs: orZero(z.array(nodeId), []),
  numToFetch: number.transform(Number),
  startIndex: number,
  tags: orZero(z.array(z.string()), []),
} satisfies Record<string, z.ZodType>

/** `platform.getValidatorsAt` takes a word as well. */
const heightOrWord = z.union([z.literal('proposed'), number])

/** What a call gave, by the names of the method's parameters, as its handler takes it. Throws a refusal. */
export function liveArguments(
  method: string,
  names: readonly string[],
  given: Readonly<Record<string, unknown>>,
  world: World,
): Record<string, unknown> {
  const named = inAnyCase(given, names)
  return Object.fromEntries(
    names.map((name) => {
      const isWordable = method === 'platform.getValidatorsAt' && name === 'height'
      const type = isWordable ? heightOrWord : types[name as keyof typeof types]
      if (type === undefined) return [name, idArgument(named[name], world)]
      const read = type.safeParse(named[name])
      if (!read.success) throw refusal(UNREADABLE)
      return [name, read.data]
    }),
  )
}

/** Every other name is that of an id. The empty id has the text of the id of the primary network. */
function idArgument(given: unknown, world: World): string {
  const id = given ?? PRIMARY_NETWORK_ID
  if (typeof id === 'string' && (isId(id) || isSimulated(id, world))) return id
  throw refusal(UNREADABLE)
}

/**
 * Ids of simulated blocks, and of transactions of strangers, have no checksum: a text is an id if the network has what it names. A
 * node on a fork lacks the blocks of the others, and can read their ids.
 */
function isSimulated(id: string, { ledger, seenBy, validators }: World): boolean {
  const views = ['data', ...validators.observers].map(seenBy)
  return (
    ledger.find(id) !== undefined ||
    views.some(
      ({ chains, indexes }) =>
        Object.values(chains).some((chain) => chain.find(id)) ||
        Object.values(indexes.proposals).some((proposals) => proposals.find(id) !== undefined),
    )
  )
}

/** Live nodes know a parameter by its name in capital and in small letters alike: their own SDK asks for `blockId`. */
function inAnyCase(given: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [known.get(name.toLowerCase()) ?? name, value]),
  )
}
