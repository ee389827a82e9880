// node-health: the node's own health checks: which fail, since when, and when they last ran. health.health (the node's
// own interface, health).

import { isInFuture } from '../../lib/clock.ts'
import { ofNode, opinionOfSubnet, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { health } from '../../operations/node/info.ts'
import { failedChainOf, unreadableCheck } from '../answers/chain-state.ts'
import { boundedKey } from '../answers/spelling.ts'
import { inFuture } from '../counting/believed.ts'
import { defineCollector } from '../define.ts'

const passing = ofNode.gauge('stakewatch_node_health_check_passing', {
  help: "Whether the node's health check passed: 1 or 0 (health.health).",
  labels: ['check'],
})
const failingSince = ofNode.gauge('stakewatch_node_health_check_failing_since_timestamp_seconds', {
  is: 'past',
  help: "When the node's health check began to fail; absent while it passes (health.health).",
  labels: ['check'],
})
const madeAt = ofNode.gauge('stakewatch_node_health_check_timestamp_seconds', {
  is: 'past',
  help: 'When the node last ran the health check, by its own clock (health.health).',
  details: 'It does not advance while the node is stuck.',
  labels: ['check'],
})
const chainFailed = opinionOfSubnet.gauge('stakewatch_node_chain_failed', {
  help: 'Always 1: the node tracks the subnet but could not create this chain, for example without its plugin (health.health).',
  labels: ['check'],
})

/** For a node that also runs an L1: an estimate. */
const USUAL_CHECKS = 12

type Check = NonNullable<AnswerOf<typeof health>['checks'][string]>
/** A check that has run. Until then it reports a failure, which means unknown. */
type Ran = Check & { timestamp: number }
const hasRun = (check: Check): check is Ran => check.timestamp !== undefined

export const nodeHealth = defineCollector({
  name: 'node-health',
  about:
    'Health checks of each node: which fail, since when, and when they last ran; chains that could not be created.',
  every: '1m',
  uses: [health],
  observer: 'each',
  isEssential: true,
  metrics: [passing, failingSince, madeAt, chainFailed],
  subjects: ({ subnets }) => [{ name: 'all', labels: {}, subnets: new Map(subnets.map(({ id, name }) => [id, name])) }],
  estimate: () => ({ series: 2 * USUAL_CHECKS }),
  async collect({ subject: { subnets }, call, now, flawed }) {
    const { checks } = (await call(health, {})).value
    const named = Object.entries(worstByName(checks))
    const unreadable = unreadableCheck(checks)
    if (unreadable) flawed(unreadable)
    if (named.some(([, { timestamp }]) => isInFuture(timestamp, now))) flawed(inFuture('a health check of the node'))
    return {
      samples: named.flatMap(([check, one]) => [...samplesOf(check, one, now), ...failedSamples(check, one, subnets)]),
    }
  },
})

function failedSamples(check: string, { error }: Check, subnets: ReadonlyMap<string, string>): Sample[] {
  const subnet = failedChainOf(error)
  return subnet === undefined ? [] : [chainFailed.sample({ check, subnet: subnets.get(subnet) ?? subnet }, 1)]
}

function samplesOf(check: string, { error, timestamp, timeOfFirstFailure: since }: Ran, now: number): Sample[] {
  const hasFailed = error !== undefined
  return [
    passing.sample({ check }, !hasFailed),
    ...(isInFuture(timestamp, now) ? [] : [madeAt.sample({ check }, timestamp)]),
    ...(hasFailed && since !== undefined && !isInFuture(since, now) ? [failingSince.sample({ check }, since)] : []),
  ]
}

/** Checks beyond the bound share the name `other`: the one that has failed longest, or else is oldest, represents them. */
function worstByName(checks: Readonly<Record<string, Check | undefined>>): Record<string, Ran> {
  const worst: Record<string, Ran> = {}
  for (const [name, check] of Object.entries(checks).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!check || !hasRun(check)) continue
    const key = boundedKey(worst, name)
    const before = worst[key]
    if (!before || rank(check) < rank(before)) worst[key] = check
  }
  return worst
}

/** Later than any time in seconds. */
const LONG = 1e12

/** Lower is worse: every failing check sorts before all passing ones. */
function rank({ error, timestamp, timeOfFirstFailure }: Ran): number {
  return error === undefined ? timestamp : (timeOfFirstFailure ?? timestamp) - LONG
}
