// What is watched while it is killed, and what the network has counted of it, against what is exposed.

import type { Simulator } from '../../src/simulator/simulator.ts'
import { each, type Sums, sumsOf, tokens, valuesOf } from '../../test/counting/sums.ts'
import { scrape } from '../../test/e2e/support/scrape.ts'

/** The collectors that count, but `evm-transactions`: it reads so much that the simulated service refuses some of it. */
export const counting = [
  'primary-blocks',
  'evm-blocks',
  'index-intervals',
  'transactions',
  'rewards',
  'icm',
  'erc20-transfers',
]

const C = '43113'

export function watchedOf({ nodes, dataUrl, world }: Simulator): object {
  const { evm, l1s, trade, validators, evmWallets } = world
  const traders = trade.traders.slice(0, 2).map(({ address }) => ({ name: address, addresses: [`X-${address}`] }))
  const owners = [...validators.all.values()].flatMap(({ owner, delegations }) => [
    owner,
    ...delegations.slice(0, 5).map((one) => one.owner),
  ])
  const [from, to] = evm.map(({ chainId }) => String(chainId))
  const tokensOfC = evm.find(({ chainId }) => String(chainId) === C)!.accounts.tokens
  return {
    name: 'fuji',
    nodes: nodes.map(({ name, url, nodeId }) => ({ name, url, node_id: nodeId, index: true })),
    // With a key the simulated service gives more a minute.
    data_api: { url: dataUrl, key: 'simulated' },
    chains: [
      { id: 'p-chain', name: 'P' },
      { id: 'x-chain', name: 'X' },
      ...evm.map(({ chainId }) => {
        const id = l1s.all.find(({ evmChainId }) => evmChainId === chainId)?.blockchainId ?? 'c-chain'
        return { id, name: String(chainId), evm_chain_id: chainId }
      }),
    ],
    addresses: [
      ...traders,
      { name: 'owners', addresses: owners.map((owner) => `P-${owner}`) },
      {
        name: 'treasury',
        addresses: [evmWallets.treasury],
        chains: [C],
        tokens: Object.fromEntries(tokensOfC.map(({ address }) => [address, address])),
      },
    ],
    icm: { routes: [{ name: `${from}-${to}`, from, to }] },
  }
}

interface Route {
  from: number
  to: number
  sent: number
  delivered: number
}
interface Blocks {
  types: Sums
  transactions: number
  bytes: number
}

/** Where both differ; empty when they agree. */
export async function differences(text: string, simulator: Simulator, since: number): Promise<string[]> {
  const counted = async <T>(of: string) =>
    JSON.parse(await scrape(`${simulator.controlUrl}/counts/${of}?since=${since}`)) as Record<string, T>
  const found: string[] = []
  const compare = (what: string, exposed: Sums, own: Sums) => {
    for (const key of new Set([...Object.keys(exposed), ...Object.keys(own)])) {
      const [here, there] = [exposed[key] ?? 0, own[key] ?? 0]
      // Sums of parts of tokens are rounded.
      if (Math.abs(here - there) > 1e-9 * Math.abs(there)) found.push(`${what} ${key}: ${here}, the network ${there}`)
    }
  }

  const { C: ofC, ...others } = await counted<Blocks>('blocks')
  const blocks = { ...others, [C]: ofC! }
  const numbers = each(blocks, ({ types }) => Object.values(types).reduce((sum, count) => sum + count, 0))
  const accepted = each({ 'node-a': 0, 'node-b': 0 }, () => numbers)
  const evm = await counted<{ gas: number; fees: string }>('evm-blocks')
  const chain = (name: string, ...labels: string[]) => sumsOf(text, `stakewatch_${name}`, 'chain', ...labels)
  const index = sumsOf(text, 'stakewatch_index_acceptance_interval_seconds_count', 'source', 'chain')
  const pairs: readonly [what: string, exposed: Sums, own: Sums][] = [
    ['blocks', chain('chain_blocks_total', 'block_type'), each(blocks, ({ types }) => types)],
    ['transactions', chain('chain_transactions_total'), each(blocks, ({ transactions }) => transactions)],
    ['bytes', chain('chain_block_size_bytes_sum'), each(blocks, ({ bytes }) => bytes)],
    ['accepted blocks', index, accepted],
    ['gas', chain('evm_gas_used_total'), each(evm, ({ gas }) => gas)],
    ['fees', chain('evm_fees_spent_tokens_total'), each(evm, (one) => tokens(one.fees, 18))],
  ]
  for (const pair of pairs) compare(...pair)

  const routes = Object.values(await counted<Route>('messages'))
  const messages = sumsOf(text, 'stakewatch_icm_transitions_total', 'route', 'state')
  const watchedRoutes = Object.entries(
    Object.fromEntries(routes.map(({ from, to, ...route }) => [`${from}-${to}`, route])),
  ).filter(([name]) => text.includes(`route="${name}"`))
  const states = ({ sent, delivered }: { sent: number; delivered: number }) => ({ pending: sent, delivered })
  compare('messages', messages, each(Object.fromEntries(watchedRoutes), states))

  const wallets = await counted<Partial<Record<string, { types: Sums }>>>('transactions')
  const own = sumsOf(text, 'stakewatch_address_transactions_total', 'address', 'chain', 'tx_type')
  for (const { address } of simulator.world.trade.traders.slice(0, 2)) {
    const of = Object.fromEntries(Object.entries(own).filter(([key]) => key.startsWith(address)))
    // It may have had no transaction yet.
    const { P, X } = wallets[address] ?? {}
    const types = each({ [address]: { P, X } }, (chains) => each(chains, (one) => one?.types ?? {}))
    compare('wallets', of, types)
  }

  const gaps = [
    'stakewatch_chain_blocks_missed_total',
    'stakewatch_evm_blocks_missed_total',
    'stakewatch_index_acceptance_gaps_total',
    'stakewatch_address_transactions_gaps_total',
    'stakewatch_rewards_gaps_total',
    'stakewatch_erc20_transfer_gaps_total',
    'stakewatch_icm_abandoned_total',
  ]
  for (const name of gaps) if (valuesOf(text, name).some((value) => value !== 0)) found.push(`${name} is not 0`)
  return found
}
