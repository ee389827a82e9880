// Counters of what goes from chain to chain and from wallet to wallet on the EVM chains, against what the network has
// counted.

import { expect, test } from 'vitest'
import { each, itemsOf, sumsOf, tokens, valuesOf } from './sums.ts'
import { chainsOf, HOUR, MINUTE, seeds, TIME, watched } from './watched.ts'

interface Route {
  from: number
  to: number
  sent: number
  delivered: number
  seconds: number
}

test.for(seeds)('messages between chains: $seed, $dialect', { timeout: TIME }, async (network, context) => {
  const { polls, counted } = await watched(context, {
    ...network,
    collectors: ['icm'],
    watch: ({ world: { evm } }) => {
      const ids = evm.map(({ chainId }) => String(chainId))
      const pairs = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => ({ from, to })))
      return { icm: { routes: pairs.map(({ from, to }) => ({ name: `${from}-${to}`, from, to })) } }
    },
  })
  const text = await polls([5, 0, 20 * MINUTE, 50 * MINUTE])

  const routes = Object.values(await counted<Route>('messages')).map(
    ({ from, to, ...route }) => [`${from}-${to}`, route] as const,
  )
  const messages = Object.fromEntries(routes)
  const icm = (name: string, ...labels: string[]) => sumsOf(text, `stakewatch_icm_${name}`, 'route', ...labels)
  expect(icm('transitions_total', 'state')).toEqual(
    each(messages, ({ sent, delivered }) => ({ pending: sent, delivered })),
  )
  const isTimed = network.dialect === 'live'
  expect(icm('delivery_seconds_count')).toEqual(isTimed ? each(messages, ({ delivered }) => delivered) : {})
  expect(icm('delivery_seconds_sum')).toEqual(isTimed ? each(messages, ({ seconds }) => seconds) : {})
  expect(valuesOf(text, 'stakewatch_icm_abandoned_total')).toEqual([0])
  expect(itemsOf(icm('transitions_total', 'state'))).toBeGreaterThan(250)
})

type Directions = Record<'in' | 'out', Record<string, { count: number; amount: string }>>

test.for(seeds)('transfers of tokens: $seed, $dialect', { timeout: TIME }, async (network, context) => {
  const { polls, counted, simulator } = await watched(context, {
    ...network,
    collectors: ['erc20-transfers'],
    watch: (simulator) => {
      const { evm, evmWallets } = simulator.world
      const known = evm.flatMap(({ accounts }) => accounts.tokens.map(({ address }) => [address, address]))
      const wallet = { chains: evm.map(({ chainId }) => String(chainId)), tokens: Object.fromEntries(known) as object }
      const addresses = Object.entries(evmWallets).map(([name, address]) => ({ ...wallet, name, addresses: [address] }))
      return { chains: chainsOf(simulator), addresses }
    },
  })
  const text = await polls([5, 0, 20 * MINUTE, 0, 2 * HOUR, 3])

  const transfers = await counted<Record<string, Directions>>('transfers')
  const tokensOfChains = simulator.world.evm.flatMap(({ accounts }) => accounts.tokens)
  const decimals = new Map(tokensOfChains.map((one) => [one.address, one.decimals]))
  const sums = (of: (count: number, amount: string, decimals?: number) => number) =>
    each(transfers, (wallets) =>
      each(wallets, (directions) =>
        each(directions, (byToken) =>
          Object.fromEntries(
            Object.entries(byToken).map(([token, { count, amount }]) => [
              // Those without a configured name count together.
              decimals.has(token) ? token : 'other',
              of(count, amount, decimals.get(token)),
            ]),
          ),
        ),
      ),
    )
  const erc20 = (name: string, ...labels: string[]) =>
    sumsOf(text, `stakewatch_erc20_${name}`, 'chain', 'address', ...labels)
  const numbers = erc20('transfers_total', 'direction', 'token')
  expect(numbers).toEqual(sums((count) => count))
  // Their value is not published.
  const moved = sums((_, amount, places) => (places === undefined ? 0 : tokens(amount, places)))
  expect(erc20('transferred_tokens_total', 'direction', 'token')).toEqual(moved)
  expect(valuesOf(text, 'stakewatch_erc20_transfer_gaps_total')).toEqual([0])
  expect(itemsOf(numbers)).toBeGreaterThan(600)
})
