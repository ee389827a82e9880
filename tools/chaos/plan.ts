// What will happen and when, all from the seed: which fault strikes which upstream, when the clock jumps, when the process
// is killed or stopped. Times are milliseconds of the run.

import { random } from '../../src/simulator/world/random.ts'
import type { Fault } from './faults/define.ts'

/** A time in which one kind of fault strikes an upstream, each of its requests with the same chance. */
export interface Spell {
  number: number
  fault: Fault
  chance: number
  from: number
  until: number
}

export interface SpellPlan {
  /** The spell that goes on, or the last one that did; undefined before the first. */
  at(time: number): Spell | undefined
}

const SHORTEST = 30_000
const LONGEST = 60_000
/** Between two spells all is well, so that what follows from one is not taken for a consequence of the next. */
const CALM = 12_000
/** One spell in this many of those kinds strikes every request, for longer than any published value lives. */
const OUTAGES = 5
const OUTAGE = 700_000
/** A sure outage is one after which nothing is left of the upstream. */
const sure = new Set(['reset-after-request', 'no-answer', 'unavailable', 'connection-refused', 'login-page'])

export function planSpells(seed: number, upstream: string, kinds: readonly Fault[]): SpellPlan {
  let spell: Spell | undefined
  let bag: Fault[] = []
  let next = random(seed, upstream, 'start').between(0, SHORTEST)

  /** Kinds come in turns, in another order each time, so that each gets its share. */
  function draw(number: number): Fault {
    if (bag.length === 0) {
      const dice = random(seed, upstream, 'bag', number)
      const wanted = kinds.flatMap((kind) => {
        const { weight = 1 } = kind
        const times = Math.floor(weight) + (dice.next() < weight % 1 ? 1 : 0)
        return Array.from({ length: times }, () => ({ kind, rank: dice.next() }))
      })
      bag = wanted.toSorted((a, b) => a.rank - b.rank).map(({ kind }) => kind)
    }
    return bag.pop()!
  }

  return {
    at(time) {
      while (time >= next) {
        const number = (spell?.number ?? 0) + 1
        const dice = random(seed, upstream, 'spell', number)
        const fault = draw(number)
        const isOutage = dice.between(1, OUTAGES) === 1 && sure.has(fault.name)
        const from = next
        const until = from + (isOutage ? OUTAGE : dice.between(SHORTEST, LONGEST))
        spell = { number, fault, chance: isOutage ? 1 : 0.5 + 0.45 * dice.next(), from, until }
        next = until + CALM
      }
      return spell
    },
  }
}

/** What happens to the process and its clock. */
export type Event = { at: number } & (
  | { kind: 'kill' }
  /** The process stops for `lasting` milliseconds of the run. */
  | { kind: 'stop'; lasting: number }
  /** The machine sleeps: its steady clock does not count the time. */
  | { kind: 'suspend'; lasting: number }
  /** The wall clock is wrong by `by` milliseconds for a while. */
  | { kind: 'jump'; by: number; lasting: number }
)

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export function planEvents(seed: number, until: number): Event[] {
  const events: Event[] = []
  let at = 4 * MINUTE
  for (let number = 1; at < until; number += 1) {
    const dice = random(seed, 'event', number)
    const kind = dice.pick(['kill', 'kill', 'stop', 'suspend', 'suspend', 'jump', 'jump', 'jump', 'jump'] as const)
    const lasting = dice.pick([20_000, MINUTE, 3 * MINUTE, ...(kind === 'stop' ? [] : [7 * MINUTE])])
    if (kind === 'kill') events.push({ at, kind })
    else if (kind === 'jump') {
      const by = dice.pick([
        -24 * HOUR,
        -HOUR,
        -HOUR,
        -5 * MINUTE,
        -30_000,
        -2_000,
        2_000,
        30_000,
        5 * MINUTE,
        HOUR,
        24 * HOUR,
      ])
      events.push({ at, kind, by, lasting })
    } else events.push({ at, kind, lasting })
    at += dice.between(5 * MINUTE, 12 * MINUTE) + (kind === 'kill' ? 0 : lasting)
  }
  return events
}
