// erc20-transfers: which tokens come to wallets on EVM chains and leave them, each transfer counted once.
// List ERC-20 transfers (document 1, operation 8), from the block that was read last. Anybody can issue a token of any name
// that reports transfers nobody made: tokens are known by their configured contracts, and only those tell what left.

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { equal } from '../../judgements/expectations.ts'
import { toTokens } from '../../lib/units.ts'
import { counter, gauge, type Sample } from '../../metrics/define.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import { listErc20Transfers } from '../../operations/data/list-erc20-transfers.ts'
import { listLatestEvmBlocks } from '../../operations/data/list-latest-evm-blocks.ts'
import { believed, believedType } from '../counting/believed.ts'
import { defineCollector, type Expectation, toldBy } from '../define.ts'
import { type Follow, follow, type Followed } from '../counting/follow.ts'
import { type EvmWallet, evmWallets } from './wallets.ts'

const transfersTotal = counter({
  name: 'stakewatch_erc20_transfers_total',
  help: 'Transfers to and from the wallet since counting began, each counted once; not those between its own addresses (data service).',
  of: 'address',
  labels: ['chain', 'direction', 'token'],
})
const transferredTokens = counter({
  name: 'stakewatch_erc20_transferred_tokens_total',
  help: 'What the counted transfers of configured tokens moved, in whole tokens; absent while the decimal places of the token are unknown (data service).',
  of: 'address',
  labels: ['chain', 'direction', 'token'],
})
const lastOutgoing = gauge({
  name: 'stakewatch_address_last_erc20_outgoing_timestamp_seconds',
  help: 'When a configured token last left the wallet; absent when no such transfer was seen (data service).',
  of: 'address',
  labels: ['chain'],
})
const gapsTotal = counter({
  name: 'stakewatch_erc20_transfer_gaps_total',
  help: 'How often since counting began more transfers came between two runs than one run reads, so that some are uncounted (data service).',
  of: 'address',
  labels: ['chain'],
})
const expectationMet = gauge({
  name: 'stakewatch_address_erc20_expectation_met',
  help: 'Whether what the configuration declares is so: 1 or 0; outgoing: in the last 24 hours no configured token left the wallet; absent while that is unknown (data service).',
  of: 'address',
  labels: ['chain', 'expectation'],
})

type Transfer = AnswerOf<typeof listErc20Transfers>['transactions'][number]

const totalsType = z.object({
  /** 'in 0x...' or 'out other' to the number of transfers. */
  transfers: z.record(z.string(), z.number()),
  /** The same, of configured tokens, to sums in the smallest unit, exact. */
  amounts: z.record(z.string(), z.string()),
  /** Decimal places by contract. */
  places: z.record(z.string(), z.number()),
  /** In seconds. */
  lastOut: z.number().optional(),
})
type Totals = z.output<typeof totalsType>
const memory = z.object({
  /** By address: the last counted position, and the newest block that was listed. */
  cursors: z.record(
    z.string(),
    z.object({ position: z.string(), seen: z.array(z.string()), newest: believedType.optional() }),
  ),
  totals: totalsType,
  gaps: z.number(),
  /** Since when (seconds) everything that left is known. */
  knownSince: z.number(),
  /** Contracts of the tokens that this holds for. */
  tokens: z.array(z.string()),
})
type Memory = z.output<typeof memory>

const PAGE = 100
/** New transfers read in one run, for each address: 200 pages. */
const LIMIT = 20_000
/** Old transfers read for a new address, to see what left lately: ten pages. */
const FIRST = 1_000
const DAY = 86_400

