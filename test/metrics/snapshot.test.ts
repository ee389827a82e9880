import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ofDaemon } from '../../src/metrics/define.ts'
import type { Format } from '../../src/metrics/exposition.ts'
import type { FromPoller, TaskStatus } from '../../src/metrics/publication.ts'
import { createSnapshot } from '../../src/metrics/snapshot.ts'
import type { Moment } from '../../src/lib/clock.ts'
import { momentAt } from '../support/clock.ts'
import { valueOf } from '../support/exposition.ts'
import { countHeld } from '../support/held.ts'

const a = ofDaemon.gauge('stakewatch_a', { help: 'A.' })
const b = ofDaemon.counter('stakewatch_b_total', { help: 'B.' })
const headerA = '# HELP stakewatch_a A.\n# TYPE stakewatch_a gauge\n'
const headerB = '# HELP stakewatch_b_total B.\n# TYPE stakewatch_b_total counter\n'

/** A snapshot of `a` and `b`, in this order. */
function open() {
  const snapshot = createSnapshot([a, b], 'own')
  const { accept } = snapshot
  return {
    accept,
    publish(key: string, families: Record<string, string>, expiresAt = Infinity) {
      const encoded = Object.entries(families).map(([name, lines]) => ({
        name,
        lines: [Buffer.from(lines)],
        series: 1,
      }))
      accept({ kind: 'publish', key, families: encoded, expiresAt: momentAt(expiresAt) })
    },
    drop: (...keys: string[]) => accept({ kind: 'drop', keys }),
    pieces: (now: number, format: Format = 'text') => snapshot.body(format, momentAt(now)),
    text: (now: number, format: Format = 'text') => Buffer.concat(snapshot.body(format, momentAt(now))).toString(),
    textAt: (now: Moment) => Buffer.concat(snapshot.body('text', now)).toString(),
    snapshot,
    status: () => snapshot.status(),
  }
}

const status = (key: string, more: Partial<TaskStatus> = {}): TaskStatus => ({
  key,
  network: 'fuji',
  result: 'success',
  reason: '',
  source: 'node-a',
  finishedAt: 0,
  took: 0,
  series: 1,
  ...more,
})

const failure = { network: 'fuji', source: 'node-a', operation: 'a', code: 'timeout', reason: 'no answer', at: 1 }

