// Counters of what happens to wallets and L1 validators on the primary network, against what the network has counted.

import { expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { each, itemsOf, type Sums, sumsOf, tokens, valuesOf } from './sums.ts'
import { C, chainsOf, HOUR, MINUTE, seeds, TIME, watched } from './watched.ts'

interface OfWallet {
  types: Sums
  burned: string
}

test.for(seeds)('transactions of wallets: $seed, $dialect', { timeout: TIME }, async (network, context) => {
  const { polls, counted, simulator } = await watched(context, {
    ...network,
    collectors: ['transactions'],
    watch: (simulator) => {
      const { traders, owner } = ownersIn(simulator)
      const wallets = traders.flatMap(({ address, evm }, at) => [
        // Each is looked for on the P-Chain as well.
        { name: address, addresses: [`${at % 2 === 0 ? 'X' : 'C'}-${address}`] },
        { name: evm, addresses: [evm], chains: [C] },
      ])
      return { chains: chainsOf(simulator), addresses: [...wallets, { name: owner, addresses: [owner] }] }
    },
  })
  const text = await polls([70, 0, 5 * MINUTE, 2 * HOUR, 0, 90, 5 * HOUR])

  const known = await counted<Record<'P' | 'X' | 'C', OfWallet>>('transactions')
  const { traders, owner } = ownersIn(simulator)
  const ofTraders = traders.flatMap(({ address, evm }, at) => {
    const { P, X, C: onC } = known[address]!
    return [
      [address, at % 2 === 0 ? { P, X } : { P, [C]: onC }],
      [evm, { [C]: known[evm]!.C }],
    ] as const
  })
  const wallets = Object.fromEntries<Record<string, OfWallet>>([...ofTraders, [owner, { P: known[owner]!.P }]])
  const address = (name: string, ...labels: string[]) =>
    sumsOf(text, `stakewatch_address_${name}`, 'address', 'chain', ...labels)
  const numbers = address('transactions_total', 'tx_type')
  expect(numbers).toEqual(each(wallets, (chains) => each(chains, ({ types }) => types)))
  // The document's form does not tell what addresses of 0x pay.
  const isTold = (name: string) => network.dialect === 'live' || !name.startsWith('0x')
  const payers = Object.fromEntries(Object.entries(wallets).filter(([name]) => isTold(name)))
  const burned = each(payers, (chains) => each(chains, ({ burned }) => tokens(burned)))
  expect(address('burned_tokens_total')).toEqual(burned)
  expect(valuesOf(text, 'stakewatch_address_transactions_gaps_total')).toEqual([0])
  expect(itemsOf(numbers)).toBeGreaterThan(350)
})

/** Some who trade, and one whose stake is renewed while it is watched. */
function ownersIn({ world: { trade, validators } }: Simulator) {
  return { traders: trade.traders.slice(0, 4), owner: [...validators.all.values()][5]!.owner }
}

test.for(seeds)('top-ups of L1 validators: $seed, $dialect', { timeout: TIME }, async (network, context) => {
  const { polls, counted, simulator } = await watched(context, {
    ...network,
    collectors: ['transactions'],
    watch: (simulator) => ({
      subnets: someL1s(simulator).map(({ subnetId: id, name }) => ({ id, name })),
      validators: someL1s(simulator).flatMap(({ name: subnet, validators }) =>
        validators.map(({ nodeId, validationId }) => ({ node_id: nodeId, subnet, name: validationId })),
      ),
    }),
  })
  const tracked = someL1s(simulator).flatMap(({ validators }) => validators.map(({ validationId }) => validationId))
  let amount = 0
  const text = await polls([70, 0, 10 * MINUTE, 61, HOUR, 90, 0], (at) => {
    // All that come together get into one block.
    for (const validationId of tracked) {
      for (let times = (at * 7) % 9; times > 0; times -= 1) {
        simulator.world.take({ kind: 'top-up', validationId, amount: (amount += 1_000_003) })
      }
    }
  })

  const paid = Object.entries(await counted<{ count: number; amount: string }>('top-ups'))
  const own = Object.fromEntries(paid.filter(([validationId]) => tracked.includes(validationId)))
  const topups = sumsOf(text, 'stakewatch_l1_validator_topup_tokens_total', 'validator')
  expect(topups).toEqual(each(own, ({ amount }) => tokens(amount)))
  expect(itemsOf(each(own, ({ count }) => count))).toBeGreaterThan(250)
})

/** One whose validators stay, and one whose validators come and go and are paid for by themselves. */
function someL1s({ world: { l1s } }: Simulator) {
  return l1s.all.filter(({ name }) => ['orchard', 'meadow'].includes(name))
}

type Paid = Record<string, { count: number; amount: string; value: number }>

test.for(seeds)('rewards: $seed, $dialect', { timeout: TIME }, async (network, context) => {
  const wallets: Record<string, readonly string[]> = {}
  const { polls, counted } = await watched(context, {
    ...network,
    delegations: 2_000,
    collectors: ['rewards'],
    watch: ({ world: { validators } }) => {
      const all = [...validators.all.values()]
      const delegators = all.flatMap(({ delegations }) => delegations.slice(0, 10).map(({ owner }) => owner))
      Object.assign(wallets, { validators: all.map(({ owner }) => owner), delegators })
      return { addresses: Object.entries(wallets).map(([name, addresses]) => ({ name, addresses })) }
    },
  })
  const text = await polls([70, 0, 5 * MINUTE, 11 * HOUR, 0, 90, 15 * HOUR, 0, 60])

  const paid = await counted<Paid>('rewards')
  const sums = (of: (one: Paid[string]) => number) =>
    each(wallets, (owners) => {
      const types: Sums = {}
      for (const [type, one] of owners.flatMap((owner) => Object.entries(paid[owner] ?? {}))) {
        types[type] = (types[type] ?? 0) + of(one)
      }
      return types
    })
  const counts = sums(({ count }) => count)
  const rewards = (name: string, ...labels: string[]) =>
    sumsOf(text, `stakewatch_rewards_${name}`, 'address', ...labels)
  const about = (all: Sums) =>
    Object.fromEntries(Object.entries(all).map(([key, sum]) => [key, expect.closeTo(sum, 6) as unknown]))
  expect(rewards('tokens_total', 'reward_type')).toEqual(about(sums(({ amount }) => tokens(amount))))
  expect(rewards('value_total', 'reward_type')).toEqual(about(sums(({ value }) => value)))
  expect(valuesOf(text, 'stakewatch_rewards_gaps_total')).toEqual([0])
  expect(itemsOf(counts)).toBeGreaterThan(400)
})
