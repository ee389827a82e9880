// info.uptime: the nodes that observe validators are those that vote here, each with the same weight.

import { infoUptime } from '../../operations/node/info.ts'
import { refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'
import { uptimeOf } from '../world/views.ts'

export const handleInfoUptime = handles(infoUptime, (place) => {
  const { nodeId, phase } = nodeOf(place)
  if (phase !== 'running') throw refusal(BOOTSTRAPPING)
  const { validators, upgrade } = place.world
  const own = validators.all.get(nodeId)
  if (!own) throw refusal("couldn't get node uptime: node is not a validator")
  const others = [...own.views].filter(([observer]) => observer !== nodeId)
  // Without another vote it has only its own.
  const voters = others.length === 0 ? [...own.views] : others
  const uptimes = voters.map(([, view]) => uptimeOf(own, view, place.world.now()))
  const required = own.start >= upgrade ? 0.9 : 0.8
  return {
    rewardingStakePercentage: percent(uptimes.filter((uptime) => uptime >= required).length / uptimes.length),
    weightedAveragePercentage: percent(uptimes.reduce((sum, uptime) => sum + uptime, 0) / uptimes.length),
  }
})

const BOOTSTRAPPING = "couldn't get node uptime: error while fetching local validator start time still bootstrapping"

/** As the node writes it. */
function percent(ratio: number): string {
  return (100 * ratio).toFixed(4)
}