describe('a body', () => {
  test('has the families in the order of the catalogue, the units of a family under one header', () => {
    const { publish, text } = open()
    expect(text(0)).toBe('')
    publish('one', { stakewatch_b_total: 'b1\n', stakewatch_a: 'a1\n' })
    publish('two', { stakewatch_a: 'a2\n' })
    expect(text(1_000)).toBe(`${headerA}a1\na2\n${headerB}b1\n`)
  })

  test('is counted by metric: what is replaced, dropped or expired does not count, and only its own unit while stalled', () => {
    const { accept, publish, drop, snapshot } = open()
    const count = (now: number, ...names: string[]) => snapshot.count(momentAt(now), new Set(names))
    publish('one', { stakewatch_b_total: 'b1\n', stakewatch_a: 'a1\n' }, 5_000)
    publish('two', { stakewatch_a: 'a2\n' })
    publish('own', { stakewatch_a: 'a3\n' })
    expect([count(0, 'stakewatch_a'), count(0, 'stakewatch_a', 'stakewatch_b_total'), count(0, 'other')]).toEqual([
      3, 4, 0,
    ])
    publish('one', { stakewatch_a: 'a4\n' }, 5_000)
    expect(count(0, 'stakewatch_a', 'stakewatch_b_total')).toBe(3)
    expect(count(5_000, 'stakewatch_a')).toBe(2)
    accept({ kind: 'tick', at: momentAt(5_000) })
    expect(count(70_000, 'stakewatch_a')).toBe(1)
    accept({ kind: 'tick', at: momentAt(70_000) })
    drop('two')
    expect(count(70_000, 'stakewatch_a')).toBe(1)
  })

  test('shares its samples between the formats, which differ in headers and end', () => {
    const { publish, pieces, text } = open()
    expect(text(0, 'openmetrics')).toBe('# EOF\n')
    publish('one', { stakewatch_b_total: 'b1\n', stakewatch_a: 'a1\n' })
    expect(text(1_000, 'openmetrics')).toBe(
      '# TYPE stakewatch_a gauge\n# HELP stakewatch_a A.\na1\n# TYPE stakewatch_b counter\n# HELP stakewatch_b B.\nb1\n# EOF\n',
    )
    const [, aInText, , bInText] = pieces(1_000)
    const [, aInOpenMetrics, , bInOpenMetrics] = pieces(1_000, 'openmetrics')
    expect(aInOpenMetrics).toBe(aInText)
    expect(bInOpenMetrics).toBe(bInText)
  })

  test('that a scrape holds does not change under it', () => {
    const { publish, drop, pieces, text } = open()
    publish('one', { stakewatch_a: 'a1\n' })
    const held = pieces(0)
    publish('one', { stakewatch_b_total: 'b1\n' })
    drop('one')
    expect(text(1_000)).toBe('')
    expect(Buffer.concat(held).toString()).toBe(`${headerA}a1\n`)
  })

  test('is put together at most once a second, and only when something is new', () => {
    const { publish, pieces } = open()
    const builds = new Set<unknown>()
    for (let now = 0; now < 3_000; now += 10) {
      publish('one', { stakewatch_a: `a ${now}\n` })
      builds.add(pieces(now))
    }
    expect(builds.size).toBe(3)
    const last = pieces(10_000)
    expect(pieces(10_000_000)).toBe(last)
  })

  test.each([
    ['2 MiB', 2, 1_000],
    ['6 MiB', 6, 3_000],
    ['20 MiB', 20, 5_000],
  ])('of %s is not rebuilt sooner, and has nothing that has expired meanwhile', (_, mebibytes, lasts) => {
    const { publish, pieces } = open()
    const large = 'a'.repeat(mebibytes * 1_048_576)
    publish('large', { stakewatch_a: large })
    const before = pieces(0)
    publish('small', { stakewatch_b_total: 'b\n' }, lasts + 500)
    expect(pieces(lasts - 1)).toBe(before)
    expect(pieces(lasts)).not.toBe(before)
    publish('large', { stakewatch_a: large })
    const after = pieces(lasts + 499)
    expect(Buffer.concat(after).includes('b\n')).toBe(true)
    expect(Buffer.concat(pieces(lasts + 500)).includes('b\n')).toBe(false)
  })

  test.each([
    ['text', 'openmetrics'],
    ['openmetrics', 'text'],
  ] as const)('in %s is never newer than one in %s that follows it: counters would fall', (first, second) => {
    const { publish, text } = open()
    const counted = (now: number, format: Format) => valueOf(text(now, format), 'stakewatch_b_total')!
    const seen = [0, 200, 400, 600, 800, 1_000, 1_200].map((now, at) => {
      publish('u', { stakewatch_b_total: `stakewatch_b_total ${at + 1}\n` })
      return counted(now, at % 3 === 1 ? second : first)
    })
    expect(seen).toEqual(seen.toSorted((x, y) => x - y))
    expect(seen.at(-1)).toBeGreaterThan(seen[0]!)
  })
})

