import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { icm } from '../../../src/collectors/messages/icm.ts'
import { pagesUnder } from '../../support/listing.ts'
import { createPoller, fixture, type Upstream } from '../../support/poll.ts'

const yaml = `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    icm: { routes: [{ name: c-to-l1, from: "43113", to: "779672" }], lookback: 1h }
`
const route = 'network="fuji",route="c-to-l1"'
/** Seconds: when the tests begin. The lookback reaches back to one hour before. */
const START = 1_700_000_000

/** Of a number that is its id; times are seconds after the start. */
const pending = (number: number, sent: number, more: object = {}) => ({
  messageId: `0x${number}`,
  sourceBlockchainId: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  destinationBlockchainId: '2D8RG4UpSXbPbvPCAWppNJyqTG2i2CAXSkTgmTBBvs7GKNZjsY',
  sourceEvmChainId: '43113',
  destinationEvmChainId: '779672',
  receiptDelivered: false,
  sourceTransaction: { timestamp: START + sent },
  status: 'pending',
  ...more,
})
const delivered = (number: number, sent: number, arrived: number, more: object = {}) =>
  pending(number, sent, {
    receiptDelivered: true,
    destinationTransaction: { timestamp: START + arrived },
    status: 'delivered',
    ...more,
  })
const sourceNotIndexed = (number: number, arrived: number) =>
  delivered(number, 0, arrived, { sourceTransaction: undefined, status: 'delivered_source_not_indexed' })

const service = (...pages: readonly (readonly object[])[]) => pagesUnder('messages', ...pages)

const started = (text = yaml) => createPoller(text, icm, START * 1_000)
type Poller = ReturnType<typeof started>
const pollAt = (poller: Poller, seconds: number, ...pages: readonly (readonly object[])[]) => {
  poller.clock.now = (START + seconds) * 1_000
  return poller.poll(service(...pages))
}
const one = (poller: Poller, name: string) => poller.value(`stakewatch_icm_${name}`)
/** In the order of the states: pending, delivered, delivered_source_not_indexed, other. */
const now = (poller: Poller) => poller.list('stakewatch_icm_messages')
const totals = (poller: Poller) => poller.list('stakewatch_icm_transitions_total')
const success = (poller: Poller) => poller.value('stakewatch_collector_success')

