// Nodes and services: does each answer, and is it the right one? Chains, wallets, routes and probes: does a source know them?

import type { Chain, Network, Wallet } from '../../../config/schema.ts'
import { sourcesOfNetwork } from '../../../scheduler/plan.ts'
import type { Source } from '../../../upstream/source.ts'
import {
  asksAbout,
  down,
  labelsWith,
  ok,
  problem,
  type Seen,
  seriesOf,
  unknown,
  valueOf,
  type Verdict,
  whyUnknown,
} from './seen.ts'
import { primaryChains } from '../../../lib/primary-network.ts'
import { amount, durationText } from '../../../lib/figures.ts'
import { ofChain } from '../../../status/value/metric-names.ts'

type Node = Network['nodes'][number]

export function checkNode(seen: Seen, network: Network, node: Node): Verdict {
  const about = { network: network.name, source: node.name }
  const why = () => whyUnknown(seen, 'node-identity', about)
  // A node that reported its id has answered, even if other requests failed.
  if (seriesOf(seen, 'stakewatch_node_id_changes_total', about).length === 0) {
    const isAsked = asksAbout(seen, 'node-identity', about).length > 0
    if (!isAsked) return unknown(why())
    return down(`no answer of a node: ${why()}`, 'is it running, and is its url right?')
  }
  const [info] = seriesOf(seen, 'stakewatch_node_info', about)
  const id = info?.labels['id']
  if (node.node_id !== undefined && id !== undefined && id !== node.node_id) {
    return problem(`${id} answers, node_id says ${node.node_id}`, 'correct node_id or url')
  }
  return stateOf(seen, about, info ? `${id}, ${info.labels['version']}` : undefined)
}

type About = { network: string; source: string }

