// For pages: what became of the turns of a validator within the last week, as far as it is remembered.

import { DAY, HOUR, MINUTE } from '../lib/seconds.ts'
import { isTracked } from './validators/connections.ts'
import { growth, knownSince, latestKnown, type Track } from './track.ts'
import type { Remembered } from './view.ts'

const TURNS = 'stakewatch_validator_turns_total'
const GAPS = 'stakewatch_chain_turns_gaps_total'

const WEEK = 7 * DAY
/** How often a count is noted: a thousand validators have some hundred thousand numbers then. */
const STEP = 6 * HOUR

type Count = 'made' | 'missed'
type Part = Count | 'gaps'
const partOf = (chain: string, part: Part) => `${chain}/${part}`

export const turnsWeek: Remembered = {
  name: 'turns_week',
  of: 'validator',
  for: WEEK,
  every: 5 * MINUTE,
  read(view) {
    const parts = new Map<string, number>()
    if (!isTracked(view)) return parts
    const all = view.all(TURNS)
    for (const { labels, value: made } of all) {
      if (labels['outcome'] !== 'made') continue
      const chain = labels['chain']!
      // Of some chains only the builders are known.
      const missed = all.find((one) => one.labels['outcome'] === 'missed' && one.labels['chain'] === chain)?.value
      const gaps = view.of('chain', { chain }).value(GAPS)
      if (missed === undefined || gaps === undefined) continue
      const noted = (part: Part) => view.track(turnsWeek, partOf(chain, part))
      const before = noted('made')
      const isDue = before.length === 0 || view.now - before.at(-2)! >= STEP || gaps !== latest(noted('gaps'), view.now)
      parts.set(partOf(chain, 'made'), isDue ? made : (latest(before, view.now) ?? made))
      parts.set(partOf(chain, 'missed'), isDue ? missed : (latest(noted('missed'), view.now) ?? missed))
      parts.set(partOf(chain, 'gaps'), gaps)
    }
    return parts
  },
}

const latest = (track: Track, now: number) => latestKnown(track, now, WEEK)

/** Null while they are not known now. */
interface Week {
  made: number | null
  missed: number | null
  /** Seconds since the epoch: all of them were counted since then, for a week at most. */
  since: number
  isWhole: boolean
}

/** Of all chains since the same time, and of each for as long as it is counted. */
export type Weeks = Week & { chains: readonly (Week & { chain: string })[] }

export interface Asked {
  chains: readonly string[]
  /** The counters of now; undefined while they are not known. */
  current: (chain: string) => { made: number; missed: number } | undefined
  now: number
}

/** What is noted of the parts of a validator. */
type Noted = (part: string) => Track

/** Null where none was counted in the week. */
export function weeksOf(noted: Noted, { chains, current, now }: Asked): Weeks | null {
  const counted = chains.flatMap((chain) => {
    const since = countedSince(noted, chain, now)
    return since === undefined ? [] : [{ chain, since }]
  })
  if (counted.length === 0) return null
  const weekOf = (chain: string, since: number): Week => {
    const counters = current(chain)
    const countOf = (part: Count) =>
      counters ? (growth([...noted(partOf(chain, part)), now, counters[part]], now, now - since) ?? 0) : null
    return { made: countOf('made'), missed: countOf('missed'), since, isWhole: since <= now - WEEK }
  }
  const since = Math.max(...counted.map((one) => one.since))
  const shared = counted.map(({ chain }) => weekOf(chain, since))
  return {
    ...shared[0]!,
    made: sumOf(shared.map(({ made }) => made)),
    missed: sumOf(shared.map(({ missed }) => missed)),
    chains: counted.map((one) => ({ chain: one.chain, ...weekOf(one.chain, one.since) })),
  }
}

/** Unknown if any of them is. */
const sumOf = (all: readonly (number | null)[]) =>
  all.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)

/** Undefined before any was counted. */
function countedSince(noted: Noted, chain: string, now: number): number | undefined {
  const began = knownSince(noted(partOf(chain, 'made')))
  return began === undefined ? undefined : Math.max(began, lastRise(noted(partOf(chain, 'gaps'))), now - WEEK)
}

function lastRise(track: Track): number {
  let [known, at] = [undefined as number | undefined, -Infinity]
  for (let index = 0; index < track.length; index += 2) {
    const value = track[index + 1]!
    if (Number.isNaN(value)) continue
    if (known !== undefined && value !== known) at = track[index]!
    known = value
  }
  return at
}
