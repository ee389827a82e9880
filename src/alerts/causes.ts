// Causes that have alerts of their own. Other rules leave out what follows from them, so that one cause is one page.

import { latest, SERVICES } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const UP = 'upstream:stakewatch_upstream_up'
const LIMITED = 'upstream:stakewatch_upstream_rate_limited_total'
const UNSENT = 'upstream:stakewatch_upstream_requests_unsent_total'

/** Nothing that the upstream was asked got an answer within five minutes: one request that fails is no outage. */
export const unanswered = (matcher = '') => `${UP}:max5m{${matcher}} == 0`

/** The service refuses who asks. */
export const refusing = (matcher = '') => `${latest(`stakewatch_upstream_refusing{${matcher}}`)} == 1`

/** Requests are not sent, because the budget is used up. */
export const overBudget = (matcher = '') => `${UNSENT}:overbudget15m{${matcher}} > 0`

/** Requests are not sent, because the upstream asked for a pause. */
const paused = (matcher = '') => `${UNSENT}:paused15m{${matcher}} > 0`

/** The upstream answers too often with HTTP 429; or it did so within the hour, and still wants to be left alone. */
export const rateLimited = ({ rateLimited: share }: Thresholds, matcher = '') =>
  `(${LIMITED}:ratio15m{${matcher}} > ${share} or ${LIMITED}:ratio1h{${matcher}} > ${share} and ${paused(matcher)})`

/** Upstreams that go on giving answers that cannot be true: that is the news, and no collector can use them. */
export const refused = (matcher = '') =>
  `sum by (job, network, source) (${latest(`increase(stakewatch_upstream_answers_refused_total{${matcher}}[5m])`)}) > 0`

const AHEAD = 'stakewatch_upstream_clock_offset_seconds'
const isOff = (limits: Thresholds) => `${AHEAD} > ${limits.clockWrong} or ${AHEAD} < -${limits.clockWrong}`
const mostOff = (off: string) =>
  `count without (network, source) (${AHEAD} ${off}) > 0.5 * count without (network, source) (${AHEAD})`

/** Instances whose clock is wrong, and by how much: more than half of the upstreams agree, in one direction. */
export const ownClockWrong = ({ clockWrong }: Thresholds) =>
  `quantile without (network, source) (0.5, ${AHEAD}) and (${mostOff(`> ${clockWrong}`)} or ${mostOff(`< -${clockWrong}`)})`

/** Upstreams whose clock is wrong, while the others agree with stakewatch. */
export const upstreamClockWrong = (limits: Thresholds) =>
  latest(`(${isOff(limits)}) unless ignoring (network, source) (${ownClockWrong(limits)})`)

/** Something keeps stakewatch from asking the upstream all that it wants to ask: it is recorded. */
export const away = (limits: Thresholds) =>
  `${unanswered()} or ${refusing()} or ${limitedWithin('15m', limits)} or ${overBudget()} or ${paused()}`
export const awayOf = (matcher: string) => `${UP}:away{${matcher}}`

/** Upstreams that could not be asked: of an hour, so that after an outage collectors that run hourly have had their turn. */
export const wasAway = (matcher: string) => `upstream:stakewatch_upstream_up:away1h{${matcher}}`

/** Of the last quarter of an hour, or of the whole hour. */
export const limitedWithin = (range: '15m' | '1h', { rateLimited: share }: Thresholds, matcher = '') =>
  `${LIMITED}:ratio${range}{${matcher}} > ${share}`

export const NODES = `source!~"${SERVICES}"`
export const DATA_SERVICE = 'source="data-api"'
export const METRICS_SERVICE = 'source="metrics-api"'

/** A node of another network: nothing that it says is about this one. */
export const FOREIGN = `${latest('stakewatch_node_in_network')} == 0`

/** A node that answers and has not caught up with the primary network since it started: its P-Chain reports nothing. */
export const STARTING = `${latest('stakewatch_node_state{state=~"starting|bootstrapping"}', 'state')} == 1`

/** Chains of subnets that a node tracks and could not create, by the name of the check that says so. */
export const CHAIN_FAILED = latest('stakewatch_node_chain_failed')

/** Upstreams that go down again and again, and networks whose nodes all do: it is recorded. */
export const UNSTEADY = 'upstream:stakewatch_upstream_up:unsteady'
export const UNSTEADY_NODES = 'nodes:stakewatch_upstream_up:unsteady'

/** Share of the stake that the node is connected to. Without any peer there is no version to count it by. */
export const PEER_STAKE = `(sum without (version) (${latest('stakewatch_node_peer_stake_ratio')}) or ${latest('stakewatch_node_peers')} == 0)`

/** The node has lost its peers, or reaches hardly any stake: whom it misses may well be there. */
export const isolated = ({ isolated: least }: Thresholds) =>
  `(${latest('stakewatch_node_health_check_passing{check="network"}', 'check')} == 0 or ${PEER_STAKE} < ${least})`

/** Nodes whose opinions do not count: they do not answer, are of another network, have just started or are isolated. */
export const muted = (limits: Thresholds) =>
  `max_over_time(${UP}:max{${NODES}}[2m]) == 0 or ${FOREIGN} or ${STARTING} or ${isolated(limits)}`
/** As it is recorded. */
export const MUTED = 'observer:stakewatch_upstream_up:muted'
/** What the nodes say whose opinions count. */
export const voted = (opinions: string) => `(${latest(opinions)} unless on (job, network, source) ${MUTED})`

/** The node says that a chain's process has died. */
export const DEAD = `max by (job, network, source) (
    stakewatch_node_evm_chain_state{state="dead"}
  or
    stakewatch_l1_chain_state{state="dead"}
) == 1`

/** Nodes with the ids that they give themselves. */
const ids = `max by (job, network, source, node_id) (label_replace(stakewatch_node_info, "node_id", "$1", "id", "(.+)"))`
/** The same of nodes that have one id: while replicas disagree about it, it is not known. */
export const SOURCE_ID = `(${ids} and on (job, network, source) count by (job, network, source) (${ids}) == 1)`
/** Nodes that are validators of which something holds; of the tracked ones, if nothing else is said. */
export const ownNodes = (validators = 'stakewatch_validator_tracked') =>
  `(${ids} and on (job, network, node_id) ${validators})`

/** A node without any other label: several of its checks or chains are one node. */
export const ofNode = (expr: string) => `max by (job, network, source) (${expr})`

/**
 * The last run of a collector failed for what `label` names. It is the target of collectors, or a part of it: the pattern
 * says which.
 */
export const failingOf = (label: string, pattern: string) =>
  `label_replace(${latest('stakewatch_collector_success')} == 0, "${label}", "$1", "target", "${pattern}")`

/** Collectors name a chain by its name, with `chain:` before it where a subnet may have the same one. */
export const FAILING_OF_CHAIN = failingOf('chain', '(?:chain:)?(.+)')
/** And wallets by their name, with `address:` before it, or the chain after it. */
export const FAILING_OF_WALLET = failingOf('address', '(?:address:)?([^:]+)(?::.+)?')
