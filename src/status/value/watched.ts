// What is watched besides validators and upstreams: subnets, chains, wallets, routes and probes, with what is published of them.

import type { Config, Network } from '../../config/schema.ts'
import type { Readings } from '../../metrics/read-exposition.ts'
import type { alertsAbout } from './alerts.ts'
import { ofChain, ofMessages, ofSubnet, ofWallet } from './metric-names.ts'
import { keyOf, type Said, saidOf } from './readings.ts'
import type { Chain, Probe, Route, Subnet, Wallet } from './status-schema.ts'

interface Told {
  config: Config
  readings: Readings
  alerts: ReturnType<typeof alertsAbout>
}

export function subnetsOf({ config, readings, alerts }: Told): Subnet[] {
  const said = saidBy(readings, Object.values(ofSubnet), 'subnet')
  return each(
    config,
    ({ subnets }) => subnets,
    (network, { name, id }) => {
      const own = said(keyOf(network, name))
      return {
        network,
        name,
        id,
        weight_ratio: own.value(ofSubnet.weightRatio),
        first_depletion_timestamp_seconds: extreme(own, [ofSubnet.depletion], Math.min),
        alerts: alerts(network, 'subnet', { subnet: name }),
      }
    },
  )
}

export function chainsOf({ config, readings, alerts }: Told): Chain[] {
  const said = saidBy(readings, [...ofChain.heights, ...ofChain.times, ofChain.threshold], 'chain')
  return each(
    config,
    ({ chains }) => chains,
    (network, { name }) => {
      const own = said(keyOf(network, name))
      return {
        network,
        name,
        height: extreme(own, ofChain.heights, Math.max),
        head_timestamp_seconds: extreme(own, ofChain.times, Math.max),
        stall_threshold_seconds: own.value(ofChain.threshold),
        alerts: alerts(network, 'chain', { chain: name }),
      }
    },
  )
}

export function walletsOf({ config, readings, alerts }: Told): Wallet[] {
  const said = saidBy(readings, Object.values(ofWallet), 'address')
  return each(
    config,
    ({ addresses }) => addresses,
    (network, { name, min_balance }) => ({
      network,
      name,
      min_balance_tokens: min_balance ?? null,
      balances: balancesOf(said(keyOf(network, name))),
      alerts: alerts(network, 'address', { address: name }),
    }),
  )
}

/** What the data service lists, by chain; of the P-Chain else what a node tells. */
function balancesOf(own: Said): Wallet['balances'] {
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

export function routesOf({ config, readings, alerts }: Told): Route[] {
  const said = saidBy(readings, [ofMessages.oldestPending], 'route')
  return each(
    config,
    ({ icm }) => icm.routes,
    (network, { name }) => ({
      network,
      name,
      oldest_pending_timestamp_seconds: said(keyOf(network, name)).value(ofMessages.oldestPending),
      alerts: alerts(network, 'route', { route: name }),
    }),
  )
}

export function probesOf({ config, readings, alerts }: Told): Probe[] {
  const said = saidBy(readings, [ofMessages.signed], 'probe')
  return each(
    config,
    (network) => network.signature_probes,
    (network, { name }) => ({
      network,
      name,
      signed: said(keyOf(network, name)).isSo(ofMessages.signed),
      alerts: alerts(network, 'probe', { probe: name }),
    }),
  )
}

/** A row for each such thing of each network. */
function each<Thing, Row>(
  { networks }: Config,
  things: (network: Network) => readonly Thing[],
  row: (network: string, thing: Thing) => Row,
): Row[] {
  return networks.flatMap((network) => things(network).map((thing) => row(network.name, thing)))
}

function saidBy(readings: Readings, metrics: readonly string[], label: string): (thing: string) => Said {
  return saidOf(readings, metrics, ({ network = '', [label]: name }) =>
    name === undefined ? undefined : keyOf(network, name),
  )
}

/** Of all that is published of these; null when nothing is. */
function extreme(own: Said, metrics: readonly string[], which: (...values: number[]) => number): number | null {
  const values = metrics.flatMap((metric) => own.all(metric).map(({ value }) => value)).filter(Number.isFinite)
  return values.length === 0 ? null : which(...values)
}
