// Chains: does each exist, and what are the height and age of its head?

import type { Chain, Network } from '../../../config/schema.ts'
import { primaryChains } from '../../../lib/primary-network.ts'
import { durationText } from '../../../lib/figures.ts'
import { ofChain } from '../../../status/value/metric-names.ts'
import { ok, problem, unknown, type Verdict } from './verdict.ts'
import { asksAbout, brokenOn, type Seen, seriesOf, whyUnknown } from './seen.ts'

/** Collectors that report heads. */
const TELLERS = ['primary-blocks', 'evm-blocks', 'head-check', 'evm-node-heads']

export function judgeChain(seen: Seen, network: Network, chain: Chain): Verdict {
  const about = { network: network.name, chain: chain.name }
  const maxOf = (metrics: readonly string[]) => {
    const values = metrics.flatMap((metric) => seriesOf(seen, metric, about)).map(({ value }) => value)
    return values.length === 0 ? undefined : Math.max(...values)
  }
  const head = maxOf(ofChain.heights)
  const states = statesOn(seen, about)
  const [info] = seriesOf(seen, 'stakewatch_blockchain_info', about)
  const isThere = head !== undefined || info !== undefined || states.some(([, state]) => state !== 'unknown')
  if (!isThere) return judgeMissing(seen, chain, about)
  const number = info?.labels['evm_chain_id'] ?? ''
  if (chain.evm_chain_id !== undefined && number !== '' && number !== String(chain.evm_chain_id)) {
    return problem(`its EVM chain id is ${number}, evm_chain_id says ${chain.evm_chain_id}`, 'correct evm_chain_id')
  }
  const broken = brokenOn(seen, 'stakewatch_node_evm_chain_state', about)
  if (broken !== undefined) return problem(`it ${broken}`, 'its log says why; restart the node')
  const newest = maxOf(ofChain.times)
  const age = newest === undefined ? undefined : Math.max(0, seen.now - newest)
  const limit = chain.stall_after === undefined ? Infinity : chain.stall_after / 1_000
  if (age !== undefined && age > limit) {
    return problem(
      `no new block for ${durationText(age)}, stall_after is ${durationText(limit)}`,
      'see ChainStalled in the runbooks',
    )
  }
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

type About = { network: string; chain: string }

function statesOn(seen: Seen, about: About): [source: string, state: string][] {
  return seriesOf(seen, 'stakewatch_blockchain_status', about)
    .filter(({ value }) => value === 1)
    .map(({ labels }) => [labels['source']!, labels['state']!])
}

/** A failing node does not prove that the chain does not exist. */
function judgeMissing(seen: Seen, { id }: Chain, about: About): Verdict {
  const asked = [...asksAbout(seen, 'blockchain-status', about), ...asksAbout(seen, 'blockchains', about)]
  const failed = asked.find(({ status }) => status.result === 'failure')
  const isDenied = statesOn(seen, about).length > 0 || asked.some(({ status }) => status.result === 'unsupported')
  if (isDenied && primaryChains[id] === undefined) {
    return problem('no source knows such a blockchain', 'correct its id, or remove it from chains')
  }
  return unknown(`does it exist? ${failed?.status.reason ?? whyUnknown(seen, 'blockchain-status', about)}`)
}
