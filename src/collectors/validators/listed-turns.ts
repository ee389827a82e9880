// The blocks of the P- and X-Chain that validators made, as the data service lists them (document 1, operation 14): it names
// their builders. Whether the time that it gives a proposer is that of the wrapped block is not documented, so no slot is judged.

import { BaseError } from '../../errors.ts'
import { isInFuture } from '../../lib/clock.ts'
import { type DataNetwork, PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import {
  listLatestPrimaryNetworkBlocks,
  type PrimaryNetworkBlock,
} from '../../operations/data/primary-network-blocks.ts'
import { getValidatorsAt } from '../../operations/node/platform-validators.ts'
import { refuseOther } from '../answers/chain-info.ts'
import { BLOCKS_PAGE, listedBlocks } from '../answers/listed-blocks.ts'
import { type Believed, growth, nearOthers, refusalOf, updateTotal } from '../counting/believed.ts'
import type { Attempt, Run } from '../define.ts'
import { addMade, begun, type Counted, sharesIn } from './counted-turns.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { type DrawSet, prepareSet } from '../../turns/draw.ts'

export interface ListedChain {
  chain: 'P' | 'X'
  id: string
  network: DataNetwork
}

/** Pages of a run that catches up: a thousand blocks. */
const MOST_PAGES = 20
/** The answer that primary-blocks got. Without that collector a page, which holds the blocks of some minutes, is enough for as long. */
const LIST = { maxAge: '5m' }

const HOUR = 3_600_000

type Operations = typeof listLatestPrimaryNetworkBlocks | typeof getValidatorsAt
type Listing = Pick<Run<Operations, never, never>, 'call' | 'pages' | 'attempt'>
type ListedTurns = Counted & { sharesAt?: number | undefined; newest?: Believed | undefined }
type Shares = Pick<ListedTurns, 'shares' | 'sharesAt'>

interface CountedListed {
  counted: ListedTurns
  /** The look-up of stakes, if this run made it. */
  lookUps: Attempt<unknown>[]
  /** The list cannot be the current one: nothing was counted. */
  refused?: BaseError
}

/** Goes on after the last counted block; from the newest one if it is no longer within reach. */
export async function countListed(
  { call, pages, attempt }: Listing,
  chain: ListedChain,
  before: ListedTurns | undefined,
  trackedIds: readonly string[],
  now: number,
): Promise<CountedListed> {
  const asked = { chain: chain.chain, network: chain.network }
  const listed = await listedBlocks(call, { ...asked, blockchainId: chain.id }, now, LIST)
  // Counting goes on from the newest block: one too high would end it.
  const highest = nearOthers(listed)
  const page = listed.filter(({ blockNumber }) => blockNumber <= highest)
  const [newest] = page
  if (newest === undefined)
    throw new BaseError('bad_response', `the data service lists no blocks of the ${chain.chain}-Chain`)
  const height = page
    .map(({ proposerDetails }) => proposerDetails?.proposerPChainHeight)
    .find((one) => one !== undefined)
  if (height === undefined || page.every((block) => builderOf(block) === undefined)) {
    throw new BaseError('unsupported', `the data service does not say who built the blocks of the ${chain.chain}-Chain`)
  }
  const last = before?.head.height
  const known = before?.newest ?? (last === undefined ? undefined : { total: last, at: now })
  const believed = updateTotal(newest.blockNumber, known, now, growth.blocks)
  const refused = refusalOf(believed, 'the newest listed block is older than a previous one')
  if (refused) {
    if (before === undefined) throw refused
    return { counted: { ...before, newest: believed }, lookUps: [], refused }
  }
  const { shares, lookUps } = await sharesBy(attempt, height, before, trackedIds, now)
  const found = { ...shares, newest: believed }
  // A chain that has begun again has none of the counted blocks.
  const after = last === undefined || newest.blockNumber < BigInt(last) ? undefined : BigInt(last)
  const blocks = after === undefined ? undefined : await blocksAfter(after, page, olderPages())
  const head = { id: newest.blockHash, height: String(newest.blockNumber) }
  if (before === undefined || blocks === undefined)
    return { counted: { ...begun(head, trackedIds, found.shares, before), ...found }, lookUps }
  const counted = structuredClone({ ...before, head, ...found, isContradicted: false })
  // The service does not list all of them, or one cannot be read.
  if (BigInt(blocks.length) < newest.blockNumber - after!) counted.gaps += 1
  for (const block of blocks) {
    addMade(counted, { proposer: builderOf(block), time: block.blockTimestamp })
  }
  return { counted, lookUps }

  async function* olderPages() {
    let left = MOST_PAGES
    const params = { network: chain.network, blockchainId: chain.id, pageSize: BLOCKS_PAGE }
    for await (const { value } of pages(listLatestPrimaryNetworkBlocks, params)) {
      refuseOther(value.chainInfo, asked)
      yield value.blocks.filter(({ blockTimestamp }) => !isInFuture(blockTimestamp, now))
      left -= 1
      if (left === 0) return
    }
  }
}

/** Stakes change slowly, and on the primary network of mainnet an answer has some 200 kB. */
async function sharesBy(
  attempt: Listing['attempt'],
  height: number,
  before: ListedTurns | undefined,
  trackedIds: readonly string[],
  now: number,
): Promise<Pick<CountedListed, 'lookUps'> & { shares: Shares }> {
  const earlier = { shares: before?.shares ?? {}, sharesAt: before?.sharesAt }
  const age = now - (earlier.sharesAt ?? -Infinity)
  const areKnown = trackedIds.every((id) => earlier.shares[id] !== undefined)
  if (areKnown && age >= 0 && age < HOUR) return { shares: earlier, lookUps: [] }
  const found = await attempt(async ({ call }) => {
    const { value } = await call(getValidatorsAt, { height: BigInt(height), subnetID: PRIMARY_NETWORK_ID })
    const set = setFrom(value)
    return { shares: set ? sharesIn(set, trackedIds) : {}, sharesAt: now }
  })
  const shares = found.state === 'failed' ? earlier : (found.value ?? { shares: {}, sharesAt: undefined })
  return { shares, lookUps: [found] }
}

/** Up to the newest of the first page, in the order of their heights; undefined if they go further back than the pages. */
async function blocksAfter(
  height: bigint,
  first: readonly PrimaryNetworkBlock[],
  older: AsyncIterable<readonly PrimaryNetworkBlock[]>,
): Promise<PrimaryNetworkBlock[] | undefined> {
  const found = new Map<bigint, PrimaryNetworkBlock>()
  const take = (page: readonly PrimaryNetworkBlock[]) => {
    for (const block of page) {
      if (block.blockNumber > height && block.blockNumber <= first[0]!.blockNumber) found.set(block.blockNumber, block)
    }
    return page.some(({ blockNumber }) => blockNumber <= height + 1n)
  }
  let isWhole = take(first)
  if (!isWhole) {
    for await (const page of older) {
      isWhole = take(page)
      if (isWhole) break
    }
  }
  return isWhole ? [...found.values()].toSorted((a, b) => (a.blockNumber < b.blockNumber ? -1 : 1)) : undefined
}

/** Undefined for an option, which has no turn, and where the service does not name it. */
const builderOf = ({ proposerDetails }: PrimaryNetworkBlock) => proposerDetails?.proposerNodeId

/** The validators by whose stakes turns fall; undefined without any, or if a weight is unknown, as each one changes all draws. */
export function setFrom(answer: AnswerOf<typeof getValidatorsAt>): DrawSet | undefined {
  const weights = Object.entries(answer).map(([nodeId, record]) => [nodeId, record?.weight] as const)
  const known = weights.flatMap(([nodeId, weight]) => (weight === undefined ? [] : [[nodeId, weight] as const]))
  return known.length > 0 && known.length === weights.length ? prepareSet(known) : undefined
}
