// What a data service lists of one route now: each message once, as far back as it is asked for, in whatever order it
// comes (document 1, IcmMessage).

import type { Answer, AnswerOf } from '../../operations/define.ts'
import type { listIcmMessages } from '../../operations/data/list-icm-messages.ts'
import { knownSpelling } from '../answers/spelling.ts'

/** The documents know the first alone; live services have the next two. Any other is `other`. */
export const states = ['pending', 'delivered', 'delivered_source_not_indexed', 'other'] as const
type State = (typeof states)[number]

type Page = Answer<AnswerOf<typeof listIcmMessages>>
type Message = Page['value']['messages'][number]

/** Each an EVM chain id or a blockchain id. */
export interface Route {
  from: string
  to: string
  /** Who sends or gets the messages; undefined: anybody. */
  address: string | undefined
}

export interface Listed {
  state: State
  /** Seconds: when it was sent, or when it arrived where nobody says when it was sent. */
  time: number
  sent: number | undefined
  arrived: number | undefined
  isReceiptDelivered: boolean | undefined
}

interface Reading {
  messages: ReadonlyMap<string, Listed>
  /** When the newest message was sent; 0 without any. */
  newest: number
  /** The time of the oldest that was read, of whatever route. */
  oldest: number
  /** Messages did not fit or cannot be placed in time: there may be more than these. */
  isPartial: boolean
  /** There are more than are read in one run. */
  isCut: boolean
}

/** Messages read in one run, those of other routes included: a flood must not use up what all collectors may ask for. */
const LIMIT = 10_000

/** Messages of the route. The list is read until a page holds none after `depth` (seconds): its order may be disturbed. */
export async function readMessages(route: Route, newestFirst: AsyncIterable<Page>, depth: number): Promise<Reading> {
  const messages = new Map<string, Listed>()
  let [read, newest, oldest] = [0, 0, Infinity]
  let isPartial = false
  for await (const { value, dropped } of newestFirst) {
    isPartial ||= dropped > 0
    let goesOn = value.messages.length === 0
    for (const message of value.messages) {
      const listed = listedAs(message)
      if (listed) {
        oldest = Math.min(oldest, listed.time)
        goesOn ||= listed.time > depth
      }
      if (!isOnRoute(message, route)) continue
      isPartial ||= !listed
      // While pages are read a message can move on and come again.
      if (!listed || (messages.get(message.messageId)?.state ?? 'pending') !== 'pending') continue
      newest = Math.max(newest, listed.sent ?? 0)
      messages.set(message.messageId, listed)
    }
    read += value.messages.length
    if (!goesOn) break
    if (read >= LIMIT) return { messages, newest, oldest, isPartial, isCut: true }
  }
  return { messages, newest, oldest, isPartial, isCut: false }
}

/** Undefined when it says nothing about its time. */
function listedAs({ status, receiptDelivered, ...transactions }: Message): Listed | undefined {
  const sent = transactions.sourceTransaction?.timestamp
  const arrived = transactions.destinationTransaction?.timestamp
  const time = sent ?? arrived
  if (time === undefined) return undefined
  const state = knownSpelling(states, status) ?? 'other'
  return { state, time, sent, arrived, isReceiptDelivered: receiptDelivered }
}

/** A service that leaves the filters unheard lists other routes as well. What a message does not say is as was asked for. */
function isOnRoute(message: Message, { from, to, address }: Route): boolean {
  return (
    isChain(from, message.sourceBlockchainId, message.sourceEvmChainId) &&
    isChain(to, message.destinationBlockchainId, message.destinationEvmChainId) &&
    (address === undefined || isWith(address, message))
  )
}

/** Capitals in an address are a mere checksum. */
function isWith(address: string, { from, to }: Message): boolean {
  const isIt = (stated: string | undefined) => stated === undefined || stated.toLowerCase() === address.toLowerCase()
  return isIt(from) || isIt(to)
}

function isChain(wanted: string, blockchainId: string | undefined, evmChainId: string | undefined): boolean {
  const stated = /^\d+$/.test(wanted) ? evmChainId : blockchainId
  return stated === undefined || stated === wanted
}
