// platform.getBlock: by the block's own id.

import { getBlock } from '../../operations/node/platform-blocks.ts'
import { refusal } from '../node/node-words.ts'
import { handles } from '../handler.ts'
import { blockAnswer } from './platform-block.ts'

export const handleGetBlock = handles(getBlock, ({ world, dialect }, { blockID, encoding }) => {
  const block = world.chains.P.find(blockID)
  if (!block) throw refusal(`couldn't get block with id ${blockID}: not found`)
  return blockAnswer(block, encoding, dialect, world)
})
