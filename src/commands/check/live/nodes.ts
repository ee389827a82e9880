// Nodes and services: does each answer, is it the right one, and has it bootstrapped?

import type { Network } from '../../../config/schema.ts'
import { knownNetworks } from '../../../config/known-networks.ts'
import { sourcesOfNetwork } from '../../../scheduler/plan.ts'
import type { Source } from '../../../upstream/source.ts'
import { down, ok, problem, unknown, type Verdict } from './verdict.ts'
import { asksAbout, labelsWith, type Seen, seriesOf, valueOf, whyUnknown } from './seen.ts'

type Node = Network['nodes'][number]

/** Names of health checks that fit on a line. */
const MOST_CHECKS = 3

export function judgeNode(seen: Seen, network: Network, node: Node): Verdict {
  const about = { network: network.name, source: node.name }
  const why = () => whyUnknown(seen, 'node-identity', about)
  // A node that reported its id has answered, even if other requests failed.
  if (seriesOf(seen, 'stakewatch_node_id_changes_total', about).length === 0) {
    const isAsked = asksAbout(seen, 'node-identity', about).length > 0
    if (!isAsked) return unknown(why())
    return down(`no answer of a node: ${why()}`, 'is it running, and is its url right?')
  }
  const foreign = foreignNetwork(seen, network, about)
  if (foreign !== undefined) return problem(foreign, 'correct its url, or list it under its own network')
  const [info] = seriesOf(seen, 'stakewatch_node_info', about)
  const id = info?.labels['id']
  if (node.node_id !== undefined && id !== undefined && id !== node.node_id) {
    return problem(`${id} answers, node_id says ${node.node_id}`, 'correct node_id or url')
  }
  return judgeState(seen, network, about, info ? `${id}, ${info.labels['version']}` : undefined)
}

type About = { network: string; source: string }

/** Nodes of a custom network must agree with the first one, because there is no other source of the network id. */
function foreignNetwork(seen: Seen, network: Network, about: About): string | undefined {
  const own = valueOf(seen, 'stakewatch_node_network_id', about)
  const [first] = seriesOf(seen, 'stakewatch_node_network_id', { network: network.name })
  if (own === undefined || first === undefined) return undefined
  const known = knownNetworks[network.network].network_id
  if (known === undefined) {
    return own === first.value ? undefined : `belongs to network ${own}, ${first.labels['source']} to ${first.value}`
  }
  return own === known ? undefined : `belongs to network ${own}, not to ${network.network} (${known})`
}

function judgeState(seen: Seen, network: Network, about: About, identity: string | undefined): Verdict {
  const behind = labelsWith(seen, 'stakewatch_node_bootstrapped', about, 'blockchain', 0)
  if (behind.length > 0) {
    return problem(`still bootstraps ${behind.join(', ')}`, 'wait until it is done: until then its answers are old')
  }
  const failing = labelsWith(seen, 'stakewatch_node_health_check_passing', about, 'check', 0)
  if (failing.length > 0) {
    const nameOf = (id: string) => network.chains.find((chain) => chain.id === id)?.name ?? id
    const named = failing.slice(0, MOST_CHECKS).map(nameOf).join(', ')
    const more = failing.length > MOST_CHECKS ? ` and ${failing.length - MOST_CHECKS} more` : ''
    return problem(`fails health checks: ${named}${more}`, 'its own log says why')
  }
  const why = (collector: string) => whyUnknown(seen, collector, about)
  if (identity === undefined) return unknown(`its version is unknown: ${why('node-identity')}`)
  const isDone = seriesOf(seen, 'stakewatch_node_bootstrapped', { ...about, blockchain: 'P' }).length > 0
  return isDone ? ok(`${identity}, bootstrapped`) : unknown(`${identity}; is it bootstrapped? ${why('node-state')}`)
}

/** The data service and the metrics service. */
export function servicesOf(network: Network): Source[] {
  return sourcesOfNetwork(network).filter(({ service }) => service !== 'node')
}

export function judgeService(seen: Seen, { network, name: source, key, service }: Source): Verdict {
  const about = { network, source }
  const section = service === 'data' ? 'data_api' : 'metrics_api'
  if (valueOf(seen, 'stakewatch_upstream_refusing', about) === 1) {
    return key
      ? down('rejects the key (HTTP 401 or 403)', `correct ${section}.key_file`)
      : down('refuses requests without a key (HTTP 401 or 403)', `give it one: ${section}.key_file`)
  }
  const requests = seriesOf(seen, 'stakewatch_upstream_requests_total', about)
  const sent = requests.reduce((sum, { value }) => sum + value, 0)
  const answered = requests.filter(({ labels }) => labels['code'] === 'ok').reduce((sum, { value }) => sum + value, 0)
  const reason = failureAt(seen, source, network)
  if (sent === 0) return unknown(`was not asked: ${reason ?? 'nothing that is configured needs it'}`)
  const withKey = key ? 'answers, and accepts the key' : 'answers'
  if (answered > 0) return ok(withKey)
  return valueOf(seen, 'stakewatch_upstream_up', about) === 1
    ? unknown(`answers, but not as expected: ${reason ?? 'the answers do not include it'}`)
    : down(`does not answer: ${reason ?? 'no answer'}`, `is ${section}.url right, and may this machine reach it?`)
}

/** Preferably from a task that uses only this upstream. */
function failureAt({ asked }: Seen, source: string, network: string): string | undefined {
  const own = asked
    .filter(({ task, status }) => {
      const isAsked = task.sources.some((one) => one.name === source && one.network === network)
      return isAsked && status.result !== 'success'
    })
    .toSorted((a, b) => a.task.sources.length - b.task.sources.length)
  return own[0]?.status.reason
}