export const erc20Transfers = defineCollector({
  name: 'erc20-transfers',
  about: 'Transfers of ERC-20 tokens to and from wallets on EVM chains.',
  every: '5m',
  uses: [listErc20Transfers, listLatestEvmBlocks],
  observer: 'any',
  metrics: [transfersTotal, transferredTokens, lastOutgoing, gapsTotal, expectationMet],
  memory,
  subjects: evmWallets,
  // The first run reads more: up to ten pages for each address.
  estimate: ({ wallet: { addresses, tokens, expect } }) => ({
    calls: [{ operation: listErc20Transfers, times: addresses.length }],
    series: 2 * (2 * Object.keys(tokens).length + 1) + 2 + (expect.outgoing ? 1 : 0),
  }),
  async collect({ subject, memory: remembered, now, call, pages }) {
    const { chainId, wallet } = subject
    const seconds = Math.floor(now / 1_000)
    const direction = directionsOf(subject)
    const how = transfersOf(subject, direction, seconds)
    const head = () => call(listLatestEvmBlocks, { chainId, pageSize: 1 }, { maxAge: '1m' })
    let state: Memory = { ...begun(how.start, subject, remembered, seconds), cursors: {} }
    // One address that fails ends the run: nothing is lost, as the next one reads on from the same cursors.
    for (const address of wallet.addresses.map((one) => one.toLowerCase())) {
      const from = remembered?.cursors[address]
      const params = { chainId, address, pageSize: PAGE, ...(from && { startBlock: from.position }) }
      const list = reading(pages(listErc20Transfers, params), direction)
      const { totals, gaps, ...cursor } = from
        ? await advance(how, list, { ...state, ...from })
        : await begin(how, list, state, head)
      // Transfers that the cursor stands on are listed once more.
      const newest = believed(list.newest, from?.seen.length ? from.newest : undefined, now)
      if (remembered && from && newest.refused) {
        const cursors = { ...remembered.cursors, [address]: { ...from, newest } }
        return { samples: [], memory: { ...remembered, cursors }, refused: olderTransfers() }
      }
      const isKnown = list.ended && list.lost === 0
      const cursors = { ...state.cursors, [address]: { ...cursor, newest } }
      state = { ...state, totals, gaps, cursors, knownSince: isKnown ? state.knownSince : seconds }
    }
    return {
      samples: samplesOf(subject, state),
      memory: state,
      expectations: expectationsOf(subject, state, seconds),
    }
  },
})

/** What left of a token that was not configured before is unknown. */
function begun(start: Totals, wallet: EvmWallet, remembered: Memory | undefined, now: number): Omit<Memory, 'cursors'> {
  const tokens = [...tokensOf(wallet).keys()]
  if (!remembered) return { totals: start, gaps: 0, knownSince: 0, tokens }
  const isSame = tokens.every((token) => remembered.tokens.includes(token))
  return { ...remembered, tokens, knownSince: isSame ? remembered.knownSince : now }
}

/** A list while it is read. */
interface Reading {
  pages: AsyncIterable<readonly Transfer[]>
  /** Read to its end. */
  ended: boolean
  /** The newest block of those that were read; 0 without any. */
  newest: bigint
  /** How many transfers do not have the documented form or lack what is needed: any of them may have left. */
  lost: number
}

function reading(listed: AsyncIterable<Answer<{ transactions: Transfer[] }>>, direction: Directions): Reading {
  async function* own() {
    for await (const { value, dropped } of listed) {
      const kept = value.transactions.filter((transfer) => direction(transfer) !== undefined)
      const others = value.transactions.length - kept.length
      if (kept.length === 0 && others > 0) {
        throw new BaseError('bad_response', 'the data service was asked for an address and lists transfers of others')
      }
      list.lost += dropped + others
      list.newest = kept.reduce((newest, { blockNumber }) => (blockNumber > newest ? blockNumber : newest), list.newest)
      yield kept
    }
    list.ended = true
  }
  const list: Reading = { pages: own(), ended: false, newest: 0n, lost: 0 }
  return list
}

type Known = Pick<Followed<Totals>, 'position' | 'seen' | 'totals' | 'gaps'>

async function advance(how: Follow<Transfer, Totals>, list: Reading, from: Known): Promise<Known> {
  const { gaps, ...counted } = (await follow(how, list.pages, from))!
  // A list that was read to its end has no gap, even if it has nothing in the block of the cursor.
  return { ...counted, gaps: list.ended ? from.gaps : gaps }
}

/** Counts nothing, as counting begins here. But what left lately is known from then on. */
async function begin(
  { position, id, add, start }: Follow<Transfer, Totals>,
  list: Reading,
  { totals, gaps }: Pick<Memory, 'totals' | 'gaps'>,
  head: () => Promise<Answer<{ blocks: { blockNumber: bigint }[] }>>,
): Promise<Known> {
  const found = new Map<string, Transfer>()
  for await (const page of list.pages) {
    for (const transfer of page) found.set(id(transfer), transfer)
    if (found.size >= FIRST) break
  }
  const old = [...found.values()]
  const heights = old.map(({ blockNumber }) => blockNumber)
  // The documents do not say that the newest come first. Where only a part is read, the head of the chain is the cursor.
  if (!list.ended) heights.push(...(await head()).value.blocks.map(({ blockNumber }) => blockNumber))
  const newest = String(heights.reduce((a, b) => (a > b ? a : b), 0n))
  const hasNewest = list.ended || heights[0]! > heights[old.length - 1]!
  const dated = old.filter(({ blockTimestamp }) => blockTimestamp !== undefined && hasNewest)
  list.lost += old.length - dated.length
  const { places, lastOut } = dated.reduce(add, { ...start, places: totals.places, lastOut: totals.lastOut })
  const seen = old.filter((transfer) => position(transfer) === newest).map(id)
  return { position: newest, seen, gaps, totals: { ...totals, places, lastOut } }
}