describe('icm (document 1, operations 17 and 18)', () => {
  const counters = [
    ...['pending', 'delivered', 'delivered_source_not_indexed', 'other'].map(
      (state) => `stakewatch_icm_transitions_total{${route},state="${state}"} 0`,
    ),
    `stakewatch_icm_abandoned_total{${route}} 0`,
    `stakewatch_icm_delivery_seconds_sum{${route}} 0`,
    `stakewatch_icm_delivery_seconds_count{${route}} 0`,
  ]
  const gauges = (of: readonly number[]) =>
    ['pending', 'delivered', 'delivered_source_not_indexed', 'other'].map(
      (state, at) => `stakewatch_icm_messages{${route},state="${state}"} ${of[at]}`,
    )

  test.each([
    [
      "the document's form",
      fixture('data/list-icm-messages.document'),
      [
        ...gauges([1, 0, 0, 0]),
        `stakewatch_icm_oldest_pending_timestamp_seconds{${route}} 1700000010`,
        `stakewatch_icm_receipts_pending{${route}} 0`,
      ],
    ],
    // One in each state; of those that arrived the second has its receipt, the third has not.
    [
      'the live form',
      fixture('data/list-icm-messages.live'),
      [
        ...gauges([1, 1, 1, 0]),
        `stakewatch_icm_oldest_pending_timestamp_seconds{${route}} 1700000010`,
        `stakewatch_icm_receipts_pending{${route}} 1`,
      ],
    ],
    ['an empty list', { messages: [] }, [...gauges([0, 0, 0, 0]), `stakewatch_icm_receipts_pending{${route}} 0`]],
  ])('the first run publishes current messages and starts all counters at 0: %s', async (_, answer, expected) => {
    const poller = started()
    await poller.poll((_, { query }) => (query['pageToken'] === undefined ? answer : { messages: [] }))
    const asked = poller.asked.map(({ operation, path, query }) => [operation, path, query])
    expect(asked[0]).toEqual([
      'list-icm-messages',
      '/v1/icm/messages',
      { pageSize: '100', sourceBlockchainId: '43113', destinationBlockchainId: '779672', network: 'fuji' },
    ])
    const incomplete = ['untimed', 'malformed'].map(
      (reason) => `stakewatch_icm_messages_incomplete{${route},reason="${reason}"} 0`,
    )
    expect(poller.lines(/^stakewatch_icm/).filter((line) => !/bucket/.test(line))).toEqual([
      ...expected,
      ...incomplete,
      ...counters,
    ])
  })

  test("asks for an address's messages and counts those of the route", async () => {
    const [mine, other] = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', `0x${'cd'.repeat(20)}`]
    const poller = started(yaml.replace('to: "779672"', `to: "779672", address: "${mine}"`))
    const listed = [
      pending(1, 10, { from: mine.toLowerCase(), to: other }),
      pending(2, 20, { from: other, to: mine }),
      // What it does not say is as was asked for.
      pending(3, 30, { from: other }),
      // A service that leaves what was asked for unheard.
      pending(4, 40, { from: other, to: other }),
      pending(5, 50, { from: mine, to: other, sourceEvmChainId: '1' }),
    ]
    await poller.poll((_, { query }) => (query['pageToken'] === undefined ? { messages: listed } : { messages: [] }))
    const asked = poller.asked.map(({ operation, path, query }) => [operation, path, query])
    expect(asked[0]).toEqual([
      'list-icm-messages-by-address',
      `/v1/icm/addresses/${mine}/messages`,
      { pageSize: '100', network: 'fuji' },
    ])
    expect(now(poller)).toEqual([3, 0, 0, 0])
  })

  test.each<[string, object[][], number[], number[]]>([
    ['sent', [[pending(3, 60), pending(2, 50), pending(1, 0)]], [2, 0, 0, 0], [3, 0, 0, 0]],
    ['delivered', [[delivered(1, 0, 40)]], [0, 1, 0, 0], [0, 1, 0, 0]],
    ['sent and delivered', [[delivered(2, 50, 70), pending(1, 0)]], [1, 1, 0, 0], [1, 1, 0, 0]],
    ['delivered from a source not indexed', [[sourceNotIndexed(2, 70), pending(1, 0)]], [1, 0, 1, 0], [1, 0, 1, 0]],
    ['in a state in capitals', [[pending(1, 0, { status: 'DELIVERED' })]], [0, 1, 0, 0], [0, 1, 0, 0]],
    ['in an unknown state', [[pending(1, 0, { status: 'returned' })]], [0, 0, 0, 1], [0, 0, 0, 1]],
    ['in no state', [[pending(1, 0, { status: null })]], [0, 0, 0, 1], [0, 0, 0, 1]],
    ['delivered page by page', [[pending(2, 50), pending(1, 0)], [delivered(1, 0, 100)]], [1, 1, 0, 0], [1, 1, 0, 0]],
    ['delivered meanwhile', [[delivered(1, 0, 100), pending(2, 50)], [pending(1, 0)]], [1, 1, 0, 0], [1, 1, 0, 0]],
    [
      'in another order, over an empty page',
      [[pending(1, 0)], [], [delivered(4, -100, 90), delivered(2, 50, 70), pending(3, 60)]],
      [3, 2, 0, 0],
      [2, 2, 0, 0],
    ],
    [
      'of chains that are not named',
      [[pending(2, 50, { sourceEvmChainId: null, destinationEvmChainId: null }), pending(1, 0)]],
      [1, 0, 0, 0],
      [2, 0, 0, 0],
    ],
  ])('messages that are %s', async (_, pages, counted, current) => {
    const poller = started()
    await pollAt(poller, 0, [pending(1, 0)])
    await pollAt(poller, 300, ...pages)
    expect([totals(poller), now(poller)]).toEqual([counted, current])
    // The same again, and once more as a re-index has it: other pages, other order.
    await pollAt(poller, 600, ...pages)
    await pollAt(poller, 900, pages.flat().toReversed())
    expect([totals(poller), now(poller)]).toEqual([counted, current])
    expect(poller.log).toEqual([])
  })

  test('a message never goes back to an earlier state', async () => {
    const poller = started()
    const seen: unknown[] = []
    for (const [at, listed] of [
      pending(1, 0),
      sourceNotIndexed(1, 40),
      delivered(1, 0, 40),
      // A replica that lags.
      pending(1, 0),
      sourceNotIndexed(1, 40),
    ].entries()) {
      await pollAt(poller, at * 300, [pending(2, 10), listed])
      seen.push([totals(poller), now(poller)])
    }
    const counted = [0, 0, 1, 0]
    expect(seen).toEqual([
      [
        [0, 0, 0, 0],
        [2, 0, 0, 0],
      ],
      [counted, [1, 0, 1, 0]],
      [counted, [1, 1, 0, 0]],
      [counted, [1, 1, 0, 0]],
      [counted, [1, 0, 1, 0]],
    ])
  })

  test('measures delivery as the time between the two transactions', async () => {
    const poller = started()
    await pollAt(poller, 0, [delivered(1, -100, -40)])
    const clocksDiffer = delivered(5, 70, 65)
    await pollAt(poller, 300, [clocksDiffer, delivered(4, 60, 260), sourceNotIndexed(3, 55), delivered(2, 0, 12)])
    // 0, 12 and 200 s: what was there before, and what does not say when it was sent, is in none.
    expect([one(poller, 'delivery_seconds_count'), one(poller, 'delivery_seconds_sum')]).toEqual([3, 212])
    expect(
      poller
        .lines(/delivery_seconds_bucket.le="(5|10|20|120|300|86400|\+Inf)"/)
        .map((line) => Number(line.split(' ').at(-1))),
    ).toEqual([1, 1, 2, 2, 3, 3, 3])
  })

  test.each([
    [
      'delivered ones without a time of arrival',
      [delivered(1, 0, 0, { destinationTransaction: undefined })],
      undefined,
    ],
    ['none that was delivered', [pending(1, 0)], 0],
    ['one with a time of arrival', [delivered(1, 0, 40)], 0],
  ])('delivery times are absent where the service does not report them: %s', async (_, listed, expected) => {
    const poller = started()
    await pollAt(poller, 60, listed)
    expect(one(poller, 'delivery_seconds_count')).toBe(expected)
  })

  test('accepts blockchain ids as well as EVM chain ids', async () => {
    const ids = pending(0, 0)
    const poller = started(
      yaml.replace('"43113"', ids.sourceBlockchainId).replace('"779672"', ids.destinationBlockchainId),
    )
    const other = pending(2, 0, { sourceBlockchainId: ids.destinationBlockchainId })
    await pollAt(poller, 0, [pending(1, 0, { sourceEvmChainId: null }), other])
    expect(now(poller)).toEqual([1, 0, 0, 0])
  })
})

