// evm-transactions: how many transactions of EVM chains succeed or fail, and of which kind they are, by reading every
// new block once. List latest EVM blocks (document 1, operation 12) gives the blocks; operation 11 gives their
// transactions. That is one call for each block that is not empty, so the collector is opt-in.

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { ofChain, type Sample } from '../../metrics/define.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import { type EvmBlock, listEvmBlockTransactions, listLatestEvmBlocks } from '../../operations/data/evm.ts'
import { believedType } from '../counting/believed.ts'
import { type Heads, readHeads } from './heads.ts'
import { cursorType, moveCursor, startAt } from './heights.ts'
import { refuseOtherChain } from '../answers/chain-info.ts'
import { BLOCKS_PAGE, blocksOfChain, readableBlocks } from '../answers/listed-blocks.ts'
import { isNotFound } from '../answers/not-found.ts'
import { boundedWord } from '../answers/spelling.ts'
import { defineCollector } from '../define.ts'
import { evmChains } from '../subjects/evm-chains.ts'
import { countType, wordType } from '../counting/remembered.ts'

const transactionsTotal = ofChain.counter('stakewatch_evm_block_transactions_total', {
  help: 'Transactions in the counted blocks, by outcome and kind of call (data service).',
  labels: ['status', 'call_type'],
})
const blocksMissed = ofChain.counter('stakewatch_evm_transactions_blocks_missed_total', {
  help: 'Blocks with uncounted transactions, because too many blocks came or the data service did not list all their transactions in a readable form.',
})

type Transaction = AnswerOf<typeof listEvmBlockTransactions>['transactions'][number]

const memory = z.object({
  /** The newest block that was walked or missed. Blocks are walked in order, so there are no gaps. */
  cursor: cursorType,
  counts: z.record(wordType, z.record(wordType, countType)),
  missed: countType,
  /** How many consecutive runs did not get all of the next block. */
  waited: countType,
  newest: believedType,
})
type Memory = z.output<typeof memory>

const PAGE = 100
/** Pages of transactions read in one run; later runs walk the rest. */
const MOST_PAGES = 60
/** Blocks that may wait to be walked; beyond that, the oldest count as missed. */
const BACKLOG = 1_000
/** How many runs wait for the transactions of a block, as the service may index them later than the block. */
const PATIENCE = 3
/** New blocks per run of a chain with a block every two seconds, each with one page of transactions. */
const USUAL_BLOCKS = 30

const statuses = new Map([
  ['1', 'success'],
  ['0', 'reverted'],
])
/** The known ones start at 0: `increase()` misses a series that begins at 1. */
const callTypes = ['NATIVE_TRANSFER', 'CONTRACT_CALL', 'CONTRACT_CREATION']
const none = () => Object.fromEntries([...statuses.values()].map((status) => [status, 0]))
const START: Omit<Memory, 'cursor' | 'newest'> = {
  counts: Object.fromEntries(callTypes.map((type) => [type, none()])),
  missed: 0,
  waited: 0,
}

export const evmTransactions = defineCollector({
  name: 'evm-transactions',
  about:
    'Transactions of the configured EVM chains by outcome and kind of call; 20 units a block, at most 60 pages a run.',
  every: '1m',
  uses: [listLatestEvmBlocks, listEvmBlockTransactions],
  isOptIn: true,
  metrics: [transactionsTotal, blocksMissed],
  memory,
  subjects: evmChains,
  estimate: () => ({
    calls: [listLatestEvmBlocks, { operation: listEvmBlockTransactions, times: USUAL_BLOCKS }],
    series: callTypes.length * 2 + 1,
  }),
  async collect({ subject: { chainId }, memory: from, now, pages, attempt, flawed }) {
    const { blocks: all } = readableBlocks(pages(listLatestEvmBlocks, { chainId, pageSize: BLOCKS_PAGE }))
    const listed = blocksOfChain(all, chainId)
    const { newest, restartAt, refused, ...heads } = await readHeads(listed, from?.newest, now)
    if (from && newest && refused) return { samples: [], memory: { ...from, newest }, refused }
    if (refused) throw refused
    const cursor = from && moveCursor(from.cursor, restartAt)
    const blocks = await newBlocks(heads, cursor?.position)
    const head = Math.max(...blocks.keys())
    if (!newest || !heads.head) throw new BaseError('bad_response', 'the data service lists no blocks for this chain')
    const flaw = heads.flaw()
    if (flaw) flawed(flaw)
    if (!from || !cursor) return result({ ...START, cursor: startAt(head), newest })
    const ask = async (height: number) => {
      const params = { chainId, blockId: String(height), pageSize: PAGE }
      // If a block fails, the blocks walked before it count, and the next run continues there.
      const found = await attempt((of) =>
        transactionsOf(of.pages(listEvmBlockTransactions, params), { chainId, height, txCount: blocks.get(height) }),
      )
      return found.value
    }
    return result(await walk(withoutOldest({ ...from, cursor, newest }, head), head, blocks, ask))
  },
})

