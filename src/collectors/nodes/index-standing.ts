// The position of a node on a chain, from its index of blocks (document 2, Index interface). An index numbers
// containers by place, not by height: a block that the data service lists gives the distance between the two.

import { z } from 'zod'
import { getContainerByID, getIndex, type getLastAccepted, isAccepted } from '../../operations/node/indexes.ts'
import type { PrimaryNetworkBlock as Listed } from '../../operations/data/primary-network-blocks.ts'
import { BLOCKS_PAGE } from '../answers/listed-blocks.ts'
import { isNotFound, isUnreadable, undefinedIf } from '../answers/not-found.ts'
import type { Ask } from '../define.ts'
import { type IndexedChain, newestContainer } from './indexes.ts'
import { decimalType } from '../counting/remembered.ts'

type Operations = typeof getContainerByID | typeof getIndex | typeof getLastAccepted | typeof isAccepted
type Call = Ask<Operations>['call']

export const anchorType = z.object({
  /** Height minus place, the same for every block in the index. */
  offset: decimalType,
  /** The id by which the index names a container: the block's own (the document) or that of its proposal (live nodes). */
  by: z.enum(['proposal', 'block']),
})
type Anchor = z.output<typeof anchorType>

export interface Standing {
  /** Height of the newest block that the node has; below 0 without any. */
  head: bigint
  /** When that block was made, or when the node accepted it (Unix seconds); undefined if the node does not say. */
  time: number | undefined
  /** Whether it has the listed block; undefined while the node is behind, or if it is unknown. */
  isCanonical: boolean | undefined
  /** Memory for the next run; only with an index. */
  anchor?: Anchor
}

/** Which listed blocks to try, counted from the newest, if the node lags and no place is known: up to the last of a page. */
const FURTHER_BACK = [12, 25, BLOCKS_PAGE - 1]

/** The data service names EVM blocks by hexadecimal hashes, which no method of a node accepts. */
export function isNodeForm(id: string): boolean {
  return !id.startsWith('0x')
}

/** Undefined while the height of the index's end is unknown. */
export async function indexStanding(
  call: Call,
  of: IndexedChain['of'],
  listed: Listed | undefined,
  newestFirst: readonly Listed[],
  known: Anchor | undefined,
): Promise<Standing | undefined> {
  const newest = await newestContainer(call, of)
  // An empty index is a new one: its distance between places and heights will differ.
  if (!newest) return { head: -1n, time: undefined, isCanonical: undefined }
  const headBy = ({ offset }: Anchor) => newest.index + BigInt(offset)
  // Measured in another index: the node was exchanged, or its index is a new one.
  const kept = known && headBy(known) >= 0n ? known : undefined
  const here = listed && (await anchorAt(listed, kept, (id) => positionOf(call, of, id)))
  const anchor = here ?? kept ?? (await anchorFurtherBack(call, of, newestFirst))
  if (!anchor || headBy(anchor) < 0n) return undefined
  const head = headBy(anchor)
  const { timestamp: time } = newest
  return { head, time, anchor, isCanonical: here ? true : listed && (await lacks(call, of, listed, head, anchor)) }
}

async function anchorAt(
  listed: Listed,
  known: Anchor | undefined,
  position: (id: string) => Promise<bigint | undefined>,
): Promise<Anchor | undefined> {
  for (const by of known ? [known.by] : (['proposal', 'block'] as const)) {
    const id = idOf(listed, by)
    const at = id === undefined ? undefined : await position(id)
    if (at !== undefined) return { offset: String(listed.blockNumber - at), by }
  }
  return undefined
}

/** Asks for the whole container, as that repeats its id: every height will depend on this place. */
async function anchorFurtherBack(
  call: Call,
  of: IndexedChain['of'],
  newestFirst: readonly Listed[],
): Promise<Anchor | undefined> {
  for (const place of FURTHER_BACK) {
    const listed = newestFirst[place]
    const found = listed && (await anchorAt(listed, undefined, (id) => positionInContainer(call, of, id)))
    if (found) return found
  }
  return undefined
}

function idOf({ blockHash, proposerDetails }: Listed, by: Anchor['by']): string | undefined {
  const id = by === 'proposal' ? proposerDetails?.proposerId : blockHash
  return id !== undefined && isNodeForm(id) ? id : undefined
}

async function positionOf(call: Call, of: IndexedChain['of'], id: string): Promise<bigint | undefined> {
  return (await call(getIndex, { ...of, id }).catch(ifUnknown))?.value.index
}

async function positionInContainer(call: Call, of: IndexedChain['of'], id: string): Promise<bigint | undefined> {
  const answer = await call(getContainerByID, { ...of, id }).catch(ifUnknown)
  return answer?.value.id === id ? answer.value.index : undefined
}

/** False (not canonical) if the index reaches past the height and the node itself says that it lacks the block. */
async function lacks(
  call: Call,
  of: IndexedChain['of'],
  listed: Listed,
  head: bigint,
  { by }: Anchor,
): Promise<false | undefined> {
  const id = idOf(listed, by)
  if (id === undefined || head < listed.blockNumber) return undefined
  const { value } = await call(isAccepted, { ...of, id })
  return value.isAccepted ? undefined : false
}

const ifUnknown = undefinedIf(isNotFound, isUnreadable)