describe('the lookback', () => {
  test('ends the reading; a page of older messages is the last that is asked for', async () => {
    const poller = started()
    const asked: unknown[] = []
    const older = [pending(9, -3_600), pending(8, -3_601)]
    await poller.poll((operation, wire, source) => {
      asked.push(wire.query['pageToken'])
      return service([pending(1, 0)], [pending(3, -3_700), pending(2, -3_599)], older, [pending(7, 0)])(
        operation,
        wire,
        source,
      )
    })
    expect(asked).toEqual([undefined, '1', '2'])
    expect(now(poller)).toEqual([2, 0, 0, 0])
    expect(one(poller, 'oldest_pending_timestamp_seconds')).toBe(START - 3_599)
  })

  const late = [pending(1, 0), pending(5, 3_550)]
  test.each<[string, object[], number, number[], number[]]>([
    ['still pending', late, 1, [1, 0, 0, 0], [1, 0, 0, 0]],
    ['no longer listed', [pending(5, 3_550)], 1, [1, 0, 0, 0], [1, 0, 0, 0]],
    // Delivered after the last run but one, and before it was over.
    ['delivered at the last moment', [delivered(1, 0, 3_590), pending(5, 3_550)], 0, [1, 1, 0, 0], [1, 0, 0, 0]],
    [
      'delivered, and only its arrival is known',
      [sourceNotIndexed(1, 3_590), pending(5, 3_550)],
      0,
      [1, 0, 1, 0],
      [1, 0, 1, 0],
    ],
  ])('a formerly pending message outside the lookback: %s', async (_, listed, abandoned, counted, current) => {
    const poller = started()
    await pollAt(poller, 0, [pending(1, 0)])
    await pollAt(poller, 3_599, late)
    expect([now(poller)[0], one(poller, 'abandoned_total')]).toEqual([2, 0])
    await pollAt(poller, 3_600, listed)
    expect(now(poller)).toEqual(current)
    await pollAt(poller, 3_900, listed)
    // What comes of it later is beyond the lookback. The clock may be set back: it is looked at again, and not counted.
    await pollAt(poller, 4_200, [pending(5, 3_550), delivered(1, 0, 4_100)])
    await pollAt(poller, 3_000, late)
    expect([one(poller, 'abandoned_total'), totals(poller)]).toEqual([abandoned, counted])
    expect(one(poller, 'oldest_pending_timestamp_seconds')).toBe(START + (abandoned === 1 ? 0 : 3_550))
  })

  test('does not count a delivered message twice at the edge of the lookback', async () => {
    const poller = started()
    await pollAt(poller, 0, [])
    await pollAt(poller, 1_200, [delivered(1, 300, 1_000)])
    await pollAt(poller, 4_000, [delivered(1, 300, 1_000)])
    // A re-index has not come to the source yet.
    await pollAt(poller, 4_300, [sourceNotIndexed(1, 1_000)])
    expect([totals(poller), now(poller)]).toEqual([
      [1, 1, 0, 0],
      [0, 0, 1, 0],
    ])
  })

  test('counts what is sent after a run by a clock that was far ahead, once the clock is right', async () => {
    const poller = started()
    await pollAt(poller, 0, [])
    await pollAt(poller, 100_000, [])
    await pollAt(poller, 300, [])
    await pollAt(poller, 600, [pending(1, 400)])
    expect([totals(poller), now(poller)]).toEqual([
      [1, 0, 0, 0],
      [1, 0, 0, 0],
    ])
  })

  test('reads back to known pending messages after a downtime', async () => {
    const poller = started()
    await pollAt(poller, 0, [pending(2, -10), pending(1, -20)])
    const since = Array.from({ length: 200 }, (_, at) => delivered(1_000 + at, 80_000 - at, 80_010))
    await pollAt(poller, 90_000, since.slice(0, 100), since.slice(100), [delivered(2, -10, 20), pending(1, -20)])
    expect([totals(poller), one(poller, 'abandoned_total')]).toEqual([[0, 1, 0, 0], 1])
  })

  test('a longer lookback shows older messages at once, and counts none of them again', async () => {
    const before = started()
    await pollAt(before, 0, [])
    await pollAt(before, 300, [delivered(1, 10, 60)])
    await pollAt(before, 4_000, [])
    const after = started(yaml.replace('1h', '1d'))
    const { key } = before.tasks[0]!
    await after.memories.save(key, before.memories.load(key))
    const current = Array.from({ length: 100 }, (_, at) => delivered(1_000 + at, 3_000 - at, 3_010))
    await pollAt(after, 4_100, current, [delivered(1, 10, 60), pending(2, -4_000)])
    expect([now(after), totals(after)]).toEqual([
      [1, 101, 0, 0],
      [101, 101, 0, 0],
    ])
    expect(one(after, 'oldest_pending_timestamp_seconds')).toBe(START - 4_000)
  })

  test('another pair of chains with the same name restarts counting', async () => {
    const before = started()
    await pollAt(before, 0, [pending(1, 0)])
    await pollAt(before, 300, [delivered(1, 0, 60)])
    expect(totals(before)).toEqual([0, 1, 0, 0])
    const after = started(yaml.replace('779672', '779673'))
    const { key } = before.tasks[0]!
    await after.memories.save(key, before.memories.load(key))
    await pollAt(after, 600, [delivered(2, 0, 60, { destinationEvmChainId: '779673' })])
    expect(totals(after)).toEqual([0, 0, 0, 0])
  })
})

