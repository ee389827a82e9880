// Where a node stands on the P-Chain. platform.getBlockByHeight and platform.getBlock (document 2, P-Chain interface).

import { BaseError } from '../../errors.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getBlock } from '../../operations/node/platform.getBlock.ts'
import { getBlockByHeight } from '../../operations/node/platform.getBlockByHeight.ts'
import type { PrimaryNetworkBlock as Listed } from '../../operations/data/primary-network-block.ts'
import type { Run } from '../define.ts'
import { greatest } from './greatest.ts'
import type { Standing } from './index-standing.ts'
import { ifNotFound, isNotFound, isUnreadable } from '../answers/not-found.ts'

type Call = Run<typeof getBlock | typeof getBlockByHeight, never, never>['call']
/** Of bytes it is only known that they are there. */
type Block = Partial<Exclude<AnswerOf<typeof getBlock>['block'], string>>

/** No chain gets there: who has a block at such a height has one at every height. */
const BEYOND = 2n ** 53n

/** The head of the node, sought from the heights that are known, and whether it has the block that is listed. */
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
  const head = await greatest(possible, async (height) => (await block(height)) !== undefined)
  if (head === undefined) throw new BaseError('bad_response', 'the node has no P-Chain block at all')
  return { head, isCanonical: listed && (await hasListed(call, block, head, listed)) }
}

async function blockAt(call: Call, height: bigint): Promise<Block | undefined> {
  if (height >= BEYOND) throw new BaseError('bad_response', 'the node has a block at every height')
  const answer = await call(getBlockByHeight, { height, encoding: 'json' }).catch(ifNotFound)
  if (!answer) return undefined
  const { block } = answer.value
  if (typeof block === 'string') return {}
  if (block.height === height) return block
  throw new BaseError('bad_response', 'the answer is about a block of another height than the one asked for')
}

/** The next block names it in every form of the answer; the block names itself on live nodes alone. */
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

/** A page is at stake: the node itself must say that it lacks the block. What is no id to it proves nothing. */
async function isMissing(call: Call, blockID: string): Promise<boolean> {
  try {
    await call(getBlock, { blockID })
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    if (isUnreadable(error)) return false
    throw error
  }
}
