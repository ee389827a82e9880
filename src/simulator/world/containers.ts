// What the nodes' indexes hold (document 2, Index interface): containers in the order in which they were accepted.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { Block, Chain } from './blocks.ts'
import { bytesOf } from './ids.ts'
import type { Ledger } from './ledger.ts'
import { random } from './random.ts'
import type { Proposals } from './proposals.ts'

export interface Container {
  id: string
  /** Of the block that it is or came in. */
  time: number
  /** What was accepted with it: all of this came at one moment. */
  acceptedWith: string
  /** Hex digits. */
  bytes: () => string
}

/** Positions begin at 0 and never move. */
export interface Containers {
  /** -1 when there are none. */
  last(): number
  at(position: number): Container | undefined
  find(id: string): number | undefined
}

export interface Indexes {
  blocks: Readonly<Record<PrimaryChain, Containers>>
  /** The same blocks in the wrappings of their proposers. */
  proposals: Readonly<Record<PrimaryChain, Containers>>
  /** Of the X-Chain's blocks. */
  transactions: Containers
  /** What the X-Chain was made of before it had blocks. */
  oldTransactions: Containers
  vertices: Containers
}

export function createIndexes(
  chains: Readonly<Record<PrimaryChain, Chain>>,
  wrapped: Readonly<Record<PrimaryChain, Proposals>>,
  ledger: Ledger,
): Indexes {
  const { P, X, C } = chains
  return {
    blocks: { P: blocksOf(P, wrapped.P), X: blocksOf(X, wrapped.X), C: blocksOf(C, wrapped.C) },
    proposals: { P: wrappedOf(P, wrapped.P), X: wrappedOf(X, wrapped.X), C: wrappedOf(C, wrapped.C) },
    transactions: transactionsOf(X, ledger),
    oldTransactions: historyOf(X, 'old transaction', 40),
    vertices: historyOf(X, 'vertex', 12),
  }
}

/** The first block of a chain comes with the chain: it is never accepted. */
const FIRST = 1
/** Seconds from the X-Chain's last vertices to its first block. */
const LONG = 1_150 * 86_400

function blocksOf(chain: Chain, { inner }: Proposals): Containers {
  return byHeight(chain, ({ hash }) => hash, inner, chain.find)
}

function wrappedOf(chain: Chain, { of, find }: Proposals): Containers {
  return byHeight(
    chain,
    (block) => of(block).id,
    (block) => of(block).bytes(),
    find,
  )
}

function byHeight(
  chain: Chain,
  idOf: (block: Block) => string,
  bytes: (block: Block) => string,
  find: (id: string) => Block | undefined,
): Containers {
  const container = (block: Block): Container => ({
    id: idOf(block),
    time: block.time,
    acceptedWith: block.hash,
    bytes: () => bytes(block),
  })
  return {
    last: () => chain.head() - FIRST,
    at(position) {
      const block = position < 0 ? undefined : chain.block(position + FIRST)
      return block && container(block)
    },
    find(id) {
      const block = find(id)
      return block && block.height >= FIRST ? block.height - FIRST : undefined
    },
  }
}

/** Positions count what is in the blocks after the first one. What a wallet submitted long ago is not found any more. */
function transactionsOf(chain: Chain, ledger: Ledger): Containers {
  const inFirst = chain.transactionsBefore(FIRST)
  const before = (height: number) => chain.transactionsBefore(height) - inFirst
  const last = () => before(chain.head() + 1) - 1

  return {
    last,
    at(position) {
      if (position < 0 || position > last()) return undefined
      const height = chain.heightOf(position + inFirst)
      const { time, hash, transactions, count, size } = chain.block(height)!
      const id = transactions[position - before(height)]
      if (id === undefined) return undefined
      const share = Math.floor(size / (count + 1))
      return { id, time, acceptedWith: hash, bytes: () => bytesOf(id, share) }
    },
    find(id) {
      const transaction = ledger.find(id)
      if (transaction?.chain !== 'X' || transaction.height < FIRST || transaction.height > chain.head())
        return undefined
      const { height } = transaction
      const place = chain.block(height)!.transactions.indexOf(id)
      return place < 0 ? undefined : before(height) + place
    },
  }
}

/** A few, one a minute, from long before the chain's first block; there will never be more. */
function historyOf(chain: Chain, kind: string, count: number): Containers {
  const { hash, time } = chain.block(0)!
  const all = Array.from({ length: count }, (_, at): Container => {
    const dice = random(hash, kind, at)
    const id = dice.base58(50)
    const size = dice.between(200, 900)
    return { id, time: Math.max(0, time - LONG + 60 * at), acceptedWith: id, bytes: () => bytesOf(id, size) }
  })
  const positions = new Map(all.map(({ id }, at) => [id, at]))
  return { last: () => count - 1, at: (position) => all[position], find: (id) => positions.get(id) }
}
