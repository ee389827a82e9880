// What the judge remembers, in the storage: it survives a restart.

import { z } from 'zod'
import type { Judge } from '../conditions/judge.ts'
import type { Config } from '../config/schema.ts'
import type { Moment } from '../lib/clock.ts'
import { digest } from '../lib/hash.ts'
import type { Labels } from '../lib/label-text.ts'
import type { Records } from '../lib/records.ts'
import { placeOf } from '../lib/secret.ts'

/** A crash loses at most this much of what the conditions remember; what is a problem is saved when it changes (milliseconds). */
const SAVED_EVERY = 300_000
const PROBLEMS = 'problems'
const TRACKS = 'tracks'
const NAMES = 'names'

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

const namesForm = z.record(z.string(), z.string())

type Networks = Config['networks']

/** The labels by which the configuration names what has an id or an address. */
const naming = ['network', 'subnet', 'chain', 'source'] as const

const nameOf = (network: string, label: (typeof naming)[number], name: string) => `${network}\n${label}\n${name}`

/** What each name stands for, as a digest: the path of an address may be a key. */
function namesIn(networks: Networks): Record<string, string> {
  return Object.fromEntries(
    networks.flatMap(({ name: network, network: preset, subnets, chains, nodes, data_api, metrics_api }) => {
      const named = (label: (typeof naming)[number], name: string, id: string) => {
        return [nameOf(network, label, name), digest(JSON.stringify([preset, id]))] as const
      }
      return [
        named('network', network, ''),
        ...subnets.map(({ name, id }) => named('subnet', name, id)),
        ...chains.map(({ name, id }) => named('chain', name, id)),
        ...nodes.map(({ name, url }) => named('source', name, placeOf(url))),
        ...(data_api ? [named('source', 'data-api', placeOf(data_api.url))] : []),
        ...(metrics_api ? [named('source', 'metrics-api', placeOf(metrics_api.url))] : []),
      ]
    }),
  )
}

/** Resumes the judge from what is saved. */
export function keepMemory(judge: Judge, store: Records | undefined) {
  let tracksSavedAt: Moment | undefined
  let problemsSaved: string | undefined
  const problems = problemsForm.safeParse(store?.load(PROBLEMS))
  const tracks = tracksForm.safeParse(store?.load(TRACKS))
  if (problems.success || tracks.success) judge.resume({ problems: problems.data ?? {}, tracks: tracks.data ?? {} })
  /** Also those that are not configured now, as they may come back. */
  let names = namesForm.safeParse(store?.load(NAMES)).data ?? {}
  let followed: Networks | undefined
  return {
    /** A reload, or a change while stakewatch was stopped, may have given a name to something else: nothing that is remembered of it counts. */
    follow(networks: Networks): void {
      if (networks === followed) return
      followed = networks
      const now = namesIn(networks)
      const others = new Set(Object.keys(now).filter((key) => (names[key] ?? now[key]) !== now[key]))
      const isOther = ({ network = '', ...labels }: Labels) =>
        naming.some((label) =>
          others.has(nameOf(network, label, label === 'network' ? network : (labels[label] ?? ''))),
        )
      if (others.size > 0) judge.forget(isOther)
      names = { ...names, ...now }
      tracksSavedAt = undefined
    },
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
      void store.save(NAMES, names)
    },
  }
}
