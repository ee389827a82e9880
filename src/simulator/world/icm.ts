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

/** How many messages are kept: the pages of several routes. */
const RECENT = 512

interface State {
  seed: number
  chains: readonly EvmChain[]
  relayer: Relayer
  /** The wallets that send or get messages. */
  correspondents: ReadonlySet<string>
  /** What a message carries follows from what was delivered before it was sent. */
  carried: ReturnType<typeof createRecent<number, number[]>>
  /** Messages whose receipts are delivered: they do not change any more. */
  settled: ReturnType<typeof createRecent<number, Message>>
}

export function createIcm(seed: number, chains: readonly EvmChain[], relayer: Relayer): Icm {
  const correspondents = correspondentsOf(chains)
  const [carried, settled] = [createRecent<number, number[]>(RECENT), createRecent<number, Message>(RECENT)]
  const state: State = { seed, chains, relayer, correspondents, carried, settled }
  return {
    sent: (last) => sentIn(state, last),
    sentWith: (address, last) => sentWith(state, address, last),
    isDelivered: (sent) => isDelivered(state, sent),
    longest: () => LONGEST + relayer.longest(),
    over: (known) => createIcm(seed, known.slice(0, chains.length), relayer),
    message(sent) {
      const known = settled.peek(keyOf(state, sent))
      if (known) return known
      const message = describe(state, sent)
      return message.isReceiptDelivered ? settled.get(keyOf(state, sent), () => message) : message
    },
  }
}

function correspondentsOf(chains: readonly EvmChain[]): ReadonlySet<string> {
  return new Set(
    chains.flatMap(({ agenda, accounts: { wallets } }) =>
      Array.from({ length: agenda.length }, (_, at) => agenda.step(at))
        .filter(({ kind }) => kind === 'message')
        .flatMap(({ from, to }) => (from && to ? [wallets[from], wallets[to]] : [])),
    ),
  )
}

const keyOf = ({ chains }: State, { at, number }: Place) => number * chains.length + at
const dice = ({ seed, chains }: State, kind: string, { at, number }: Place) =>
  random(seed, 'icm', chains[at]!.chainId, kind, number)

/** The other chains take turns as destinations. */
const destinationOf = ({ chains }: State, { at, number }: Place) =>
  (at + 1 + (number % (chains.length - 1))) % chains.length
const nonceOf = ({ chains }: State, { number }: Place) => Math.floor(number / (chains.length - 1)) + 1

function transactionOf({ chains }: State, { at, number }: Place): number {
  const { agenda } = chains[at]!
  return agenda.transactionOf(agenda.messages.at(number))
}
const timeOf = (state: State, place: Place) => state.chains[place.at]!.timeOf(transactionOf(state, place))

/** How many messages the chain has sent in transactions before this one. */
function sentBefore({ chains }: State, at: number, transaction: number): number {
  const { agenda } = chains[at]!
  return agenda.messages.before(agenda.from(transaction))
}

function sentUpTo(state: State, at: number, time: number): number {
  const chain = state.chains[at]!
  return sentBefore(state, at, chain.transactionsBefore(chain.blockAt(time) + 1))
}

function sentAt(state: State, place: Place): Sent {
  const source = state.chains[place.at]!
  const { wallets, stranger } = source.accounts
  const { from, to } = source.agenda.step(source.agenda.messages.at(place.number))
  const own = stranger(transactionOf(state, place))
  return {
    ...place,
    time: timeOf(state, place)!,
    source,
    destination: state.chains[destinationOf(state, place)]!,
    from: from ? wallets[from] : own,
    to: to ? wallets[to] : own,
  }
}

const lastOf = (state: State, at: number, count: number) =>
  count > 0 ? sentAt(state, { at, number: count - 1 }) : undefined

function* sentIn(state: State, last?: Place): Generator<Sent> {
  const until = last && timeOf(state, last)!
  const next = state.chains.map((_, at): Sent | undefined => {
    if (last === undefined || until === undefined) return lastOf(state, at, sentUpTo(state, at, Infinity))
    // Of one time, those of the first chain come first.
    return lastOf(state, at, at === last.at ? last.number : sentUpTo(state, at, at < last.at ? until - 1 : until))
  })
  for (;;) {
    const newest = next.reduce((best, one) => (one && (!best || one.time > best.time) ? one : best), undefined)
    if (!newest) return
    yield newest
    next[newest.at] = lastOf(state, newest.at, newest.number)
  }
}

