import { describe, expect, test } from 'vitest'
import { indexHead } from '../../../src/collectors/nodes/index-head.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture } from '../../support/poll.ts'

/** Later than all test data: nothing lies in the future. */
const NOW = 1_900_000_000_000

const yaml = (chains = '{ id: p-chain }') => `
networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://127.0.0.1:1", index: true }
      - { name: node-b, url: "http://127.0.0.1:2" }
      - { name: node-c, url: "http://127.0.0.1:3", index: true }
    chains: [${chains}]
`
const MINUTE = 60_000
const empty = new BaseError('not_found', 'not there', { details: 'no containers have been accepted' })
const absent = new BaseError('unsupported', 'the node does not serve it', { details: '404 page not found' })
const at = (index: number) => ({ id: `c${index}`, timestamp: '2026-08-22T15:00:00Z', index: String(index) })
const series = (name: string, chain: string, source: string) =>
  `stakewatch_index_${name}{network="fuji",chain="${chain}",source="${source}",index="block"}`

describe('index-head (document 2, Index interface)', () => {
  test('asks each node with an index for its last P-, X- and C-Chain container', async () => {
    const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
    const poller = createPoller(
      yaml(`{ id: p-chain }, { id: x-chain, name: x }, { id: c-chain, evm_chain_id: 43113 }, { id: ${L1} }`),
      indexHead,
      NOW,
    )
    const asked: unknown[] = []
    await poller.poll((operation, { path, body }, source) => {
      asked.push([operation, path, body, source])
      return fixture(`node/index.getLastAccepted.${source === 'node-a' ? 'document' : 'live'}`)
    })
    expect(asked).toEqual(
      ['P', 'X', 'C'].flatMap((chain) =>
        ['node-a', 'node-c'].map((source) => [
          'index.getLastAccepted',
          `/ext/index/${chain}/block`,
          { encoding: 'hex' },
          source,
        ]),
      ),
    )
    expect(poller.lines(/stakewatch_index/)).toEqual(
      ['p-chain', 'x', 'c-chain']
        .flatMap((chain) => [
          `${series('last_accepted', chain, 'node-a')} 23456789`,
          `${series('last_accepted', chain, 'node-c')} 5000`,
          // 2026-08-22T15:00:00.123456789Z, and 17:00:03.75 two hours east.
          `${series('last_accepted_timestamp_seconds', chain, 'node-a')} 1787410800.123`,
          `${series('last_accepted_timestamp_seconds', chain, 'node-c')} 1787410803.75`,
        ])
        .toSorted((a, b) => Number(/timestamp/.test(a)) - Number(/timestamp/.test(b))),
    )
  })

  test('has no subjects without such a node', () => {
    expect(createPoller(yaml().replaceAll(', index: true', ''), indexHead, NOW).tasks).toEqual([])
  })

  /** Of the first node: what is published after each answer, a minute apart, and whether the run succeeded. */
  async function polls(answers: readonly unknown[]) {
    const poller = createPoller(yaml(), indexHead, NOW)
    const seen: unknown[] = []
    for (const answer of answers) {
      await poller.poll((_, __, source) => (source === 'node-a' ? answer : at(1)))
      const [line] = poller.lines(/last_accepted\{.*node-a/)
      const [success] = poller.lines(/collector_success.*node-a/)
      expect(poller.lines(/timestamp_seconds\{.*node-a.*index=/)).toHaveLength(line === undefined ? 0 : 1)
      seen.push([line === undefined ? undefined : Number(line.split(' ').at(-1)), Number(success!.at(-1))])
      poller.clock.now += MINUTE
    }
    return seen
  }

  test.each<[string, readonly (readonly [answer: unknown, index: number | undefined, success: number])[]]>([
    [
      'an index that grows or rests',
      [
        [at(0), 0, 1],
        [at(9), 9, 1],
        [at(9), 9, 1],
      ],
    ],
    [
      'an index that is empty so far: known, and there is no newest',
      [
        [empty, undefined, 1],
        [empty, undefined, 1],
        [at(0), 0, 1],
      ],
    ],
    [
      // 11 years and a half with 10 blocks a second are 3.6 billion.
      'a first answer that no chain can have is refused',
      [
        [at(1e10), undefined, 0],
        [at(9), 9, 1],
      ],
    ],
    [
      'an answer from behind is refused, and what was known stays',
      [
        [at(9), 9, 1],
        [at(8), 9, 0],
        [at(9), 9, 1],
        [empty, 9, 0],
        [at(10), 10, 1],
      ],
    ],
    [
      // Refused at minutes 1 to 5, when what was known expires; at minute 6 the answers have agreed for five minutes.
      'an index that was deleted and fills again is believed in the end',
      [
        [at(9), 9, 1],
        [empty, 9, 0],
        ...[1, 2, 3].map((index) => [at(index), 9, 0] as const),
        [at(4), undefined, 0],
        [at(5), 5, 1],
        [at(6), 6, 1],
      ],
    ],
    [
      'an index that is empty again is so in the end',
      [
        [at(9), 9, 1],
        ...Array.from({ length: 4 }, () => [empty, 9, 0] as const),
        [empty, undefined, 0],
        [empty, undefined, 1],
        [at(0), 0, 1],
      ],
    ],
    [
      'an index that the node no longer serves is gone, and goes on where it was when it is served again',
      [
        [at(9), 9, 1],
        [absent, undefined, 1],
        [at(8), undefined, 0],
        [at(9), 9, 1],
      ],
    ],
  ])('%s', async (_, expected) => {
    expect(await polls(expected.map(([answer]) => answer))).toEqual(expected.map(([, ...published]) => published))
  })

  /** Of each chain of a node that answers so: whether its index is there, and why the run failed. */
  async function indexesOf(answers: Record<'P' | 'C', unknown>) {
    const poller = createPoller(yaml('{ id: p-chain }, { id: c-chain }'), indexHead, NOW)
    await poller.poll((_, { path }, source) =>
      source === 'node-a' ? answers[path === '/ext/index/P/block' ? 'P' : 'C'] : at(1),
    )
    return ['p-chain', 'c-chain'].map((chain) => {
      const [line] = poller.lines(new RegExp(`^stakewatch_node_index_reachable.*"${chain}".*node-a`))
      const failed = poller.log.find(({ target, source }) => target === chain && source === 'node-a')
      return line === undefined ? failed : Number(line.at(-1))
    })
  }
  const starting = {
    level: 'warn',
    code: 'http_status',
    reason: 'the node is still starting and has no index yet of the C-Chain',
  }
  test.each<[string, Record<'P' | 'C', unknown>, unknown[]]>([
    ['that has its index', { P: at(5), C: at(7) }, [1, 1]],
    ['whose index is empty', { P: empty, C: empty }, [1, 1]],
    ['that has no index, though it is configured', { P: absent, C: absent }, [0, 0]],
    ['that has not started its C-Chain yet', { P: at(5), C: absent }, [1, starting]],
    ['that has only just begun to start', { P: empty, C: absent }, [1, starting]],
    [
      'that fails',
      { P: new BaseError('http_status', 'HTTP 500'), C: absent },
      [{ reason: 'HTTP 500' }, { reason: 'HTTP 500' }],
    ],
  ])('a node %s', async (_, answers, expected) => {
    expect(await indexesOf(answers)).toMatchObject(expected)
  })

  test.each([
    ['no answer', new BaseError('timeout', 'late')],
    ['another error of the node', new BaseError('rpc_error', 'error -32000', { details: 'database closed' })],
    ['a container without its place', { id: 'c', timestamp: '2026-08-22T15:00:00Z' }],
    ['a time in another form', { ...at(10), timestamp: 'yesterday' }],
    ['nothing', null],
  ])('%s is a failure and keeps the values until they expire', async (_, answer) => {
    expect(await polls([at(9), answer])).toEqual([
      [9, 1],
      [9, 0],
    ])
  })
})
