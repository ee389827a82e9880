// Divides the work between shards: each part of a network belongs to one shard, with all of its requests and series. A part is
// as small as it can be without two shards asking an upstream the same question.

import { hash } from 'node:crypto'
import { type AnyCollector, NETWORK } from '../collectors/define.ts'
import type { Config, Network } from '../config/schema.ts'
import { entryOf } from '../lib/entry.ts'
import { jumpHash } from '../lib/hash.ts'
import { primaryChains } from '../lib/primary-network.ts'
import { type Shard, UNDIVIDED } from '../lib/shard.ts'
import { type Declaration, declarationsIn } from './expected.ts'
import { plan, type Task } from './plan.ts'

type Labels = Readonly<Record<string, string | undefined>>

/** The tasks of the shard, each with its share of the budgets. */
export function planOf(config: Config, collectors: readonly AnyCollector[], shard: Shard): readonly Task[] {
  const isOwn = ownership(shard)
  const parts = new Map<Network, ReturnType<typeof partsOf>>()
  return plan(withShareOfBudgets(config, shard), collectors, (network, collector, subject) => {
    const of = entryOf(parts, network, () => partsOf(network))
    return isOwn(network, collector.partOf?.(subject) ?? of(subject.labels))
  })
}

/** The shard's part of the configuration: only this shard publishes series about it. */
export function ownConfig(config: Config, shard: Shard): Config {
  if (shard.shards === UNDIVIDED.shards) return config
  const isOwn = ownership(shard)
  return {
    ...config,
    networks: config.networks.map((network) => {
      const of = partsOf(network)
      const { nodes, validators, subnets } = isOwn(network, NETWORK)
        ? network
        : { nodes: [], validators: [], subnets: [] }
      const chains = network.chains.filter(({ name: chain }) => isOwn(network, of({ chain })))
      const addresses = network.addresses.filter(({ name: address }) => isOwn(network, of({ address })))
      return { ...network, nodes, validators, subnets, chains, addresses }
    }),
  }
}

/** Expectations that tasks of this shard judge, if any task does. */
export function ownDeclarations(config: Config, shard: Shard): Declaration[] {
  const isOwn = ownership(shard)
  const parts = new Map(config.networks.map((network) => [network.name, partsOf(network)]))
  return declarationsIn(config).filter((declaration) => {
    const name = declaration.labels['network']!
    return isOwn({ name }, partOfDeclared(declaration, parts.get(name)!))
  })
}

/** The genesis of a chain is read together with the list of all chains. */
function partOfDeclared({ of: kind, labels, expectation }: Declaration, of: ReturnType<typeof partsOf>): string {
  return kind === 'chain' && expectation !== 'status' ? NETWORK : of(labels)
}

/**
 * The part of the network to which something with these labels belongs:
 * - its P-Chain with all subnets, validators and nodes, as their collectors share the validators of a subnet, the blocks of
 *   the P-Chain, the list of chains and the fees of L1s;
 * - any other chain, of which several collectors read the newest blocks;
 * - a wallet, or all that have 0x addresses, of which those on the same chain share its newest block.
 */
function partsOf({ chains, addresses }: Network): (labels: Labels) => string {
  const pChains = new Set(chains.flatMap(({ id, name }) => (primaryChains[id] === 'P' ? [name] : [])))
  const evmWallets = new Set(addresses.flatMap((one) => (one.addresses.some(isHexadecimal) ? [one.name] : [])))
  return ({ address, chain }) => {
    if (address !== undefined) return evmWallets.has(address) ? 'evm-wallets' : `wallet/${address}`
    if (chain !== undefined && chain !== P_CHAIN && !pChains.has(chain)) return `chain/${chain}`
    return NETWORK
  }
}

/** Name of a P-Chain that is not configured. */
const P_CHAIN = 'p-chain'

const isHexadecimal = (address: string) => address.startsWith('0x')

/** Whether a part belongs to the shard. Only names of networks and parts decide, so all shards agree. */
function ownership({ ordinal, shards }: Shard): (network: Pick<Network, 'name'>, part: string) => boolean {
  if (shards === UNDIVIDED.shards) return () => true
  const known = new Map<string, number>()
  return ({ name }, part) => {
    const key = `${name}/${part}`
    return entryOf(known, key, () => jumpHash(hash('sha256', key, 'buffer').readBigUInt64BE(), shards)) === ordinal
  }
}

/** Budgets that are not configured follow from the plan, which is the shard's own already. */
function withShareOfBudgets(config: Config, { shards }: Shard): Config {
  if (shards === UNDIVIDED.shards) return config
  const share = (units: number | undefined) => (units === undefined ? undefined : units / shards)
  const shared = <S extends NonNullable<Network['data_api'] | Network['metrics_api']>>(service: S): S =>
    service.budget === undefined
      ? service
      : { ...service, budget: { per_minute: share(service.budget.per_minute), per_day: share(service.budget.per_day) } }
  return {
    ...config,
    networks: config.networks.map(({ data_api, metrics_api, ...network }) => ({
      ...network,
      data_api: data_api && shared(data_api),
      metrics_api: metrics_api && shared(metrics_api),
    })),
  }
}
