// Answers of the simulated network that several proxies share: many networks of the configuration are the same one in
// truth, and ask it the same within moments.

import type { Answer } from './faults/define.ts'
import type { Time } from './time.ts'

export interface Replies {
  /** The answer, under the id of this call, and when the upstream made it (milliseconds of the run). */
  get(question: string, id: number | undefined, ask: () => Promise<Answer>): Promise<{ answer: Answer; at: number }>
}

/** Milliseconds of the run: little, next to what anything published may live. */
export const SHARED = 6_000
const MOST = 2_000

export function createReplies(time: Time): Replies {
  const kept = new Map<string, { answer: Promise<Answer>; at: number }>()
  return {
    async get(question, id, ask) {
      let reply = kept.get(question)
      if (!reply || time.now() - reply.at > SHARED) {
        if (kept.size > MOST) kept.clear()
        reply = { answer: ask(), at: time.now() }
        kept.set(question, reply)
      }
      const answer = await reply.answer
      const body = id === undefined ? answer.body : answer.body.replace(/"id":\d+\}\s*$/, `"id":${id}}`)
      return { answer: { ...answer, body }, at: reply.at }
    },
  }
}