describe('a unit', () => {
  test('is replaced as a whole: what it no longer has is gone', () => {
    const { publish, text } = open()
    publish('one', { stakewatch_a: 'a1\na2\n', stakewatch_b_total: 'b1\n' })
    publish('two', { stakewatch_b_total: 'b2\n' })
    publish('one', { stakewatch_a: 'a1\n' })
    expect(text(0)).toBe(`${headerA}a1\n${headerB}b2\n`)
    publish('one', {})
    expect(text(1_000)).toBe(`${headerB}b2\n`)
  })

  test('with an unknown metric is refused, and the set before it stays', () => {
    const { publish, text } = open()
    publish('one', { stakewatch_a: 'a1\n' })
    expect(() => publish('one', { stakewatch_a: 'a2\n', stakewatch_c: 'c1\n' })).toThrow(
      'metric stakewatch_c is not in the catalogue',
    )
    expect(text(0)).toBe(`${headerA}a1\n`)
  })

  test('that is dropped takes its status row along, and no other', () => {
    const { accept, publish, drop, text, status: rows } = open()
    for (const key of ['one', 'two', 'three']) {
      publish(key, { stakewatch_a: `${key}\n` })
      accept({ kind: 'status', status: status(key) })
    }
    accept({ kind: 'status', status: status('two', { result: 'failure', reason: 'no answer' }) })
    drop('one', 'three', 'never seen')
    expect(text(0)).toBe(`${headerA}two\n`)
    expect(rows()).toEqual([status('two', { result: 'failure', reason: 'no answer' })])
  })
})

describe('time to live', () => {
  test.each(['text', 'openmetrics'] as const)(
    'ends at a scrape, with no word from a poller, in a body as young as it may be: %s',
    (format) => {
      const { publish, text } = open()
      publish('short', { stakewatch_a: 'short\n' }, 10_000)
      publish('long', { stakewatch_a: 'long\n' }, 20_000)
      expect(text(9_999, format)).toContain('short\nlong\n')
      expect(text(10_000, format)).not.toContain('short')
      expect(text(10_000, format)).toContain('long\n')
      expect(text(20_000, format)).toBe(format === 'text' ? '' : '# EOF\n')
    },
  )

  test('that was over before the unit arrived shows nothing', () => {
    const { publish, text } = open()
    publish('late', { stakewatch_a: 'late\n' }, 10_000)
    expect(text(10_001)).toBe('')
  })

  test('is renewed by each publication; the deadline of the set before no longer counts', () => {
    const { publish, pieces, text } = open()
    publish('one', { stakewatch_a: 'a1\n' }, 10_000)
    publish('one', { stakewatch_a: 'a2\n' }, 30_000)
    const before = pieces(9_999)
    expect(pieces(10_000)).toBe(before)
    expect(text(29_999)).toBe(`${headerA}a2\n`)
    expect(text(30_000)).toBe('')
  })

  test('leaves status rows alone: they say why the series are gone', () => {
    const { accept, publish, text, status: rows } = open()
    publish('one', { stakewatch_a: 'a1\n' }, 10_000)
    accept({ kind: 'status', status: status('one', { result: 'failure' }) })
    expect(text(10_000)).toBe('')
    expect(rows()).toHaveLength(1)
  })
})

test.each<[string, Moment]>([
  ['the wall clock is set back by an hour', { wall: -3_600_000, steady: 10_000 }],
  ['the machine slept, and its steady clock with it', { wall: 10_000, steady: 0 }],
])('what is older than its time to live is gone though %s', (_, now) => {
  const { publish, textAt } = open()
  publish('one', { stakewatch_a: 'a1\n' }, 10_000)
  publish('two', { stakewatch_b_total: 'b1\n' })
  expect(textAt({ wall: now.wall - 1, steady: now.steady - 1 })).toBe(`${headerA}a1\n${headerB}b1\n`)
  expect(textAt(now)).toBe(`${headerB}b1\n`)
})

test('a clock that is set back freezes no body', () => {
  const { publish, textAt } = open()
  publish('one', { stakewatch_a: 'a1\n' })
  expect(textAt({ wall: 9_000, steady: 9_000 })).toBe(`${headerA}a1\n`)
  publish('one', { stakewatch_a: 'a2\n' })
  expect(textAt({ wall: 1_000, steady: 10_000 })).toBe(`${headerA}a2\n`)
})

const tick = (at: number): FromPoller => ({ kind: 'tick', at: momentAt(at) })