describe('incomplete messages', () => {
  const some = [pending(2, 50), delivered(1, 0, 40)]
  const untimed = (number: number, more: object = {}) => pending(number, 0, { sourceTransaction: {}, ...more })
  const all = { messages: [1, 1, 0, 0], oldest: START + 50, receipts: 0, incomplete: [0, 0] }
  const published = (poller: Poller) => ({
    messages: now(poller),
    oldest: one(poller, 'oldest_pending_timestamp_seconds'),
    receipts: one(poller, 'receipts_pending'),
    incomplete: poller.list('stakewatch_icm_messages_incomplete'),
  })

  test.each([
    ['one that does not have the documented form', [...some, { status: 'pending' }], { incomplete: [0, 1] }],
    ['a pending one without any time', [...some, untimed(3)], { messages: [2, 1, 0, 0], incomplete: [1, 0] }],
    // Whether it was sent within the lookback is unknown.
    ['a delivered one, no time and receipt', [...some, untimed(3, { status: 'delivered' })], { incomplete: [1, 0] }],
    ['one first listed without its time, then with it', [untimed(2), ...some, untimed(1, { status: 'delivered' })], {}],
    ['one without any time on another route', [...some, untimed(3, { sourceEvmChainId: '1' })], {}],
    [
      'one that does not say whether its receipt came',
      [pending(2, 50), delivered(1, 0, 40, { receiptDelivered: null })],
      { receipts: undefined },
    ],
  ])('takes nothing from the others, and counting goes on: %s', async (_, listed, expected) => {
    const poller = started()
    await pollAt(poller, 0, [])
    await pollAt(poller, 300, listed)
    expect(published(poller)).toEqual({ ...all, ...expected })
    expect([totals(poller), success(poller)]).toEqual([[2, 1, 0, 0], 1])
  })

  test('keeps the known time of a pending message, and counts it once', async () => {
    const poller = started()
    await pollAt(poller, 0, [pending(2, -10), pending(1, -100)])
    await pollAt(poller, 300, [pending(2, -10), untimed(1)])
    expect(published(poller)).toMatchObject({ messages: [2, 0, 0, 0], oldest: START - 100, incomplete: [0, 0] })
    await pollAt(poller, 600, [pending(2, -10), untimed(1, { status: 'delivered' })])
    expect([published(poller).messages, totals(poller)]).toEqual([
      [1, 1, 0, 0],
      [0, 1, 0, 0],
    ])
    // What is remembered of a delivered one may be its arrival.
    await pollAt(poller, 900, [pending(2, -10), untimed(1, { status: 'delivered' })])
    expect(published(poller)).toMatchObject({ messages: [1, 0, 0, 0], incomplete: [1, 0] })
    expect([totals(poller), poller.log]).toEqual([[0, 1, 0, 0], []])
  })
})