function result(state: Memory): { samples: Sample[]; memory: Memory } {
  const counts = Object.entries(state.counts).flatMap(([call_type, byStatus]) =>
    Object.entries(byStatus).map(([status, count]) => transactionsTotal.sample({ status, call_type }, count)),
  )
  return { samples: [...counts, blocksMissed.sample({}, state.missed)], memory: state }
}

/** The number of transactions of each block by height, as far back as the run may need. */
type Blocks = ReadonlyMap<number, number | undefined>

async function newBlocks({ pages }: Pick<Heads<EvmBlock>, 'pages'>, walked = Infinity): Promise<Blocks> {
  const blocks = new Map<number, number | undefined>()
  for await (const page of pages) {
    for (const { blockNumber, txCount } of page) blocks.set(Number(blockNumber), txCount)
    if (blocks.size >= BACKLOG || [...blocks.keys()].some((height) => height <= walked)) break
  }
  return blocks
}

function withoutOldest(from: Memory, head: number): Memory {
  const { position } = from.cursor
  const height = Math.max(position, head - BACKLOG)
  return { ...walkedTo(from, height), missed: from.missed + height - position }
}

function walkedTo(state: Memory, position: number): Memory {
  return { ...state, cursor: { ...state.cursor, position } }
}

interface Found {
  pages: number
  /** How many of its transactions are unreadable. */
  lost: number
  /** Undefined if the service does not have the block or not all of it. */
  transactions?: readonly Transaction[]
}

async function transactionsOf(
  listed: AsyncIterable<Answer<{ transactions: Transaction[] }>>,
  { chainId, height, txCount }: { chainId: string; height: number; txCount: number | undefined },
): Promise<Found> {
  const found = new Map<string, Transaction>()
  let read = 0
  let lost = 0
  try {
    for await (const { value, dropped } of listed) {
      read += 1
      lost += dropped
      for (const transaction of value.transactions) {
        refuseOtherChain(transaction.chainId, chainId)
        const { blockNumber = height } = transaction
        if (Number(blockNumber) !== height) {
          throw new BaseError('bad_response', 'the transactions are of another block')
        }
        found.set(transaction.txHash, transaction)
      }
    }
  } catch (error) {
    if (isNotFound(error)) return { pages: read + 1, lost }
    throw error
  }
  // An empty answer counts only if the block is known to be empty.
  const isComplete = found.size + lost >= (txCount ?? 1)
  return { pages: read, lost, ...(isComplete && { transactions: [...found.values()] }) }
}

/**
 * Walks blocks, oldest first, until the head, the first failure, or the page limit of a run. A block that fails while
 * the next one works is missed after as many runs as one that the service lacks.
 */
async function walk(
  from: Memory,
  head: number,
  blocks: Blocks,
  ask: (height: number) => Promise<Found | undefined>,
): Promise<Memory> {
  let state = from
  let read = 0
  /** The block after one that failed. */
  let probed: Found | undefined
  while (state.cursor.position < head && read < MOST_PAGES) {
    const height = state.cursor.position + 1
    const found = blocks.get(height) === 0 ? EMPTY : (probed ?? (await ask(height)))
    probed = found || height === head ? undefined : await ask(height + 1)
    if (!found && !probed) break
    read += found?.pages ?? 1
    const transactions = found?.transactions
    if (transactions) state = withBlock(walkedTo(state, height), transactions, found.lost > 0)
    else if (state.waited < PATIENCE) return { ...state, waited: state.waited + 1 }
    else state = { ...walkedTo(state, height), missed: state.missed + 1 }
  }
  return state
}

const EMPTY: Found = { pages: 0, lost: 0, transactions: [] }

/** Its unreadable transactions are the only ones that are not counted. */
function withBlock(state: Memory, transactions: readonly Transaction[], hasLost: boolean): Memory {
  return {
    ...state,
    counts: withAll(state.counts, transactions),
    missed: state.missed + (hasLost ? 1 : 0),
    waited: 0,
  }
}

function withAll(before: Memory['counts'], transactions: readonly Transaction[]): Memory['counts'] {
  const counts = structuredClone(before)
  for (const { txStatus = '', method } of transactions) {
    const byStatus = (counts[boundedWord(counts, method?.callType || 'other')] ??= none())
    const status = statuses.get(txStatus) ?? 'other'
    byStatus[status] = (byStatus[status] ?? 0) + 1
  }
  return counts
}
