// The blocks of the primary network as their proposers wrapped them, with headers and certificates that fit the draw.

import { readId, toCb58 } from '../../lib/ids.ts'
import type { PrimaryChain } from '../../lib/primary-network.ts'
import { type Block, type Chain, isDecision, type Postpone, RECENT_BLOCKS } from './blocks.ts'
import { bytesOf } from './ids.ts'
import type { EvmChain } from './evm-chains.ts'
import { innerBytes, integer, sized } from './inner-bytes.ts'
import { createRecent } from './recent.ts'
import { EPOCH, type Header, type Turns } from './turns.ts'

interface Proposal {
  id: string
  parentId: string
  /** Whose turn it was. Any node may build the first block, and a decision comes with its parent. */
  proposer: string | undefined
  pChainHeight: number
  /** Hexadecimal digits. */
  bytes(): string
}

export interface Proposals {
  of(block: Block): Proposal
  /** The chain's own block inside, in hexadecimal digits. */
  inner(block: Block): string
  /** The block by the id of its proposal. */
  find(id: string): Block | undefined
  postpone: Postpone
}

/** Ids of proposals are no digests: a block is found by the number in the id, and no other one has to be worked out for it. */
const DIGEST = 26
const NUMBER = 6

function idBytes(hash: string, height: number): string {
  return bytesOf(`proposal ${hash}`, DIGEST) + integer(height + 1, NUMBER)
}

const idOf = ({ hash, height }: Pick<Block, 'hash' | 'height'>) => toCb58(Buffer.from(idBytes(hash, height), 'hex'))

function createProposals(
  name: PrimaryChain,
  chain: Pick<Chain, 'block'>,
  turns: Turns,
  isEmpty: (height: number) => boolean,
): Proposals {
  const recent = createRecent<string, Proposal>(RECENT_BLOCKS)
  const inner = (block: Block) => innerBytes(name, block, isEmpty(block.height))

  function headerOf(block: Block): Header {
    if (isDecision(block)) return headerOf(chain.block(block.height - 1)!)
    const time = block.turn
    return { time, pChainHeight: turns.heightAt(time) }
  }

  function proposerOf(block: Block): string | undefined {
    if (block.height < 2 || isDecision(block)) return undefined
    return turns.proposer(name, block.height, block.turn, headerOf(chain.block(block.height - 1)!))
  }

  function propose(block: Block): Proposal {
    const { hash, parentHash, height } = block
    const proposer = proposerOf(block)
    const { time, pChainHeight } = headerOf(block)
    const parent = idBytes(parentHash, height - 1)
    const wrapped = () => sized(inner(block))

    function bytes(): string {
      if (isDecision(block)) return CODEC + DECISION + parent + wrapped()
      const certificate = proposer === undefined ? undefined : turns.certificateOf(proposer)
      const isFirstEpoch = pChainHeight === 0
      return [
        CODEC + (isFirstEpoch ? BUILT : BUILT_IN_EPOCH) + parent + integer(time, 8) + integer(pChainHeight, 8),
        sized(certificate?.toString('hex') ?? '') + wrapped(),
        isFirstEpoch ? '' : epoch(pChainHeight, turns),
        sized(certificate ? bytesOf(`signature ${hash}`, SIGNATURE) : ''),
      ].join('')
    }

    return { id: idOf(block), parentId: toCb58(Buffer.from(parent, 'hex')), proposer, pChainHeight, bytes }
  }

  return {
    inner,
    postpone(height, due) {
      if (!turns.isAnyoneIdle()) return undefined
      const turn = due()
      if (turn === undefined) return undefined
      const built = turns.builtAt(name, height, turn, headerOf(chain.block(height - 1)!))
      return built === turn ? undefined : built
    },
    of: (block) => recent.get(block.hash, () => propose(block)),
    find(id) {
      const bytes = Buffer.from(readId(id).value ?? [])
      const block = bytes.length === 0 ? undefined : chain.block(bytes.readUIntBE(DIGEST, NUMBER) - 1)
      return block && idOf(block) === id ? block : undefined
    },
  }
}

const CODEC = integer(0, 2)
const BUILT = integer(0, 4)
const DECISION = integer(1, 4)
const BUILT_IN_EPOCH = integer(2, 4)
const SIGNATURE = 71

/** Its height, its number and when it began. */
function epoch(pChainHeight: number, { timeOf }: Turns): string {
  return integer(pChainHeight, 8) + integer(pChainHeight / EPOCH, 8) + integer(timeOf(pChainHeight), 8)
}

/** Whether a block of the C-Chain, the first of these, has no transactions. */
export function isEmptyOn([c]: readonly Pick<EvmChain, 'block'>[]): (height: number) => boolean {
  return (height) => c!.block(height)?.txCount === 0
}

/** Of each chain; `isEmpty` is about the blocks of the EVM on the C-Chain. */
export function proposalsOf(
  chains: Readonly<Record<PrimaryChain, Chain>>,
  turns: Turns,
  isEmpty: (height: number) => boolean,
): Readonly<Record<PrimaryChain, Proposals>> {
  const of = (name: PrimaryChain) => createProposals(name, chains[name], turns, isEmpty)
  return { P: of('P'), X: of('X'), C: of('C') }
}