/** A stranger has one message at most; a wallet has many, or none at all. */
function* sentWith(state: State, address: string, last?: Place): Generator<Sent> {
  for (const [at, { accounts, agenda, timeOf }] of state.chains.entries()) {
    const own = accounts.numberOf(address)
    const step = own === undefined ? undefined : agenda.stepOf(own)
    if (own === undefined || step === undefined || timeOf(own) === undefined) continue
    const { kind, from } = agenda.step(step)
    if (kind === 'message' && !from && !last) yield sentAt(state, { at, number: agenda.messages.before(step) })
  }
  if (!state.correspondents.has(address)) return
  for (const one of sentIn(state, last)) if (one.from === address || one.to === address) yield one
}

/** When the relayer takes it up. */
function dueAt(state: State, place: Place): number {
  const luck = dice(state, 'delay', place)
  const kind = state.relayer.isReliable ? 1 : luck.next()
  if (kind < 0.002) return Infinity
  const due = timeOf(state, place)! + (kind < 0.03 ? luck.between(...LATE) : luck.between(...SOON))
  return workedFrom(state, place, due)
}

/** A relayer that was stopped takes up what it missed when it is started again. */
function workedFrom(state: State, place: Place, due: number): number {
  const relayed = state.chains[destinationOf(state, place)]!.timeOf(relayFrom(state, place, due))
  const from = relayed === undefined ? undefined : state.relayer.worksFrom(relayed)
  if (from === relayed) return due
  return from === undefined ? Infinity : workedFrom(state, place, from)
}

/** The relayer's first transaction on the destination in a block from then on. */
function relayFrom(state: State, place: Place, due: number): number {
  const { agenda, blockAt, transactionsBefore } = state.chains[destinationOf(state, place)]!
  const first = agenda.from(transactionsBefore(blockAt(due - 1) + 1))
  return agenda.transactionOf(agenda.relays.at(agenda.relays.before(first)))
}

/** The transaction of the destination that brings it. */
function deliveryOf(state: State, place: Place): number | undefined {
  const due = dueAt(state, place)
  if (due === Infinity) return undefined
  const transaction = relayFrom(state, place, due)
  return state.chains[destinationOf(state, place)]!.timeOf(transaction) === undefined ? undefined : transaction
}

/** The first message of the destination back to the source after the delivery; it may be still to come. */
function carrierOf(state: State, place: Place, delivery: number): Place {
  const at = destinationOf(state, place)
  let number = sentBefore(state, at, delivery)
  while (destinationOf(state, { at, number }) !== place.at) number += 1
  return { at, number }
}

function isDelivered(state: State, place: Place): boolean {
  return timeOf(state, place) !== undefined && deliveryOf(state, place) !== undefined
}

/** The nonces of what was delivered here since the message before it the same way. */
function receiptsOf(state: State, carrier: Place): number[] {
  const at = destinationOf(state, carrier)
  const previous = { at: carrier.at, number: carrier.number - (state.chains.length - 1) }
  const from = previous.number < 0 ? -Infinity : timeOf(state, previous)! - AWAY
  const to = timeOf(state, carrier)!
  const found: number[] = []
  for (let number = sentUpTo(state, at, to) - 1; number >= 0; number -= 1) {
    const place = { at, number }
    if (destinationOf(state, place) !== carrier.at) continue
    if (timeOf(state, place)! < from - LATE[1] - state.relayer.longest()) break
    const due = dueAt(state, place)
    if (due < from || due > to) continue
    const delivery = deliveryOf(state, place)
    if (delivery === undefined || carrierOf(state, place, delivery).number !== carrier.number) continue
    found.push(nonceOf(state, place))
  }
  return found.toReversed()
}

function describe(state: State, sent: Sent): Message {
  const delivery = deliveryOf(state, sent)
  const { source, destination } = sent
  return {
    ...sent,
    id: `0x${dice(state, 'id', sent).hex(64)}`,
    nonce: nonceOf(state, sent),
    transaction: source.transaction(transactionOf(state, sent)),
    reward: BigInt(dice(state, 'reward', sent).between(0, 20)) * 50_000n,
    data: `0x${dice(state, 'data', sent).hex(64)}`,
    delivery:
      delivery === undefined
        ? undefined
        : { transaction: destination.transaction(delivery), time: destination.timeOf(delivery)! },
    receipts: state.carried.get(keyOf(state, sent), () => receiptsOf(state, sent)),
    isReceiptDelivered: delivery !== undefined && isDelivered(state, carrierOf(state, sent, delivery)),
  }
}
