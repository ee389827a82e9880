// What is published when: at once, or as soon as it is compressed.

import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { NEVER } from '../../src/lib/clock.ts'
import type { FromPoller } from '../../src/metrics/publication.ts'
import { createSnapshot } from '../../src/metrics/snapshot.ts'
import { createPublishing } from '../../src/daemon/publishing.ts'
import { createGzip } from '../../src/server/gzip.ts'

const NAME = 'stakewatch_up'
const lines = (value: number, count = 10_000) => Buffer.from(`${NAME} ${value}\n`.repeat(count))
const publish = (value: number, count?: number): FromPoller => ({
  kind: 'publish',
  key: 'task',
  families: [{ name: NAME, lines: lines(value, count), series: 1 }],
  expiresAt: NEVER,
})

function open() {
  const snapshot = createSnapshot([{ name: NAME, help: '.', type: 'gauge' }], 'self')
  const publishing = createPublishing(snapshot)
  const gzip = createGzip()
  let at = 0
  /** Bodies are made anew once in a second. */
  const body = () => snapshot.body('text', { wall: (at += 2_000), steady: at })
  const value = () => /^stakewatch_up (\d)$/m.exec(Buffer.concat(body()).toString())?.[1]
  const scrape = async () => gunzipSync(Buffer.concat(await gzip.whole(body()))).toString()
  return { ...publishing, value, scrape, snapshot }
}

test('at once while nobody asks for compressed bodies', () => {
  const { accept, value } = open()
  for (const [at, message] of [publish(1), publish(2)].entries()) {
    accept(message)
    expect(value()).toBe(String(at + 1))
  }
})

test('at once where it is small', async () => {
  const { accept, value, scrape } = open()
  accept(publish(1, 10))
  await scrape()
  accept(publish(2, 10))
  expect(value()).toBe('2')
})

test('compressed first where the piece before it was asked for so, and until then that one holds', async () => {
  const { accept, value, scrape } = open()
  accept(publish(1))
  expect(await scrape()).toContain('stakewatch_up 1')
  accept(publish(2))
  expect(value()).toBe('1')
  await expect.poll(value).toBe('2')
  expect(await scrape()).toContain('stakewatch_up 2')
})

test.each<[string, FromPoller[], string | undefined]>([
  ['the newer one of two', [publish(2), publish(3)], '3'],
  ['a small one after a large one', [publish(2), publish(3, 1)], '3'],
  ['nothing that was dropped', [publish(2), { kind: 'drop', keys: ['task'] }], undefined],
  ['what a reload said', [{ kind: 'changes', changes: [publish(2) as never] }, publish(3)], '3'],
  ['what was said before a reload', [publish(2), { kind: 'changes', changes: [] }, publish(3)], '3'],
])('in order: %s', async (_, messages, last) => {
  const { accept, value, scrape } = open()
  accept(publish(1))
  await scrape()
  for (const message of messages) accept(message)
  await expect.poll(value).toBe(last)
})

test.each<[string, FromPoller, string | undefined]>([
  ['a withdrawal', { kind: 'drop', keys: ['task'] }, undefined],
  ['a reload, after which everybody is told that it is done', { kind: 'changes', changes: [publish(3) as never] }, '3'],
])('at once, with all that was said before: %s', async (_, message, last) => {
  const { accept, value, scrape } = open()
  accept(publish(1))
  await scrape()
  accept(publish(2))
  accept(message)
  expect(value()).toBe(last)
})

test('at once when there is a newer answer, which waits itself', async () => {
  const { accept, value, scrape } = open()
  accept(publish(1))
  await scrape()
  for (const newer of [2, 3]) accept(publish(newer))
  expect(value()).toBe('2')
  await expect.poll(value).toBe('3')
})

test('not at all when the poller that said it is gone', async () => {
  const { accept, forget, value, scrape, snapshot } = open()
  accept(publish(1))
  await scrape()
  accept(publish(2))
  forget()
  // What the next one says waits for its turn, and then all is through.
  accept({
    kind: 'status',
    status: { key: 'next', network: '', result: 'success', reason: '', source: '', finishedAt: 0 },
  })
  await expect.poll(() => snapshot.status().length).toBe(1)
  expect(value()).toBeUndefined()
})
