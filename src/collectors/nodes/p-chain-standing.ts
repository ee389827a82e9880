// The position of a node on the P-Chain. platform.getBlockByHeight and platform.getBlock (document 2, P-Chain
// interface).

import { BaseError } from '../../errors.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getBlock, getBlockByHeight } from '../../operations/node/platform-blocks.ts'
import type { PrimaryNetworkBlock as Listed } from '../../operations/data/primary-network-blocks.ts'
import type { Ask } from '../define.ts'
import { isNodeForm, type Standing } from './index-standing.ts'
import { failsWith, ifNotFound, isNotFound, isUnreadable, undefinedIf } from '../answers/not-found.ts'

type Call = Ask<typeof getBlock | typeof getBlockByHeight>['call']
/** Empty if the node returns the block as bytes. */
type Block = Partial<Exclude<AnswerOf<typeof getBlock>['block'], string>>

/** No chain is this high: a node that claims such a block claims one at every height. */
const BEYOND = 2n ** 53n

/** The node's head, searched from the given heights on, and whether the node has the listed block. */
export async function pChainStanding(
  call: Call,
  near: readonly bigint[],
  listed: Listed | undefined,
): Promise<Standing> {
  const blocks = new Map<bigint, Block | undefined>()
  const block = async (height: bigint) => {
    if (!blocks.has(height)) blocks.set(height, await blockAt(call, height))
    return blocks.get(height)
  }
  const possible = near.filter((height) => height < BEYOND)
  const head = await findEnd(possible, async (height) => (await block(height)) !== undefined)
  if (head === undefined) throw new BaseError('bad_response', 'the node has no P-Chain blocks')
  const time = (await block(head))?.time
  return { head, time, isCanonical: listed && (await hasListed(call, block, head, listed)) }
}

async function blockAt(call: Call, height: bigint): Promise<Block | undefined> {
  if (height >= BEYOND) throw new BaseError('bad_response', 'the node has a block at every height')
  const answer = await call(getBlockByHeight, { height, encoding: 'json' }).catch(ifNotFound)
  if (!answer) return undefined
  const { block } = answer.value
  if (typeof block === 'string') return {}
  if (block.height === height) return block
  throw new BaseError('bad_response', 'the answer is about a block of another height')
}

/** The next block names its parent in every form of the answer; only live nodes include a block's own id. */
async function hasListed(
  call: Call,
  block: (height: bigint) => ReturnType<typeof blockAt>,
  head: bigint,
  { blockNumber: height, blockHash }: Listed,
): Promise<boolean | undefined> {
  if (head < height) return undefined
  const id = head > height ? (await block(height + 1n))?.parentID : (await block(height))?.id
  if (id === undefined) return undefined
  if (id === blockHash) return true
  return (await isMissing(call, blockHash)) ? false : undefined
}

/** A fork pages the operator, so the node itself must say that it lacks the block. An unreadable id proves nothing. */
async function isMissing(call: Call, blockID: string): Promise<boolean> {
  if (!isNodeForm(blockID)) return false
  return failsWith(isNotFound, call(getBlock, { blockID }).catch(undefinedIf(isUnreadable)))
}

type IsThere = (place: bigint) => Promise<boolean>

/**
 * The last existing place, such as a height of a chain; undefined if not even place 0 exists. If a place exists, all below
 * it count as existing. Tries the places in `near` first, the greatest of them before the others, and no place twice: one
 * near the end saves most questions.
 */
export async function findEnd(near: readonly bigint[], isThere: IsThere): Promise<bigint | undefined> {
  let missing: bigint | undefined
  for (const place of near.toSorted((a, b) => (a < b ? 1 : -1))) {
    if (place === missing) continue
    if (await isThere(place)) return searchUp(place, missing, isThere)
    missing = place
  }
  for (let step = 1n; missing !== 0n; step *= 2n) {
    const place: bigint = missing === undefined || missing < step ? 0n : missing - step
    if (await isThere(place)) return searchUp(place, missing, isThere)
    missing = place
  }
  return undefined
}

/** Doubles its steps until a place is missing, then bisects. */
async function searchUp(from: bigint, to: bigint | undefined, isThere: IsThere): Promise<bigint> {
  let there = from
  let missing = to
  for (let step = 1n; missing === undefined || there + step < missing; step *= 2n) {
    if (await isThere(there + step)) there += step
    else missing = there + step
  }
  while (missing - there > 1n) {
    const middle: bigint = (there + missing) / 2n
    if (await isThere(middle)) there = middle
    else missing = middle
  }
  return there
}
