// platform.getBlockByHeight: any block from the first one on.

import { getBlockByHeight } from '../../operations/node/platform-blocks.ts'
import { refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'
import { blockAnswer } from './platform-block.ts'

export const handleGetBlockByHeight = handles(getBlockByHeight, ({ world, dialect }, { height, encoding }) => {
  const block = world.chains.P.block(Number(height))
  if (!block) throw refusal(`couldn't get block at height ${height}: not found`)
  return blockAnswer(block, encoding, dialect, world)
})
