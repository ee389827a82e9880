// Messages from one EVM chain to another: each is a transaction of a wallet or a stranger, is brought over by one of the
// relayer's, and its receipt comes back with the next message the other way. Nothing is kept.

import { random } from './random.ts'
import { createRecent } from './recent.ts'
import type { EvmChain } from './evm-chains.ts'
import type { EvmTransaction } from './evm-transactions.ts'
import type { Relayer } from './relayer.ts'

/** Where a message is: its chain, and its number among all that this chain sends. */
interface Place {
  at: number
  number: number
}

/** What holds from the moment it is sent. */
export interface Sent extends Place {
  time: number
  source: EvmChain
  destination: EvmChain
  from: string
  to: string
}

export interface Message extends Sent {
  id: string
  /** Counted from 1 for each pair of source and destination. */
  nonce: number
  transaction: EvmTransaction
  /** In the smallest unit of the token that the relayer gets. */
  reward: bigint
  data: string
  delivery: { transaction: EvmTransaction; time: number } | undefined
  /** For messages that came the other way, by their nonces. */
  receipts: number[]
  isReceiptDelivered: boolean
}

export interface Icm {
  /** The newest first, all of them or those after `last`, whatever was sent meanwhile. */
  sent(last?: Place): Iterable<Sent>
  /** The same of those that an address sends or gets. */
  sentWith(address: string, last?: Place): Iterable<Sent>
  message(sent: Sent): Message
  isDelivered(sent: Sent): boolean
  /** Seconds: no delivery takes longer. */
  longest(): number
  /** The same messages over the same chains as they are known somewhere: the first of these. */
  over(known: readonly EvmChain[]): Icm
}

/** Seconds until the relayer takes it up: nearly always, seldom, and otherwise never. */
const SOON = [5, 60] as const
const LATE = [3_600, 3_900] as const
/** More than the relayer is ever away from a chain, in seconds. */
const AWAY = 600
/** No delivery takes longer of a relayer that is not stopped. */
const LONGEST = LATE[1] + AWAY

/** Messages that are at hand: the pages of several routes. */
const RECENT = 512

