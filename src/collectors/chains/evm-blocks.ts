// evm-blocks: heads, throughput, gas and fees of EVM chains, each block counted once.
// List latest EVM blocks (document 1, operation 12).

import { z } from 'zod'
import { BaseError, refusal } from '../../errors.ts'
import { sumOf, toTokens } from '../../lib/units.ts'
import { emptyHistogram, observe, ofChain, type Sample } from '../../metrics/define.ts'
import { type EvmBlock, listLatestEvmBlocks } from '../../operations/data/evm.ts'
import { type Believed, believedType, growth, refusalOf, updateTotal } from '../counting/believed.ts'
import { BLOCKS_PAGE, blocksOfChain, readableBlocks } from '../answers/listed-blocks.ts'
import { defineCollector } from '../define.ts'
import { histogramType } from '../counting/follow.ts'
import { newestOf, readHeads } from './heads.ts'
import { type ByHeight, countedType, countHeights, continueAt, headOf, headType, spacedBy } from './heights.ts'
import { evmChains } from '../subjects/evm-chains.ts'
import { countType, sumType } from '../counting/remembered.ts'

const metrics = {
  headHeight: ofChain.gauge('stakewatch_evm_head_height', {
    help: 'Height of the newest block that the data service lists.',
  }),
  headTimestamp: ofChain.gauge('stakewatch_evm_head_timestamp_seconds', {
    is: 'past',
    help: 'Time of the newest block that the data service lists.',
  }),
  transactionsTotal: ofChain.counter('stakewatch_evm_transactions_total', {
    help: 'Transactions of the chain since its beginning, as stated by the newest block (data service, cumulativeTransactions).',
  }),
  blocksMissed: ofChain.counter('stakewatch_evm_blocks_missed_total', {
    help: 'Blocks missing from the other counters because the data service listed them too late or in an unreadable form.',
    details: 'So is a block without the gas or fees that the service states of others.',
  }),
  gasUsedTotal: ofChain.counter('stakewatch_evm_gas_used_total', {
    help: 'Gas used by the counted blocks (data service).',
  }),
  gasLimit: ofChain.gauge('stakewatch_evm_gas_limit', { help: 'Gas limit of the newest block (data service).' }),
  gasUtilisation: ofChain.histogram('stakewatch_evm_gas_utilisation_ratio', {
    help: 'Gas used divided by the gas limit, for each counted block (data service).',
    buckets: [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1],
  }),
  baseFee: ofChain.gauge('stakewatch_evm_base_fee_tokens', {
    help: "Base fee per gas of the newest block, in the chain's own token (data service).",
  }),
  feesSpentTotal: ofChain.counter('stakewatch_evm_fees_spent_tokens_total', {
    help: "Fees of the counted blocks, in the chain's own token (data service).",
  }),
  blockInterval: ofChain.histogram('stakewatch_evm_block_interval_seconds', {
    help: 'Time between each counted block and its predecessor (data service).',
    buckets: [1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600],
  }),
}

const totalsType = z.object({
  head: headType.optional(),
  missed: countType,
  /** Sums in the smallest unit, exact. */
  gas: sumType,
  fees: sumType,
  utilisation: histogramType(metrics.gasUtilisation),
  intervals: histogramType(metrics.blockInterval),
})
type Totals = z.output<typeof totalsType>
const memory = countedType(totalsType).extend({
  newest: believedType,
  transactions: believedType.optional(),
})

export const evmBlocks = defineCollector({
  name: 'evm-blocks',
  about: 'Heads, transactions, gas and fees of the configured EVM chains.',
  every: '30s',
  uses: [listLatestEvmBlocks],
  isEssential: true,
  metrics: Object.values(metrics),
  memory,
  subjects: evmChains,
  estimate: () => ({ series: 31 }),
  async collect({ subject: { chainId, decimals }, memory: from, now, pages, flawed }) {
    const { blocks, unread } = readableBlocks(pages(listLatestEvmBlocks, { chainId, pageSize: BLOCKS_PAGE }))
    const listed = blocksOfChain(blocks, chainId)
    const { head, below, newest, restartAt, refused, ...heads } = await readHeads(listed, from?.newest, now)
    if (from && newest && refused) return { samples: [], memory: { ...from, newest }, refused }
    if (refused) throw refused
    const stated = statedBy(head ? [head, ...below] : [])
    const whole = wholeBlocks(heads.pages, stated)
    const counted = await countHeights(blocksOf, whole.pages, from && continueAt(from, restartAt), now, {
      listed: () => unread() + heads.future() + whole.left(),
      failed: new Set(),
    })
    if (!head || !newest || !counted) {
      throw new BaseError('bad_response', 'the data service lists no blocks for this chain')
    }
    const flaw = heads.flaw()
    if (flaw) flawed(flaw)
    // A chain that began again says nothing about the totals of the one before.
    const those = transactionsOf(head, below, restartAt === undefined ? from?.transactions : undefined, now)
    if (those.refused) flawed(those.refused)
    const totals = from ? counted.totals : { ...counted.totals, head: headOf(head) }
    return {
      samples: [
        ...headSamples(head, decimals),
        ...metrics.transactionsTotal.ifKnown({}, those.total),
        ...totalSamples(totals, stated, decimals),
      ],
      memory: { ...counted, totals, newest, transactions: those.transactions },
    }
  },
})

