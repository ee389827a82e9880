// Validators and their subnets: is each in the set, who observes it, and has an L1 validator a balance left?

import { knownNetworks } from '../../../config/known-networks.ts'
import type { Network, Validator } from '../../../config/schema.ts'
import type { Labels } from '../../../lib/label-text.ts'
import { PRIMARY_NETWORK_ID } from '../../../lib/primary-network.ts'
import { amount, durationText, percent } from '../../../lib/figures.ts'
import { counted } from '../../terminal-text.ts'
import {
  asksAbout,
  brokenOn,
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

type About = Labels & { network: string; subnet: string }

export function checkValidator(seen: Seen, network: Network, validator: Validator): Verdict {
  const { node_id, subnet, name, planned_end: end } = validator
  const about = { network: network.name, subnet, validator: name, node_id }
  const isMember = membership(seen, about)
  if (isMember === undefined) return unknown(`is it in the set? ${whyUnknown(seen, 'validators', about)}`)
  if (!isMember) {
    const asPlanned = end !== undefined && end <= seen.now
    return ok(asPlanned ? 'has left the set, as planned' : `not in the set of ${subnet}: is its node_id right?`)
  }
  return isPrimary(network, subnet) ? stakeOf(seen, about) : memberOf(seen, about)
}

/** An empty or missing subnet has no members. */
function membership(seen: Seen, about: About): boolean | undefined {
  const listed = valueOf(seen, 'stakewatch_validator_in_set', about)
  if (listed !== undefined) return listed === 1
  const { network, subnet } = about
  const isMissing = asksAbout(seen, 'subnet-owner', { network, subnet }).some(
    ({ status }) => status.result === 'unsupported',
  )
  return isMissing ? false : undefined
}

function isPrimary({ subnets }: Network, name: string): boolean {
  return subnets.some((subnet) => subnet.name === name && subnet.id === PRIMARY_NETWORK_ID)
}

function stakeOf(seen: Seen, about: About): Verdict {
  const [required] = seriesOf(seen, REQUIRED, about)
  const text = required ? `; needs ${percent(required.value)} uptime` : ''
  return observed(seen, about, { metric: 'stakewatch_validator_connected', collector: 'uptime', text })
}

function memberOf(seen: Seen, about: About): Verdict {
  const [info] = seriesOf(seen, 'stakewatch_validator_info', about)
  if (info?.labels['kind'] !== 'l1') return ok('in the set')
  const active = valueOf(seen, 'stakewatch_l1_validator_active', about)
  if (active === undefined) return unknown(`is it active? ${whyUnknown(seen, 'l1-validators', about)}`)
  if (active === 0) return ok('in the set; inactive: it has no balance left')
  const balance = valueOf(seen, 'stakewatch_l1_validator_balance_tokens', about)
  const { node_id: _, ...shown } = about
  const runway = valueOf(seen, 'stakewatch_l1_validator_runway_seconds', shown)
  const lasts = runway === undefined ? '' : `, lasts ${durationText(runway)}`
  const text = balance === undefined ? '; active' : `; active, balance ${amount(balance)}${lasts}`
  return observed(seen, about, { metric: 'stakewatch_l1_validator_connected', collector: 'l1-liveness', text })
}

const CHAIN_STATE = 'stakewatch_l1_chain_state'
const LOG = 'its log says why; restart the node'

interface Observed {
  /** The sources that are connected to the validator. */
  metric: string
  collector: string
  text: string
}

function observed(seen: Seen, about: About, { metric, collector, text }: Observed): Verdict {
  const voting = (value: 0 | 1) =>
    labelsWith(seen, metric, about, 'source', value).filter((source) => seen.votes(about.network, source))
  const [yes, no] = [voting(1), voting(0)]
  const all = [0, 1].flatMap((value) => labelsWith(seen, metric, about, 'source', value)).toSorted()
  if (yes.length + no.length === 0 && all.length > 0) {
    const why = `${all.join(', ')} ${all.length === 1 ? 'does' : 'do'} not see enough of the network to vote`
    return unknown(`in the set${text}; ${why}`, 'see the lines of these nodes, or list another node under nodes')
  }
  if (yes.length + no.length === 0) {
    const { why, remedy } = whyUnobserved(seen, about, collector)
    return unknown(`in the set${text}; nothing observes it: ${why}`, remedy)
  }
  const [to, notTo] = [yes.join(', '), no.join(', ')]
  const connected = no.length === 0 ? `connected to ${to}` : `not connected to ${notTo}${to && `, but to ${to}`}`
  return ok(`in the set${text}; ${connected}`)
}

function whyUnobserved(seen: Seen, { network, subnet }: About, collector: string): { why: string; remedy: string } {
  const about = { network, subnet }
  const isOfL1 = collector === 'l1-liveness'
  const states = isOfL1 ? seriesOf(seen, CHAIN_STATE, about).filter(({ value }) => value === 1) : []
  if (states.length > 0 && states.every(({ labels }) => labels['state'] === 'untracked')) {
    return { why: 'no configured node tracks its L1', remedy: 'list a node that tracks the L1 under nodes' }
  }
  const broken = isOfL1 ? brokenOn(seen, CHAIN_STATE, about) : undefined
  if (broken !== undefined) return { why: `the chain of its L1 ${broken}`, remedy: LOG }
  const asked = asksAbout(seen, collector, about)
  const isAlone = asked.length > 0 && asked.every(({ status }) => status.result === 'success')
  const why = isAlone ? 'a node is no witness of itself' : whyUnknown(seen, collector, about)
  return { why, remedy: 'list another node under nodes' }
}

export function checkSubnet(seen: Seen, network: Network, name: string): Verdict {
  const about = { network: network.name, subnet: name }
  const [info] = seriesOf(seen, 'stakewatch_subnet_info', about)
  if (!info) {
    const why = whyUnknown(seen, 'subnet-owner', about)
    const isMissing = asksAbout(seen, 'subnet-owner', about).some(({ status }) => status.result === 'unsupported')
    return isMissing ? problem(why, 'correct its id, or remove it from subnets') : unknown(`does it exist? ${why}`)
  }
  const states = seriesOf(seen, 'stakewatch_subnet_validators', about)
  const all = states.reduce((sum, { value }) => sum + value, 0)
  const kind = info.labels['kind'] === 'l1' ? 'L1' : `${info.labels['kind']} subnet`
  if (states.length === 0) {
    return unknown(`${kind}; its validators are unknown: ${whyUnknown(seen, 'subnet', about)}`)
  }
  const inactive = states.find(({ labels }) => labels['state'] === 'inactive')?.value ?? 0
  return ok(`${kind}, ${counted(all, 'validator')}${inactive === 0 ? '' : `, ${inactive} of them inactive`}`)
}

/** Published where the nodes' own schedule or the configuration says it. */
const REQUIRED = 'stakewatch_validator_required_uptime_ratio'

/** The required uptime and its origin. Undefined if no stake is watched. */
export function checkRequirement(seen: Seen, network: Network): Verdict | undefined {
  const primary = network.validators.filter(({ subnet }) => isPrimary(network, subnet))
  if (primary.length === 0) return undefined
  const { upgrade_time: upgrade, network: kind } = network
  if (upgrade !== undefined) {
    const from = new Date(upgrade * 1_000).toISOString().replace('.000', '')
    const origin = upgrade === knownNetworks[kind].upgrade_time ? `the date of ${kind}` : 'upgrade_time'
    return ok(`stakes need 90% uptime from ${from} on, earlier ones 80% (${origin})`)
  }
  if (primary.every(({ required_uptime: own }) => own !== undefined)) return ok('stakes need their required_uptime')
  if (kind !== 'custom') return ok(`stakes need 80% uptime: Helicon has no date on ${kind}`)
  const known = seriesOf(seen, REQUIRED, { network: network.name })
  if (known.length === 0) return unknown('stakes need 80% uptime, or 90% where Helicon is in force', REMEDY)
  const shares = [...new Set(known.map(({ value }) => value))].toSorted((a, b) => a - b).map((one) => percent(one))
  const sources = [...new Set(known.map(({ labels }) => labels['source'] ?? ''))].toSorted()
  return ok(`stakes need ${shares.join(' or ')} uptime (info.upgrades of ${sources.join(', ')})`)
}

const REMEDY = 'let a node answer info.upgrades, or set upgrade_time to the time of Helicon'
