// What an observer has seen of a validator: when it was connected.

import { chainIds } from './fixed-ids.ts'
import { random } from './random.ts'

/** One observer's record of one validator. */
export interface View {
  /** Seconds without connection since the start of the validation, the running outage left out. */
  lost: number
  /** When the running outage began. */
  since: number | undefined
  /** The outages that ended lately, from when to when. `lost` counts all, also what was lost before the world began. */
  over: (readonly [number, number])[]
  /** Reasons why there is no connection now: an outage of the validator, one of the way there, one ordered by hand. */
  reasons: Set<string>
}

export const unseen = (): View => ({ lost: 0, since: undefined, over: [], reasons: new Set() })

/** Of outages that are over. */
export const lostFor = (seconds: number): Pick<View, 'lost' | 'over'> => ({ lost: seconds, over: [] })

export function lose(view: View, reason: string, at: number): void {
  view.reasons.add(reason)
  view.since ??= at
}

export function regain(view: View, reason: string, at: number): void {
  view.reasons.delete(reason)
  if (view.reasons.size > 0 || view.since === undefined) return
  view.lost += at - view.since
  view.over.push([view.since, at])
  view.since = undefined
}

/** Drops the outages that ended before that time. */
export function keepSince(view: View, time: number): void {
  view.over = view.over.filter(([, to]) => to >= time)
}

/** What was lost up to a time that has gone by. */
export function recordAt({ lost, since, over }: View, time: number): Pick<View, 'lost' | 'over'> {
  const after = over.reduce((sum, [from, to]) => sum + Math.max(0, to - Math.max(from, time)), 0)
  const running = since === undefined ? 0 : Math.max(0, time - since)
  return { lost: lost - after + running, over: over.filter(([, to]) => to <= time) }
}

/** Share of the time since the start of the validation that the observer was connected, 0 to 1. */
export function uptimeOf({ start }: { start: number }, { lost, since }: View, now: number): number {
  if (now <= start) return 1
  const gone = lost + (since === undefined ? 0 : now - since)
  return Math.max(0, 1 - gone / (now - start))
}

const BENCHED = 'benched on '

/** Why an observer counts a validator as disconnected that an action has benched on a chain. */
export const benchedOn = (blockchainId: string) => BENCHED + blockchainId

/**
 * Whether the observer itself has given up on the validator, to which it still has a connection: by an action, or as it is
 * one of the outages of the way, half of which are of that kind.
 */
export function isBenched({ reasons }: View): boolean {
  const isBench = (reason: string) => reason.startsWith(BENCHED) || /^way (?:to an L1 )?\d*[02468]$/.test(reason)
  return reasons.size > 0 && [...reasons].every(isBench)
}

/** The chains on which the observer has benched the validator: those of actions, else one of the primary network. */
export function benchedChains(nodeId: string, view: View): string[] {
  if (!isBenched(view)) return []
  const ordered = [...view.reasons].filter((reason) => reason.startsWith(BENCHED))
  if (ordered.length > 0) return ordered.map((reason) => reason.slice(BENCHED.length))
  return [random('benched', nodeId, view.since!).pick(['X', 'C', chainIds.P])]
}
