// primary-blocks: heads and blocks of the primary network's chains, each block counted once.
// List latest primary network blocks (document 1, operation 14); gaps in the list are filled block by block (operation
// 15).

import { z } from 'zod'
import type { Network, Validator } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { primaryChains } from '../../lib/primary-network.ts'
import { emptyHistogram, observe, ofChain, ofNetwork, ofShownValidator, type Sample } from '../../metrics/define.ts'
import {
  getPrimaryNetworkBlock,
  listLatestPrimaryNetworkBlocks,
  type PrimaryNetworkBlock as Block,
} from '../../operations/data/primary-network-blocks.ts'
import { believedType } from '../counting/believed.ts'
import { aboutChain, mismatchOf, publishMismatch } from '../answers/chain-info.ts'
import { BLOCKS_PAGE, readableBlocks } from '../answers/listed-blocks.ts'
import { boundedWord } from '../answers/spelling.ts'
import { defineCollector } from '../define.ts'
import { histogramType } from '../counting/follow.ts'
import { asking, withoutHoles } from './filled-blocks.ts'
import { readHeads } from './heads.ts'
import { continueAt, countedType, countHeights, headOf, headType, spacedBy } from './heights.ts'
import { trackedOnPrimary } from '../subjects/subnets.ts'
import { countType, wordType } from '../counting/remembered.ts'

const metrics = {
  headHeight: ofChain.gauge('stakewatch_chain_head_height', {
    help: 'Height of the newest block that the data service lists.',
  }),
  headTimestamp: ofChain.gauge('stakewatch_chain_head_timestamp_seconds', {
    is: 'past',
    help: 'Time of the newest block that the data service lists.',
  }),
  proposerLag: ofChain.gauge('stakewatch_chain_block_proposer_lag_seconds', {
    help: "Time of the newest block minus the start of its proposer's slot (data service, proposerDetails).",
  }),
  blocksTotal: ofChain.counter('stakewatch_chain_blocks_total', {
    help: 'Counted blocks by type (data service).',
    labels: ['block_type'],
  }),
  blocksMissed: ofChain.counter('stakewatch_chain_blocks_missed_total', {
    help: 'Blocks missing from the other counters because the data service neither listed nor returned them, or only in an unreadable form.',
  }),
  transactionsTotal: ofChain.counter('stakewatch_chain_transactions_total', {
    help: 'Transactions in the counted blocks (data service).',
  }),
  blockSize: ofChain.histogram('stakewatch_chain_block_size_bytes', {
    help: 'Sizes of the counted blocks (data service).',
    buckets: [256, 512, 1_024, 2_048, 4_096, 16_384, 65_536, 262_144, 1_048_576],
  }),
  blockInterval: ofChain.histogram('stakewatch_chain_block_interval_seconds', {
    help: 'Time between each counted block and its predecessor (data service).',
    buckets: [1, 2, 5, 10, 20, 30, 60, 120, 300, 600],
  }),
  proposedTotal: ofShownValidator.counter('stakewatch_validator_blocks_proposed_total', {
    help: 'P-Chain blocks that the tracked validator proposed since counting began (data service, proposerDetails).',
    details: 'Absent while no listed block names its proposer.',
  }),
  l1ActiveValidators: ofNetwork.gauge('stakewatch_l1_active_validators', {
    help: 'Active validators of all L1s at the newest P-Chain block (data service).',
  }),
  mismatch: ofChain.gauge('stakewatch_primary_blocks_chain_mismatch', mismatchOf('blocks', 'used')),
}

const totalsType = z.object({
  head: headType.optional(),
  blocks: z.record(wordType, countType),
  missed: countType,
  transactions: countType,
  sizes: histogramType(metrics.blockSize),
  intervals: histogramType(metrics.blockInterval),
  proposed: z.record(wordType, countType),
})
type Totals = z.output<typeof totalsType>
const memory = countedType(totalsType).extend({ newest: believedType })

type Memory = z.output<typeof memory>

