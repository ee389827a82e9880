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
  /** Another release with an upgrade is out. This share of the nodes has installed it, but none of those given. */
  schedule(upgradeTime: number, share: number, without: readonly string[]): void
  /** A node installs the newest of these. Returns false when there is none. */
  install(nodeId: string): boolean
}

const DAY = 86_400
const EVERY = 14 * DAY
/** So long before its upgrade a release is out. */
const LEAD = 8 * DAY
/** Until then after its release the last node has taken it over. */
const ROLLOUT = 2 * DAY
/** Of the upgrades after Helicon, over and over again. */
const NAMES = ['iris', 'juniper', 'kelp', 'lotus', 'maple', 'nettle']
/** How many of the last ones are reported. */
const REPORTED = NAMES.length - 1

const nameOf = (number: number) => (number === 0 ? 'helicon' : NAMES[(number - 1) % NAMES.length]!)

/** Of the upgrades that were scheduled by hand, over and over again. */
const MORE_NAMES = ['oak', 'pine', 'quince', 'rowan', 'sorrel', 'thyme']

interface Scheduled extends Release {
  name: string
  isOn(nodeId: string): boolean
  installed: Set<string>
}

/**
 * Upgrade 0 is Helicon, which came into force at the time given. A calm network has only the releases that are scheduled.
 * One node takes the first release over at a time given: when an operator looks at the demo.
 */
export function createReleases(
  seed: number,
  helicon: number,
  isCalm: boolean,
  early: { nodeId: string; at: number },
): Releases {
  const scheduled: Scheduled[] = []
  const scheduledOn = (nodeId: string) => scheduled.filter(({ isOn }) => isOn(nodeId))
  const timeOf = (number: number) => helicon + number * EVERY

  function numberOf(nodeId: string, at: number): number {
    if (isCalm) return 0
    const newest = Math.max(0, Math.floor((at - helicon + LEAD) / EVERY))
    const after = Math.floor(random(seed, 'release', newest, nodeId).next() * ROLLOUT)
    const takenOver = newest === 1 && nodeId === early.nodeId ? early.at : timeOf(newest) - LEAD + after
    return newest > 0 && at < takenOver ? newest - 1 : newest
  }

  return {
    of(nodeId, at) {
      const number = numberOf(nodeId, at)
      const usual = { version: `avalanchego/1.15.${number}`, upgradeTime: timeOf(number) }
      return scheduledOn(nodeId).reduce<Release>(
        (newest, one) => (one.upgradeTime > newest.upgradeTime ? one : newest),
        usual,
      )
    },
    upgradesKnownTo(nodeId, at) {
      const newest = numberOf(nodeId, at)
      const first = Math.max(0, newest - REPORTED + 1)
      const dated = Array.from({ length: newest - first + 1 }, (_, step) => first + step)
      const more = scheduledOn(nodeId).map(({ name, upgradeTime }) => [name, upgradeTime] as const)
      return [
        ...dated.map((number) => [nameOf(number), timeOf(number)] as const),
        ...more,
        [nameOf(newest + 1), undefined],
      ]
    },
    schedule(upgradeTime, share, without) {
      const number = scheduled.length
      const installed = new Set<string>()
      scheduled.push({
        name: MORE_NAMES[number % MORE_NAMES.length]!,
        version: `avalanchego/1.16.${number}`,
        upgradeTime,
        installed,
        isOn: (nodeId) =>
          installed.has(nodeId) ||
          (!without.includes(nodeId) && random(seed, 'scheduled', number, nodeId).next() < share),
      })
    },
    install(nodeId) {
      scheduled.at(-1)?.installed.add(nodeId)
      return scheduled.length > 0
    },
  }
}