describe('failures', () => {
  /** Seconds, what is listed then, and what is published: pending and delivered now, all that were sent, success. */
  const before = [2, 0, 1, 0]
  test.each<[string, [number, object[], unknown[]][]]>([
    [
      'once is a replica that lags',
      [
        [600, [pending(1, 0)], before],
        [900, [pending(2, 200), pending(1, 0)], [2, 0, 1, 1]],
      ],
    ],
    [
      'and is empty',
      [
        [600, [], before],
        [900, [pending(2, 200), delivered(1, 0, 50)], [1, 1, 1, 1]],
      ],
    ],
    // At 600, 750 and 900: three runs over five minutes agree. The message does not count again when it comes back.
    [
      'three times over five minutes is believed',
      [
        [600, [pending(1, 0)], before],
        [750, [pending(1, 0)], before],
        [900, [pending(1, 0)], [1, 0, 1, 1]],
        [1_200, [pending(2, 200), pending(1, 0)], [2, 0, 1, 1]],
      ],
    ],
    ['because its newest message is over', [[3_900, [], [0, 0, 1, 1]]]],
  ])('a list that goes back %s', async (_, runs) => {
    const poller = started()
    await pollAt(poller, 0, [pending(1, 0)])
    await pollAt(poller, 300, [pending(2, 200), pending(1, 0)])
    for (const [at, listed, expected] of runs) {
      await pollAt(poller, at, listed)
      expect([now(poller)[0], now(poller)[1], totals(poller)[0], success(poller)]).toEqual(expected)
    }
  })
})

describe('floods', () => {
  /** Each page is a second older than the one before it. */
  const pages = Array.from({ length: 102 }, (_, page) =>
    Array.from({ length: 100 }, (_, at) => pending(1_000 + page * 100 + at, 300 - page)),
  )
  // 100 pages are read, and later those that were not.
  const later = [[pending(1, 400)], ...pages.slice(0, 1), ...pages.slice(100)]

  test.each([
    ['the first run leaves what it did not read as it was before the start', false, [0, 1]],
    ['another run counts it when it comes within reach', true, [10_000, 10_201]],
  ])('more than one run reads: %s', async (_, isStarted, counted) => {
    const poller = started()
    if (isStarted) await pollAt(poller, 0, [])
    await pollAt(poller, 300, ...pages)
    // Of what is there now nothing is known.
    expect([now(poller), totals(poller)[0], success(poller)]).toEqual([[], counted[0], 0])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bad_response' }])
    await pollAt(poller, 600, ...later)
    expect([totals(poller)[0], success(poller)]).toEqual([counted[1], 1])
  })
})

