// info.upgrades: when each upgrade of the network comes into force, as the software of the asked node knows it.

import { z } from 'zod'
import { defineMethod } from './method.ts'

function isReadable(member: [string, unknown]): member is [string, string | number] {
  return typeof member[1] === 'string' || Number.isFinite(member[1])
}

/** Members that are not times may have any form. */
function areTimes(members: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(members).every((member) => !member[0].endsWith('Time') || isReadable(member))
}

export const upgrades = defineMethod({
  name: 'info.upgrades',
  answer: z
    .record(z.string(), z.unknown())
    .refine(areTimes, 'expected a text or a number as each time')
    .transform((members) => Object.fromEntries(Object.entries(members).filter(isReadable)))
    .describe('by name: those that end in Time are times; one in the year 9999 is not scheduled'),
})
