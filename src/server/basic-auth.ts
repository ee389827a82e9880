// HTTP basic authentication. Comparing with a bcrypt hash costs a core a twentieth of a second, so results are kept, and one
// comparison runs at a time.

import { createHmac, randomBytes } from 'node:crypto'
import { verify } from '@node-rs/bcrypt'
import type { Secret } from '../lib/secret.ts'

type Users = ReadonlyMap<string, Secret>
type Verdict = 'known' | 'unknown' | 'busy'

/** Results kept; a fleet of scrapers uses a handful. */
const KEPT = 100
/** Requests that may wait for a comparison: at a cost of 10 the last of them waits three seconds. */
const WAITING = 64

/** The hash of a random password. With the cost of the other hashes it takes as long to compare. */
const DECOY = 'n.02ZPeoDsQrGvxYu0bnK.DSopl2YEqzE1U4VXJQFz7K/fZUeP32C'

export function createBasicAuth(compare: typeof verify = verify) {
  /** Random for each process, so that the kept results say nothing about passwords. */
  const key = randomBytes(32)
  const results = createResults()
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()

  /** Does the work when the work before it is done. */
  async function inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const before = turn
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    await before
    try {
      return await work()
    } catch {
      // A hash that cannot be compared does not match.
      return false
    } finally {
      resolve()
    }
  }

  return {
    /** `isGone` says whether the client has left. */
    async check(users: Users, authorization: string | undefined, isGone: () => boolean): Promise<Verdict> {
      const given = credentialsIn(authorization)
      if (!given) return 'unknown'
      const { user, password } = given
      const hash = users.get(user)?.reveal()
      const against = hash ?? decoyHash(users)
      const kept = createHmac('sha256', key)
        .update(JSON.stringify([user, against, password]))
        .digest('base64')
      const before = results.get(kept)
      if (before !== undefined) return before ? 'known' : 'unknown'
      if (waiting >= WAITING) return 'busy'
      waiting += 1
      try {
        const isRight = await inTurn(async () => {
          // An earlier request may have compared the same.
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

/** As costly as the costliest hash, so that the time of an answer does not reveal whether a user exists. */
function decoyHash(users: Users): string {
  const costs = [...users.values()].map((hash) => Number(hash.reveal().split('$')[2]))
  return `$2b$${String(Math.max(...costs)).padStart(2, '0')}$${DECOY}`
}

/** A new wrong guess displaces an older one, never a right password. */
function createResults() {
  const [right, wrong] = [new Set<string>(), new Set<string>()]
  return {
    get: (key: string) => (right.has(key) ? true : wrong.has(key) ? false : undefined),
    set(key: string, isRight: boolean) {
      if (right.size + wrong.size >= KEPT) {
        const from = wrong.size > 0 ? wrong : right
        if (from === right && !isRight) return
        from.delete(from.values().next().value!)
      }
      if (isRight) right.add(key)
      else wrong.add(key)
    },
  }
}
