// Causes with alerts of their own. Other rules exclude their consequences, so that one cause is one page.

import { latest, SERVICES } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const UP = 'upstream:stakewatch_upstream_up'
const LIMITED = 'upstream:stakewatch_upstream_rate_limited_total'
const UNSENT = 'upstream:stakewatch_upstream_requests_unsent_total'

/** Upstreams that answered no request within five minutes: one failed request is no outage. */
export const unanswered = (matcher = '') => `${UP}:max5m{${matcher}} == 0`

/** The service rejects our credentials. */
export const refusing = (matcher = '') => `${latest(`stakewatch_upstream_refusing{${matcher}}`)} == 1`

/** Requests were not sent because the budget is used up. */
export const overBudget = (matcher = '') => `${UNSENT}:overbudget15m{${matcher}} > 0`

/** Requests were not sent because the upstream asked for a pause. */
const paused = (matcher = '') => `${UNSENT}:paused15m{${matcher}} > 0`

/** The upstream answers too often with HTTP 429, or did so within the hour and its pause is not over. */
export const rateLimited = ({ rateLimited: share }: Thresholds, matcher = '') =>
  `(${LIMITED}:ratio15m{${matcher}} > ${share} or ${LIMITED}:ratio1h{${matcher}} > ${share} and ${paused(matcher)})`

/** Upstreams whose answers stakewatch rejects as impossible, so that no collector can use them. */
export const refused = (matcher = '') =>
  `sum by (job, network, source) (${latest(`increase(stakewatch_upstream_answers_refused_total{${matcher}}[5m])`)}) > 0`

const AHEAD = 'stakewatch_upstream_clock_offset_seconds'
const isOff = (limits: Thresholds) => `${AHEAD} > ${limits.clockWrong} or ${AHEAD} < -${limits.clockWrong}`
const mostOff = (off: string) =>
  `count without (network, source) (${AHEAD} ${off}) > 0.5 * count without (network, source) (${AHEAD})`

/** Instances whose clock is wrong, and by how much: more than half of the upstreams differ in the same direction. */
export const ownClockWrong = ({ clockWrong }: Thresholds) =>
  `quantile without (network, source) (0.5, ${AHEAD}) and (${mostOff(`> ${clockWrong}`)} or ${mostOff(`< -${clockWrong}`)})`

/** Upstreams whose clock is wrong, and by how much, positive where it is fast, while the others agree with stakewatch. */
export const upstreamClockWrong = (limits: Thresholds) =>
  `-${latest(`(${isOff(limits)}) unless ignoring (network, source) (${ownClockWrong(limits)})`)}`

/** Upstreams that stakewatch cannot query as much as it needs to. This is a recording rule. */
export const away = (limits: Thresholds) =>
  `${unanswered()} or ${refusing()} or ${limitedWithin('15m', limits)} or ${overBudget()} or ${paused()}`
export const awayOf = (matcher: string) => `${UP}:away{${matcher}}`

/** Upstreams that were unavailable within the last hour: after an outage, hourly collectors need that long to run again. */
export const wasAway = (matcher: string) => `upstream:stakewatch_upstream_up:away1h{${matcher}}`

/** Rate limited over the last 15 minutes or the last hour. */
export const limitedWithin = (range: '15m' | '1h', { rateLimited: share }: Thresholds, matcher = '') =>
  `${LIMITED}:ratio${range}{${matcher}} > ${share}`

export const NODES = `source!~"${SERVICES}"`
export const DATA_SERVICE = 'source="data-api"'
export const METRICS_SERVICE = 'source="metrics-api"'

/** A node of another network: none of its reports is about this one. */
export const FOREIGN = `${latest('stakewatch_node_in_network')} == 0`

/** A node that answers but is still bootstrapping the primary network: its P-Chain API reports nothing yet. */
export const STARTING = `${latest('stakewatch_node_state{state=~"starting|bootstrapping"}', 'state')} == 1`

/** Subnet chains that a node tracks but could not create, by the name of the failing check. */
export const CHAIN_FAILED = latest('stakewatch_node_chain_failed')

/** Upstreams that keep going down, and networks whose nodes all do. These are recording rules. */
export const UNSTEADY = 'upstream:stakewatch_upstream_up:unsteady'
export const UNSTEADY_NODES = 'nodes:stakewatch_upstream_up:unsteady'

/** Share of the stake that the node is connected to. A node without peers has no series by version, so it counts as 0. */
export const PEER_STAKE = `(sum without (version) (${latest('stakewatch_node_peer_stake_ratio')}) or ${latest('stakewatch_node_peers')} == 0)`

/** The node says that it is connected to too little stake to follow the P-Chain. */
const seesTooLittle = ({ peerStake }: Thresholds) =>
  `${latest('stakewatch_node_health_check_passing{check="P"}', 'check')} == 0 and on (job, network, source) ${PEER_STAKE} < ${peerStake}`

/** The node has lost its peers or reaches too little stake, so the validators that it misses may be online. */
export const isolated = (limits: Thresholds) =>
  `(${latest('stakewatch_node_health_check_passing{check="network"}', 'check')} == 0 or ${PEER_STAKE} < ${limits.isolated} or ${seesTooLittle(limits)})`

/** Nodes that do not vote: they are down, belong to another network, have just started or are isolated. */
export const muted = (limits: Thresholds) =>
  `max_over_time(${UP}:max{${NODES}}[2m]) == 0 or ${FOREIGN} or ${STARTING} or ${isolated(limits)}`
/** The name of its recording rule. */
export const MUTED = 'observer:stakewatch_upstream_up:muted'
/** The reports of the nodes that vote. */
export const voted = (opinions: string) => `(${latest(opinions)} unless on (job, network, source) ${MUTED})`

/** The node reports that a chain's process has died. */
export const DEAD = `max by (job, network, source) (
    stakewatch_node_evm_chain_state{state="dead"}
  or
    stakewatch_l1_chain_state{state="dead"}
) == 1`

/** Nodes with the ids that they report. */
const ids = `max by (job, network, source, node_id) (label_replace(stakewatch_node_info, "node_id", "$1", "id", "(.+)"))`
/** The same for nodes with exactly one id: while replicas disagree, the id is unknown. */
export const SOURCE_ID = `(${ids} and on (job, network, source) count by (job, network, source) (${ids}) == 1)`
/** Nodes that are among these validators; by default, the tracked ones. */
export const ownNodes = (validators = 'stakewatch_validator_tracked') =>
  `(${ids} and on (job, network, node_id) ${validators})`

/** One series for each node, without labels for its checks or chains. */
export const ofNode = (expr: string) => `max by (job, network, source) (${expr})`

/** Things whose collector failed in its last run. The pattern takes the value of `label` from the collector's target. */
export const failingOf = (label: string, pattern: string) =>
  `label_replace(${latest('stakewatch_collector_success')} == 0, "${label}", "$1", "target", "${pattern}")`

/** Collectors name a chain by its name, with the prefix `chain:` where a subnet may have the same name. */
export const FAILING_OF_CHAIN = failingOf('chain', '(?:chain:)?(.+)')
/** Collectors name a wallet by its name, with the prefix `address:` or with the chain as a suffix. */
export const FAILING_OF_WALLET = failingOf('address', '(?:address:)?([^:]+)(?::.+)?')
