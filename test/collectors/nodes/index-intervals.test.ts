import { describe, expect, test } from 'vitest'
import { indexIntervals } from '../../../src/collectors/nodes/index-intervals.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

/** Later than all test data: nothing lies in the future. */
const NOW = 1_900_000_000_000

const off = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1", index: true }, { name: node-b, url: "http://127.0.0.1:2" }]
    chains: [{ id: c-chain }]
`
const yaml = `${off}collectors: { index-intervals: { enabled: true } }`
const labels = 'network="fuji",chain="c-chain",source="node-a",index="block"'
const MINUTE = 60_000
const START = Date.parse('2026-01-01T00:00:00Z')

interface Container {
  id: string
  timestamp: string
  index: string
}

/** Block i was accepted half a second after the one before it, or a whole one if i is even: from 0 to 2n that is 1.5 n. */
const block = (index: number): Container => ({
  id: `c${index}`,
  timestamp: new Date(START + Math.floor(index / 2) * 1_500 + (index % 2) * 500).toISOString(),
  index: String(index),
})
const chain = (length: number) => Array.from({ length }, (_, index) => block(index))

/** A node whose index holds these containers, in the documents' form (document 2, rules of index.getContainerRange). */
const node =
  (containers: readonly Container[]): Upstream =>
  (operation, { body }) => {
    const [start, most] = [Number(body['startIndex']), Number(body['numToFetch'])]
    const found = containers[Number(body['index'])]
    if (operation === 'index.getLastAccepted') return containers.at(-1) ?? new BaseError('not_found', 'not there')
    if (operation === 'index.getContainerByIndex') return found ?? refusal('no container at index')
    return start < containers.length ? containers.slice(start, start + most) : refusal('start index > last accepted')
  }
const refusal = (details: string) => new BaseError('rpc_error', 'error -32000', { details })

const published = (poller: Poller) => ({
  count: poller.value('stakewatch_index_acceptance_interval_seconds_count'),
  sum: poller.value('stakewatch_index_acceptance_interval_seconds_sum'),
  gaps: poller.value('stakewatch_index_acceptance_gaps_total'),
})
const success = (poller: Poller) => poller.value('stakewatch_collector_success')

async function pollsOf(poller: Poller, ...answers: readonly Upstream[]) {
  const seen: unknown[] = []
  for (const answer of answers) {
    await poller.poll(answer)
    poller.clock.now += MINUTE
    seen.push(published(poller))
  }
  return seen
}

describe('index-intervals (document 2, Index interface)', () => {
  test('is opt-in, and asks only nodes with an index', () => {
    expect(createPoller(off, indexIntervals, NOW).tasks).toEqual([])
    expect(createPoller(yaml, indexIntervals, NOW).tasks.map(({ key }) => key)).toEqual([
      'index-intervals/fuji/c-chain/node-a',
    ])
  })

  test.each([
    [
      "the document's form",
      'document',
      { id: 'c999', timestamp: '2023-02-28T23:59:59.75Z', index: '999' },
      { id: 'c1002', timestamp: '2023-03-01T00:00:04.5Z', index: '1002' },
      1_000,
      // 0.5, 1.75 and 2.5 s.
      [0, 1, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3],
      4.75,
    ],
    [
      'the live form',
      'live',
      { id: 'c4999', timestamp: '2026-08-22T14:59:59.75Z', index: '4999' },
      { id: 'c5002', timestamp: '2026-08-22T17:00:05.125+02:00', index: '5002' },
      5_000,
      // 4, 1.25 and 0.125 s.
      [1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3],
      5.375,
    ],
  ])(
    'the first run starts at 0, the next one counts what came since: %s',
    async (_, form, first, last, low, counts, sum) => {
      const poller = createPoller(yaml, indexIntervals, NOW)
      const buckets = ['0.25', '0.5', '1', '2', '3', '5', '10', '20', '30', '60', '120', '300', '600', '+Inf']
      const lines = (inBuckets: readonly number[], total: number) => [
        ...buckets.map(
          (le, at) => `stakewatch_index_acceptance_interval_seconds_bucket{le="${le}",${labels}} ${inBuckets[at]}`,
        ),
        `stakewatch_index_acceptance_interval_seconds_sum{${labels}} ${total}`,
        `stakewatch_index_acceptance_interval_seconds_count{${labels}} ${inBuckets.at(-1)}`,
        `stakewatch_index_acceptance_gaps_total{${labels}} 0`,
      ]
      await poller.poll((operation, { body }) =>
        operation === 'index.getLastAccepted' || body['index'] !== 0 ? first : block(0),
      )
      expect(poller.lines(/stakewatch_index/)).toEqual(
        lines(
          buckets.map(() => 0),
          0,
        ),
      )
      const asked: unknown[] = []
      poller.clock.now += MINUTE
      await poller.poll((operation, { path, body }) => {
        asked.push([operation, path, body])
        if (operation === 'index.getContainerRange') return fixture(`node/index.getContainerRange.${form}`)
        return operation === 'index.getLastAccepted' ? last : first
      })
      const hex = { encoding: 'hex' }
      expect(asked).toEqual([
        ['index.getLastAccepted', '/ext/index/C/block', hex],
        ['index.getContainerByIndex', '/ext/index/C/block', { index: low - 1, ...hex }],
        ['index.getContainerRange', '/ext/index/C/block', { startIndex: low, numToFetch: 2, ...hex }],
      ])
      expect(poller.lines(/stakewatch_index/)).toEqual(lines(counts, sum))
    },
  )

  test.each([
    ['nothing new', 10, ['index.getLastAccepted']],
    ['one new block', 11, ['index.getLastAccepted', 'index.getContainerByIndex']],
    // 65 new ones: the newest is known, 64 fit in one answer.
    ['a page', 75, ['index.getLastAccepted', 'index.getContainerByIndex', 'index.getContainerRange']],
    [
      'one more',
      76,
      ['index.getLastAccepted', 'index.getContainerByIndex', ...Array(2).fill('index.getContainerRange')],
    ],
  ])('%s: sends no unnecessary requests', async (_, length, expected) => {
    const poller = createPoller(yaml, indexIntervals, NOW)
    await pollsOf(poller, node(chain(10)))
    const asked: string[] = []
    await pollsOf(poller, (operation, wire, source) => {
      asked.push(operation)
      return node(chain(length))(operation, wire, source)
    })
    expect(asked).toEqual(expected)
    expect(published(poller)).toMatchObject({ count: length - 10, gaps: 0 })
  })

  const later = (one: Container) => ({ ...one, timestamp: '2026-06-01T00:00:00Z' })
  const other = (one: Container) => ({ ...one, id: `other-${one.id}` })
  // From 10 to 20 blocks: 10 intervals, half of them of a second.
  const ten = { count: 10, sum: 7.5 }

  const changes: Readonly<Record<string, (one: Container) => Container>> = { later, other }
  /** `later30`: the index holds 30 blocks, all accepted later. */
  function answerOf(text: string): Upstream {
    const [, change, length] = /^([a-z]*)(\d+)$/.exec(text)!
    return node(chain(Number(length)).map((one) => changes[change!]?.(one) ?? one))
  }
  const written = (seen: unknown) =>
    Object.values(seen as object)
      .map((value) => value ?? '-')
      .join('/')

  /** Number of intervals, their sum, and gaps, after each run: 10/7.5/0. */
  test.each(
    rowsOf(`
      // The newest and 32 times 64 are 2,049, the oldest of which follows on nothing that is known.
      too many at once: what lies further back is a gap   | 10 10010 10012             | 0/0/0 2048/1536/1 2050/1537.5/1
      // The same blocks in the same places, all accepted at the same later time.
      one deleted and filled again: nothing counts twice  | 10 20 later30 later31      | 0/0/0 10/7.5/0 20/7.5/0 21/7.5/0
      one with another block in the place of the last: a gap, and it counts from there | 10 20 other20 other22 | 0/0/0 10/7.5/0 10/7.5/1 12/9/1
      one that ends before what it had is refused, and goes on where it was | 10 20 19 0 20 22 | 0/0/0 10/7.5/0 10/7.5/0 10/7.5/0 10/7.5/0 12/9/0
      an empty one has nothing to count from              | 0 1 3                      | -/-/- 0/0/0 2/1.5/0
      // Refused at minutes 2 to 6; at minute 7 the answers have agreed for five minutes.
      // What was known of minute 1 has expired by minute 5.
      one that is filling again counts on when it is where it was | 10 20 later0 later0 later1 later2 later3 later4 later19 later20 later22 | 0/0/0 10/7.5/0 10/7.5/0 10/7.5/0 10/7.5/0 -/-/- -/-/- 10/7.5/0 10/7.5/0 10/7.5/0 12/7.5/0
      one that is shorter and begins with another block: a gap, and it counts from there | 10 20 other0 other0 other1 other2 other3 other4 other6 | 0/0/0 10/7.5/0 10/7.5/0 10/7.5/0 10/7.5/0 -/-/- -/-/- 10/7.5/1 12/9/1
      one that stays empty is known to be so, and what was counted remains | 10 20 0 0 0 0 0 0 | 0/0/0 10/7.5/0 10/7.5/0 10/7.5/0 10/7.5/0 -/-/- -/-/- 10/7.5/0
    `),
  )('an index: %s', async (_, answers, expected) => {
    const seen = await pollsOf(createPoller(yaml, indexIntervals, NOW), ...answers.split(' ').map(answerOf))
    expect(seen.map(written).join(' ')).toBe(expected)
  })

  test.each<[string, string, unknown]>([
    ['a range that leaves one out', 'index.getContainerRange', chain(19).slice(10, 18)],
    ['a range with another one in its place', 'index.getContainerRange', [...chain(18).slice(10), block(21)]],
    ['a null range', 'index.getContainerRange', null],
    [
      'a range with a container that does not fit',
      'index.getContainerRange',
      [...chain(18).slice(10), { index: '18' }],
    ],
    ['a container of another place', 'index.getContainerByIndex', block(8)],
    ['no container where one was', 'index.getContainerByIndex', refusal('no container at index')],
  ])('%s is a failure, and the next run counts everything', async (_, wrong, answer) => {
    const poller = createPoller(yaml, indexIntervals, NOW)
    await pollsOf(poller, node(chain(10)))
    await pollsOf(poller, (operation, wire, source) =>
      operation === wrong ? answer : node(chain(20))(operation, wire, source),
    )
    expect([success(poller), published(poller)]).toEqual([0, { count: 0, sum: 0, gaps: 0 }])
    await pollsOf(poller, node(chain(20)))
    expect([success(poller), published(poller)]).toEqual([1, { ...ten, gaps: 0 }])
  })

  const rangeWith =
    (bad: number, fails: () => unknown): Upstream =>
    (operation, wire, source) => {
      const [start, most] = [Number(wire.body['startIndex']), Number(wire.body['numToFetch'])]
      const isIn = operation === 'index.getContainerRange' && start <= bad && bad < start + most
      return isIn ? fails() : node(chain(20))(operation, wire, source)
    }
  test.each<[string, () => unknown]>([
    ['does not fit', () => [{ index: '15' }]],
    ['makes the node fail', () => new BaseError('http_status', 'HTTP 500')],
    ['makes the node refuse', () => refusal('cannot read the container')],
  ])('a block that %s is one gap at the third run, and the others count', async (_, fails) => {
    const poller = createPoller(yaml, indexIntervals, NOW)
    const bad = rangeWith(15, fails)
    const seen = await pollsOf(poller, node(chain(10)), bad, bad, bad, bad)
    const waiting = { count: 0, sum: 0, gaps: 0 }
    // 10 to 14 and 17 to 19: that of 16 is not known.
    const counted = { count: 8, sum: 6, gaps: 1 }
    expect(seen).toEqual([waiting, waiting, waiting, counted, counted])
    expect(success(poller)).toBe(1)
  })

  test('gives up no block if no range is readable', async () => {
    const poller = createPoller(yaml, indexIntervals, NOW)
    const none: Upstream = (operation, wire, source) =>
      operation === 'index.getContainerRange'
        ? new BaseError('http_status', 'HTTP 500')
        : node(chain(20))(operation, wire, source)
    await pollsOf(poller, node(chain(10)), none, none, none, none, node(chain(20)))
    expect([success(poller), published(poller)]).toEqual([1, { ...ten, gaps: 0 }])
  })
})
