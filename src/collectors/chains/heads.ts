// Reads the newest blocks of a chain without impossible ones: too far ahead of the chain, or in the future. A list
// without any possible block is refused until three runs agree.

import { type BaseError, refusal } from '../../errors.ts'
import {
  type Believed,
  fits,
  growth,
  inFuture,
  mostOf,
  nearOthers,
  refusalOf,
  updateTotal,
} from '../counting/believed.ts'
import { isInFuture } from '../../lib/clock.ts'

interface Block {
  blockNumber: bigint
  blockTimestamp: number
}

export interface Heads<B> {
  /** Memory of the next run; undefined if no listed block is possible and none was known before. */
  newest: Believed | undefined
  head: B | undefined
  /** The possible blocks below the head in the first list. */
  below: readonly B[]
  pages: AsyncIterable<readonly B[]>
  /** Where counting continues after the chain restarted at another height. */
  restartAt: number | undefined
  /** Why the list must not be used. */
  refused: BaseError | undefined
  /** Why blocks of the pages so far were left out, */
  flaw(): BaseError | undefined
  /** and how many of them lie in the future. */
  future(): number
}

export async function readHeads<B extends Block>(
  listed: AsyncIterable<readonly B[]>,
  before: Believed | undefined,
  now: number,
): Promise<Heads<B>> {
  const pages = listed[Symbol.asyncIterator]()
  const first = await firstPage(pages)
  const present = first.filter((block) => isPast(block, now))
  const most = before ? mostOf(before, now, growth.blocks) : nearOthers(present)
  const possible = present.filter(({ blockNumber }) => blockNumber <= most)
  const head = newestOf(possible.length > 0 ? possible : present)
  let flaw: BaseError | undefined
  let future = 0
  const left = { flaw: () => flaw, future: () => future }
  const below = head ? possible.filter(({ blockNumber }) => blockNumber < head.blockNumber) : []
  const heads = { pages: none<B>(), head, below, restartAt: undefined, refused: undefined, ...left }
  // Without blocks there is no list to refuse.
  if (!head) return { ...heads, newest: before, refused: first.length > 0 ? inFuture('the newest block') : undefined }
  const newest = updateTotal(head.blockNumber, before, now, growth.blocks)
  if (newest.refused) {
    return { ...heads, newest, refused: refusalOf(newest, 'the newest listed block is older than a previous one') }
  }
  const isRestart = before !== undefined && !fits(head.blockNumber, before, now, growth.blocks)
  const highest = mostOf(newest, now, growth.blocks)
  const leaveOut = (page: readonly B[]) => {
    const made = page.filter((block) => isPast(block, now))
    const kept = made.filter(({ blockNumber }) => blockNumber <= highest)
    future += page.length - made.length
    if (kept.length < page.length)
      flaw ??= made.length < page.length ? inFuture('a listed block') : refusal('height', TOO_HIGH)
    return kept
  }
  return {
    ...heads,
    newest,
    restartAt: isRestart ? startOf(head, before) : undefined,
    pages: rest(first, pages, leaveOut),
  }
}

function isPast({ blockTimestamp }: Block, now: number): boolean {
  return !isInFuture(blockTimestamp, now)
}

export function newestOf<B extends Block>(blocks: readonly B[]): B | undefined {
  const [first, ...others] = blocks
  return first && others.reduce((newest, one) => (one.blockNumber > newest.blockNumber ? one : newest), first)
}

/** Blocks since the first of the runs that agreed are new. */
function startOf({ blockNumber }: Block, { refused }: Believed): number {
  const first = refused ? BigInt(refused.value) : blockNumber
  // A record from elsewhere may say that the list was empty.
  return Math.max(0, Number(first < blockNumber ? first : blockNumber))
}

async function firstPage<B>(pages: AsyncIterator<readonly B[]>): Promise<readonly B[]> {
  for (let page = await pages.next(); !page.done; page = await pages.next()) {
    if (page.value.length > 0) return page.value
  }
  return []
}

async function* none<B>(): AsyncGenerator<readonly B[]> {}

async function* rest<B>(
  first: readonly B[],
  pages: AsyncIterator<readonly B[]>,
  kept: (page: readonly B[]) => readonly B[],
): AsyncGenerator<readonly B[]> {
  yield kept(first)
  for (let page = await pages.next(); !page.done; page = await pages.next()) yield kept(page.value)
}

const TOO_HIGH = 'left out blocks further ahead than the chain can have grown'
