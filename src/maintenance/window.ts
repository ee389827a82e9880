// The keys of maintenance windows: when they are open, and what they cover.

import { z } from 'zod'
import { instantOf } from '../lib/calendar.ts'
import { formatDuration } from '../lib/duration.ts'
import { gapsOf } from '../lib/gaps.ts'
import { durationUpTo, name, schedule, text, timezone } from '../config/forms.ts'
import { readTime, TIME as ANY_TIME } from '../config/times.ts'

const DAY = 86_400_000

const TIME = 'expected a time such as 2026-12-05T08:00, in the time zone of the window, or 2026-12-05T08:00Z'
const time = text(ANY_TIME, TIME).refine((given) => !ANY_TIME.test(given) || readTime(given) !== undefined, TIME)

const names = (of: string) => z.array(name, `expected a list of names of ${of}`).optional()

/** By key of a window: the list of the network, and the keys under which its entries have their names. */
export const coveredLists = {
  validators: ['validators', 'name', 'node_id'],
  nodes: ['nodes', 'name'],
  chains: ['chains', 'name', 'id'],
  subnets: ['subnets', 'name', 'id'],
  wallets: ['addresses', 'name'],
} as const

const LENGTH = '31d'

export const maintenanceWindow = z
  .strictObject({
    name: name.describe('label `window`'),
    schedule: schedule.optional().describe('when it opens; cron pattern with L, # and W'),
    for: durationUpTo(31 * DAY, LENGTH)
      .optional()
      .describe('how long it stays open; with schedule'),
    from: time.optional().describe('when it opens once, instead of schedule'),
    to: time.optional().describe('when it closes; with from'),
    timezone: timezone.default('UTC').describe('of schedule, from and to'),
    grace: durationUpTo(DAY, '1d')
      .prefault('15m')
      .describe('time to recover after it closed, before anything that is still down pages'),
    validators: names('validators').describe('what it covers; default: the whole network'),
    nodes: names('nodes').describe('with the validators that run on them'),
    chains: names('chains').describe('by name'),
    subnets: names('subnets').describe('with their validators'),
    wallets: names('wallets').describe('by name'),
  })
  .transform(({ from, to, ...window }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
    const times = { ...window, from: instant(from, window.timezone), to: instant(to, window.timezone) }
    const isOnce = window.schedule === undefined
    if (isOnce && (from === undefined || to === undefined)) {
      refuse([], 'expected schedule with for, or from with to')
    } else if (isOnce) {
      if (window.for !== undefined) refuse(['for'], 'expected with schedule alone: remove it')
      if (times.to! <= times.from!) {
        const isSkipped = times.to === times.from && from !== to
        refuse(
          ['to'],
          `expected a time after from${isSkipped ? ': summer time skips both, so both are right after the gap' : ''}`,
        )
      }
      if (times.to! - times.from! > 31 * DAY) refuse(['to'], `expected at most ${LENGTH} after from`)
    } else {
      const { shortest } = gapsOf(window.schedule!, window.timezone)
      if (from !== undefined) refuse(['from'], 'not together with schedule: remove one of the two')
      if (to !== undefined) refuse(['to'], 'not together with schedule: remove one of the two')
      if (window.for === undefined) refuse([], 'expected for, how long the window stays open')
      else if (window.for > shortest)
        refuse(['for'], `the next window opens before this one closes: expected at most ${formatDuration(shortest)}`)
    }
    return times
  })

export type MaintenanceWindow = z.output<typeof maintenanceWindow>

/** A text with an offset says which instant it is; a local one needs the time zone. */
function instant(given: string | undefined, zone: string): number | undefined {
  if (given === undefined) return undefined
  const { local, offset } = readTime(given)!
  return offset === undefined ? instantOf(local.slice(0, 19).padEnd(19, ':00'), zone) : Date.parse(`${local}${offset}`)
}