interface Stated {
  gas: boolean
  fees: boolean
}

/** What the service says of blocks. */
function statedBy(blocks: readonly EvmBlock[]): Stated {
  return {
    gas: blocks.some(({ gasUsed }) => gasUsed !== undefined),
    fees: blocks.some(({ feesSpent }) => feesSpent !== undefined),
  }
}

/** The pages without blocks that lack what others say, and how many these were: they would count as 0. */
function wholeBlocks(pages: AsyncIterable<readonly EvmBlock[]>, { gas, fees }: Stated) {
  let left = 0
  const isWhole = ({ gasUsed, feesSpent }: EvmBlock) =>
    (!gas || gasUsed !== undefined) && (!fees || feesSpent !== undefined)
  async function* whole() {
    for await (const page of pages) {
      const kept = page.filter(isWhole)
      left += page.length - kept.length
      yield kept
    }
  }
  return { pages: whole(), left: () => left }
}

const blocksOf: ByHeight<EvmBlock, Totals> = {
  start: {
    missed: 0,
    gas: '0',
    fees: '0',
    utilisation: emptyHistogram(metrics.gasUtilisation),
    intervals: emptyHistogram(metrics.blockInterval),
  },
  add,
}

function add(totals: Totals, blocks: readonly EvmBlock[]): Totals {
  const { missed, gas, fees, utilisation } = totals
  return {
    ...spacedBy(metrics.blockInterval, totals, blocks),
    missed,
    gas: String(BigInt(gas) + sumOf(blocks.map(({ gasUsed = 0n }) => gasUsed))),
    fees: String(BigInt(fees) + sumOf(blocks.map(({ feesSpent = 0n }) => feesSpent))),
    utilisation: observe(metrics.gasUtilisation, utilisation, blocks.flatMap(utilisationOf)),
  }
}

/** None if the block does not state it, or states more gas than its limit. */
function utilisationOf({ gasUsed, gasLimit: limit }: EvmBlock): number[] {
  return gasUsed === undefined || !limit || gasUsed > limit ? [] : [Number(gasUsed) / Number(limit)]
}

function headSamples(head: EvmBlock, decimals: number): Sample[] {
  const { gasLimit: limit, baseFee: fee } = head
  return [
    metrics.headHeight.sample({}, head.blockNumber),
    metrics.headTimestamp.sample({}, head.blockTimestamp),
    ...metrics.gasLimit.ifKnown({}, limit),
    ...metrics.baseFee.ifKnown({}, toTokens(fee, decimals)),
  ]
}

/** A sum is unknown, not 0, if the service leaves a value out of all blocks. */
function totalSamples(
  { missed, gas, fees, utilisation, intervals }: Totals,
  stated: Stated,
  decimals: number,
): Sample[] {
  return [
    metrics.blocksMissed.sample({}, missed),
    ...(stated.gas
      ? [metrics.gasUsedTotal.sample({}, BigInt(gas)), metrics.gasUtilisation.sample({}, utilisation)]
      : []),
    ...(stated.fees ? [metrics.feesSpentTotal.sample({}, toTokens(BigInt(fees), decimals))] : []),
    metrics.blockInterval.sample({}, intervals),
  ]
}

interface StatedTransactions {
  /** Undefined if the head states none, or one that is refused. */
  total?: bigint
  transactions: Believed | undefined
  refused?: BaseError
}

function transactionsOf(
  head: EvmBlock,
  below: readonly EvmBlock[],
  before: Believed | undefined,
  now: number,
): StatedTransactions {
  const total = head.cumulativeTransactions
  if (total === undefined) return { transactions: before }
  const other = newestOf(below.filter(({ cumulativeTransactions }) => cumulativeTransactions !== undefined))
  if (other && !agree(head, other)) return { transactions: before, refused: refusal('height', DISAGREE) }
  const transactions = updateTotal(total, before, now, growth.transactions)
  const refused = refusalOf(transactions, FEWER)
  return refused ? { transactions, refused } : { total, transactions }
}

/** The gas of a transaction that does nothing. */
const LEAST_GAS = 21_000n

/** Whether the blocks between can hold the transactions by which the totals of the two differ. */
function agree(head: EvmBlock, below: EvmBlock): boolean {
  const [most, least] = [head.cumulativeTransactions, below.cumulativeTransactions]
  // One of the two limits may be missing or absurd. Honest ones hardly double from one block to the next.
  const [limit] = [head.gasLimit, below.gasLimit]
    .filter((one) => one !== undefined)
    .toSorted((a, b) => (a < b ? -1 : 1))
  if (most === undefined || least === undefined || !limit) return true
  return most >= least && most - least <= (head.blockNumber - below.blockNumber) * ((2n * limit) / LEAST_GAS)
}

const DISAGREE = 'the newest blocks state totals of transactions that do not follow from each other'
const FEWER = 'the newest block states fewer transactions of the chain than one before it'
