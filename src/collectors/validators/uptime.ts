// uptime: the uptime of tracked validators as each node sees it, and what follows for their reward.
// platform.getCurrentValidators (document 2), one call per node for all tracked validators; info.upgrades (the node's
// own interface) says when the network raises the required uptime, unless configured.

import { judgeReward, requiredUptime, rewardStates } from '../../judgements/reward.ts'
import { heliconTime } from '../../judgements/upgrades.ts'
import { toRatio } from '../../lib/units.ts'
import { opinionOfValidator, type Sample } from '../../metrics/define.ts'
import { upgrades as infoUpgrades } from '../../operations/node/info.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { defineCollector } from '../define.ts'
import { askWatched, refusedIdsType } from '../answers/asked-validators.ts'
import {
  byNodeId,
  type Tracked,
  validatorLabels,
  type ValidatorRecord,
  watchedMembers,
  watchedSubnets,
} from '../subjects/subnets.ts'

const uptimeRatio = opinionOfValidator.gauge('stakewatch_validator_uptime_ratio', {
  is: 'share',
  help: 'Share of its validation time that the node `source` saw the validator connected (platform.getCurrentValidators).',
})
const connected = opinionOfValidator.gauge('stakewatch_validator_connected', {
  help: 'Whether the node `source` is connected to the validator: 1 or 0 (platform.getCurrentValidators).',
})
const requiredRatio = opinionOfValidator.gauge('stakewatch_validator_required_uptime_ratio', {
  is: 'share',
  help: 'Uptime ratio that the network requires for the reward (info.upgrades).',
  details: 'The configured value, else derived from the start of the stake and the time of Helicon.',
})
const downtimeBudget = opinionOfValidator.gauge('stakewatch_validator_downtime_budget_seconds', {
  help: 'How long the validator may still be down before the node `source` would vote against its reward; negative when lost.',
})
const mayStop = opinionOfValidator.gauge('stakewatch_validator_may_stop_seconds', {
  help: 'How long the validator may be down from now before the node `source` would vote against its reward; 0 once lost.',
  details: 'At most the rest of its period; rely on the lowest value of all nodes; absent while unknown.',
})
const rewardState = opinionOfValidator.stateSet('stakewatch_validator_reward_state', {
  help: 'State of the reward by the uptime that the node `source` saw: 1 for the current state.',
  details: 'The network decides by stake-weighted vote.',
  states: rewardStates,
})

export const uptime = defineCollector({
  name: 'uptime',
  about: 'Uptime of the tracked validators as each node sees it, and the state of their reward.',
  every: '1m',
  uses: [getCurrentValidators, infoUpgrades],
  observer: 'each',
  isReserved: true,
  metrics: [uptimeRatio, connected, requiredRatio, downtimeBudget, mayStop, rewardState],
  memory: refusedIdsType,
  subjects: (network) => watchedSubnets(network).filter(({ isPrimary }) => isPrimary),
  estimate: ({ tracked }) => ({
    calls: [getCurrentValidators, { operation: infoUpgrades, times: 1 / RUNS_PER_PLAN }],
    series: 9 * tracked.length,
  }),
  async collect({ subject, network, memory: before, now, call, attempt, flawed }) {
    const { answer, refused } = await askWatched({ call, flawed, now }, subject, before)
    const tracked = byNodeId(subject.tracked)
    const at = answer.at.wall / 1_000
    // A node sees itself as always connected and counts its own downtime as everyone's uptime: no evidence about
    // itself.
    const others = watchedMembers(answer.value.validators, subject).filter(({ nodeID }) => nodeID !== answer.nodeId)
    const upgrades =
      network.upgrade_time === undefined ? [await attempt((ask) => ask.call(infoUpgrades, {}, PLAN))] : []
    const upgradeTime =
      network.upgrade_time ?? upgrades.flatMap(({ value }) => (value ? heliconTime(value.value) : []))[0]
    const seen = { tracked, upgradeTime, at }
    return {
      samples: others.flatMap((record) => uptimeSamples(record, tracked)),
      parts: [{ name: 'reward', of: upgrades, samples: others.flatMap((record) => rewardSamples(record, seen)) }],
      ...(refused && { memory: refused }),
    }
  },
})

/** A network's upgrades change only with its nodes' software. */
const PLAN = { maxAge: '10m' }
/** Runs that share one answer. */
const RUNS_PER_PLAN = 10

interface Seen {
  tracked: Tracked
  /** From then on a validation needs more uptime; undefined while the time is unknown. */
  upgradeTime: number | undefined
  /** When the node was asked, in Unix seconds. */
  at: number
}

function uptimeSamples({ nodeID, connected: isConnected, uptime: seen }: ValidatorRecord, tracked: Tracked): Sample[] {
  const labels = validatorLabels(nodeID, tracked)
  return [...connected.ifKnown(labels, isConnected), ...uptimeRatio.ifKnown(labels, toRatio(seen))]
}

function rewardSamples(record: ValidatorRecord, { tracked, upgradeTime, at }: Seen): Sample[] {
  const { nodeID, startTime: start, endTime: end, uptime: seen } = record
  if (seen === undefined || start === undefined || end === undefined) return []
  const labels = validatorLabels(nodeID, tracked)
  const required = tracked.get(nodeID)?.required_uptime ?? requiredUptime(start, upgradeTime)
  const reward = judgeReward({ start, end, uptime: toRatio(seen), required, at })
  return [
    requiredRatio.sample(labels, required),
    ...(reward
      ? [
          downtimeBudget.sample(labels, reward.budget),
          mayStop.sample(labels, reward.mayStopFor),
          rewardState.sample(labels, reward.state),
        ]
      : []),
  ]
}
