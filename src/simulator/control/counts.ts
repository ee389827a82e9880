// What has happened on the network since a moment (Unix seconds), counted from the world itself: the daemon must count
// the same from outside. Amounts are in the smallest unit.

import type { Chain } from '../world/blocks.ts'
import type { EvmBlock, EvmChain } from '../world/evm-chains.ts'
import { ofWallets, rewards, topUps } from './counts-of-wallets.ts'
import type { Proposals } from '../world/proposals.ts'
import type { World } from '../world/world.ts'

/** By their names on the control endpoint. */
export const counts = {
  blocks: ({ chains, proposals }, since) => ({
    P: blocksOf(chains.P, proposals.P, since),
    X: blocksOf(chains.X, proposals.X, since),
    C: blocksOf(chains.C, proposals.C, since),
  }),
  'evm-blocks': ({ evm }, since) => eachOf(byId(evm), (chain) => evmBlocksOf(chain, since)),
  'evm-transactions': ({ evm }, since) => eachOf(byId(evm), (chain) => outcomesOf(chain, since)),
  transfers: ({ evm, evmWallets }, since) =>
    eachOf(byId(evm), (chain) => eachOf(evmWallets, (address) => transfersOf(chain, address, since))),
  messages,
  rewards,
  transactions: ofWallets,
  'top-ups': topUps,
} satisfies Record<string, (world: World, since: number) => unknown>

function eachOf<T, R>(all: Readonly<Record<string, T>>, of: (one: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(all).map(([name, one]) => [name, of(one)]))
}

function byId(evm: readonly EvmChain[]): Record<string, EvmChain> {
  return Object.fromEntries(evm.map((chain) => [chain.chainId, chain]))
}

function add(sums: Record<string, number>, key: string): void {
  sums[key] = (sums[key] ?? 0) + 1
}

function blocksOf(chain: Chain, { of }: Proposals, since: number) {
  const types: Record<string, number> = {}
  const proposed: Record<string, number> = {}
  let [transactions, bytes] = [0, 0]
  let before = chain.head()
  for (; before >= 0 && chain.time(before)! > since; before -= 1) {
    const block = chain.block(before)!
    const { type, count, size } = block
    const { proposer } = of(block)
    add(types, type)
    if (proposer !== undefined) add(proposed, proposer)
    transactions += count
    bytes += size
  }
  return { types, proposed, transactions, bytes, seconds: secondsBetween(chain.time(before), chain.time(chain.head())) }
}

/** From the last block before to the newest one: what all intervals make together. */
function secondsBetween(before: number | undefined, newest: number | undefined): number {
  return (newest ?? 0) - (before ?? newest ?? 0)
}

function newBlocks(chain: EvmChain, since: number): EvmBlock[] {
  const first = chain.blockAt(since) + 1
  return Array.from({ length: chain.head() + 1 - first }, (_, at) => chain.block(first + at)!)
}

function evmBlocksOf(chain: EvmChain, since: number) {
  const blocks = newBlocks(chain, since)
  return {
    blocks: blocks.length,
    gas: blocks.reduce((sum, { gasUsed }) => sum + gasUsed, 0),
    fees: String(blocks.reduce((sum, { fees }) => sum + fees, 0n)),
    /** Of full blocks, as if the gas of all were in as few as there can be. */
    full: blocks.reduce((sum, { gasUsed, gasLimit }) => sum + gasUsed / gasLimit, 0),
    seconds: secondsBetween(chain.block(chain.blockAt(since))?.time, chain.block(chain.head())?.time),
  }
}

function outcomesOf(chain: EvmChain, since: number) {
  const done: Record<string, number> = {}
  const failed: Record<string, number> = {}
  for (const { number } of newBlocks(chain, since)) {
    for (const { callType, isDone } of chain.transactions(number)) add(isDone ? done : failed, callType)
  }
  return { done, failed }
}

/** By the addresses of the tokens. */
function transfersOf(chain: EvmChain, address: string, since: number) {
  const [incoming, outgoing]: Record<string, { count: number; amount: string }>[] = [{}, {}]
  const first = chain.transactionsBefore(chain.blockAt(since) + 1)
  const last = chain.transactionsBefore(chain.head() + 1) - 1
  for (const { from, token, value } of chain.transfers(address, first, last)) {
    const sums = (from === address ? outgoing : incoming)!
    const { count, amount } = sums[token.address] ?? { count: 0, amount: '0' }
    sums[token.address] = { count: count + 1, amount: String(BigInt(amount) + value) }
  }
  return { in: incoming, out: outgoing }
}

/** From chain to chain; `seconds` from sending to delivery, of all that were delivered. */
function messages({ icm }: World, since: number) {
  const routes: Record<string, { from: number; to: number; sent: number; delivered: number; seconds: number }> = {}
  for (const sent of icm.sent()) {
    if (sent.time <= since - icm.longest()) break
    const { source, destination, time, delivery } = icm.message(sent)
    const [from, to] = [source.chainId, destination.chainId]
    const route = (routes[`${from} ${to}`] ??= { from, to, sent: 0, delivered: 0, seconds: 0 })
    if (time > since) route.sent += 1
    if (!delivery || delivery.time <= since) continue
    route.delivered += 1
    route.seconds += delivery.time - time
  }
  return Object.values(routes)
}
