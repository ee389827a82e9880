// What a simulated node of a test reports of its last P-Chain block.

import { BaseError } from '../../src/errors.ts'
import type { Upstream } from './poll.ts'

export interface LastBlock {
  height: number
  /** Unix seconds. */
  time: number
}

/**
 * With a last block as live nodes tell it; without one in the form of the document, which has neither height nor time. The
 * node does not know the fee of L1 validators.
 */
export function withNodeTime(answers: Upstream, last?: LastBlock): Upstream {
  return (operation, wire, source) => {
    if (operation.startsWith('platform.getValidatorFee')) return new BaseError('unsupported', 'no such method')
    if (operation === 'platform.getCurrentSupply') return { supply: '1', ...(last && { height: String(last.height) }) }
    if (operation !== 'platform.getBlockByHeight' || !last) return answers(operation, wire, source)
    return {
      encoding: 'json',
      block: { parentID: 'p', height: wire.body['height'], id: 'b', time: last.time, txs: [] },
    }
  }
}
