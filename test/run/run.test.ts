import { describe, expect, test } from 'vitest'
import { defineCollector, type AnyCollector } from '../../src/collectors/define.ts'
import { BaseError, refusal } from '../../src/errors.ts'
import { ofSubnet } from '../../src/metrics/define.ts'
import { listLatestPrimaryNetworkBlocks } from '../../src/operations/data/primary-network-blocks.ts'
import { getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { z } from 'zod'
import { rowsOf } from '../support/rows.ts'
import { createPoller, type Poller } from '../support/poll.ts'

const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
`
const height = ofSubnet.gauge('stakewatch_height', { help: 'A height.' })
const seen = ofSubnet.counter('stakewatch_seen_total', { help: 'Runs remembered.' })

const BLOCKS = { network: 'fuji', blockchainId: 'p-chain' } as const
const other = ofSubnet.gauge('stakewatch_other', { help: 'Another.' })
const met = ofSubnet.gauge('stakewatch_height_expectation_met', { help: 'It.', labels: ['expectation'] })

/** A collector like any other, but for what it does in a run. */
const collectorThat = (collect: AnyCollector['collect']): AnyCollector =>
  defineCollector({
    name: 'probe',
    about: 'For tests.',
    every: '1m',
    uses: [getCurrentSupply],
    observer: 'any',
    metrics: [height, seen],
    memory: z.object({ count: z.number() }),
    subjects: ({ subnets }) => subnets.map(({ name }) => ({ name, labels: { subnet: name } })),
    estimate: () => ({ calls: [], series: 0 }),
    collect,
  })

const pollerThat = (collect: AnyCollector['collect'], start = 0): Poller =>
  createPoller(yaml, collectorThat(collect), start)

const heights = (poller: Poller) => poller.lines(/^stakewatch_height/)

describe('a run', () => {
  test('has memory, which is saved before the samples are published', async () => {
    const order: string[] = []
    const collector = collectorThat(async ({ memory }) => {
      const count = ((memory as { count: number } | undefined)?.count ?? 0) + 1
      return { samples: [seen.sample({}, count)], memory: { count } }
    })
    const poller = createPoller(yaml, collector, 0)
    const save = poller.memories.save
    poller.memories.save = async (key, value) => {
      order.push(
        `saved ${JSON.stringify((value as { memory: unknown }).memory)}, published ${poller.lines(/seen_total/).length}`,
      )
      await save(key, value)
    }
    await poller.poll(() => undefined)
    poller.clock.now += 1_000
    await poller.poll(() => undefined)
    expect(order).toEqual(['saved {"count":1}, published 0', 'saved {"count":2}, published 1'])
    poller.clock.now += 1_000
    expect(poller.lines(/seen_total/)).toEqual(['stakewatch_seen_total{network="fuji",subnet="primary"} 2'])
  })

  test('that cannot save publishes nothing: a scraped counter must survive a crash', async () => {
    const poller = pollerThat(async () => ({ samples: [seen.sample({}, 1)], memory: { count: 1 } }))
    poller.memories.save = async () => {
      throw new Error('disk full')
    }
    await poller.poll(() => undefined)
    expect(poller.lines(/seen_total/)).toEqual([])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bug', reason: 'disk full' }])
  })

  test('starts again when what it remembers does not have the form any more', async () => {
    const memories: unknown[] = []
    const poller = pollerThat(async ({ memory }) => (memories.push(memory), { samples: [] }))
    await poller.memories.save('probe/fuji/primary', { other: true })
    await poller.poll(() => undefined)
    expect(memories).toEqual([undefined])
  })

  test.each([
    ['throws', async () => Promise.reject(new Error('oops')), 'bug', 'oops'],
    ['throws no error', async () => Promise.reject('text'), 'bug', 'text'],
    [
      'forgets a label',
      async () => ({ samples: [{ metric: { ...height, labels: ['network', 'zone'] }, labels: {}, value: 1 }] }),
      'bug',
      'stakewatch_height lacks the label zone',
    ],
  ])('that %s fails alone, keeps the old set and logs once', async (_, collect, code, reason) => {
    let broken = false
    const poller = pollerThat(async (run) => (broken ? collect() : { samples: [height.sample({}, run.now)] }), 7)
    await poller.poll(() => undefined)
    broken = true
    await poller.poll(() => undefined)
    await poller.poll(() => undefined)
    expect(heights(poller)).toEqual(['stakewatch_height{network="fuji",subnet="primary"} 7'])
    const named = { network: 'fuji', target: 'primary', collector: 'probe' }
    expect(poller.log).toMatchObject([{ level: 'warn', message: 'collector fails', ...named, code, reason }])
    broken = false
    await poller.poll(() => undefined)
    expect(poller.log.slice(1)).toEqual([{ level: 'info', message: 'collector works again', ...named }])
  })

  test('that is refused remembers why, keeps the old set, and counts for the source that gave the answer', async () => {
    const collector = collectorThat(async ({ memory, call }) => {
      const count = ((memory as { count: number } | undefined)?.count ?? 0) + 1
      await call(getCurrentSupply, {})
      const refused = refusal('older', 'older than before')
      return { samples: [height.sample({}, count)], memory: { count }, ...(count === 2 ? { refused } : {}) }
    })
    const poller = createPoller(yaml, collector, 0)
    const answers = (_: string, __: object, source: string) =>
      source === 'node-a' ? new BaseError('network', 'refused') : { supply: '1' }
    await poller.poll(answers)
    expect(poller.refusals).toEqual([])
    await poller.poll(answers)
    expect(heights(poller)).toEqual(['stakewatch_height{network="fuji",subnet="primary"} 1'])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'stale_response' }])
    expect(poller.refusals).toEqual(['node-b'])
    poller.clock.now += 1_000
    await poller.poll(answers)
    expect(heights(poller)).toEqual(['stakewatch_height{network="fuji",subnet="primary"} 3'])
  })

  test.each([
    ['which is asked alone', false, 'alone', 'data-api'],
    ['in a part', true, 'part', 'data-api'],
    ['not where a value of the node is refused', true, 'value', 'node-a'],
  ])('whose refused answer comes from its other service counts for that: %s', async (_, asksNode, where, blamed) => {
    const refused = refusal('future', 'a block lies in the future')
    const collect: AnyCollector['collect'] = async ({ call, attempt }) => {
      if (asksNode) await call(getCurrentSupply, {})
      const listed = await attempt(async (ask) => {
        await ask.call(listLatestPrimaryNetworkBlocks, BLOCKS)
        if (where === 'part') throw refused
      })
      if (where === 'alone') throw refused
      const samples = [height.sample({}, where === 'value' ? NaN : 1)]
      return { samples, parts: [{ name: 'part', of: [listed], samples: [] }] }
    }
    const uses = [getCurrentSupply, listLatestPrimaryNetworkBlocks]
    const both = `${yaml}    data_api: { url: "http://127.0.0.1:3", network: fuji }\n`
    const poller = createPoller(both, { ...collectorThat(collect), uses }, 0)
    await poller.poll((operation) => (operation === getCurrentSupply.name ? { supply: '1' } : { blocks: [] }))
    expect(poller.refusals).toEqual([blamed])
  })

  test.each([1, 2])('that fails at page %i because its source is down has no line in the log', async (last) => {
    const collect: AnyCollector['collect'] = async ({ pages }) => {
      for await (const _ of pages(listLatestPrimaryNetworkBlocks, BLOCKS));
      return { samples: [] }
    }
    const withService = `${yaml}    data_api: { url: "http://127.0.0.1:3", network: fuji }\n`
    const poller = createPoller(withService, { ...collectorThat(collect), uses: [listLatestPrimaryNetworkBlocks] }, 0)
    poller.standings.set('data-api', 'down')
    let page = 0
    await poller.poll(() => {
      page += 1
      return page === last ? new BaseError('network', 'refused') : { blocks: [], nextPageToken: String(page) }
    })
    expect([page, poller.log]).toEqual([last, []])
  })

  test('that fails at a later page with HTTP 404 is a failure, and what was published stays', async () => {
    const collect: AnyCollector['collect'] = async ({ pages }) => {
      for await (const _ of pages(listLatestPrimaryNetworkBlocks, BLOCKS));
      return { samples: [height.sample({}, 1)] }
    }
    const withService = `${yaml}    data_api: { url: "http://127.0.0.1:3", network: fuji }\n`
    const poller = createPoller(withService, { ...collectorThat(collect), uses: [listLatestPrimaryNetworkBlocks] }, 0)
    await poller.poll(() => ({ blocks: [] }))
    poller.clock.now += 1_000
    await poller.poll((_, { query }) =>
      query['pageToken'] === undefined
        ? { blocks: [], nextPageToken: 'next' }
        : new BaseError('unsupported', 'HTTP 404: not there'),
    )
    expect(heights(poller)).toHaveLength(1)
    expect(poller.success()).toEqual([0])
    expect(poller.log).toMatchObject([
      { message: 'collector fails', code: 'http_status', reason: 'HTTP 404: not there' },
    ])
  })

  test('that has what cannot be true publishes the rest, fails, and counts each reason once', async () => {
    const collector = collectorThat(async ({ call }) => {
      await call(getCurrentSupply, {})
      return {
        samples: [height.sample({}, NaN), height.sample({ subnet: 'a\ud800' }, 1), height.sample({ subnet: 'b' }, 2)],
      }
    })
    const poller = createPoller(yaml, collector, 0)
    await poller.poll(() => ({ supply: '1' }))
    expect(heights(poller)).toEqual(['stakewatch_height{network="fuji",subnet="b"} 2'])
    expect([poller.reasons, poller.dropped()]).toEqual([['number', 'label'], 0])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'implausible_response' }])
  })

  test('that is refused keeps the place of the old set under the cap', async () => {
    const refused = refusal('older', 'older than before')
    let isRefused = false
    const collector = collectorThat(async ({ subject: { name } }) =>
      isRefused && name === 'a' ? { samples: [], refused } : { samples: [height.sample({}, 1)] },
    )
    const subjects = () => ['a', 'b'].map((name) => ({ name, labels: { subnet: name } }))
    const text = `${yaml}collectors: { supply: { max_series: 1 } }`
    const poller = createPoller(text, { ...collector, name: 'supply', subjects }, 0)
    for (isRefused of [false, true]) {
      poller.clock.now += 1_000
      await poller.poll(() => undefined)
      expect(heights(poller)).toEqual(['stakewatch_height{network="fuji",subnet="a"} 1'])
    }
  })

  test('of two samples for one series keeps the first and counts the other', async () => {
    const poller = pollerThat(async () => ({ samples: [height.sample({}, 1), height.sample({}, 2)] }))
    await poller.poll(() => undefined)
    expect(heights(poller)).toEqual(['stakewatch_height{network="fuji",subnet="primary"} 1'])
    expect(poller.dropped()).toBe(1)
  })

  test('with too many series keeps as many as it may have, counts the others each time and says so once', async () => {
    let many = true
    const collector = collectorThat(async () => ({
      samples: [height.sample({}, 1), seen.sample({}, 2), ...(many ? [other.sample({}, 3)] : [])],
    }))
    const metrics = [...collector.metrics, other]
    const poller = createPoller(
      `${yaml}collectors: { supply: { max_series: 2 } }`,
      { ...collector, name: 'supply', metrics },
      0,
    )
    const published = () => poller.lines(/^stakewatch_(height|seen|other)/)
    for (const [cut, dropped] of [
      [true, 1],
      [true, 2],
      [false, 2],
      [true, 3],
    ] as const) {
      many = cut
      await poller.poll(() => undefined)
      expect(published()).toEqual([
        'stakewatch_height{network="fuji",subnet="primary"} 1',
        'stakewatch_seen_total{network="fuji",subnet="primary"} 2',
      ])
      expect(poller.dropped()).toBe(dropped)
    }
    const warning = {
      level: 'warn',
      message: 'too many series',
      network: 'fuji',
      target: 'primary',
      collector: 'supply',
      dropped: 1,
      max: 2,
    }
    expect(poller.log).toEqual([warning, warning])
  })

  test('counts the life of its series from the oldest answer that it used', async () => {
    const collector = collectorThat(async ({ call }) => {
      await call(getCurrentSupply, {})
      poller.clock.now += 100_000
      await call(getCurrentSupply, {})
      return { samples: [height.sample({}, 1)] }
    })
    const poller = createPoller(yaml, collector, 0)
    await poller.poll(() => ({ supply: '1' }))
    poller.clock.now = 299_999
    expect(heights(poller)).toHaveLength(1)
    poller.clock.now = 300_000
    expect(heights(poller)).toEqual([])
  })

  test('counts the life of what a refusal shows from the question, also next to an answer that may be old', async () => {
    const collector = collectorThat(async ({ call }) => {
      await call(getCurrentSupply, {}, { maxAge: '1h' })
      await call(getCurrentSupply, { subnetID: 'other' }).catch(() => {})
      return { samples: [height.sample({}, 0)] }
    })
    const poller = createPoller(yaml, collector, 0)
    await poller.poll((_, { body }) => {
      if (body['subnetID'] === undefined) return { supply: '1' }
      // The process stood still before it read the answer.
      poller.clock.now += 100_000
      return new BaseError('unsupported', 'HTTP 404')
    })
    poller.clock.now = 299_999
    expect(heights(poller)).toHaveLength(1)
    poller.clock.now = 400_000
    expect(heights(poller)).toEqual([])
  })

  test('asks the next source when one fails, and stays with the one that answered', async () => {
    const asked: string[] = []
    const collector = collectorThat(async ({ call }) => {
      await call(getCurrentSupply, {})
      const { source } = await call(getCurrentSupply, {})
      return { samples: [height.sample({}, source === 'node-b' ? 1 : 0)] }
    })
    const poller = createPoller(yaml, collector, 0)
    await poller.poll((_, __, source) => {
      asked.push(source)
      return source === 'node-a' ? new BaseError('network', 'refused') : { supply: '1' }
    })
    expect(asked).toEqual(['node-a', 'node-b', 'node-b'])
    expect(heights(poller)).toEqual(['stakewatch_height{network="fuji",subnet="primary"} 1'])
  })

  test.each([
    ['one fails, one does not support it: that is a failure', ['network', 'unsupported'], 'failure'],
    ['the other way round', ['unsupported', 'network'], 'failure'],
    ['none supports it', ['unsupported', 'unsupported'], 'unsupported'],
  ] as const)('%s', async (_, [a, b], result) => {
    const collector = collectorThat(async ({ call }) => (await call(getCurrentSupply, {}), { samples: [] }))
    const poller = createPoller(yaml, collector, 0)
    await poller.poll((__, ___, source) => new BaseError(source === 'node-a' ? a : b, 'no'))
    expect(poller.lines(new RegExp(`runs_total.*result="${result}"`))).toEqual([expect.stringMatching(/ 1$/)])
  })

  test('reports how it went', async () => {
    const poller = pollerThat(async () => {
      poller.clock.now += 2_500
      return { samples: [height.sample({}, 1)] }
    }, 1_000_000)
    await poller.poll(() => undefined)
    const all = 'network="fuji",collector="probe",source=""'
    const run = `${all},target="primary"`
    expect(poller.lines(/^stakewatch_collector/)).toEqual([
      `stakewatch_collector_success{${run}} 1`,
      `stakewatch_collector_last_success_timestamp_seconds{${run}} 1002.5`,
      `stakewatch_collector_interval_seconds{${run}} 60`,
      `stakewatch_collector_runs_total{${all},result="success"} 1`,
      `stakewatch_collector_runs_total{${all},result="failure"} 0`,
      `stakewatch_collector_runs_total{${all},result="skipped"} 0`,
      `stakewatch_collector_runs_total{${all},result="unsupported"} 0`,
      `stakewatch_collector_duration_seconds{${all}} 2.5`,
      `stakewatch_collector_series{${all}} 1`,
      `stakewatch_collector_ttl_seconds{${all}} 300`,
    ])
  })

  test('says since when its answers have been older than one before them, whatever else fails meanwhile', async () => {
    const outcomes: Record<number, BaseError> = {
      1: refusal('older', 'older'),
      2: refusal('older', 'older'),
      3: new BaseError('timeout', 'late'),
      5: refusal('height', 'too far ahead'),
    }
    let minute = 0
    const poller = pollerThat(async () => {
      const refused = outcomes[minute]
      return refused ? { samples: [], refused } : { samples: [] }
    })
    const since: (string | undefined)[] = []
    for (minute = 0; minute < 6; minute += 1) {
      poller.clock.now = minute * 60_000
      await poller.poll(() => undefined)
      since.push(poller.lines(/stale_since/).map((line) => line.split(' ')[1]!)[0])
    }
    expect(since).toEqual([undefined, '60', '60', '60', undefined, undefined])
  })

  test('that never failed has no failure time, and one that never succeeded no success time', async () => {
    const poller = pollerThat(async () => Promise.reject(new BaseError('timeout', 'late')))
    await poller.poll(() => undefined)
    expect(poller.lines(/last_success/)).toEqual([])
    expect(poller.lines(/collector_success/)).toEqual([expect.stringMatching(/ 0$/)])
  })
})

describe('a part of a run', () => {
  /** The height of each subnet is a part; what is asked of each node decides how its part goes. */
  const parts = collectorThat(async ({ attempt, call }) => {
    const { value } = await call(getCurrentSupply, {})
    const of = async (name: string) => {
      const asked = await attempt((ask) => ask.call(getCurrentSupply, { subnetID: name }))
      const samples = asked.value ? [other.sample({ subnet: name }, Number(asked.value.value.supply))] : []
      return { name, of: [asked], samples }
    }
    return { samples: [height.sample({}, Number(value.supply))], parts: [await of(A), await of(B)] }
  })
  const [A, B] = [
    '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof',
    '4R5p2RXDGLqaifZE4hHWH9owe34pfoBULn1DrQTWivjg8o4aH',
  ]
  const late = new BaseError('timeout', 'late')
  const gone = new BaseError('unsupported', 'no')

  interface Poll {
    at: number
    own?: unknown
    a: unknown
    b: unknown
  }
  /** What is published after each: the run's own, the part a, the part b. */
  async function published(polls: readonly Poll[], collector = parts) {
    const poller = createPoller(yaml, { ...collector, metrics: [...collector.metrics, other] }, 0)
    const seen: (number | undefined)[][] = []
    for (const { at, own = '1', a, b } of polls) {
      poller.clock.now = at * 1_000
      await poller.poll((_, wire) => {
        const asked = JSON.stringify(wire)
        const answer = asked.includes(A) ? a : asked.includes(B) ? b : own
        return answer instanceof Error ? answer : { supply: answer }
      })
      const other = (subnet: string) => poller.value('stakewatch_other', { subnet })
      seen.push([poller.list(/^stakewatch_height$/)[0], other(A), other(B)])
    }
    return { seen, poller }
  }

  // The polls: when, the answer to the run's own question, to a and to b. Then what is published of these after the last one.
  test.each(
    rowsOf(`
      is published with the rest                         | 0 1 2 3                                                     | 1 2 3
      that fails keeps what it published                 | 0 1 2 3, 60 4 late 5                                        | 4 2 5
      that goes on failing stays until it is too old     | 0 1 2 3, 60 1 4 3, 299 1 late 3, 359 1 late 3               | 1 4 3
      that goes on failing is gone when it is too old    | 0 1 2 3, 60 1 4 3, 299 1 late 3, 359 1 late 3, 360 1 late 3 | 1 - 3
      that turns out not to be supported is gone at once | 0 1 2 3, 60 1 gone late                                     | 1 - 3
      stays with the whole when that fails               | 0 1 2 3, 60 late 4 5                                        | 1 2 3
      goes with the whole when that is not supported     | 0 1 2 3, 60 gone 4 5                                        | - - -
    `),
  )('%s', async (_, polls = '', expected) => {
    const read = (answer: string) => ({ late, gone })[answer] ?? answer
    const asked = polls.split(', ').map((poll) => {
      const [at, own, a, b] = poll.split(' ') as [string, string, string, string]
      return { at: Number(at), own: read(own), a: read(a), b: read(b) }
    })
    const last = (await published(asked)).seen.at(-1)!
    expect(last.map((value) => value ?? '-').join(' ')).toBe(expected)
  })

  test('that the run does not name any more is gone', async () => {
    let names = [A, B]
    const collector = collectorThat(async () => ({
      samples: [],
      parts: names.map((name) => ({ name, of: [], samples: [other.sample({ subnet: name }, 1)] })),
    }))
    const poller = createPoller(yaml, { ...collector, metrics: [...collector.metrics, other] }, 0)
    await poller.poll(() => undefined)
    expect(poller.lines(/collector_series/)).toEqual([expect.stringMatching(/ 2$/)])
    names = [B]
    poller.clock.now += 1_000
    await poller.poll(() => undefined)
    expect(poller.lines(/^stakewatch_other/)).toEqual([`stakewatch_other{network="fuji",subnet="${B}"} 1`])
    expect(poller.lines(/collector_series/)).toEqual([expect.stringMatching(/ 1$/)])
  })

  test('that failed makes the run a failure; a run of which nothing is supported is unsupported', async () => {
    const attempts = collectorThat(async ({ attempt }) => {
      const asked = await attempt((ask) => ask.call(getCurrentSupply, { subnetID: A }))
      return { samples: [], parts: [{ name: 'it', of: [asked], samples: [] }] }
    })
    const result = async (a: unknown) => (await published([{ at: 0, a, b: '1' }], attempts)).poller.status()
    expect(await result('1')).toMatchObject([{ result: 'success' }])
    expect(await result(late)).toMatchObject([{ result: 'failure', reason: 'late' }])
    expect(await result(gone)).toMatchObject([{ result: 'unsupported', reason: 'no' }])
  })
})

describe('what was expected', () => {
  const high = { metric: met, labels: {}, expectation: 'high', expected: '2', found: '1', isMet: false }
  const even = { ...high, expectation: 'even', expected: 'no', found: 'no', isMet: true }
  const rows = [
    { labels: { network: 'fuji', subnet: 'primary' }, expectation: 'high', expected: '2', found: '1', isMet: false },
    { labels: { network: 'fuji', subnet: 'primary' }, expectation: 'even', expected: 'no', found: 'no', isMet: true },
  ]

  function pollerOf(collect: AnyCollector['collect']) {
    const collector = collectorThat(collect)
    return createPoller(yaml, { ...collector, metrics: [...collector.metrics, met] }, 0)
  }

  test('is a series each, 1 or 0, and stands in the status with what was found', async () => {
    const poller = pollerOf(async () => ({ samples: [height.sample({}, 1)], expectations: [high, even] }))
    await poller.poll(() => undefined)
    expect(poller.lines(/height/)).toEqual([
      'stakewatch_height{network="fuji",subnet="primary"} 1',
      'stakewatch_height_expectation_met{network="fuji",subnet="primary",expectation="high"} 0',
      'stakewatch_height_expectation_met{network="fuji",subnet="primary",expectation="even"} 1',
    ])
    expect(poller.status()).toMatchObject([{ result: 'success', expectations: rows }])
  })

  test('is not reported by a run that did not find out, whatever the one before found', async () => {
    const ends: (() => ReturnType<AnyCollector['collect']>)[] = [
      async () => ({ samples: [], expectations: [high] }),
      async () => Promise.reject(new BaseError('timeout', 'late')),
      async () => ({ samples: [], expectations: [even] }),
      async () => ({ samples: [] }),
      async () => Promise.reject(new BaseError('unsupported', 'no')),
      async () => ({ samples: [], expectations: [high], refused: refusal('older', 'older') }),
    ]
    const poller = pollerOf(async () => ends.shift()!())
    const reported = []
    for (let run = 0; run < 6; run += 1) {
      await poller.poll(() => undefined)
      reported.push(poller.status().map(({ result, expectations }) => [result, expectations?.length])[0])
    }
    expect(reported).toEqual([
      ['success', 1],
      ['failure', undefined],
      ['success', 1],
      ['success', undefined],
      ['unsupported', undefined],
      ['failure', undefined],
    ])
  })

  test('and found out in part is reported although the run failed', async () => {
    const poller = pollerOf(async ({ attempt }) => {
      await attempt(() => Promise.reject(new BaseError('timeout', 'late')))
      return { samples: [], expectations: [high] }
    })
    await poller.poll(() => undefined)
    expect(poller.status()).toMatchObject([{ result: 'failure', reason: 'late', expectations: rows.slice(0, 1) }])
  })

  test('a part that failed before the rest turned out not to be supported is a failure', async () => {
    const poller = pollerOf(async ({ attempt }) => {
      await attempt(() => Promise.reject(new BaseError('timeout', 'late')))
      throw new BaseError('unsupported', 'no')
    })
    await poller.poll(() => undefined)
    expect(poller.status()).toMatchObject([{ result: 'failure', reason: 'late' }])
  })
})
