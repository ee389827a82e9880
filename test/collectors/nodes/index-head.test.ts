import { describe, expect, test } from 'vitest'
import { indexHead } from '../../../src/collectors/nodes/index-head.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

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
    await poller.poll((_, __, source) =>
      fixture(`node/index.getLastAccepted.${source === 'node-a' ? 'document' : 'live'}`),
    )
    expect(poller.asked.map(({ operation, source, path, body }) => [operation, path, body, source])).toEqual(
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

  const said: Readonly<Record<string, BaseError>> = { empty, absent }
  /** Of the first node: what is published after each answer, a minute apart; `!` where the run failed. */
  async function polls(answers: string) {
    const poller = createPoller(yaml(), indexHead, NOW)
    const seen: string[] = []
    for (const answer of answers.split(' ')) {
      await poller.poll((_, __, source) => (source === 'node-a' ? (said[answer] ?? at(Number(answer))) : at(1)))
      const [line] = poller.lines(/last_accepted\{.*node-a/)
      const [success] = poller.lines(/collector_success.*node-a/)
      expect(poller.lines(/timestamp_seconds\{.*node-a.*index=/)).toHaveLength(line === undefined ? 0 : 1)
      seen.push(`${line?.split(' ').at(-1) ?? '-'}${success!.endsWith('1') ? '' : '!'}`)
      poller.clock.now += MINUTE
    }
    return seen.join(' ')
  }

  test.each(
    rowsOf(`
      grows or rests                                       | 0 9 9                                     | 0 9 9
      is empty so far: known, and there is no newest       | empty empty 0                             | - - 0
      // 11 years and a half with 10 blocks a second are 3.6 billion.
      has more at first than any chain can have: refused   | 10000000000 9                             | -! 9
      lags: refused, and what was known stays              | 9 8 9 empty 10                            | 9 9! 9 9! 10
      // Refused at minutes 1 to 5, when what was known expires; at minute 6 the answers have agreed for five minutes.
      was deleted and fills again: believed in the end     | 9 empty 1 2 3 4 5 6                       | 9 9! 9! 9! 9! -! 5 6
      is empty again, and is so in the end                 | 9 empty empty empty empty empty empty 0   | 9 9! 9! 9! 9! -! - 0
      is not served, and goes on where it was when it is   | 9 absent 8 9                              | 9 - -! 9
    `),
  )('an index that %s', async (_, answers, expected) => {
    expect(await polls(answers)).toBe(expected)
  })

  /** Of each chain of a node that answers so: whether its index is there, and why the run failed. */
  async function indexesOf(answers: Record<'P' | 'C', unknown>) {
    const poller = createPoller(yaml('{ id: p-chain }, { id: c-chain }'), indexHead, NOW)
    await poller.poll((_, { path }, source) =>
      source === 'node-a' ? answers[path === '/ext/index/P/block' ? 'P' : 'C'] : at(1),
    )
    return ['p-chain', 'c-chain'].map((chain) => {
      const [line] = poller.lines(new RegExp(`^stakewatch_node_index_reachable.*"${chain}".*node-a`))
      const { result, reason } = poller.status().find(({ key }) => key === `index-head/fuji/${chain}/node-a`)!
      const isLogged = poller.log.some(({ target, source }) => target === chain && source === 'node-a')
      return line === undefined ? { result, reason, isLogged } : Number(line.at(-1))
    })
  }
  // Each start is like that: the log has a line of the node.
  const starting = {
    result: 'failure',
    reason: 'the node is still starting and has no index yet of the C-Chain',
    isLogged: false,
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
      [
        { reason: 'HTTP 500', isLogged: true },
        { reason: 'HTTP 500', isLogged: true },
      ],
    ],
  ])('a node %s', async (_, answers, expected) => {
    expect(await indexesOf(answers)).toMatchObject(expected)
  })
})
