// uptime: what each node thinks of the tracked validators' uptime, and what follows for their reward.
// platform.getCurrentValidators (document 2), one call per node for all tracked validators.

import type { Facts } from '../../config/schema.ts'
import { judgeReward, requiredUptime, rewardStates } from '../../judgements/reward.ts'
import { toRatio } from '../../lib/units.ts'
import { gauge, type Sample, stateSet } from '../../metrics/define.ts'
import { getCurrentValidators } from '../../operations/node/platform.getCurrentValidators.ts'
import { defineCollector } from '../define.ts'
import { askWatched, refusedIdsType } from './asked-validators.ts'
import {
  byNodeId,
  type Tracked,
  validatorLabels,
  type ValidatorRecord,
  watchedMembers,
  watchedSubnets,
} from '../subjects/subnets.ts'

const uptimeRatio = gauge({
  name: 'stakewatch_validator_uptime_ratio',
  help: 'Share of its validation time that the node `source` saw the validator connected (platform.getCurrentValidators).',
  of: 'validator',
  opinion: true,
})

const connected = gauge({
  name: 'stakewatch_validator_connected',
  help: 'Whether the node `source` is connected to the validator: 1 or 0 (platform.getCurrentValidators).',
  of: 'validator',
  opinion: true,
})

const requiredRatio = gauge({
  name: 'stakewatch_validator_required_uptime_ratio',
  help: 'Share of uptime that the network requires for the reward, by the start of the stake or as configured.',
  of: 'validator',
  opinion: true,
})

const downtimeBudget = gauge({
  name: 'stakewatch_validator_downtime_budget_seconds',
  help: 'Seconds the validator may still be down before the node `source` would vote against its reward; negative when lost.',
  of: 'validator',
  opinion: true,
})

const mayStop = gauge({
  name: 'stakewatch_validator_may_stop_seconds',
  help: 'How long the validator may be down from now on before the node `source` would vote against its reward, no longer than its period lasts; 0 when it is lost. The least of all nodes is what can be relied on; absent while unknown.',
  of: 'validator',
  opinion: true,
})

const rewardState = stateSet({
  name: 'stakewatch_validator_reward_state',
  help: 'How the reward stands by the uptime that the node `source` saw: 1 for the current state. The network decides by stake-weighted vote.',
  of: 'validator',
  opinion: true,
  states: rewardStates,
})

export const uptime = defineCollector({
  name: 'uptime',
  about: 'Uptime of the tracked validators as each node sees it, and the state of their reward.',
  every: '1m',
  uses: [getCurrentValidators],
  observer: 'each',
  isReserved: true,
  metrics: [uptimeRatio, connected, requiredRatio, downtimeBudget, mayStop, rewardState],
  memory: refusedIdsType,
  subjects: (network) => watchedSubnets(network).filter(({ isPrimary }) => isPrimary),
  estimate: ({ tracked }) => ({ calls: [{ operation: getCurrentValidators, times: 1 }], series: 9 * tracked.length }),
  async collect({ subject, network, memory: before, now, call, flawed }) {
    const { answer, refused } = await askWatched({ call, flawed, now }, subject, before)
    const tracked = byNodeId(subject.tracked)
    const at = answer.at.wall / 1_000
    const samples: Sample[] = []
    for (const record of watchedMembers(answer.value.validators, subject)) {
      // A node sees itself as always connected and counts its own downtime as the uptime of all: no evidence about itself.
      if (record.nodeID !== answer.nodeId) addSamples(samples, record, { tracked, network, at })
    }
    return refused ? { samples, memory: refused } : { samples }
  },
})

interface Seen {
  tracked: Tracked
  network: Facts
  /** When the node was asked, in Unix seconds. */
  at: number
}

function addSamples(samples: Sample[], record: ValidatorRecord, { tracked, network, at }: Seen): void {
  const labels = validatorLabels(record.nodeID, tracked)
  if (record.connected !== undefined) samples.push(connected.sample(labels, record.connected ? 1 : 0))
  if (record.uptime === undefined) return
  const ratio = toRatio(record.uptime)
  samples.push(uptimeRatio.sample(labels, ratio))
  const { startTime: start, endTime: end } = record
  if (start === undefined || end === undefined) return
  const required = tracked.get(record.nodeID)?.required_uptime ?? requiredUptime(start, network.upgrade_time)
  samples.push(requiredRatio.sample(labels, required))
  const reward = judgeReward({ start, end, uptime: ratio, required, at })
  if (!reward) return
  samples.push(
    downtimeBudget.sample(labels, reward.budget),
    mayStop.sample(labels, reward.mayStop),
    rewardState.sample(labels, reward.state),
  )
}
