// The position of a node on the X- or the C-Chain from the chain's own interface, without index and data service.
// avm.getHeight, eth_getBlockByNumber.

import { avmGetHeight } from '../../operations/node/avm.getHeight.ts'
import { ethGetBlockByNumber } from '../../operations/node/eth_getBlockByNumber.ts'
import type { Run } from '../define.ts'
import type { Standing } from './index-standing.ts'

type Call = Run<typeof avmGetHeight | typeof ethGetBlockByNumber, never, never>['call']

/** A node that has just started does not serve its chains yet. */
const PROBE = { maxAge: '0s' }

export async function ownStanding(call: Call, chain: 'X' | 'C'): Promise<Standing> {
  if (chain === 'X') {
    const { value } = await call(avmGetHeight, {}, PROBE)
    return { head: value.height, time: undefined, isCanonical: undefined }
  }
  const { value } = await call(ethGetBlockByNumber, { chain }, PROBE)
  return { head: value.number, time: value.timestamp, isCanonical: undefined }
}