export function createIcm(seed: number, chains: readonly EvmChain[], relayer: Relayer): Icm {
  /** What a message carries follows from what was delivered before it was sent. */
  const carried = createRecent<number, number[]>(RECENT)
  /** Those whose receipts are delivered: nothing of them changes any more. */
  const settled = createRecent<number, Message>(RECENT)
  const keyOf = ({ at, number }: Place) => number * chains.length + at

  const dice = (kind: string, { at, number }: Place) => random(seed, 'icm', chains[at]!.chainId, kind, number)

  const correspondents = new Set(
    chains.flatMap(({ agenda, accounts: { wallets } }) =>
      Array.from({ length: agenda.length }, (_, at) => agenda.step(at))
        .filter(({ kind }) => kind === 'message')
        .flatMap(({ from, to }) => (from && to ? [wallets[from], wallets[to]] : [])),
    ),
  )

  /** The other chains take turns. */
  const others = chains.length - 1
  const destinationOf = ({ at, number }: Place) => (at + 1 + (number % others)) % chains.length
  const nonceOf = ({ number }: Place) => Math.floor(number / others) + 1
  const transactionOf = ({ at, number }: Place) => {
    const { agenda } = chains[at]!
    return agenda.transactionOf(agenda.messages.at(number))
  }
  const timeOf = (place: Place) => chains[place.at]!.timeOf(transactionOf(place))

  /** How many messages the chain has sent in transactions before this one. */
  function sentBefore(at: number, transaction: number): number {
    const { agenda } = chains[at]!
    return agenda.messages.before(agenda.from(transaction))
  }
  function sentUpTo(at: number, time: number): number {
    const chain = chains[at]!
    return sentBefore(at, chain.transactionsBefore(chain.blockAt(time) + 1))
  }

  function sentAt(place: Place): Sent {
    const source = chains[place.at]!
    const { wallets, stranger } = source.accounts
    const { from, to } = source.agenda.step(source.agenda.messages.at(place.number))
    const own = stranger(transactionOf(place))
    return {
      ...place,
      time: timeOf(place)!,
      source,
      destination: chains[destinationOf(place)]!,
      from: from ? wallets[from] : own,
      to: to ? wallets[to] : own,
    }
  }

  function* sent(last?: Place): Generator<Sent> {
    const until = last && timeOf(last)!
    const next = chains.map((_, at): Sent | undefined => {
      if (last === undefined || until === undefined) return before(at, sentUpTo(at, Infinity))
      // Of one time, those of the first chain come first.
      return before(at, at === last.at ? last.number : sentUpTo(at, at < last.at ? until - 1 : until))
    })
    for (;;) {
      const newest = next.reduce((best, one) => (one && (!best || one.time > best.time) ? one : best), undefined)
      if (!newest) return
      yield newest
      next[newest.at] = before(newest.at, newest.number)
    }
  }

  const before = (at: number, count: number) => (count > 0 ? sentAt({ at, number: count - 1 }) : undefined)

  /** Of a stranger there is one at most; of a wallet they are many, or none at all. */
  function* sentWith(address: string, last?: Place): Generator<Sent> {
    for (const [at, { accounts, agenda, timeOf }] of chains.entries()) {
      const own = accounts.numberOf(address)
      const step = own === undefined ? undefined : agenda.stepOf(own)
      if (own === undefined || step === undefined || timeOf(own) === undefined) continue
      const { kind, from } = agenda.step(step)
      if (kind === 'message' && !from && !last) yield sentAt({ at, number: agenda.messages.before(step) })
    }
    if (!correspondents.has(address)) return
    for (const one of sent(last)) if (one.from === address || one.to === address) yield one
  }

  /** When the relayer takes it up. */
  function dueAt(place: Place): number {
    const luck = dice('delay', place)
    const kind = relayer.isReliable ? 1 : luck.next()
    if (kind < 0.002) return Infinity
    const due = timeOf(place)! + (kind < 0.03 ? luck.between(...LATE) : luck.between(...SOON))
    return workedFrom(place, due)
  }

  /** What the relayer would have brought while it was stopped it takes up when it is started again. */
  function workedFrom(place: Place, due: number): number {
    const relayed = chains[destinationOf(place)]!.timeOf(relayFrom(place, due))
    const from = relayed === undefined ? undefined : relayer.worksFrom(relayed)
    if (from === relayed) return due
    return from === undefined ? Infinity : workedFrom(place, from)
  }

  /** The relayer's first transaction on the destination in a block from then on. */
  function relayFrom(place: Place, due: number): number {
    const { agenda, blockAt, transactionsBefore } = chains[destinationOf(place)]!
    const first = agenda.from(transactionsBefore(blockAt(due - 1) + 1))
    return agenda.transactionOf(agenda.relays.at(agenda.relays.before(first)))
  }

  /** The transaction of the destination that brings it. */
  function deliveryOf(place: Place): number | undefined {
    const due = dueAt(place)
    if (due === Infinity) return undefined
    const transaction = relayFrom(place, due)
    return chains[destinationOf(place)]!.timeOf(transaction) === undefined ? undefined : transaction
  }

  /** The first message of the destination back to the source after the delivery; it may be still to come. */
  function carrierOf(place: Place, delivery: number): Place {
    const at = destinationOf(place)
    let number = sentBefore(at, delivery)
    while (destinationOf({ at, number }) !== place.at) number += 1
    return { at, number }
  }

  function isDelivered(place: Place): boolean {
    return timeOf(place) !== undefined && deliveryOf(place) !== undefined
  }

  /** What was delivered here since the message before it the same way. */
  function receiptsOf(carrier: Place): number[] {
    const at = destinationOf(carrier)
    const previous = { at: carrier.at, number: carrier.number - others }
    const [from, to] = [previous.number < 0 ? -Infinity : timeOf(previous)! - AWAY, timeOf(carrier)!]
    const found: number[] = []
    for (let number = sentUpTo(at, to) - 1; number >= 0; number -= 1) {
      const place = { at, number }
      if (destinationOf(place) !== carrier.at) continue
      if (timeOf(place)! < from - LATE[1] - relayer.longest()) break
      const due = dueAt(place)
      if (due < from || due > to) continue
      const delivery = deliveryOf(place)
      if (delivery !== undefined && carrierOf(place, delivery).number === carrier.number) found.push(nonceOf(place))
    }
    return found.toReversed()
  }

  return {
    sent,
    sentWith,
    isDelivered,
    longest: () => LONGEST + relayer.longest(),
    over: (known) => createIcm(seed, known.slice(0, chains.length), relayer),
    message(sent) {
      const known = settled.peek(keyOf(sent))
      if (known) return known
      const message = toldOf(sent)
      return message.isReceiptDelivered ? settled.get(keyOf(sent), () => message) : message
    },
  }

  function toldOf(sent: Sent): Message {
    const delivery = deliveryOf(sent)
    const { source, destination } = sent
    return {
      ...sent,
      id: `0x${dice('id', sent).hex(64)}`,
      nonce: nonceOf(sent),
      transaction: source.transaction(transactionOf(sent)),
      reward: BigInt(dice('reward', sent).between(0, 20)) * 50_000n,
      data: `0x${dice('data', sent).hex(64)}`,
      delivery:
        delivery === undefined
          ? undefined
          : { transaction: destination.transaction(delivery), time: destination.timeOf(delivery)! },
      receipts: carried.get(keyOf(sent), () => receiptsOf(sent)),
      isReceiptDelivered: delivery !== undefined && isDelivered(carrierOf(sent, delivery)),
    }
  }
}
