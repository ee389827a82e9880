// head-check: how far each node is behind the data service, and whether it is on the same chain. A node is compared
// with the newest blocks that the data service lists (document 1, operation 14): on the P-Chain by its blocks (document
// 2, P-Chain interface), on the X- and the C-Chain by its index, if it has one (Index interface). The node's head alone
// needs neither.

import { z } from 'zod'
import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { primaryChains } from '../../lib/primary-network.ts'
import { opinionOfChain, type Sample } from '../../metrics/define.ts'
import {
  listLatestPrimaryNetworkBlocks,
  type PrimaryNetworkBlock as Listed,
} from '../../operations/data/primary-network-blocks.ts'
import { isInFuture } from '../../lib/clock.ts'
import { avmGetHeight, ethGetBlockByNumber } from '../../operations/node/chains.ts'
import { getContainerByID, getIndex, getLastAccepted, isAccepted } from '../../operations/node/indexes.ts'
import { getBlock, getBlockByHeight } from '../../operations/node/platform-blocks.ts'
import { type Believed, believedType, growth, refusalOf, totalOf, updateTotal } from '../counting/believed.ts'
import { type Ask, defineCollector } from '../define.ts'
import { anchorType, indexStanding, type Standing } from './index-standing.ts'
import { type BlockCall, listedBlocks } from '../answers/listed-blocks.ts'
import { pChainStanding } from './p-chain-standing.ts'

const headHeight = opinionOfChain.gauge('stakewatch_node_head_height', {
  help: "Height of the node's newest block (platform.getBlockByHeight; avm.getHeight, eth_getBlockByNumber or index.getLastAccepted).",
})
const headTimestamp = opinionOfChain.gauge('stakewatch_node_head_timestamp_seconds', {
  is: 'past',
  help: "Time of the node's newest block, or when stakewatch first saw it if the node does not report a time.",
})
const headRead = opinionOfChain.gauge('stakewatch_node_head_read_timestamp_seconds', {
  is: 'past',
  help: "When stakewatch last read the node's newest block, the reference time for the block's age.",
})
const behindBlocks = opinionOfChain.gauge('stakewatch_node_behind_blocks', {
  help: "Number of blocks that the node's head is behind the data service's; absent while either is unknown.",
  details: "The data service listed its head at most half a minute before the node's was read.",
})
const onCanonicalChain = opinionOfChain.gauge('stakewatch_node_on_canonical_chain', {
  help: 'Whether the node has the block that the data service lists two below its newest: 1 or 0.',
  details:
    '0: the node has another block in its place; absent while the node is behind that block or the answers do not decide.',
})

const memory = z.object({
  head: believedType.optional(),
  /** The newest height listed by the data service. */
  listed: believedType.optional(),
  anchor: anchorType.optional(),
})

/** How many blocks below the newest are compared, as the newest may not have reached all nodes. */
const SETTLED = 2n
/** The answer that primary-blocks got, so that one call serves both and all nodes. */
const LIST = { maxAge: '30s' }

export const headCheck = defineCollector({
  name: 'head-check',
  about: 'Newest block of the P-, X- and C-Chain on each node, its lag behind the data service, and forks.',
  every: '1m',
  uses: [
    getBlockByHeight,
    getBlock,
    getLastAccepted,
    getIndex,
    isAccepted,
    getContainerByID,
    avmGetHeight,
    ethGetBlockByNumber,
    listLatestPrimaryNetworkBlocks,
  ],
  observer: 'each',
  isEssential: true,
  isObserver: ({ index }, { isIndexed }) => isIndexed === undefined || isIndexed === index,
  metrics: [headHeight, headTimestamp, headRead, behindBlocks, onCanonicalChain],
  memory,
  subjects,
  estimate: ({ of, isIndexed, observers, dataNetwork }) => ({
    calls: [
      ...(of.chain === 'P' ? [{ operation: getBlockByHeight, times: 5 }] : []),
      ...(isIndexed ? [getLastAccepted, getIndex] : []),
      ...(of.chain === 'X' && !isIndexed ? [avmGetHeight] : []),
      ...(of.chain === 'C' && !isIndexed ? [ethGetBlockByNumber] : []),
      { operation: listLatestPrimaryNetworkBlocks, times: dataNetwork ? 1 / observers : 0 },
    ],
    series: dataNetwork ? 5 : 3,
  }),
  async collect({ subject, memory: before = {}, now, call, attempt }) {
    const service = await attempt((ask) => blocksOf(subject, ask.call, now))
    const newestFirst = service.value ?? []
    const [newest] = newestFirst
    // A listed block exists: while a replica of the service lags, the newest height listed before counts.
    const listed = newest ? updateTotal(newest.blockNumber, before.listed, now, growth.blocks) : before.listed
    const settled = newest && newestFirst.find(({ blockNumber }) => blockNumber === newest.blockNumber - SETTLED)
    const found = await readPosition(subject, before, newestFirst, settled, call)
    const head = updateTotal(found.head, before.head, now, growth.accepted)
    const refused = refusalOf(head, "the node's newest block is older than a previous one")
    if (refused) return { samples: [], memory: { ...before, head, listed }, refused }
    const isThere = found.head >= 0n
    const compared = isThere ? comparedSamples(found, newest && listed) : []
    return {
      samples: isThere ? headSamples(found, head, now) : [],
      parts: [{ name: 'compared', of: [service], samples: compared }],
      memory: { head, listed, anchor: found.anchor },
    }
  },
})

