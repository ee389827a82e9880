// Who a request says it is from, by HTTP basic authentication. Comparing with a bcrypt hash costs a twentieth of a second of a
// core, so nobody may cause much of it: results are kept, and one comparison runs at a time.

import { createHmac, randomBytes } from 'node:crypto'
import { verify } from '@node-rs/bcrypt'
import type { Secret } from '../lib/secret.ts'

type Users = ReadonlyMap<string, Secret>
type Verdict = 'known' | 'unknown' | 'busy'

export interface BasicAuth {
  /** `isGone` tells that nobody waits for the verdict any more. */
  check(users: Users, authorization: string | undefined, isGone: () => boolean): Promise<Verdict>
}

/** Results that are kept; a fleet of scrapers uses a handful. */
const KEPT = 100
/** Requests that wait for a comparison: the last of them waits for three seconds at a cost of 10. */
const WAITING = 64

/** Of a random password that nobody has. With the cost of the others' hashes it takes as long to compare. */
const NOBODYS = 'n.02ZPeoDsQrGvxYu0bnK.DSopl2YEqzE1U4VXJQFz7K/fZUeP32C'

export function createBasicAuth(compare: typeof verify = verify): BasicAuth {
  /** Of this process alone: what is kept says nothing about passwords. */
  const key = randomBytes(32)
  const results = createResults()
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()

  /** Does the work when that before it is done. */
  async function inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const before = turn
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    await before
    try {
      return await work()
    } catch {
      // What cannot be compared is not the same.
      return false
    } finally {
      resolve()
    }
  }

  return {
    async check(users, authorization, isGone) {
      const given = credentialsIn(authorization)
      if (!given) return 'unknown'
      const { user, password } = given
      const hash = users.get(user)?.reveal()
      const against = hash ?? hashOfNobody(users)
      const kept = createHmac('sha256', key)
        .update(JSON.stringify([user, against, password]))
        .digest('base64')
      const before = results.get(kept)
      if (before !== undefined) return before ? 'known' : 'unknown'
      if (waiting >= WAITING) return 'busy'
      waiting += 1
      try {
        const isRight = await inTurn(async () => {
          // Another request may have asked the same meanwhile.
          const found = results.get(kept)
          if (found !== undefined || isGone()) return found ?? false
          const isSame = (await compare(password, against)) && hash !== undefined
          results.set(kept, isSame)
          return isSame
        })
        return isRight ? 'known' : 'unknown'
      } finally {
        waiting -= 1
      }
    },
  }
}

function credentialsIn(authorization: string | undefined): { user: string; password: string } | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** As costly as the costliest: how long an answer takes does not tell whether there is such a user. */
function hashOfNobody(users: Users): string {
  const costs = [...users.values()].map((hash) => Number(hash.reveal().split('$')[2]))
  return `$2b$${String(Math.max(...costs)).padStart(2, '0')}$${NOBODYS}`
}

/** Whoever guesses passwords displaces what others guessed, and not the scrapers that are known. */
function createResults() {
  const [right, wrong] = [new Set<string>(), new Set<string>()]
  return {
    get: (key: string) => (right.has(key) ? true : wrong.has(key) ? false : undefined),
    set(key: string, isRight: boolean) {
      if (right.size + wrong.size >= KEPT) {
        const from = wrong.size > 0 ? wrong : right
        // A wrong one is not kept at the cost of a right one.
        if (from === right && !isRight) return
        from.delete(from.values().next().value!)
      }
      if (isRight) right.add(key)
      else wrong.add(key)
    },
  }
}
