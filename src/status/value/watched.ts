// The subnets, chains, wallets, message routes and signature probes, from their published metrics.

import type { Network } from '../../config/schema.ts'
import { attentionFirst } from './alerts.ts'
import { nameOfPrimary } from '../../lib/primary-network.ts'
import { least } from '../../lib/statistics.ts'
import { ofChain, ofMessages, ofSubnet, ofWallet } from './metric-names.ts'
import { type Alerted, groupReadings, type OwnReadings } from './readings.ts'
import type { Alert, Status, Wallet } from './status-schema.ts'

export function watchedOf(input: Alerted): Pick<Status, 'subnets' | 'chains' | 'wallets' | 'routes' | 'probes'> {
  return {
    subnets: rowsOf(
      input,
      'subnet',
      ofSubnet,
      ({ subnets }) => subnets,
      (own, { id, name }, network) => ({
        maintenance: input.maintenance('subnet', network.name, name),
        id,
        weight_ratio: own.value(ofSubnet.weightRatio),
        first_depletion_timestamp_seconds: firstDepletionOf(own),
      }),
    ),
    chains: rowsOf(
      input,
      'chain',
      ofChain,
      ({ chains }) => chains,
      (own, { name }, network) => ({
        maintenance: input.maintenance('chain', network.name, name),
        height: extreme(own, ofChain.heights, Math.max),
        head_timestamp_seconds: extreme(own, ofChain.times, Math.max),
        stall_threshold_seconds: own.value(ofChain.threshold),
      }),
    ),
    wallets: rowsOf(
      input,
      'address',
      ofWallet,
      ({ addresses }) => addresses,
      (own, { name, min_balance }, network) => ({
        maintenance: input.maintenance('wallet', network.name, name),
        min_balance_tokens: min_balance ?? null,
        balances: balancesOf(own, nameOfPrimary('P', network)),
      }),
    ),
    routes: rowsOf(
      input,
      'route',
      ofMessages,
      ({ icm }) => icm.routes,
      (own) => ({ oldest_pending_timestamp_seconds: own.value(ofMessages.oldestPending) }),
    ),
    probes: rowsOf(
      input,
      'probe',
      ofMessages,
      (network) => network.signature_probes,
      (own) => ({ signed: own.flag(ofMessages.signed) }),
    ),
  }
}

/** A row for each thing of each network. `label` has its name in metrics and alerts. */
function rowsOf<Thing extends { name: string }, Row>(
  { config, readings, alerts }: Alerted,
  label: 'subnet' | 'chain' | 'address' | 'route' | 'probe',
  metrics: Readonly<Record<string, string | readonly string[]>>,
  thingsOf: (network: Network) => readonly Thing[],
  rowOf: (own: OwnReadings, thing: Thing, network: Network) => Row,
): (Row & { network: string; name: string; alerts: Alert[] })[] {
  const readingsOf = groupReadings(readings, Object.values(metrics).flat(), ['network', label])
  const rows = config.networks.flatMap((network) =>
    thingsOf(network).map((thing) => ({
      network: network.name,
      name: thing.name,
      ...rowOf(readingsOf(network.name, thing.name), thing, network),
      alerts: alerts(network.name, label, { [label]: thing.name }),
    })),
  )
  return attentionFirst(rows)
}

/** Balances by chain as the data service lists them; for the P-Chain, a node's balance stands in. */
function balancesOf(own: OwnReadings, pChain: string): Wallet['balances'] {
  const spendable = (metric: string) =>
    own
      .all(metric)
      .filter(({ labels: { state } }) => state === undefined || state === 'unlocked_unstaked' || state === 'unlocked')
      .map(({ labels, value }) => ({ chain: labels['chain'] ?? '', tokens: value }))
  const listed = [...spendable(ofWallet.balance), ...spendable(ofWallet.nativeBalance)]
  if (listed.some(({ chain }) => chain === pChain)) return listed
  return [...spendable(ofWallet.nodeBalance).map(({ tokens }) => ({ chain: pChain, tokens })), ...listed]
}

/** As the nodes report it, else as the data service lists it: not of a balance that a node reports without its end. */
function firstDepletionOf(own: OwnReadings): number | null {
  const reported = own.all(ofSubnet.depletion)
  const known = new Set([...own.all(ofSubnet.balance), ...reported].map(({ labels }) => labels['node_id']))
  const listed = own.all(ofSubnet.listedDepletion).filter(({ labels }) => !known.has(labels['node_id']))
  const times = [...reported, ...listed].map(({ value }) => value).filter(Number.isFinite)
  return times.length === 0 ? null : least(times)
}

/** The minimum or maximum of all published values of these metrics; null without any. */
function extreme(own: OwnReadings, metrics: readonly string[], which: (...values: number[]) => number): number | null {
  const values = metrics.flatMap((metric) => own.all(metric).map(({ value }) => value)).filter(Number.isFinite)
  return values.length === 0 ? null : which(...values)
}