test('the snapshot drops bodies that no client will get: those of formats that were asked for once', async () => {
  const { accept, publish, pieces } = open()
  publish('one', { stakewatch_a: 'a1\n' })
  const both = (['text', 'openmetrics'] as const).map((format) => new WeakRef(pieces(0, format)))
  accept(tick(1_000))
  expect(await countHeld(both)).toBe(2)
  publish('one', { stakewatch_a: 'a2\n' })
  accept(tick(999))
  expect(await countHeld(both)).toBe(2)
  accept(tick(1_000))
  expect(await countHeld(both)).toBe(0)
})

describe('a scheduler that', () => {
  test('does not tick for more than a minute stands still: only the process itself is served, until it ticks again', () => {
    const { accept, publish, text, snapshot } = open()
    publish('own', { stakewatch_b_total: 'own\n' })
    publish('one', { stakewatch_a: 'a\n', stakewatch_b_total: 'b\n' })
    accept(tick(0))
    expect([snapshot.isStalled(momentAt(60_000)), text(60_000)]).toEqual([false, `${headerA}a\n${headerB}own\nb\n`])
    expect([snapshot.isStalled(momentAt(60_001)), text(60_001)]).toEqual([true, `${headerB}own\n`])
    expect(Buffer.concat(snapshot.body('text', momentAt(60_001), new Set([a.name]))).toString()).toBe('')
    accept(tick(60_002))
    expect([snapshot.isStalled(momentAt(60_003)), text(60_003)]).toEqual([false, `${headerA}a\n${headerB}own\nb\n`])
  })

  test('never ticks is none: a poll that runs once', () => {
    const { publish, text } = open()
    publish('one', { stakewatch_a: 'a\n' })
    expect(text(1e9)).toBe(`${headerA}a\n`)
  })
})

test('what is withdrawn is counted, and what is replaced is not', () => {
  const { publish, drop, snapshot } = open()
  const withdrawals = (now: number) => snapshot.withdrawals(momentAt(now))
  publish('one', { stakewatch_a: 'a\n' }, 10)
  publish('one', { stakewatch_a: 'b\n' }, 20)
  expect(withdrawals(19)).toBe(0)
  // It has expired.
  expect(withdrawals(20)).toBe(1)
  expect(withdrawals(21)).toBe(1)
  drop('one')
  expect(withdrawals(21)).toBe(2)
})

test('of each upstream that has failed the last failure is known', () => {
  const { accept, snapshot } = open()
  accept({ kind: 'error', error: failure })
  accept({ kind: 'error', error: { ...failure, source: 'node-b' } })
  accept({ kind: 'error', error: { ...failure, code: 'network', at: 2 } })
  expect(snapshot.errors()).toEqual([
    { ...failure, code: 'network', at: 2 },
    { ...failure, source: 'node-b' },
  ])
})

test('an upstream that is gone takes its last failure with it', () => {
  const { accept, drop, snapshot } = open()
  accept({ kind: 'error', error: failure })
  accept({ kind: 'error', error: { ...failure, source: 'node-b' } })
  drop(`upstream:${failure.network}/${failure.source}`)
  expect(snapshot.errors()).toEqual([{ ...failure, source: 'node-b' }])
})

