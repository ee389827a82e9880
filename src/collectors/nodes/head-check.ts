// head-check: how far each node is behind the data service, and whether it is on the same chain. A node is compared with
// the latest blocks that the data service lists (document 1, operation 14): on the P-Chain by its blocks (document 2,
// P-Chain interface), on the X- and the C-Chain by its index, if it has one (Index interface).

import { z } from 'zod'
import type { Network } from '../../config/schema.ts'
import { BaseError } from '../../errors.ts'
import { primaryChains } from '../../lib/primary-network.ts'
import { gauge, type Sample } from '../../metrics/define.ts'
import { listLatestPrimaryNetworkBlocks } from '../../operations/data/list-latest-primary-network-blocks.ts'
import type { PrimaryNetworkBlock as Listed } from '../../operations/data/primary-network-block.ts'
import { getContainerByID } from '../../operations/node/index.getContainerByID.ts'
import { getIndex } from '../../operations/node/index.getIndex.ts'
import { getLastAccepted } from '../../operations/node/index.getLastAccepted.ts'
import { isAccepted } from '../../operations/node/index.isAccepted.ts'
import { getBlock } from '../../operations/node/platform.getBlock.ts'
import { getBlockByHeight } from '../../operations/node/platform.getBlockByHeight.ts'
import { type Believed, believed, believedType, disbelieved, totalOf } from '../counting/believed.ts'
import { growth } from '../counting/plausible.ts'
import { defineCollector } from '../define.ts'
import { anchorType, indexStanding, type Standing } from './index-standing.ts'
import { type BlockCall, listedBlocks } from '../answers/listed-blocks.ts'
import { pChainStanding } from './p-chain-standing.ts'

const headHeight = gauge({
  name: 'stakewatch_node_head_height',
  help: 'Height of the newest block of the node `source` (platform.getBlockByHeight; on the X- and the C-Chain index.getLastAccepted).',
  of: 'chain',
  opinion: true,
})
const behindBlocks = gauge({
  name: 'stakewatch_node_behind_blocks',
  help: 'Blocks beyond the head of the node `source` that the data service listed at most half a minute before; 0 when there are none, absent when either head is unknown.',
  of: 'chain',
  opinion: true,
})
const onCanonicalChain = gauge({
  name: 'stakewatch_node_on_canonical_chain',
  help: 'Whether the node `source` has the block that the data service lists two below its newest: 1, or 0 when it has another block in its place; absent while the node is behind that block, and when the answers do not decide it.',
  of: 'chain',
  opinion: true,
})

const memory = z.object({
  head: believedType.optional(),
  /** The newest height that the data service listed. */
  listed: believedType.optional(),
  anchor: anchorType.optional(),
})

/** Blocks below the newest one that are compared: the newest may not have reached everybody. */
const SETTLED = 2n
/** The answer that primary-blocks got, so that one call serves both and all nodes. */
const LIST = { maxAge: '30s' }

export const headCheck = defineCollector({
  name: 'head-check',
  about: 'How far each node is behind the data service, and whether it is on the same chain.',
  every: '1m',
  uses: [
    getBlockByHeight,
    getBlock,
    getLastAccepted,
    getIndex,
    isAccepted,
    getContainerByID,
    listLatestPrimaryNetworkBlocks,
  ],
  observer: 'each',
  isEssential: true,
  isObserver: ({ index }, { of }) => of.chain === 'P' || index,
  metrics: [headHeight, behindBlocks, onCanonicalChain],
  memory,
  subjects,
  estimate: ({ of, observers, dataNetwork }) => ({
    calls: [
      ...(of.chain === 'P'
        ? [{ operation: getBlockByHeight, times: 5 }]
        : [getLastAccepted, getIndex].map((operation) => ({ operation, times: 1 }))),
      { operation: listLatestPrimaryNetworkBlocks, times: dataNetwork ? 1 / observers : 0 },
    ],
    series: dataNetwork ? 3 : 1,
  }),
  async collect({ subject, memory: before = {}, now, call, attempt }) {
    const service = await attempt((ask) => blocksOf(subject, ask.call, now))
    const newestFirst = service.value ?? []
    const [newest] = newestFirst
    // A listed block exists: while a replica of the service lags, the newest height that was listed before counts.
    const listed = newest ? believed(newest.blockNumber, before.listed, now, growth.blocks) : before.listed
    const settled = newest && newestFirst.find(({ blockNumber }) => blockNumber === newest.blockNumber - SETTLED)
    const found =
      subject.of.chain === 'P'
        ? await pChainStanding(call, heightsNear(newest, before.head), settled)
        : await indexStanding(call, subject.of, settled, newestFirst, before.anchor)
    if (!found) return { samples: [], memory: { ...before, listed } }
    const head = believed(found.head, before.head, now, growth.accepted)
    const refused = disbelieved(head, 'the newest block of the node is older than one that it had')
    if (refused) return { samples: [], memory: { ...before, head, listed }, refused }
    const isThere = found.head >= 0n
    const compared = isThere ? comparedSamples(found, newest && listed) : []
    return {
      samples: isThere ? [headHeight.sample({}, Number(found.head))] : [],
      parts: [{ name: 'compared', of: [service], samples: compared }],
      memory: { head, listed, anchor: found.anchor },
    }
  },
})

/** A place in an index has no height without the blocks of the data service. */
function subjects({ chains, data_api, nodes }: Network) {
  return chains.flatMap(({ id, name }) => {
    const chain = primaryChains[id]
    if (chain === undefined || (chain !== 'P' && !data_api)) return []
    const observers = nodes.filter(({ index }) => chain === 'P' || index).length
    const of = { chain, kind: 'block' as const }
    return [{ id, name, labels: { chain: name }, of, observers, dataNetwork: data_api?.network }]
  })
}

type ChainSubject = ReturnType<typeof subjects>[number]

async function blocksOf({ id, of: { chain }, dataNetwork: network }: ChainSubject, call: BlockCall, now: number) {
  if (!network) return undefined
  const blocks = await listedBlocks(call, { chain, network, blockchainId: id }, now, LIST)
  if (blocks.length > 0) return blocks
  throw new BaseError('bad_response', 'the data service lists no blocks for this chain')
}

function heightsNear(newest: Listed | undefined, before: Believed | undefined): bigint[] {
  return [newest?.blockNumber, totalOf(before)].filter((height) => height !== undefined)
}

/** What needs both the head of the node and the list of the data service. */
function comparedSamples({ head, isCanonical }: Standing, listed: Believed | undefined): Sample[] {
  const highest = totalOf(listed)
  const behind = highest === undefined ? undefined : highest - head
  return [
    ...(behind === undefined ? [] : [behindBlocks.sample({}, behind > 0n ? Number(behind) : 0)]),
    ...(isCanonical === undefined ? [] : [onCanonicalChain.sample({}, isCanonical ? 1 : 0)]),
  ]
}