export const primaryBlocks = defineCollector({
  name: 'primary-blocks',
  about: 'Heads, blocks and transactions of the P-, X- and C-Chain.',
  every: '30s',
  uses: [listLatestPrimaryNetworkBlocks, getPrimaryNetworkBlock],
  isEssential: true,
  metrics: Object.values(metrics),
  memory,
  subjects,
  // Excludes the calls that fill gaps, which are rare.
  estimate: () => ({ calls: [listLatestPrimaryNetworkBlocks], series: 41 }),
  async collect({ subject, memory: remembered, now, call, pages, flawed }) {
    const of = { network: subject.dataNetwork, blockchainId: subject.id }
    const { only, isOther } = aboutChain({ chain: subject.chain, network: subject.dataNetwork })
    const { blocks: listed, unread } = readableBlocks(
      only(pages(listLatestPrimaryNetworkBlocks, { ...of, pageSize: BLOCKS_PAGE })),
    )
    const { head, newest, restartAt, refused, ...heads } = await readHeads(listed, remembered?.newest, now)
    if (isOther()) return publishMismatch(metrics.mismatch.sample({}, 1), flawed)
    if (remembered && newest && refused) return { samples: [], memory: { ...remembered, newest }, refused }
    if (refused) throw refused
    const fill = asking((height) => call(getPrimaryNetworkBlock, { ...of, blockId: String(height) }), now)
    const start = startTotals(subject.proposers.map(({ node_id }) => node_id))
    const known = remembered && withTracked(remembered, start)
    const from = known && continueAt(known, restartAt)
    let first: readonly Block[] = []
    async function* newestFirst() {
      for await (const blocks of withoutHoles(heads.pages, fill.ask, from?.cursor)) {
        if (first.length === 0) first = blocks
        yield blocks
      }
    }
    const listedUnread = () => unread() + heads.future()
    const counted = await countHeights({ start, add }, newestFirst(), from, now, {
      listed: listedUnread,
      failed: fill.failed,
    })
    if (isOther()) return publishMismatch(metrics.mismatch.sample({}, 1), flawed)
    if (!head || !newest || !counted) {
      throw new BaseError('bad_response', 'the data service lists no blocks for this chain')
    }
    // More blocks failed than the list has unreadable ones, so the service itself is failing.
    const flaw = heads.flaw() ?? (fill.failed.size > listedUnread() ? fill.failure() : undefined)
    if (flaw) flawed(flaw)
    const totals = from ? counted.totals : startCounters(counted.totals, head, first)
    const isPChain = subject.chain === 'P'
    const areNamed = first.some(({ proposerDetails }) => proposerDetails?.proposerNodeId !== undefined)
    return {
      samples: [
        ...headSamples(head, isPChain),
        ...totalSamples(totals, areNamed ? subject.proposers : []),
        ...metrics.mismatch.ifKnown({}, isOther()),
      ],
      memory: { ...counted, totals, newest },
    }
  },
})

function subjects(network: Network) {
  const { chains, data_api } = network
  if (!data_api) return []
  return chains.flatMap(({ id, name }) => {
    const chain = primaryChains[id]
    if (chain === undefined) return []
    // Only blocks of the P-Chain name their proposer.
    const proposers = chain === 'P' ? trackedOnPrimary(network).map(({ node_id, name }) => ({ node_id, name })) : []
    return [{ id, name, labels: { chain: name }, chain, dataNetwork: data_api.network, proposers }]
  })
}

function startTotals(tracked: readonly string[]): Totals {
  return {
    blocks: {},
    missed: 0,
    transactions: 0,
    sizes: emptyHistogram(metrics.blockSize),
    intervals: emptyHistogram(metrics.blockInterval),
    proposed: Object.fromEntries(tracked.map((id) => [id, 0])),
  }
}

/** Validators that were not tracked before start at 0. */
function withTracked(from: Memory, { proposed }: Totals): Memory {
  return { ...from, totals: { ...from.totals, proposed: { ...proposed, ...from.totals.proposed } } }
}

/** The first run counts nothing, but the types in use start at 0: `increase()` misses a series that begins at 1. */
function startCounters(totals: Totals, head: Block, page: readonly Block[]): Totals {
  const blocks: Record<string, number> = {}
  for (const block of page) blocks[boundedWord(blocks, typeOf(block))] = 0
  return { ...totals, blocks, head: headOf(head) }
}

function add(totals: Totals, added: readonly Block[]): Totals {
  const { missed, transactions, sizes } = totals
  const blocks = { ...totals.blocks }
  const proposed = { ...totals.proposed }
  for (const block of added) {
    const type = boundedWord(blocks, typeOf(block))
    const proposer = block.proposerDetails?.proposerNodeId ?? ''
    blocks[type] = (blocks[type] ?? 0) + 1
    if (Object.hasOwn(proposed, proposer)) proposed[proposer]! += 1
  }
  return {
    ...spacedBy(metrics.blockInterval, totals, added),
    blocks,
    missed,
    transactions: added.reduce((sum, { txCount }) => sum + txCount, transactions),
    sizes: observe(
      metrics.blockSize,
      sizes,
      added.flatMap(({ blockSizeBytes }) => blockSizeBytes ?? []),
    ),
    proposed,
  }
}

function typeOf({ blockType }: Block): string {
  return blockType ?? 'other'
}

function headSamples(head: Block, isPChain: boolean): Sample[] {
  const { blockTimestamp, proposerDetails, activeL1Validators: active } = head
  const proposedAt = proposerDetails?.proposerTimestamp
  return [
    metrics.headHeight.sample({}, head.blockNumber),
    metrics.headTimestamp.sample({}, blockTimestamp),
    ...metrics.proposerLag.ifKnown({}, proposedAt === undefined ? undefined : blockTimestamp - proposedAt),
    ...(isPChain ? metrics.l1ActiveValidators.ifKnown({}, active) : []),
  ]
}

function totalSamples(totals: Totals, proposers: readonly Pick<Validator, 'node_id' | 'name'>[]): Sample[] {
  return [
    ...Object.entries(totals.blocks).map(([block_type, count]) => metrics.blocksTotal.sample({ block_type }, count)),
    metrics.blocksMissed.sample({}, totals.missed),
    metrics.transactionsTotal.sample({}, totals.transactions),
    metrics.blockSize.sample({}, totals.sizes),
    metrics.blockInterval.sample({}, totals.intervals),
    ...proposers.map(({ node_id, name }) =>
      metrics.proposedTotal.sample({ subnet: 'primary', node_id, validator: name }, totals.proposed[node_id] ?? 0),
    ),
  ]
}