describe('whatever the bursts, late polls, page sizes, repetitions and disorder', () => {
  interface Sent {
    number: number
    sent: number
    /** Seconds at which the service knows the source and at which it arrives, if ever. */
    indexed: number
    arrives: number
  }
  /** One in nine is indexed five minutes late, one in seven never arrives, the others within ten minutes. */
  const message = (number: number, sent: number): Sent => ({
    number,
    sent,
    indexed: sent + (number % 9 === 0 ? 300 : 0),
    arrives: number % 7 === 0 ? Infinity : sent + ((number * 7_919) % 600),
  })
  const isListed = ({ indexed, arrives }: Sent, at: number) => indexed <= at || arrives <= at
  const listedAt = ({ number, sent, indexed, arrives }: Sent, at: number) => {
    if (arrives > at) return { at: sent, body: pending(number, sent) }
    return indexed > at
      ? { at: arrives, body: sourceNotIndexed(number, arrives) }
      : { at: sent, body: delivered(number, sent, arrives) }
  }
  const orders = {
    asDocumented: () => 0,
    neighboursSwapped: ({ number }: Sent) => number % 3,
    reversed: ({ number }: Sent) => -number,
    shuffled: ({ number }: Sent) => (number * 7_919) % 1_009,
  }
  const tenByTen = <T>(all: readonly T[]) =>
    Array.from({ length: Math.ceil(all.length / 10) }, (_, at) => all.slice(10 * at, 10 * at + 10))
  interface Run {
    /** Messages sent since the last one, evenly over the time. */
    burst: number
    wait: number
    order: keyof typeof orders
  }

  function inOrder(sent: readonly Sent[], at: number, order: Run['order']): readonly object[] {
    const listed = sent
      .filter((one) => isListed(one, at) && one.sent > at - 3_600)
      .map((one) => ({ ...listedAt(one, at), key: orders[order](one) }))
      .toSorted((a, b) => b.at - a.at)
    const disturbed = order === 'neighboursSwapped' ? tenByTen(listed) : [listed]
    return disturbed.flatMap((some) => some.toSorted((a, b) => a.key - b.key)).map(({ body }) => body)
  }

  /** Pages by offset, each overlapping the one before it, from a list that moves on while they are read. */
  function list(
    sent: readonly Sent[],
    from: number,
    size: number,
    { order, speed }: { order: Run['order']; speed: number },
  ): Upstream {
    let at = -1
    let all: readonly object[] = []
    return (_, { query }) => {
      const offset = Number(query['pageToken'] ?? 0)
      const then = from + Math.floor((offset / size) * speed)
      if (then !== at) all = inOrder(sent, (at = then), order)
      return {
        messages: all.slice(Math.max(0, offset - 2), offset + size),
        ...(offset + size < all.length ? { nextPageToken: String(offset + size) } : {}),
      }
    }
  }

  /** What the counters say in the end, and what the source did. */
  async function outcome(runs: readonly Run[], size: number) {
    const poller = started()
    let at = 0
    const sent = Array.from({ length: 60 }, (_, number) => message(number, number - 400))
    /** `speed`: seconds that a page takes. */
    const poll = async (order: Run['order'], speed: number) => {
      poller.clock.now = (START + at) * 1_000
      await poller.poll(list(sent, at, size, { order, speed }))
    }
    await poll('asDocumented', 0)
    const before = sent.filter((one) => isListed(one, 0))
    const settledBefore = before.filter(({ arrives }) => arrives <= 0).length
    for (const { burst, wait, order } of runs) {
      const first = sent.length
      for (let more = 0; more < burst; more += 1)
        sent.push(message(first + more, at + Math.floor((more * wait) / burst)))
      at += wait
      await poll(order, 0.1)
    }
    // Time enough to be indexed, and what is listed then is counted, once.
    at += 1_000
    for (const order of ['shuffled', 'reversed', 'asDocumented'] as const) await poll(order, 0)
    const arrived = sent.filter(({ arrives }) => arrives <= at).length
    const over = sent.filter(({ arrives, sent: since }) => arrives === Infinity && since <= at - 3_600).length
    const [asPending, ...settled] = totals(poller)
    const counted = {
      pending: asPending,
      settled: settled.reduce((sum, count) => sum + count, 0),
      abandoned: one(poller, 'abandoned_total'),
      log: poller.log,
    }
    const made = { pending: sent.length - before.length, settled: arrived - settledBefore, abandoned: over, log: [] }
    return { counted, made }
  }

  const someRun = fc.record({
    burst: fc.nat(120),
    wait: fc.integer({ min: 1, max: 1_500 }),
    order: fc.constantFrom(...(Object.keys(orders) as Run['order'][])),
  })

  test('counts each message once as sent, and once as delivered or abandoned', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someRun, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 5, max: 100 }),
        async (runs, size) => {
          const { counted, made } = await outcome(runs, size)
          expect(counted).toEqual(made)
        },
      ),
      { numRuns: 8 },
    )
  })
})
