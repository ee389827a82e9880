// The records of a subnet's watched validators (document 2, platform.getCurrentValidators), even if a node refuses a
// node id. A node then refuses the whole call without saying which id.

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { failsWith, isUnreadable } from './not-found.ts'
import type { Run } from '../define.ts'
import { nodeIdsOf, type SubnetSubject } from '../subjects/subnets.ts'
import { momentType } from '../counting/remembered.ts'

/** Remembered: node ids that a node has refused, and when (milliseconds since the epoch). */
export const refusedIdsType = z.object({ ids: z.array(z.string()), since: momentType })
export type RefusedIds = z.output<typeof refusedIdsType>

export interface Asked {
  answer: Answer<AnswerOf<typeof getCurrentValidators>>
  isWhole: boolean
  /** Undefined if the node accepts every id. */
  refused: RefusedIds | undefined
}

/** An updated node may accept what it refused before. */
const ASK_AGAIN = 3_600_000
/** Refused ids named in the message, which must stay short. */
const NAMED = 5

/**
 * Asks for the watched validators without the ids that the node refuses, and reports those ids as the reason of a
 * failure. The whole set helps to find them: the node accepts its members, so one of the few others is refused. That
 * takes one large answer and rarely more than two small ones, once an hour; its records serve this run. Halving the
 * list would take about two calls per doubling of its length, and could not distinguish a refused subnet id from a list
 * of refused node ids.
 */
export async function askWatched(
  { call, flawed, now }: Pick<Run<typeof getCurrentValidators, never, never>, 'call' | 'flawed' | 'now'>,
  subnet: SubnetSubject,
  before: RefusedIds | undefined,
): Promise<Asked> {
  const params = { subnetID: subnet.id, ...nodeIdsOf(subnet) }
  const { nodeIDs } = params
  if (!nodeIDs) return { answer: await call(getCurrentValidators, params), isWhole: true, refused: undefined }

  const known = stillRefused(before, nodeIDs, now)
  const accepted = nodeIDs.filter((id) => !known?.ids.includes(id))
  // An empty list would request the whole set.
  if (known && accepted.length === 0) throw refusesIds(known.ids)
  try {
    const answer = await call(getCurrentValidators, { ...params, nodeIDs: accepted })
    if (known) flawed(refusesIds(known.ids))
    return { answer, isWhole: false, refused: known }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    // If the node refuses this too, node ids are not the problem.
    const answer = await call(getCurrentValidators, { subnetID: subnet.id })
    const members = new Set(answer.value.validators.map(({ nodeID }) => nodeID))
    const suspects = nodeIDs.filter((id) => !members.has(id))
    if (suspects.length === 0) throw error
    const ids = await findRefused(suspects, (some) =>
      failsWith(isUnreadable, call(getCurrentValidators, { subnetID: subnet.id, nodeIDs: [...some] })),
    )
    flawed(refusesIds(ids))
    return { answer, isWhole: true, refused: { ids, since: now } }
  }
}

function stillRefused(before: RefusedIds | undefined, nodeIDs: readonly string[], now: number): RefusedIds | undefined {
  // Forgets ids that are no longer configured.
  const ids = before?.ids.filter((id) => nodeIDs.includes(id)) ?? []
  return before && ids.length > 0 && Math.abs(now - before.since) < ASK_AGAIN ? { ids, since: before.since } : undefined
}

/** Halves the list, of which at least one id is refused. */
async function findRefused(
  ids: readonly string[],
  isRefusedList: (ids: readonly string[]) => Promise<boolean>,
): Promise<string[]> {
  if (ids.length === 1) return [...ids]
  const middle = Math.ceil(ids.length / 2)
  const [first, second] = [ids.slice(0, middle), ids.slice(middle)]
  if (!(await isRefusedList(first))) return findRefused(second, isRefusedList)
  const found = await findRefused(first, isRefusedList)
  return (await isRefusedList(second)) ? [...found, ...(await findRefused(second, isRefusedList))] : found
}

/** The ids are in the configuration, so they are no secret. */
export function refusesIds(ids: readonly string[]): BaseError {
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''
  const named = ids.slice(0, NAMED).join(', ')
  return new BaseError('rpc_error', `the node refuses ${named}${more} as a node id, so requests leave it out`)
}
