// What else is watched beside validators: nodes, chains, wallets and messages, with what needs attention of each.

import type { Config, Network } from '../config/schema.ts'
import { mostUrgentFirst, shareOf } from './findings.ts'
import { type Asked, findingsOfChain, findingsOfNetwork, listedBehind } from './findings-of-chains.ts'
import {
  findingsOfNode,
  isForeignNode,
  lateValidators,
  networksNearUpgrade,
  networksWithLowL1,
  saidOfNodes,
  validationsOf,
} from './findings-of-nodes.ts'
import { findingsOfProbe, findingsOfRoute, findingsOfWallet } from './findings-of-wallets.ts'
import { ofChain, ofMessages, ofNetwork, ofWallet } from './metrics.ts'
import { keyOf, type Readings, type Said, saidOf } from './readings.ts'
import type { Finding, TaskRow, Upstream, Validator, Watched } from './schema.ts'

interface Told {
  config: Config
  readings: Readings
  validators: readonly Validator[]
  upstreams: readonly Upstream[]
  tasks: readonly TaskRow[]
  /** In seconds. */
  now: number
}

/** Upstreams with what is to be said of those that are nodes. */
export function withNodes({ readings, validators, upstreams, tasks, now }: Omit<Told, 'config'>): Upstream[] {
  const said = saidOfNodes(readings)
  const listed = saidOfChains(readings)
  const [near, low, isLate] = [
    networksNearUpgrade(readings, now),
    networksWithLowL1(readings),
    lateValidators(readings),
  ]
  return upstreams.map((one) => {
    if (one.service !== 'node') return one
    const { network, source } = one
    const own = validationsOf(one, validators)
    const found = findingsOfNode(said(keyOf(network, source)), {
      askedForHealth: lastSuccess(
        tasks,
        network,
        ({ collector, source: of }) => collector === 'node-health' && of === source,
      ),
      isOwn: own.length > 0,
      isLost: own.some((validator) => shareOf(validator, 'lost') > 0.5),
      isLate: own.some(isLate),
      isUpgradeNear: near.has(network),
      isL1Low: low.has(network),
      listedAt: (chain) => listed(keyOf(network, chain)).value(ofChain.headTime),
    })
    return { ...one, findings: mostUrgentFirst([...one.findings, ...found]) }
  })
}

export function watchedOf({ config, readings, upstreams, tasks }: Omit<Told, 'validators' | 'now'>): Watched[] {
  const said = {
    node: saidOfNodes(readings),
    chain: saidOfChains(readings),
    wallet: saidBy(readings, Object.values(ofWallet), 'address'),
    route: saidBy(readings, Object.values(ofMessages), 'route'),
    probe: saidBy(readings, Object.values(ofMessages), 'probe'),
    network: saidOf(readings, [ofNetwork.gasPrice, ofNetwork.gasMinPrice], ({ network }) => network),
  }
  return config.networks.flatMap((network) => {
    const own = tasks.filter((task) => task.network === network.name)
    const foreign = new Set(
      network.nodes.map(({ name }) => name).filter((name) => isForeignNode(said.node(keyOf(network.name, name)))),
    )
    const askedOf =
      (isAbout: (target: string) => boolean): Asked =>
      (collector, source) =>
        lastSuccess(own, network.name, (task) => {
          const isOfSource = source === undefined || task.source === source
          return task.collector === collector && isOfSource && isAbout(task.target)
        })
    const is = (name: string) => (target: string) => target === name
    const chainSaid = (name: string) => said.chain(keyOf(network.name, name))
    const isServiceBehind = network.chains.some(
      ({ name }) => listedBehind(chainSaid(name), { asked: askedOf(is(name)), foreign }) !== null,
    )
    const unknown = unknownNews(network, own, upstreams)
    const row = (kind: Watched['kind'], name: string, findings: readonly Finding[]): Watched => ({
      kind,
      network: network.name,
      name,
      findings: mostUrgentFirst(findings),
    })
    return [
      row('network', network.name, findingsOfNetwork(said.network(network.name))),
      ...network.chains.map(({ name }) => {
        const around = { asked: askedOf(is(name)), foreign, isServiceBehind, isUnknownNews: unknown.ofChain(name) }
        return row('chain', name, findingsOfChain(chainSaid(name), around))
      }),
      ...network.addresses.map(({ name }) => {
        const asked = askedOf(is(`address:${name}`))
        const around = { asked, isServiceBehind, isUnknownNews: unknown.ofWallet(name) }
        return row('wallet', name, findingsOfWallet(said.wallet(keyOf(network.name, name)), around))
      }),
      ...network.icm.routes.map(({ name }) => {
        const asked = askedOf(is(name))('icm')
        return row('route', name, findingsOfRoute(said.route(keyOf(network.name, name)), asked, isServiceBehind))
      }),
      ...network.signature_probes.map(({ name }) =>
        row('probe', name, findingsOfProbe(said.probe(keyOf(network.name, name)))),
      ),
    ]
  })
}

const saidOfChains = (readings: Readings) => saidBy(readings, [...new Set(Object.values(ofChain))], 'chain')

function saidBy(readings: Readings, metrics: readonly string[], label: string): (thing: string) => Said {
  return saidOf(readings, metrics, ({ network = '', [label]: name }) =>
    name === undefined ? undefined : keyOf(network, name),
  )
}

function lastSuccess(tasks: readonly TaskRow[], network: string, which: (task: TaskRow) => boolean): number | null {
  const times = tasks
    .filter((task) => task.network === network && which(task))
    .flatMap(({ last_success_timestamp_seconds: at }) => at ?? [])
  return times.length === 0 ? null : Math.max(...times)
}

/** Whether it is news that nothing is known of a thing: not before all was asked, and not where a cause is said elsewhere. */
function unknownNews({ name: network }: Network, tasks: readonly TaskRow[], upstreams: readonly Upstream[]) {
  const away = upstreams.filter((one) => one.network === network && (one.up === false || one.refusing === true))
  const isAttempted = tasks.every(({ result }) => result !== null)
  const isFailing = (names: (target: string) => string | undefined, name: string) =>
    tasks.some(({ result, target }) => result === 'failure' && names(target) === name)
  return {
    ofChain: (name: string) =>
      isAttempted && !isFailing(chainIn, name) && away.every(({ service }) => service === 'metrics'),
    ofWallet: (name: string) =>
      isAttempted && !isFailing(walletIn, name) && away.every(({ service }) => service !== 'data'),
  }
}

/** Targets are named as in the rules: alerts/causes.ts. */
const chainIn = (target: string) => /^(?:chain:)?(.+)$/.exec(target)?.[1]
const walletIn = (target: string) => /^(?:address:)?([^:]+)(?::.+)?$/.exec(target)?.[1]
