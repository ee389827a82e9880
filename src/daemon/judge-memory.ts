// What the judge remembers, in the storage: it survives a restart.

import { z } from 'zod'
import type { Judge } from '../conditions/judge.ts'
import type { Track } from '../conditions/track.ts'
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
/** When the tracks were saved, in the time of the judge (seconds). */
const SAVED_AT = 'saved_at'

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

/** The labels by which the configuration names things. */
const naming = ['network', 'subnet', 'chain', 'source', 'node_id', 'address', 'window'] as const

const nameOf = (network: string, label: (typeof naming)[number], name: string) => `${network}\n${label}\n${name}`

/** Of a name that stands for nothing else: a wallet stays the same with other addresses. */
const ITSELF = ''

/** A node may validate several subnets. */
const memberOf = (subnet: string, nodeId: string) => `${subnet} ${nodeId}`

function namesOf({ network = '', ...labels }: Labels): string[] {
  const { subnet = '', node_id: nodeId } = labels
  const others = { ...labels, network, ...(nodeId !== undefined && { node_id: memberOf(subnet, nodeId) }) }
  return naming.map((label) => nameOf(network, label, (others as Labels)[label] ?? ''))
}

/** What each name stands for, as a digest: the path of an address may be a key. */
function namesIn(networks: Networks): Record<string, string> {
  return Object.fromEntries(
    networks.flatMap(({ name: network, network: preset, data_api, metrics_api, ...lists }) => {
      const { subnets, chains, nodes, validators, addresses, maintenance } = lists
      const named = (label: (typeof naming)[number], name: string, id: string) =>
        [nameOf(network, label, name), digest(JSON.stringify([preset, id]))] as const
      const itself = (label: (typeof naming)[number], name: string) => [nameOf(network, label, name), ITSELF] as const
      const isTracked = ({ subnet }: { subnet: string }) =>
        subnets.some(({ name, validators: watched }) => name === subnet && watched === 'tracked')
      return [
        named('network', network, ''),
        ...subnets.map(({ name, id }) => named('subnet', name, id)),
        ...chains.map(({ name, id }) => named('chain', name, id)),
        ...nodes.map(({ name, url }) => named('source', name, placeOf(url))),
        ...(data_api ? [named('source', 'data-api', placeOf(data_api.url))] : []),
        ...(metrics_api ? [named('source', 'metrics-api', placeOf(metrics_api.url))] : []),
        // Others are watched whether they are named or not.
        ...validators.filter(isTracked).map((one) => itself('node_id', memberOf(one.subnet, one.node_id))),
        ...addresses.map(({ name }) => itself('address', name)),
        ...maintenance.map(({ name }) => itself('window', name)),
      ]
    }),
  )
}

/** Nothing is known of the time in which stakewatch did not run. */
function interrupt(tracks: Readonly<Record<string, Track>> = {}, at: number): void {
  for (const track of Object.values(tracks)) if (!Number.isNaN(track.at(-1))) track.push(at, NaN)
}

/** Resumes the judge from what is saved. `interrupted` names the tracks that have a gap while stakewatch does not run. */
export function keepMemory(judge: Judge, store: Records | undefined, interrupted: readonly string[]) {
  let tracksSavedAt: Moment | undefined
  let problemsSaved: string | undefined
  const problems = problemsForm.safeParse(store?.load(PROBLEMS))
  const tracks = tracksForm.safeParse(store?.load(TRACKS))
  const savedAt = z.number().safeParse(store?.load(SAVED_AT)).data
  if (tracks.success && savedAt !== undefined) for (const name of interrupted) interrupt(tracks.data[name], savedAt)
  if (problems.success || tracks.success) judge.resume({ problems: problems.data ?? {}, tracks: tracks.data ?? {} })
  /** Also those that are not configured now, as they may come back as something else. */
  let names = namesForm.safeParse(store?.load(NAMES)).data ?? {}
  let followed: Networks | undefined
  return {
    /**
     * A reload, or a change while stakewatch was stopped, may have given a name to something else: nothing that is remembered of it
     * counts. What is no longer named has no problems; the rest counts if it comes back.
     */
    follow(networks: Networks): void {
      if (networks === followed) return
      followed = networks
      const now = namesIn(networks)
      const others = new Set(Object.keys(now).filter((key) => (names[key] ?? now[key]) !== now[key]))
      const gone = new Set(Object.keys(names).filter((key) => !(key in now)))
      if (others.size > 0) judge.forget((labels) => namesOf(labels).some((name) => others.has(name)))
      if (gone.size > 0) judge.forgetProblems((labels) => namesOf(labels).some((name) => gone.has(name)))
      names = { ...Object.fromEntries(Object.entries(names).filter(([, one]) => one !== ITSELF)), ...now }
      tracksSavedAt = undefined
    },
    /** `ahead`: see judging.ts. `isLast`: nothing follows. */
    save(now: Moment, ahead: number, isLast = false): void {
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
      void store.save(SAVED_AT, (now.wall - ahead) / 1_000)
      void store.save(NAMES, names)
    },
  }
}
