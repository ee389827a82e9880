// Where a node stands on a chain by its index of blocks (document 2, Index interface). An index counts containers, not
// heights: a block that the data service lists tells how far the two are apart.

import { z } from 'zod'
import { getContainerByID } from '../../operations/node/index.getContainerByID.ts'
import { getIndex } from '../../operations/node/index.getIndex.ts'
import { isAccepted } from '../../operations/node/index.isAccepted.ts'
import type { getLastAccepted } from '../../operations/node/index.getLastAccepted.ts'
import type { PrimaryNetworkBlock as Listed } from '../../operations/data/primary-network-block.ts'
import { isNotFound, isUnreadable } from '../answers/not-found.ts'
import type { Run } from '../define.ts'
import { type IndexedChain, newestContainer } from './indexes.ts'

type Operations = typeof getContainerByID | typeof getIndex | typeof getLastAccepted | typeof isAccepted
type Call = Run<Operations, never, never>['call']

export const anchorType = z.object({
  /** Height less position of every block in the index. */
  offset: z.string(),
  /** What containers are called there: the documents' block ids, or those of the proposers' wrappings on live nodes. */
  by: z.enum(['proposal', 'block']),
})
type Anchor = z.output<typeof anchorType>

export interface Standing {
  /** Height of the newest block that the node has; below 0 without any. */
  head: bigint
  /** Whether it has the listed block; undefined while it is behind, and when it cannot be told. */
  isCanonical: boolean | undefined
  /** Only of an index: what the next run needs. */
  anchor?: Anchor
}

/** Listed blocks that are tried, counted from the newest, when the node lags so far that no place is known. */
const FURTHER_BACK = [12, 50, 99]

/** Undefined while nothing tells which height the end of the index has. */
export async function indexStanding(
  call: Call,
  of: IndexedChain['of'],
  listed: Listed | undefined,
  newestFirst: readonly Listed[],
  known: Anchor | undefined,
): Promise<Standing | undefined> {
  const newest = await newestContainer(call, of)
  // Where it is empty for sure it is another one: how far its places were from heights is over.
  if (!newest) return { head: -1n, isCanonical: undefined }
  const here = listed && (await anchorAt(listed, known, (id) => positionOf(call, of, id)))
  const anchor = here ?? known ?? (await anchorFurtherBack(call, of, newestFirst))
  if (!anchor) return undefined
  const head = newest.index + BigInt(anchor.offset)
  return { head, anchor, isCanonical: here ? true : listed && (await lacks(call, of, listed, head, anchor)) }
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

/** A container says its own id: on what it tells all heights will rest. */
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
  return by === 'proposal' ? proposerDetails?.proposerId : blockHash
}

async function positionOf(call: Call, of: IndexedChain['of'], id: string): Promise<bigint | undefined> {
  return (await call(getIndex, { ...of, id }).catch(ifUnknown))?.value.index
}

async function positionInContainer(call: Call, of: IndexedChain['of'], id: string): Promise<bigint | undefined> {
  const answer = await call(getContainerByID, { ...of, id }).catch(ifUnknown)
  return answer?.value.id === id ? answer.value.index : undefined
}

/** False, for not canonical, when the index reaches past the height and the node itself says that it lacks the block. */
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

function ifUnknown(error: unknown): undefined {
  if (!isNotFound(error) && !isUnreadable(error)) throw error
}
