// What it costs to find out who a client is, with a comparison that a test holds in its hand.

import { expect, test } from 'vitest'
import { secret } from '../../src/lib/secret.ts'
import { createBasicAuth } from '../../src/server/basic-auth.ts'

const hashOf = (cost: string) => `$2b$${cost}$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J.`
const users = new Map([
  ['prometheus', secret(hashOf('10'))],
  ['someone', secret(hashOf('12'))],
])
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const stays = () => false

/** Comparisons wait until they are answered; a password is right when it is `secret`. */
function held() {
  const asked: { password: string; hash: string; answer: () => void }[] = []
  const auth = createBasicAuth(
    async (password, hash) =>
      new Promise<boolean>((resolve) => {
        asked.push({ password: String(password), hash: String(hash), answer: () => resolve(password === 'secret') })
      }),
  )
  const turn = async () => new Promise((resolve) => setImmediate(resolve))
  return { auth, asked, turn }
}

/** Comparisons are answered at once, and counted. */
function counted() {
  const compared: string[] = []
  const auth = createBasicAuth(async (password, hash) => {
    compared.push(String(hash))
    return password === 'secret'
  })
  return { auth, compared }
}

test('one comparison runs at a time', async () => {
  const { auth, asked, turn } = held()
  const verdicts = ['a', 'b', 'secret'].map(async (password) => auth.check(users, basic('prometheus', password), stays))
  for (const at of [0, 1, 2]) {
    await turn()
    expect(asked.map(({ password }) => password)).toEqual(['a', 'b', 'secret'].slice(0, at + 1))
    asked[at]!.answer()
  }
  expect(await Promise.all(verdicts)).toEqual(['unknown', 'unknown', 'known'])
})

test('who asks the same at the same time costs one comparison', async () => {
  const { auth, asked, turn } = held()
  const verdicts = [1, 2, 3].map(async () => auth.check(users, basic('prometheus', 'secret'), stays))
  await turn()
  asked[0]!.answer()
  expect(await Promise.all(verdicts)).toEqual(['known', 'known', 'known'])
  expect(asked).toHaveLength(1)
})

test('who is known does not wait for those who guess', async () => {
  const { auth, asked, turn } = held()
  const first = auth.check(users, basic('prometheus', 'secret'), stays)
  await turn()
  asked[0]!.answer()
  await first
  const guesses = Array.from({ length: 70 }, async (_, at) => auth.check(users, basic('prometheus', `${at}`), stays))
  expect(await auth.check(users, basic('prometheus', 'secret'), stays)).toBe('known')
  // 64 wait, the others are sent away.
  expect(await Promise.all(guesses.slice(64))).toEqual(Array<string>(6).fill('busy'))
})

test('no comparison runs for a client that has left', async () => {
  const { auth, asked, turn } = held()
  const first = auth.check(users, basic('prometheus', 'a'), stays)
  const left = auth.check(users, basic('prometheus', 'secret'), () => true)
  await turn()
  asked[0]!.answer()
  expect([await first, await left]).toEqual(['unknown', 'unknown'])
  expect(asked).toHaveLength(1)
})

test('an unknown user costs a comparison of the same cost', async () => {
  const { auth, compared } = counted()
  expect(await auth.check(users, basic('unknown', 'secret'), stays)).toBe('unknown')
  expect(compared).toHaveLength(1)
  // That of the costliest hash, and no user's own.
  expect(compared[0]).toMatch(/^\$2b\$12\$[./A-Za-z0-9]{53}$/)
  expect(compared[0]).not.toBe(hashOf('12'))
})

test('guesses do not displace who is known', async () => {
  const { auth, compared } = counted()
  await auth.check(users, basic('prometheus', 'secret'), stays)
  for (let at = 0; at < 250; at += 1) await auth.check(users, basic('prometheus', `${at}`), stays)
  compared.length = 0
  await auth.check(users, basic('prometheus', 'secret'), stays)
  expect(compared).toEqual([])
  // Of the guesses the last 99 are kept.
  await auth.check(users, basic('prometheus', '249'), stays)
  await auth.check(users, basic('prometheus', '151'), stays)
  expect(compared).toEqual([])
  await auth.check(users, basic('prometheus', '150'), stays)
  expect(compared).toHaveLength(1)
})

test('a comparison that fails lets no one in', async () => {
  const auth = createBasicAuth(async () => {
    throw new Error('no such form')
  })
  expect(await auth.check(users, basic('prometheus', 'secret'), stays)).toBe('unknown')
})
