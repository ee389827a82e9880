import { describe, expect, test } from 'vitest'
import { BaseError, type ErrorCode } from '../../src/errors.ts'
import { getChainAliases, getLoggerLevel } from '../../src/operations/node/admin.ts'
import { createAbsent } from '../../src/upstream/unsupported.ts'
import { clockOf } from '../support/clock.ts'
import { answer, createHostileServer } from '../support/hostile-server.ts'
import { createAsking, failure, nodeAt } from './asking.ts'

const HOUR = 3_600_000

describe('what an upstream says that it does not support', () => {
  const a = nodeAt('http://127.0.0.1:1')
  const b = { ...a, name: 'node-b' }

  test.each<[string, { source?: typeof a; question?: string; after?: number; fails?: ErrorCode }, boolean]>([
    ['is known', {}, true],
    ['is known for an hour', { after: HOUR - 1 }, true],
    ['is asked again after it', { after: HOUR }, false],
    ['says nothing about another question', { question: 'other' }, false],
    ['says nothing about another source', { source: b }, false],
    ['is asked again when the connection failed: the node may have been restarted', { fails: 'network' }, false],
    ['is asked again when the source hung', { fails: 'timeout' }, false],
    ['is still known when the source fails otherwise', { fails: 'http_status' }, true],
  ])('%s', (_, { source = a, question = 'it', after = 0, fails }, expected) => {
    let now = 10 * HOUR
    const absent = createAbsent(clockOf(() => now))
    absent.of(a).note('it', new BaseError('unsupported', 'no such API'), {})
    if (fails) absent.of(a).note('other', new BaseError(fails, 'why'), {})
    now += after
    expect(absent.of(source).known(question)?.message === 'no such API').toBe(expected)
  })

  test.each([
    ['is known where it hardly changes', { notFoundLasts: true as const }, true],
    ['is asked again where it may come', {}, false],
  ])('and what it does not have %s', (_, operation, expected) => {
    const absent = createAbsent(clockOf(() => 0))
    absent.of(a).note('it', new BaseError('not_found', 'not found'), operation)
    expect(absent.of(a).known('it') !== undefined).toBe(expected)
  })

  test('is not known of the source that has its name now, also where it was asked before', () => {
    const absent = createAbsent(clockOf(() => 0))
    const before = absent.of(a)
    before.note('it', new BaseError('unsupported', 'no such API'), {})
    absent.forget(a)
    before.note('it', new BaseError('unsupported', 'no such API, it says too late'), {})
    expect(absent.of(a).known('it')).toBe(undefined)
  })

  test('counts for nothing when the answer comes after the source was exchanged', async () => {
    const asked = Promise.withResolvers<void>()
    const exchanged = Promise.withResolvers<void>()
    const server = await createHostileServer(async (response) => {
      asked.resolve()
      await exchanged.promise
      response.writeHead(404).end('404 page not found\n')
    })
    const { client, signal } = createAsking()
    const source = nodeAt(server.url)
    const ask = () => failure(client.call(source, getLoggerLevel, {}, { signal }))
    const late = ask()
    await asked.promise
    client.forget(source)
    exchanged.resolve()
    expect(await late).toMatchObject({ code: 'unsupported' })
    expect(await ask()).toMatchObject({ code: 'unsupported' })
    expect(server.received).toHaveLength(2)
  })

  test('costs one request an hour, unless whether it is there is the question', async () => {
    const server = await createHostileServer(answer(404, '404 page not found\n'))
    let now = 0
    const { client, signal } = createAsking({ now: () => now })
    const ask = (maxAge?: number) => failure(client.call(nodeAt(server.url), getLoggerLevel, {}, { signal, maxAge }))
    const requests: number[] = []
    for (const [at, maxAge] of [
      [0, undefined],
      [60_000, undefined],
      [120_000, 30_000],
      [180_000, 0],
      [HOUR - 1, undefined],
      [2 * HOUR, undefined],
    ] as const) {
      now = at
      expect(await ask(maxAge)).toMatchObject({ code: 'unsupported' })
      requests.push(server.received.length)
    }
    expect(requests).toEqual([1, 1, 1, 2, 2, 3])
    const other = client.call(nodeAt(server.url), getChainAliases, { chain: 'P' }, { signal })
    expect(await failure(other)).toMatchObject({ code: 'unsupported' })
    expect(server.received).toHaveLength(4)
  })
})
