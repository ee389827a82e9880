// Blocks that a real node's indexes held (test/fixtures/recorded).

import type { PrimaryChain } from '../../src/lib/primary-network.ts'
import { resultOf } from '../recorded/recorded.ts'

export interface Container {
  id: string
  bytes: string
}

/** The first 24 of the P-Chain, from height 1 on. */
export const ofPChain = (resultOf('index.getContainerRange', 'most') as { containers: Container[] }).containers

const one = (name: string) => resultOf('index.getLastAccepted', name) as Container

/** One of each chain with its height. */
export const ofEachChain: readonly (readonly [chain: PrimaryChain, height: bigint, container: Container])[] = [
  ['P', 23n, ofPChain[22]!],
  ['P', 24n, ofPChain[23]!],
  ['X', 4n, one('X/block')],
  ['C', 1n, one('C/block')],
  ['C', 2n, one('Helicon: C block after the change of the machine')],
]
