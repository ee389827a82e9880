// The truth about the simulated network, worked out of its world: what the daemon may say of it. Nothing here knows how
// the daemon reads an answer.

import { primaryChains } from '../../../src/lib/primary-network.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'
import type { EvmChain } from '../../../src/simulator/world/evm-chains.ts'
import { uptimeOf } from '../../../src/simulator/world/views.ts'
import type { Series } from './exposition.ts'
import type { History } from './history.ts'

/**
 * What grows may be published as it was between two moments that were noted: a block that was never the newest at one of them.
 * The metrics whose truth is known, with the labels that say what they are about and the collector that publishes them.
 */
export const judged: Readonly<Record<string, { collector: string; by: readonly string[]; grows?: true }>> = {
  stakewatch_validator_uptime_ratio: { collector: 'uptime', by: ['subnet', 'node_id', 'source'] },
  stakewatch_validator_connected: { collector: 'uptime', by: ['subnet', 'node_id', 'source'] },
  stakewatch_validator_weight: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_validator_stake_tokens: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_validator_delegated_tokens: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_validator_delegators: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_validator_delegation_fee_ratio: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_validator_potential_reward_tokens: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_validator_start_timestamp_seconds: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_validator_end_timestamp_seconds: { collector: 'validators', by: ['subnet', 'node_id'] },
  stakewatch_l1_validator_balance_tokens: { collector: 'l1-validators', by: ['subnet', 'node_id'] },
  stakewatch_supply_tokens: { collector: 'supply', by: ['subnet'] },
  stakewatch_chain_head_height: { collector: 'primary-blocks', by: ['chain'], grows: true },
  stakewatch_chain_head_timestamp_seconds: { collector: 'primary-blocks', by: ['chain'], grows: true },
  stakewatch_l1_active_validators: { collector: 'primary-blocks', by: [] },
  stakewatch_evm_head_height: { collector: 'evm-blocks', by: ['chain'], grows: true },
  stakewatch_evm_head_timestamp_seconds: { collector: 'evm-blocks', by: ['chain'], grows: true },
  stakewatch_evm_transactions_total: { collector: 'evm-blocks', by: ['chain'], grows: true },
  stakewatch_index_last_accepted: { collector: 'index-head', by: ['chain', 'source', 'index'], grows: true },
  stakewatch_address_native_balance_tokens: { collector: 'native-balances', by: ['address', 'chain'] },
}

/** What a series is about, under whose name its truth is kept; undefined when its truth is not known. */
export function keyOf({ name, labels }: Pick<Series, 'name' | 'labels'>): string | undefined {
  const known = Object.hasOwn(judged, name) ? judged[name] : undefined
  return known && [name, ...known.by.map((label) => labels[label] ?? '')].join('|')
}

const NANO = 1e9

/** Gives what notes all that is true at this moment. */
export function createNotes(simulator: Simulator, history: History): (at: number) => void {
  const noted = new Map<EvmChain, number>()
  let before = new Set<string>()
  return (at) => {
    const there = new Set<string>()
    noteOfValidators(simulator, (key, value) => {
      there.add(key)
      history.note(key, at, value)
    })
    // Validators leave.
    for (const key of before) if (!there.has(key)) history.note(key, at, undefined)
    before = there
    noteOfChains(simulator, (key, value) => history.note(key, at, value), noted)
  }
}

type Note = (key: string, value: number | undefined) => void

function noteOfValidators({ world, nodes }: Simulator, write: Note): void {
  const { validators, l1s, chains } = world
  const now = world.now()
  const note = (name: string, by: readonly string[], value: number | undefined) => write([name, ...by].join('|'), value)
  const chainTime = chains.P.time(chains.P.head())!

  for (const validator of [...validators.all.values()].slice(0, 6)) {
    const { nodeId, weight, delegations, reward, start, end, fee } = validator
    const about = ['primary', nodeId]
    const delegated = delegations.reduce((sum, one) => sum + one.weight, 0n)
    for (const { name, nodeId: observer } of nodes) {
      if (observer === nodeId) continue
      const view = validator.views.get(observer)!
      // A node reports per cent with four decimal places.
      const uptime = Number((uptimeOf(validator, view, now) * 100).toFixed(4)) / 100
      note('stakewatch_validator_uptime_ratio', [...about, name], uptime)
      note('stakewatch_validator_connected', [...about, name], view.since === undefined ? 1 : 0)
    }
    note('stakewatch_validator_weight', about, Number(weight + delegated))
    note('stakewatch_validator_stake_tokens', about, Number(weight) / NANO)
    note('stakewatch_validator_delegated_tokens', about, Number(delegated) / NANO)
    note('stakewatch_validator_delegators', about, delegations.length)
    note('stakewatch_validator_delegation_fee_ratio', about, fee / 100)
    note('stakewatch_validator_potential_reward_tokens', about, Number(reward) / NANO)
    note('stakewatch_validator_start_timestamp_seconds', about, start)
    note('stakewatch_validator_end_timestamp_seconds', about, end)
  }
  for (const l1 of l1s.all) {
    for (const one of l1.validators) {
      const about = [l1.name, one.nodeId]
      note('stakewatch_validator_weight', about, Number(one.weight))
      note('stakewatch_validator_start_timestamp_seconds', about, one.start)
      note('stakewatch_l1_validator_balance_tokens', about, l1s.balance(one, chainTime) / NANO)
    }
    for (const { nodeId, weight, start, end } of l1.legacy) {
      const about = [l1.name, nodeId]
      note('stakewatch_validator_weight', about, Number(weight))
      note('stakewatch_validator_start_timestamp_seconds', about, start)
      note('stakewatch_validator_end_timestamp_seconds', about, end)
    }
  }
}

function noteOfChains({ world, nodes }: Simulator, write: Note, noted: Map<EvmChain, number>): void {
  const { l1s, chains, evm, evmWallets, indexes } = world
  const note = (name: string, by: readonly string[], value: number | undefined) => write([name, ...by].join('|'), value)
  const chainTime = chains.P.time(chains.P.head())!
  note('stakewatch_supply_tokens', ['primary'], Number(world.supply(chainTime)) / NANO)
  const market = l1s.market.at(chainTime)
  note('stakewatch_l1_active_validators', [], market.active)
  for (const [name, letter] of Object.entries(primaryChains)) {
    if (!name.endsWith('-chain')) continue
    const chain = chains[letter]
    note('stakewatch_chain_head_height', [name], chain.head())
    note('stakewatch_chain_head_timestamp_seconds', [name], chain.time(chain.head()))
    for (const node of nodes) {
      note('stakewatch_index_last_accepted', [name, node.name, 'block'], indexes.blocks[letter].last())
    }
  }
  for (const chain of evm) {
    const head = chain.head()
    // What an EVM chain holds is worked out from its blocks, and changes with them alone.
    if (noted.get(chain) === head) continue
    noted.set(chain, head)
    const name = chain.chainId === 43_113 ? 'c-chain' : l1s.all.find((one) => one.evmChainId === chain.chainId)!.name
    const block = chain.block(head)
    note('stakewatch_evm_head_height', [name], head)
    note('stakewatch_evm_head_timestamp_seconds', [name], block?.time)
    note('stakewatch_evm_transactions_total', [name], block?.cumulative)
    for (const wallet of name === 'c-chain' ? (['relayer', 'treasury'] as const) : (['relayer'] as const)) {
      const balance = Number(chain.balance(evmWallets[wallet], head)) / 1e18
      note('stakewatch_address_native_balance_tokens', [wallet, name], balance)
    }
  }
}