/**
 * A place in an index has no height without the blocks of the data service, so nodes with and without an index are
 * polled in different ways. `isIndexed` is undefined where that makes no difference.
 */
function subjects({ chains, data_api, nodes }: Network) {
  return chains.flatMap(({ id, name }) => {
    const chain = primaryChains[id]
    if (chain === undefined) return []
    const of = { chain, kind: 'block' as const }
    const one = { id, name, labels: { chain: name }, of, observers: nodes.length, dataNetwork: data_api?.network }
    const ways = chain === 'P' || !data_api ? [undefined] : [true, false]
    return ways.map((isIndexed) => ({ ...one, isIndexed }))
  })
}

type ChainSubject = ReturnType<typeof subjects>[number]
type Call = Parameters<typeof indexStanding>[0] &
  Parameters<typeof pChainStanding>[0] &
  Ask<typeof avmGetHeight | typeof ethGetBlockByNumber>['call']

async function readPosition(
  { of, isIndexed }: ChainSubject,
  before: z.output<typeof memory>,
  newestFirst: readonly Listed[],
  settled: Listed | undefined,
  call: Call,
): Promise<Standing> {
  if (of.chain === 'P') return pChainStanding(call, heightsNear(newestFirst[0], before.head), settled)
  const found = isIndexed ? await indexStanding(call, of, settled, newestFirst, before.anchor) : undefined
  return found ?? (await ownStanding(call, of.chain))
}

/** A node that has just started does not serve its chains yet. */
const PROBE = { maxAge: '0s' }

/** From the chain's own interface, without index and data service. */
async function ownStanding(call: Call, chain: 'X' | 'C'): Promise<Standing> {
  if (chain === 'X') {
    const { value } = await call(avmGetHeight, {}, PROBE)
    return { head: value.height, time: undefined, isCanonical: undefined }
  }
  const { value } = await call(ethGetBlockByNumber, { chain }, PROBE)
  return { head: value.number, time: value.timestamp, isCanonical: undefined }
}

/** A height that grew is as young as its block. One that has not grown since the first run may be older. */
function headSamples({ head, time }: Standing, { at }: Believed, now: number): Sample[] {
  const isKnown = time !== undefined && !isInFuture(time, now)
  return [
    headHeight.sample({}, head),
    headTimestamp.sample({}, isKnown ? time : at / 1_000),
    headRead.sample({}, now / 1_000),
  ]
}

async function blocksOf({ id, of: { chain }, dataNetwork: network }: ChainSubject, call: BlockCall, now: number) {
  if (!network) return undefined
  const blocks = await listedBlocks(call, { chain, network, blockchainId: id }, now, LIST)
  if (blocks.length > 0) return blocks
  throw new BaseError('bad_response', 'the data service lists no blocks for this chain')
}

function heightsNear(newest: Listed | undefined, before: Believed | undefined): bigint[] {
  return [newest?.blockNumber, totalOf(before)].filter((height) => height !== undefined)
}

/** Samples that need both the node's head and the data service's list. */
function comparedSamples({ head, isCanonical }: Standing, listed: Believed | undefined): Sample[] {
  const highest = totalOf(listed)
  const behind = highest && (highest > head ? highest - head : 0n)
  return [...behindBlocks.ifKnown({}, behind), ...onCanonicalChain.ifKnown({}, isCanonical)]
}
