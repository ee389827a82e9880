// Reading a history from servers that refuse, truncate or hang: whatever the sizes of the requests, each time is read once.

import { describe, expect, test } from 'vitest'
import { type Chunk, readHistory } from '../../../src/commands/backtest/read-history.ts'
import { BaseError, type ErrorCode } from '../../../src/errors.ts'

const STEP = 60

interface Asked {
  expression: string
  times: number
}

interface Served {
  /** Why a request is refused; undefined if it is not. */
  refusal?: (asked: Asked) => ErrorCode | undefined
  /** Times at which there are samples. */
  isThere?: (at: number) => boolean
  /** Series of each answer for `a`; others have one. */
  series?: number
}

/** A server with one value for each time, which is the time. */
async function read({ from, to }: { from: number; to: number }, served: Served = {}) {
  const { refusal = () => undefined, isThere = () => true, series = 1 } = served
  const asked: (Asked & { from: number })[] = []
  const shares: number[] = []
  const queryRange = async (expression: string, { start, end, step }: { start: number; end: number; step: number }) => {
    const [first, last] = [start / step, end / step]
    const one = { expression, times: last - first + 1 }
    asked.push({ ...one, from: first })
    const code = refusal(one)
    if (code) throw new BaseError(code, `${code} for ${one.times}`)
    const times = Array.from({ length: one.times }, (_, at) => first + at).filter(isThere)
    const values = times.map((at) => [at * step, at] as const)
    if (values.length === 0) return []
    return Array.from({ length: expression === 'a' ? series : 1 }, (_, number) => ({
      labels: { number: String(number) },
      values,
    }))
  }
  const reading = { prometheus: { queryRange }, step: STEP, always: ['present', 'fired'], others: ['a', 'b'] }
  const chunks: Chunk[] = []
  const stretch = { from, to }
  for await (const chunk of readHistory({ ...reading, report: (share) => shares.push(share) }, stretch))
    chunks.push(chunk)
  return { asked, chunks, shares }
}

/** The times that were read of an expression, in order. */
const timesOf = (chunks: readonly Chunk[], expression: string) =>
  chunks.flatMap(({ tracks }) =>
    [...(tracks.get(expression)?.values() ?? [])].flatMap(({ runs }) => runs.map(({ value }) => value)),
  )
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const only =
  (code: ErrorCode, most: number, which = /./) =>
  ({ expression, times }: Asked) =>
    which.test(expression) && times > most ? code : undefined

test.each<[what: string, served: Served]>([
  ['a server that answers everything', {}],
  ['a server that allows 700 points', { refusal: only('rpc_error', 700) }],
  ['a server that allows one point', { refusal: only('rpc_error', 1, /a/) }],
  ['one expression of too many samples', { refusal: only('rpc_error', 90, /a/) }],
  ['answers that are too large', { refusal: only('too_large', 1_000) }],
  ['a server that is slow', { refusal: only('timeout', 2_500) }],
  ['a proxy that gives up', { refusal: only('http_status', 2_000, /b/) }],
])('%s: every time is read once', async (_, served) => {
  const { chunks } = await read({ from: 1_000, to: 8_000 }, served)
  for (const expression of ['present', 'fired', 'a', 'b']) {
    expect(timesOf(chunks, expression)).toEqual(numbers(1_000, 8_000))
  }
})

test('no request asks for more than the 11,000 points that Prometheus allows', async () => {
  const { asked } = await read({ from: 0, to: 30_000 })
  expect(Math.max(...asked.map(({ times }) => times))).toBeLessThanOrEqual(11_000)
})

test('what was refused once is not asked for again', async () => {
  const { asked } = await read({ from: 0, to: 19_999 }, { refusal: only('rpc_error', 1_300, /a/) })
  // 5,000 is refused, then 2,500; halves of it are not.
  expect(
    asked.filter(({ expression, times }) => expression === 'a' && times > 1_300).map(({ times }) => times),
  ).toEqual([5_000, 2_500])
})

test('after an answer with many series the next requests are smaller', async () => {
  const { asked } = await read({ from: 0, to: 9_999 }, { series: 250 })
  const ofA = asked.filter(({ expression }) => expression === 'a')
  expect(ofA[0]!.times).toBe(5_000)
  // 500,000 samples of 250 series are 2,000 times.
  expect(Math.max(...ofA.slice(1).map(({ times }) => times))).toBeLessThanOrEqual(2_000)
})

test.each<[what: string, code: ErrorCode, most: number]>([
  ['a server that hangs', 'timeout', 2],
  ['a server that always refuses', 'rpc_error', 14],
  ['a partial answer', 'bad_response', 1],
  ['a server that is gone', 'network', 1],
])('%s is an error after at most %i requests of an expression', async (_, code, most) => {
  const asked: Asked[] = []
  const refusal = (one: Asked) => {
    asked.push(one)
    return one.expression === 'present' ? code : undefined
  }
  await expect(read({ from: 0, to: 9_999 }, { refusal })).rejects.toMatchObject({ code })
  expect(asked.filter(({ expression }) => expression === 'present').length).toBeLessThanOrEqual(most)
})

describe('where there are no series of stakewatch', () => {
  test('a chunk without any is not asked for more', async () => {
    const { asked, chunks } = await read({ from: 0, to: 9_999 }, { isThere: (at) => at >= 5_000 })
    expect(asked.filter(({ expression }) => expression === 'a').map(({ from }) => from)).toEqual([5_000])
    expect(timesOf(chunks, 'a')).toEqual(numbers(5_000, 9_999))
  })
})

test('it reports how far it is, and ends with everything', async () => {
  const { shares } = await read({ from: 0, to: 9_999 })
  expect(shares).toEqual([0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1])
})