/** `now` is the time of new transfers that do not say theirs. */
function transfersOf(wallet: EvmWallet, directionOf: Directions, now: number): Follow<Transfer, Totals> {
  const tokens = tokensOf(wallet)
  return {
    position: ({ blockNumber }) => String(blockNumber),
    id: ({ txHash, logIndex }) => `${txHash} ${logIndex}`,
    start: { transfers: {}, amounts: {}, places: {} },
    add(totals, transfer) {
      const direction = directionOf(transfer)
      if (direction === 'between') return totals
      const contract = transfer.erc20Token?.address.toLowerCase() ?? ''
      const isConfigured = tokens.has(contract)
      const key = `${direction} ${isConfigured ? contract : 'other'}`
      const counted = { ...totals, transfers: { ...totals.transfers, [key]: (totals.transfers[key] ?? 0) + 1 } }
      if (!isConfigured) return counted
      const { amounts, places, lastOut } = totals
      const { value, erc20Token, blockTimestamp = now } = transfer
      const decimals = erc20Token?.decimals
      // Anybody can send an amount of 0 in the name of anybody: only what has a value can have left.
      const hasLeft = direction === 'out' && value !== 0n
      return {
        ...counted,
        amounts: { ...amounts, [key]: String(BigInt(amounts[key] ?? 0) + (value ?? 0n)) },
        places: decimals === undefined ? places : { ...places, [contract]: decimals },
        lastOut: hasLeft ? Math.max(blockTimestamp, lastOut ?? 0) : lastOut,
      }
    },
    limit: LIMIT,
  }
}

/** Undefined when neither side is the wallet's. What moves between its own addresses neither comes nor goes. */
type Directions = (transfer: Transfer) => 'in' | 'out' | 'between' | undefined

function directionsOf({ wallet: { addresses } }: EvmWallet): Directions {
  const own = new Set(addresses.map((address) => address.toLowerCase()))
  const isOwn = (side: Transfer['from']) => side !== undefined && own.has(side.address.toLowerCase())
  return ({ from, to }) => (isOwn(from) ? (isOwn(to) ? 'between' : 'out') : isOwn(to) ? 'in' : undefined)
}

/** Labels by contract. */
function tokensOf({ wallet: { tokens } }: EvmWallet): ReadonlyMap<string, string> {
  return new Map(Object.entries(tokens).map(([contract, token]) => [contract.toLowerCase(), token]))
}

function samplesOf(wallet: EvmWallet, { totals, gaps }: Memory): Sample[] {
  const { transfers, amounts, places, lastOut } = totals
  const { chain } = wallet
  const tokens = [...tokensOf(wallet)]
  const counts = ['in', 'out'].flatMap((direction) =>
    [...tokens, ['other', 'other'] as const].map(([contract, token]) =>
      transfersTotal.sample({ chain, direction, token }, transfers[`${direction} ${contract}`] ?? 0),
    ),
  )
  const moved = ['in', 'out'].flatMap((direction) =>
    tokens.flatMap(([contract, token]) => {
      const amount = BigInt(amounts[`${direction} ${contract}`] ?? 0)
      const decimals = amount === 0n ? 0 : places[contract]
      return decimals === undefined
        ? []
        : [transferredTokens.sample({ chain, direction, token }, toTokens(amount, decimals))]
    }),
  )
  const last = lastOut === undefined ? [] : [lastOutgoing.sample({ chain }, lastOut)]
  return [...counts, ...moved, ...last, gapsTotal.sample({ chain }, gaps)]
}

/** One transfer breaks the expectation. To meet it takes a day in which nothing was overlooked. */
function expectationsOf({ wallet }: EvmWallet, { totals, knownSince }: Memory, now: number): Expectation[] {
  const { lastOut } = totals
  const since = now - DAY
  const hasLeft = lastOut !== undefined && lastOut > since
  const canTell = Object.keys(wallet.tokens).length > 0 && (hasLeft || knownSince <= since)
  const found = hasLeft ? 'some in the last 24 hours' : 'none'
  return toldBy(expectationMet, equal('outgoing', wallet.expect.outgoing, canTell ? found : undefined))
}

function olderTransfers(): BaseError {
  return new BaseError('stale_response', 'transfers that were listed before are no longer listed')
}
