// What the judge remembers, in the storage: it survives a restart.

import { z } from 'zod'
import type { Judge } from '../conditions/judge.ts'
import type { Moment } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'

/** A crash loses at most this much of what the conditions remember; what is a problem is saved when it changes (milliseconds). */
const SAVED_EVERY = 300_000
const PROBLEMS = 'problems'
const TRACKS = 'tracks'

/** JSON has neither NaN nor infinity: both are null, and not known any more. */
const number = z
  .number()
  .nullable()
  .transform((one) => one ?? NaN)

/** What another version saved may have another form. */
const problemsForm = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      labels: z.record(z.string(), z.string()),
      value: number,
      since: z.number(),
      hasFired: z.boolean(),
      unknownSince: z.number().optional(),
    }),
  ),
)
const tracksForm = z.record(z.string(), z.record(z.string(), z.array(number)))

/** Resumes the judge from what is saved. */
export function keepMemory(judge: Judge, store: Records | undefined) {
  let tracksSavedAt: Moment | undefined
  let problemsSaved: string | undefined
  const problems = problemsForm.safeParse(store?.load(PROBLEMS))
  const tracks = tracksForm.safeParse(store?.load(TRACKS))
  if (problems.success || tracks.success) judge.resume({ problems: problems.data ?? {}, tracks: tracks.data ?? {} })
  return {
    /** `isLast`: nothing follows. */
    save(now: Moment, isLast = false): void {
      if (!store) return
      const problems = judge.problems()
      // A countdown has another value in each round: that alone is not worth a write.
      const text = JSON.stringify(problems, (name, value: unknown) => (name === 'value' ? undefined : value))
      const isTime = isLast || tracksSavedAt === undefined || now.steady - tracksSavedAt.steady >= SAVED_EVERY
      // Also without a change: the storage drops a record that was not used for long.
      if (isTime || text !== problemsSaved) void store.save(PROBLEMS, problems)
      problemsSaved = text
      if (!isTime) return
      tracksSavedAt = now
      void store.save(TRACKS, judge.tracks())
    },
  }
}
