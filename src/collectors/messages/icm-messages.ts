// The messages of one route that a data service lists now: each message once, as far back as requested, in any order
// (document 1, IcmMessage).

import type { Answer, AnswerOf } from '../../operations/define.ts'
import type { listIcmMessages } from '../../operations/data/messages.ts'
import { isInFuture } from '../../lib/clock.ts'
import { knownSpelling } from '../answers/spelling.ts'

/** The documents know only the first one, live services the first three. Any other state is `other`. */
export const states = ['pending', 'delivered', 'delivered_source_not_indexed', 'other'] as const
type State = (typeof states)[number]

type Page = Answer<AnswerOf<typeof listIcmMessages>>
type Message = Page['value']['messages'][number]

/** Each an EVM chain id or a blockchain id. */
export interface Route {
  from: string
  to: string
  /** The sender or receiver of the messages; undefined for any. */
  address: string | undefined
}

export interface Listed {
  state: State
  /** Seconds: when it was sent, or when it arrived if the service does not report the sending. */
  time: number | undefined
  sent: number | undefined
  arrived: number | undefined
  isReceiptDelivered: boolean | undefined
}

interface Reading {
  messages: ReadonlyMap<string, Listed>
  /** Number of unreadable messages. They may be of other routes. */
  malformed: number
  /** The time of the oldest message read, of any route. */
  oldest: number
  /** Some messages were dated in the future: these times count as unknown. */
  isAhead: boolean
  /** The list has more messages than one run reads. */
  isCut: boolean
}

/** Messages read in one run, including those of other routes: a flood must not use up the budget of all collectors. */
const LIMIT = 10_000

/**
 * Messages of the route. Reading stops at a page with times of which none is after `depth` (seconds): a single older
 * message does not end it, as the order may be disturbed.
 */
export async function readMessages(
  route: Route,
  newestFirst: AsyncIterable<Page>,
  depth: number,
  now: number,
): Promise<Reading> {
  let isAhead = false
  const past = (time: number | undefined) => {
    const isIn = time !== undefined && isInFuture(time, now)
    isAhead ||= isIn
    return isIn ? undefined : time
  }
  const messages = new Map<string, Listed>()
  let [read, malformed, oldest] = [0, 0, Infinity]
  for await (const { value, dropped } of newestFirst) {
    const page = value.messages.map((message) => ({ message, listed: listedAs(message, past) }))
    for (const { message, listed } of page) {
      if (isOnRoute(message, route)) keepNewer(messages, message.messageId, listed)
    }
    const times = page.flatMap(({ listed: { time } }) => time ?? [])
    malformed += dropped
    oldest = times.reduce((least, time) => Math.min(least, time), oldest)
    read += page.length
    if (times.length > 0 && times.every((time) => time <= depth)) break
    if (read >= LIMIT) return { messages, malformed, oldest, isAhead, isCut: true }
  }
  return { messages, malformed, oldest, isAhead, isCut: false }
}

function listedAs(
  { status, receiptDelivered, ...transactions }: Message,
  past: (time: number | undefined) => number | undefined,
): Listed {
  const sent = past(transactions.sourceTransaction?.timestamp)
  const arrived = past(transactions.destinationTransaction?.timestamp)
  const state = knownSpelling(states, status) ?? 'other'
  return { state, time: sent ?? arrived, sent, arrived, isReceiptDelivered: receiptDelivered }
}

/** A message can change and be listed again while pages are read. It never returns to pending. */
function keepNewer(messages: Map<string, Listed>, id: string, listed: Listed): void {
  const before = messages.get(id)
  const newer = before && before.state !== 'pending' ? before : listed
  messages.set(id, { ...newer, time: newer.time ?? listed.time ?? before?.time })
}

/** A service that ignores the filters also lists other routes. Missing fields count as requested. */
function isOnRoute(message: Message, { from, to, address }: Route): boolean {
  return (
    isChain(from, message.sourceBlockchainId, message.sourceEvmChainId) &&
    isChain(to, message.destinationBlockchainId, message.destinationEvmChainId) &&
    (address === undefined || isWith(address, message))
  )
}

/** Capital letters in an address are only a checksum. */
function isWith(address: string, { from, to }: Message): boolean {
  const isIt = (stated: string | undefined) => stated === undefined || stated.toLowerCase() === address.toLowerCase()
  return isIt(from) || isIt(to)
}

function isChain(wanted: string, blockchainId: string | undefined, evmChainId: string | undefined): boolean {
  const stated = /^\d+$/.test(wanted) ? evmChainId : blockchainId
  return stated === undefined || stated === wanted
}
