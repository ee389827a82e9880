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
import { type Believed, growth, refusalOf, updateTotal } from '../counting/believed.ts'
import { ifUnsupported } from '../answers/not-found.ts'
import type { Ask } from '../define.ts'
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

type Listing = Pick<Ask<typeof listLatestPrimaryNetworkBlocks | typeof getValidatorsAt>, 'call' | 'pages'>
type ListedTurns = Counted & { sharesAt?: number | undefined; newest?: Believed | undefined }

/** Goes on after the last counted block; from the newest one if it is no longer within reach. */
export async function countListed(
  { call, pages }: Listing,
  chain: ListedChain,
  before: ListedTurns | undefined,
  trackedIds: readonly string[],
  now: number,
): Promise<{ counted: ListedTurns; refused?: BaseError }> {
  const asked = { chain: chain.chain, network: chain.network }
  const page = await listedBlocks(call, { ...asked, blockchainId: chain.id }, now, LIST)
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
    return { counted: { ...before, newest: believed }, refused }
  }
  const found = { ...(await sharesAt(call, height, before, trackedIds, now)), newest: believed }
  // A chain that has begun again has none of the counted blocks.
  const after = last === undefined || newest.blockNumber < BigInt(last) ? undefined : BigInt(last)
  const blocks = after === undefined ? undefined : await blocksAfter(after, page, olderPages())
  const head = { id: newest.blockHash, height: String(newest.blockNumber) }
  if (before === undefined || blocks === undefined)
    return { counted: { ...begun(head, trackedIds, found.shares, before), ...found } }
  const counted = structuredClone({ ...before, head, ...found, isContradicted: false })
  // The service does not list all of them, or one cannot be read.
  if (BigInt(blocks.length) < newest.blockNumber - after!) counted.gaps += 1
  for (const block of blocks) {
    addMade(counted, { proposer: builderOf(block), time: block.blockTimestamp })
  }
  return { counted }

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
async function sharesAt(
  call: Listing['call'],
  height: number,
  before: ListedTurns | undefined,
  trackedIds: readonly string[],
  now: number,
): Promise<Pick<ListedTurns, 'shares' | 'sharesAt'>> {
  const age = now - (before?.sharesAt ?? -Infinity)
  const isKnown = before !== undefined && trackedIds.every((id) => before.shares[id] !== undefined)
  if (isKnown && age >= 0 && age < HOUR) return { shares: before.shares, sharesAt: before.sharesAt }
  const asked = call(getValidatorsAt, { height: BigInt(height), subnetID: PRIMARY_NETWORK_ID })
  const answer = await asked.catch(ifUnsupported)
  const set = answer && setFrom(answer.value)
  return { shares: set ? sharesIn(set, trackedIds) : {}, sharesAt: now }
}

/** In the order of their heights; undefined if they go further back than the pages. */
async function blocksAfter(
  height: bigint,
  first: readonly PrimaryNetworkBlock[],
  older: AsyncIterable<readonly PrimaryNetworkBlock[]>,
): Promise<PrimaryNetworkBlock[] | undefined> {
  const found = new Map<bigint, PrimaryNetworkBlock>()
  const take = (page: readonly PrimaryNetworkBlock[]) => {
    for (const block of page) if (block.blockNumber > height) found.set(block.blockNumber, block)
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

/** The validators by whose stakes turns fall; undefined if any weight is unknown, as each one changes all draws. */
export function setFrom(answer: AnswerOf<typeof getValidatorsAt>): DrawSet | undefined {
  const weights = Object.entries(answer).map(([nodeId, record]) => [nodeId, record?.weight] as const)
  const known = weights.flatMap(([nodeId, weight]) => (weight === undefined ? [] : [[nodeId, weight] as const]))
  return known.length === weights.length ? prepareSet(known) : undefined
}
