// The subnets, chains, wallets, message routes and signature probes, from their published metrics.

import type { Config, Network } from '../../config/schema.ts'
import type { Readings } from '../../metrics/read-exposition.ts'
import type { alertsAbout } from './alerts.ts'
import type { InMaintenance } from './maintenance.ts'
import { ofChain, ofMessages, ofSubnet, ofWallet } from './metric-names.ts'
import { keyOf, type OwnReadings, groupReadings } from './readings.ts'
import type { Chain, Probe, Route, Subnet, Wallet } from './status-schema.ts'

interface Input {
  config: Config
  readings: Readings
  alerts: ReturnType<typeof alertsAbout>
  maintenance: InMaintenance
}

export function subnetsOf({ config, readings, alerts, maintenance }: Input): Subnet[] {
  const readingsOf = groupByLabel(readings, Object.values(ofSubnet), 'subnet')
  return each(
    config,
    ({ subnets }) => subnets,
    (network, { name, id }) => {
      const own = readingsOf(keyOf(network, name))
      return {
        network,
        name,
        id,
        weight_ratio: own.value(ofSubnet.weightRatio),
        first_depletion_timestamp_seconds: extreme(own, [ofSubnet.depletion], Math.min),
        maintenance: maintenance('subnet', network, name),
        alerts: alerts(network, 'subnet', { subnet: name }),
      }
    },
  )
}

export function chainsOf({ config, readings, alerts, maintenance }: Input): Chain[] {
  const readingsOf = groupByLabel(readings, [...ofChain.heights, ...ofChain.times, ofChain.threshold], 'chain')
  return each(
    config,
    ({ chains }) => chains,
    (network, { name }) => {
      const own = readingsOf(keyOf(network, name))
      return {
        network,
        name,
        height: extreme(own, ofChain.heights, Math.max),
        head_timestamp_seconds: extreme(own, ofChain.times, Math.max),
        stall_threshold_seconds: own.value(ofChain.threshold),
        maintenance: maintenance('chain', network, name),
        alerts: alerts(network, 'chain', { chain: name }),
      }
    },
  )
}

export function walletsOf({ config, readings, alerts, maintenance }: Input): Wallet[] {
  const readingsOf = groupByLabel(readings, Object.values(ofWallet), 'address')
  return each(
    config,
    ({ addresses }) => addresses,
    (network, { name, min_balance }) => ({
      network,
      name,
      min_balance_tokens: min_balance ?? null,
      balances: balancesOf(readingsOf(keyOf(network, name))),
      maintenance: maintenance('wallet', network, name),
      alerts: alerts(network, 'address', { address: name }),
    }),
  )
}

/** Balances by chain as the data service lists them; for the P-Chain, a node's balance stands in. */
function balancesOf(own: OwnReadings): Wallet['balances'] {
  const spendable = (metric: string) =>
    own
      .all(metric)
      .filter(({ labels: { state } }) => state === undefined || state === 'unlocked_unstaked' || state === 'unlocked')
  const listed = [...spendable(ofWallet.balance), ...spendable(ofWallet.nativeBalance)].map(({ labels, value }) => ({
    chain: labels['chain'] ?? '',
    tokens: value,
  }))
  if (listed.some(({ chain }) => chain === P_CHAIN)) return listed
  return [...spendable(ofWallet.nodeBalance).map(({ value }) => ({ chain: P_CHAIN, tokens: value })), ...listed]
}

const P_CHAIN = 'p-chain'

export function routesOf({ config, readings, alerts }: Input): Route[] {
  const readingsOf = groupByLabel(readings, [ofMessages.oldestPending], 'route')
  return each(
    config,
    ({ icm }) => icm.routes,
    (network, { name }) => ({
      network,
      name,
      oldest_pending_timestamp_seconds: readingsOf(keyOf(network, name)).value(ofMessages.oldestPending),
      alerts: alerts(network, 'route', { route: name }),
    }),
  )
}

export function probesOf({ config, readings, alerts }: Input): Probe[] {
  const readingsOf = groupByLabel(readings, [ofMessages.signed], 'probe')
  return each(
    config,
    (network) => network.signature_probes,
    (network, { name }) => ({
      network,
      name,
      signed: readingsOf(keyOf(network, name)).flag(ofMessages.signed),
      alerts: alerts(network, 'probe', { probe: name }),
    }),
  )
}

/** One row for each thing of each network. */
function each<Thing, Row>(
  { networks }: Config,
  things: (network: Network) => readonly Thing[],
  row: (network: string, thing: Thing) => Row,
): Row[] {
  return networks.flatMap((network) => things(network).map((thing) => row(network.name, thing)))
}

function groupByLabel(readings: Readings, metrics: readonly string[], label: string): (thing: string) => OwnReadings {
  return groupReadings(readings, metrics, ({ network = '', [label]: name }) =>
    name === undefined ? undefined : keyOf(network, name),
  )
}

/** The minimum or maximum of all published values of these metrics; null without any. */
function extreme(own: OwnReadings, metrics: readonly string[], which: (...values: number[]) => number): number | null {
  const values = metrics.flatMap((metric) => own.all(metric).map(({ value }) => value)).filter(Number.isFinite)
  return values.length === 0 ? null : which(...values)
}
