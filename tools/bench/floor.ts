// The floor under a poll: the bare JSON.parse of an answer and one bare loop that writes the lines of a collector into one
// buffer. It does not validate, refuse, share, remember or count anything, and reads only what its collector needs. A test
// compares its bytes with those of the daemon.

import type { Config } from '../../src/config/schema.ts'

interface NodeRecord {
  nodeID: string
  startTime: string
  endTime: string
  weight: string
  potentialReward: string
  delegationFee: string
  uptime: string
  connected: boolean
  delegatorCount: string
  delegatorWeight: string
}

type Network = Config['networks'][number]

/** `at`: Unix seconds. */
type Floor = (body: Buffer, names: ReadonlyMap<string, string>, network: Network, at: number) => Buffer

/** Bare integers need no exact parsing: nodes write the large ones as strings, and the daemon parses as plainly. */
const recordsOf = (body: Buffer) =>
  (JSON.parse(body.toString('utf8')) as { result: { validators: NodeRecord[] } }).result.validators

/** The loop fills one text for each family, as the families follow one another. */
function joined(texts: readonly string[]): Buffer {
  const buffer = Buffer.allocUnsafeSlow(texts.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  // All of it is ASCII.
  for (const text of texts) end += buffer.write(text, end, 'latin1')
  return buffer
}

const toMillis = (seconds: number) => Math.round(seconds * 1_000) / 1_000

const uptime: Floor = (body, names, network, at) => {
  let [connected, ratios, requirements, budgets, stops, states] = ['', '', '', '', '', '']
  const upgrade = network.upgrade_time ?? Infinity
  for (const { nodeID, startTime, endTime, uptime, connected: isConnected } of recordsOf(body)) {
    const labels = `{network="${network.name}",subnet="primary",node_id="${nodeID}",validator="${names.get(nodeID)}",source="${network.nodes[0]!.name}"`
    const ratio = Number(`${uptime}e-2`)
    const [start, end] = [Number(startTime), Number(endTime)]
    const required = start >= upgrade ? 0.9 : 0.8
    const allowed = toMillis((1 - required) * (end - start))
    const time = Math.min(at, end)
    const budget = toMillis(allowed - (1 - ratio) * (time - start))
    const left = end - time
    const isShort = budget < 0.25 * allowed || (ratio < required && budget < 0.9 * allowed)
    const state = budget < 0 ? 'lost' : budget >= left ? 'safe' : isShort ? 'at_risk' : 'on_track'
    connected += `stakewatch_validator_connected${labels}} ${isConnected ? 1 : 0}\n`
    ratios += `stakewatch_validator_uptime_ratio${labels}} ${ratio}\n`
    requirements += `stakewatch_validator_required_uptime_ratio${labels}} ${required}\n`
    budgets += `stakewatch_validator_downtime_budget_seconds${labels}} ${budget}\n`
    stops += `stakewatch_validator_may_stop_seconds${labels}} ${Math.max(0, Math.min(budget, left))}\n`
    for (const one of ['safe', 'on_track', 'at_risk', 'lost']) {
      states += `stakewatch_validator_reward_state${labels},state="${one}"} ${one === state ? 1 : 0}\n`
    }
  }
  return joined([connected, ratios, requirements, budgets, stops, states])
}

const validators: Floor = (body, names, network, at) => {
  let [inSet, info, weights, starts, ends, stakes] = ['', '', '', '', '', '']
  let [delegated, delegators, fees, rewards, capacities] = ['', '', '', '', '']
  const { factor, max_stake: maxStake, min_duration: minDuration, min_delegation: minDelegation } = network.delegation
  for (const record of recordsOf(body)) {
    const { nodeID, startTime, endTime, weight, delegatorWeight, delegatorCount, delegationFee, potentialReward } =
      record
    const identity = `{network="${network.name}",subnet="primary",node_id="${nodeID}",validator="${names.get(nodeID)}"`
    const labels = `${identity}} `
    const own = Number(weight) / 1e9
    const others = Number(delegatorWeight) / 1e9
    const room = Math.round((Math.min(factor * own, maxStake) - own - others) * 1e9) / 1e9
    const isFull = room < minDelegation || Number(endTime) - at < minDuration / 1_000
    inSet += `stakewatch_validator_in_set${labels}1\n`
    info += `stakewatch_validator_info${identity},kind="primary",validation_id=""} 1\n`
    weights += `stakewatch_validator_weight${labels}${Number(weight) + Number(delegatorWeight)}\n`
    starts += `stakewatch_validator_start_timestamp_seconds${labels}${Number(startTime)}\n`
    ends += `stakewatch_validator_end_timestamp_seconds${labels}${Number(endTime)}\n`
    stakes += `stakewatch_validator_stake_tokens${labels}${own}\n`
    delegated += `stakewatch_validator_delegated_tokens${labels}${others}\n`
    delegators += `stakewatch_validator_delegators${labels}${Number(delegatorCount)}\n`
    fees += `stakewatch_validator_delegation_fee_ratio${labels}${Number(`${delegationFee}e-2`)}\n`
    rewards += `stakewatch_validator_potential_reward_tokens${labels}${Number(potentialReward) / 1e9}\n`
    capacities += `stakewatch_validator_delegation_capacity_tokens${labels}${isFull ? 0 : room}\n`
  }
  return joined([inSet, info, weights, starts, ends, stakes, delegated, delegators, fees, rewards, capacities])
}

/** By the name of the collector. */
export const floors = { uptime, validators }

export type Compared = keyof typeof floors
