// Upgrades of the network: which one comes next, and whether a node is ready for it. Times in Unix seconds.

/** Later times mean "not scheduled": nodes then write the year 9999. */
const UNSCHEDULED = Date.UTC(9_000, 0) / 1_000

/** From `{ heliconTime: '2026-07-28T15:00:00Z', … }`: names and times of scheduled future upgrades, the next first. */
export function scheduled(
  members: Readonly<Record<string, unknown>>,
  now: number,
): (readonly [name: string, time: number])[] {
  return Object.entries(members)
    .flatMap(([key, value]) => {
      const time = key.endsWith('Time') && typeof value === 'string' ? Date.parse(value) / 1_000 : Number.NaN
      return isToCome(time, now) ? [[key.slice(0, -'Time'.length), time] as const] : []
    })
    .toSorted(([, a], [, b]) => a - b)
}

/**
 * When Helicon activates, from the same members: validations that start from then on need more uptime (ACP-267).
 * Undefined while it is not scheduled, or when the software does not know it.
 */
export function heliconTime({ heliconTime: text }: Readonly<Record<string, unknown>>): number | undefined {
  const time = typeof text === 'string' ? Date.parse(text) / 1_000 : Number.NaN
  return time < UNSCHEDULED ? time : undefined
}

function isToCome(time: number, now: number): boolean {
  return time > now && time < UNSCHEDULED
}

interface Peer {
  weight: bigint
  /** Of the newest upgrade that its software knows. */
  upgradeTime: number | undefined
}

/**
 * The coming upgrade that most of the stake is ready for: a node that does not know it needs another release. `own` are
 * the times that the node knows; undefined when no upgrade is coming.
 */
export function expectedUpgrade(
  peers: readonly Peer[],
  own: readonly number[],
  now: number,
): { time: number; ready: bigint } | undefined {
  const stakes = new Map<number, bigint>(own.map((time) => [time, 0n]))
  for (const { weight, upgradeTime } of peers) {
    if (upgradeTime === undefined || !isToCome(upgradeTime, now)) continue
    stakes.set(upgradeTime, (stakes.get(upgradeTime) ?? 0n) + weight)
  }
  const [first, ...others] = [...stakes].map(([time, ready]) => ({ time, ready }))
  return others.reduce((most, one) => {
    return one.ready > most!.ready || (one.ready === most!.ready && one.time < most!.time) ? one : most
  }, first)
}

/**
 * Whether software knows an upgrade, given the newest one that it knows. Undefined when the newest is later, which says
 * nothing about earlier ones.
 */
export function knowsUpgrade(newest: number, time: number): boolean | undefined {
  if (newest === time) return true
  return newest > time && newest < UNSCHEDULED ? undefined : false
}