describe('how far the networks have got', () => {
  const counts = (snapshot: ReturnType<typeof open>['snapshot'], now = 0) =>
    snapshot
      .progress(momentAt(now))
      .map(({ network, planned, attempted, withData }) => [network, planned, attempted, withData])
  const planned = (tasks: Record<string, number>, at = 0): FromPoller => ({ kind: 'planned', tasks, at: momentAt(at) })
  const unit = (key: string, task: string | undefined, expiresAt = Infinity): FromPoller => {
    const families = [{ name: a.name, lines: [Buffer.from('a\n')], series: 1 }]
    return { kind: 'publish', key, families, expiresAt: momentAt(expiresAt), ...(task !== undefined && { task }) }
  }

  test('a task has data from its first answer, or that of a part, until the last of them expires', () => {
    const { accept, drop, snapshot } = open()
    accept(planned({ fuji: 1 }))
    accept({ kind: 'status', status: status('one') })
    const has = (now: number) => counts(snapshot, now)[0]![3]
    expect(has(0)).toBe(0)
    // Made of the configuration alone, or of requests that all failed.
    accept(unit('one', undefined, 10))
    expect(has(0)).toBe(0)
    accept(unit('one', 'one', 10))
    accept(unit('one#part', 'one', 20))
    expect([9, 10, 19, 20].map(has)).toEqual([1, 1, 1, 0])
    drop('one', 'one#part')
    expect(counts(snapshot)).toEqual([['fuji', 1, 0, 0]])
  })

  test.each<[string, FromPoller[], number, boolean]>([
    ['nothing is planned yet', [], 0, false],
    ['nothing is to be done', [planned({ fuji: 0 })], 0, true],
    [
      'one of two is attempted',
      [planned({ fuji: 1, mainnet: 1 }), { kind: 'status', status: status('one') }],
      0,
      false,
    ],
    [
      'both are',
      [
        planned({ fuji: 2 }),
        { kind: 'status', status: status('one', { result: 'failure' }) },
        { kind: 'status', status: status('two') },
      ],
      0,
      true,
    ],
    [
      'a reload adds one',
      [planned({ fuji: 1 }), { kind: 'status', status: status('one') }, planned({ fuji: 2 })],
      0,
      true,
    ],
    ['one waits, for less than half a minute', [planned({ fuji: 1 })], 29_999, false],
    ['one waits for half a minute', [planned({ fuji: 1 })], 30_000, true],
    ['a reload comes meanwhile', [planned({ fuji: 1 }), planned({ fuji: 2 }, 20_000)], 30_000, true],
  ])('all is attempted when %s: %#', (_, messages, now, isSettled) => {
    const { accept, snapshot } = open()
    messages.forEach(accept)
    expect(snapshot.isSettled(momentAt(now))).toBe(isSettled)
  })
})

test('the body after every task was attempted has all that they published, be the one before a moment old', () => {
  const { accept, publish, text } = open()
  accept({ kind: 'planned', tasks: { fuji: 1 }, at: momentAt(0) })
  expect(text(0)).toBe('')
  publish('one', { stakewatch_a: 'a\n' })
  expect(text(1)).toBe('')
  accept({ kind: 'status', status: status('one') })
  expect(text(1)).toBe(`${headerA}a\n`)
})

test('whatever is published, dropped and scraped: a body has the last set of each unit alive, in order of arrival', () => {
  const key = fc.constantFrom('one', 'two', 'three')
  const step = fc.oneof(
    fc.record({ key, names: fc.subarray([a.name, b.name]), ttl: fc.integer({ min: 0, max: 5_000 }) }),
    fc.record({ drop: key }),
    fc.record({ wait: fc.integer({ min: 1, max: 3_000 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { publish, drop, text } = open()
      const expiries = new Map<string, number>()
      const familiesOf = new Map([a.name, b.name].map((name) => [name, new Map<string, string>()]))
      let now = 0
      for (const [at, step] of steps.entries()) {
        if ('wait' in step) now += step.wait
        if ('drop' in step) {
          for (const units of familiesOf.values()) units.delete(step.drop)
          drop(step.drop)
        }
        if ('ttl' in step) {
          // A unit keeps its place in a family as long as it has lines there.
          for (const [name, units] of familiesOf) {
            if (step.names.includes(name)) units.set(step.key, `${name} ${at}\n`)
            else units.delete(step.key)
          }
          expiries.set(step.key, now + step.ttl)
          publish(step.key, Object.fromEntries(step.names.map((name) => [name, `${name} ${at}\n`])), now + step.ttl)
        }
        // Past the second in which a body may be served again.
        now += 1_000
        for (const [key, expiresAt] of expiries) {
          if (expiresAt <= now) for (const units of familiesOf.values()) units.delete(key)
        }
        const lines = [a.name, b.name].map((name) => [...familiesOf.get(name)!.values()].join(''))
        const expected = [headerA, headerB].map((header, i) => (lines[i] === '' ? '' : header + lines[i]))
        expect(text(now)).toBe(expected.join(''))
      }
    }),
  )
})