function stateOf(seen: Seen, about: About, identity: string | undefined): Verdict {
  const behind = labelsWith(seen, 'stakewatch_node_bootstrapped', about, 'blockchain', 0)
  if (behind.length > 0) {
    return unknown(`still bootstraps ${behind.join(', ')}`, 'wait until it is done: until then its answers are old')
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

export function checkService(seen: Seen, { network, name: source, key, service }: Source): Verdict {
  const about = { network, source }
  if (valueOf(seen, 'stakewatch_upstream_refusing', about) === 1) {
    if (service === 'metrics') {
      return down('refuses access (HTTP 401 or 403)', 'put a user and password, or its key, into metrics_api.url')
    }
    return key
      ? down('rejects the key (HTTP 401 or 403)', 'correct data_api.key_file')
      : down('refuses requests without a key (HTTP 401 or 403)', 'give it one: data_api.key_file')
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
    : down(`does not answer: ${reason ?? 'no answer'}`, `is ${service}_api.url right, and may this machine reach it?`)
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

/** Collectors that report heads. */
const TELLERS = ['primary-blocks', 'evm-blocks', 'head-check', 'evm-node-heads']

/** Does it exist, and what are the height and age of its head? */
export function checkChain(seen: Seen, network: Network, chain: Chain): Verdict {
  const about = { network: network.name, chain: chain.name }
  const maxOf = (metrics: readonly string[]) => {
    const values = metrics.flatMap((metric) => seriesOf(seen, metric, about)).map(({ value }) => value)
    return values.length === 0 ? undefined : Math.max(...values)
  }
  const head = maxOf(ofChain.heights)
  const states = statesOn(seen, about)
  const [info] = seriesOf(seen, 'stakewatch_blockchain_info', about)
  const isThere = head !== undefined || info !== undefined || states.some(([, state]) => state !== 'unknown')
  if (!isThere) return missing(seen, chain, about)
  const number = info?.labels['evm_chain_id'] ?? ''
  if (chain.evm_chain_id !== undefined && number !== '' && number !== String(chain.evm_chain_id)) {
    return problem(`its EVM chain id is ${number}, evm_chain_id says ${chain.evm_chain_id}`, 'correct evm_chain_id')
  }
  const newest = maxOf(ofChain.times)
  // With only its genesis block it has not begun.
  const age = newest === undefined || head === 0 ? undefined : Math.max(0, seen.now - newest)
  const on = states.map(([source, state]) => `${source} ${state}`).join(', ')
  const runs = on === '' ? '' : `; ${on}`
  if (head !== undefined)
    return ok(`head ${head.toLocaleString('en-US')}${age === undefined ? '' : `, ${durationText(age)} old`}${runs}`)
  const failed = TELLERS.flatMap((name) => asksAbout(seen, name, about)).find(
    ({ status }) => status.result === 'failure',
  )
  return failed
    ? unknown(`its head is unknown: ${failed.status.reason}${runs}`)
    : ok(`exists; no source reports its head${runs}`)
}

type AboutChain = { network: string; chain: string }

function statesOn(seen: Seen, about: AboutChain): [source: string, state: string][] {
  return seriesOf(seen, 'stakewatch_blockchain_status', about)
    .filter(({ value }) => value === 1)
    .map(({ labels }) => [labels['source']!, labels['state']!])
}

/** A failing node does not prove that the chain does not exist. */
function missing(seen: Seen, { id }: Chain, about: AboutChain): Verdict {
  const asked = [...asksAbout(seen, 'blockchain-status', about), ...asksAbout(seen, 'blockchains', about)]
  const failed = asked.find(({ status }) => status.result === 'failure')
  const isDenied = statesOn(seen, about).length > 0 || asked.some(({ status }) => status.result === 'unsupported')
  if (isDenied && primaryChains[id] === undefined) {
    return problem('no source knows such a blockchain', 'correct its id, or remove it from chains')
  }
  return unknown(`does it exist? ${failed?.status.reason ?? whyUnknown(seen, 'blockchain-status', about)}`)
}

/** The kinds of balances, and their collectors. */
const HOLDINGS = {
  balances: 'stakewatch_address_balance_tokens',
  'native-balances': 'stakewatch_address_native_balance_tokens',
  'node-balances': 'stakewatch_node_address_balance_tokens',
} as const
const USES = ['stakewatch_address_last_transaction_timestamp_seconds', 'stakewatch_address_stakes']

export function checkWallet(seen: Seen, network: Network, { name }: Wallet): Verdict {
  const about = { network: network.name, address: name }
  const collectors = Object.keys(HOLDINGS) as (keyof typeof HOLDINGS)[]
  const asked = collectors.filter((collector) => asksAbout(seen, collector, about).length > 0)
  const failed = asked
    .flatMap((collector) => asksAbout(seen, collector, about))
    .find(({ status }) => status.result === 'failure')
  // The data service may report the balance too.
  const best = collectors
    .map((collector) => seriesOf(seen, HOLDINGS[collector], about))
    .find(({ length }) => length > 0)
  if (!best)
    return unknown(
      `its balance is unknown: ${failed?.status.reason ?? whyUnknown(seen, asked[0] ?? 'balances', about)}`,
    )
  const byChain = Map.groupBy(best, ({ labels }) => labels['chain'] ?? 'p-chain')
  const sums = [...byChain].map(([chain, held]) => [chain, held.reduce((sum, { value }) => sum + value, 0)] as const)
  const filled = sums.filter(([, sum]) => sum > 0)
  if (filled.length > 0) return ok(filled.map(([chain, sum]) => `${amount(sum)} on ${chain}`).join(', '))
  const uses = USES.flatMap((metric) => seriesOf(seen, metric, about))
  if (uses.some(({ value }) => value > 0)) return ok('is empty, and was used before')
  const isAsked = asksAbout(seen, 'transactions', about).some(({ status }) => status.result === 'success')
  return isAsked
    ? problem('was never used: no tokens, no transactions', 'is the address right?')
    : unknown('is empty; no source reports whether it was ever used', 'is the address right?')
}

export function checkRoute(seen: Seen, network: Network, route: string): Verdict {
  const about = { network: network.name, route }
  const messages = seriesOf(seen, 'stakewatch_icm_messages', about)
  if (messages.length > 0) {
    const some = messages.filter(({ value }) => value > 0).map(({ labels, value }) => `${value} ${labels['state']}`)
    return ok(some.length === 0 ? 'no messages of late' : some.join(', '))
  }
  return unknown(`its messages are unknown: ${whyUnknown(seen, 'icm', about)}`)
}

export function checkProbe(seen: Seen, network: Network, probe: string): Verdict {
  const about = { network: network.name, probe }
  const success = valueOf(seen, 'stakewatch_signature_aggregation_success', about)
  if (success !== undefined) return ok(`${success === 1 ? 'enough' : 'too few'} validators sign it`)
  return unknown(`was not tried: ${whyUnknown(seen, 'signature-probe', about)}`)
}
