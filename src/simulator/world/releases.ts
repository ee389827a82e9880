// The software of nodes: from time to time a release brings an upgrade of the network with it, and nodes take it over one
// by one before the upgrade comes into force.

import { random } from './random.ts'

interface Release {
  version: string
  /** Unix seconds at which its newest upgrade comes into force. */
  upgradeTime: number
}

export interface Releases {
  /** What a node runs at that time. */
  of(nodeId: string, at: number): Release
  /** The upgrades that the software of the node knows, by name, in Unix seconds. The last one has no date yet. */
  upgradesKnownTo(nodeId: string, at: number): readonly (readonly [name: string, time: number | undefined])[]
}

const DAY = 86_400
const EVERY = 14 * DAY
/** So long before its upgrade a release is out. */
const LEAD = 8 * DAY
/** Until then after its release the last node has taken it over. */
const ROLLOUT = 2 * DAY
/** Of the upgrades after Helicon, over and over again. */
const NAMES = ['iris', 'juniper', 'kelp', 'lotus', 'maple', 'nettle']
/** So many of the last ones are told. */
const TOLD = NAMES.length - 1

const nameOf = (number: number) => (number === 0 ? 'helicon' : NAMES[(number - 1) % NAMES.length]!)

/** Upgrade 0 is Helicon, which came into force at the time given. */
export function createReleases(seed: number, helicon: number): Releases {
  const timeOf = (number: number) => helicon + number * EVERY

  function numberOf(nodeId: string, at: number): number {
    const newest = Math.max(0, Math.floor((at - helicon + LEAD) / EVERY))
    const takenOver = timeOf(newest) - LEAD + Math.floor(random(seed, 'release', newest, nodeId).next() * ROLLOUT)
    return newest > 0 && at < takenOver ? newest - 1 : newest
  }

  return {
    of(nodeId, at) {
      const number = numberOf(nodeId, at)
      return { version: `avalanchego/1.15.${number}`, upgradeTime: timeOf(number) }
    },
    upgradesKnownTo(nodeId, at) {
      const newest = numberOf(nodeId, at)
      const first = Math.max(0, newest - TOLD + 1)
      const dated = Array.from({ length: newest - first + 1 }, (_, step) => first + step)
      return [...dated.map((number) => [nameOf(number), timeOf(number)] as const), [nameOf(newest + 1), undefined]]
    },
  }
}
