import { describe, expect, test } from 'vitest'
import { supply } from '../../../src/collectors/subnets/supply.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Poller } from '../../support/poll.ts'

const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: my-l1 }]
`
const line = (subnet: string, value: string) => `stakewatch_supply_tokens{network="fuji",subnet="${subnet}"} ${value}`
const notFound = new BaseError('not_found', 'not there', { details: 'fetching current supply failed: not found' })

describe('supply (document 2, platform.getCurrentSupply)', () => {
  test('publishes one exact supply per subnet', async () => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll(() => fixture('node/platform.getCurrentSupply.document'))
    const asked = poller.asked.map(({ source, body }) => [source, body['subnetID']])
    expect(poller.lines(/supply_tokens/)).toEqual(
      [line('primary', '365865167.637779183'), line('my-l1', '365865167.637779183')].map(near),
    )
    expect(asked).toEqual([
      ['node-a', '11111111111111111111111111111111LpoYY'],
      ['node-a', '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'],
    ])
  })

  test.each([
    ['the live form carries a height', { supply: '720000000000000000', height: '12' }, '720000000'],
    ['a bare number is read like a string', { supply: 1_500_000_000 }, '1.5'],
    ['zero is a value', { supply: '0' }, '0'],
  ])('%s', async (_, answer, expected) => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll(() => answer)
    expect(poller.lines(/supply_tokens/)).toEqual([line('primary', expected), line('my-l1', expected)])
  })

  test('treats a subnet without supply as unsupported and withdraws its series', async () => {
    const poller = createPoller(yaml, supply, 0)
    await poller.poll(() => ({ supply: '1000000000' }))
    await poller.poll((_, { body }) =>
      body['subnetID'] === '11111111111111111111111111111111LpoYY' ? { supply: '1' } : notFound,
    )
    expect(poller.lines(/supply_tokens/)).toEqual([line('primary', '1e-9')])
    expect(poller.lines(/collector_success.*my-l1/)).toEqual([
      'stakewatch_collector_success{network="fuji",collector="supply",source="",target="my-l1"} 1',
    ])
    expect(poller.status().map(({ key, result }) => [key, result])).toEqual([
      ['supply/fuji/primary', 'success'],
      ['supply/fuji/my-l1', 'unsupported'],
    ])
  })

  describe('against the blocks of the data service (document 1, operation 14)', () => {
    const watched = yaml.replace('    subnets', '    data_api: { url: "http://127.0.0.1:3" }\n    subnets')
    /** Block h came at 30 x h; from block 100 on the supply is 500 tokens, from 110 on 600. */
    const block = (height: number) => ({
      blockNumber: String(height),
      blockHash: `h${height}`,
      blockTimestamp: 30 * height,
      txCount: 0,
      currentSupply: `${height < 100 ? 400 : height < 110 ? 500 : 600}000000000`,
    })
    const blocks = (high: number, low: number) => Array.from({ length: high - low + 1 }, (_, at) => block(high - at))
    const difference = ({ lines }: Poller) =>
      lines(/difference/).map((text) => {
        expect(text).toMatch(/^stakewatch_supply_difference_tokens\{network="fuji",subnet="primary"\} /)
        return Number(text.split(' ').at(-1))
      })
    /** What the node states, what is listed, and when; what is published after each. */
    type Polls = [stated: object, listed: unknown, time?: number][]
    async function polls(runs: Polls) {
      const poller = createPoller(watched, supply, 3_000_000)
      const seen = []
      for (const [stated, listed, time = poller.clock.now / 1_000 + 1] of runs) {
        poller.clock.now = time * 1_000
        await poller.poll((operation, { path, query }) => {
          if (operation === 'platform.getCurrentSupply') return stated
          expect([path, query]).toEqual(['/v1/networks/fuji/blockchains/p-chain/blocks', { pageSize: '50' }])
          return listed instanceof Error ? listed : { blocks: listed }
        })
        seen.push(difference(poller)[0])
      }
      return seen
    }
    const at = (height: number, tokens: number, more = '000000000') => ({
      supply: `${tokens}${more}`,
      height: String(height),
    })
    const late = new BaseError('timeout', 'late')

    test.each<[string, Polls, (number | undefined)[]]>([
      ['equal', [[at(109, 500), blocks(112, 90)]], [0]],
      ['equal at a height that is not the newest', [[at(99, 400), blocks(112, 90)]], [0]],
      ['more than the service states', [[at(110, 600, '000000007'), blocks(112, 90)]], [7e-9]],
      ['less than it states', [[at(110, 599), blocks(112, 90)]], [-1]],
      ['not listed yet', [[at(113, 600), blocks(112, 90)]], [undefined]],
      ['not listed any more', [[at(89, 400), blocks(112, 90)]], [undefined]],
      [
        'listed by the time of the next answer, whose block is not',
        [
          [at(113, 601), blocks(112, 90)],
          [at(115, 600), blocks(114, 92)],
        ],
        [undefined, 1],
      ],
      [
        'not compared again when a newer one can be',
        [
          [at(110, 601), blocks(112, 90)],
          [at(112, 600), blocks(112, 90)],
        ],
        [1, 0],
      ],
      ['of a block that states no supply', [[at(112, 600), [{ ...block(112), currentSupply: null }]]], [undefined]],
      [
        'of no block that is known, because the service fails: what was found before stays',
        [
          [at(112, 600), blocks(112, 90)],
          [at(112, 600), late],
        ],
        [0, 0],
      ],
    ])('a supply that is %s', async (_, runs, expected) => {
      expect(await polls(runs)).toEqual(expected)
    })

    // Of a node that states no height. Its answer at 3,180 falls on block 106; 60 s around it are blocks 104 to 108, and
    // block 103 was the newest before.
    const [stated, later] = [{ supply: '501000000000' }, { supply: '1' }]
    const around = (high: number, low: number): Polls => [
      [stated, blocks(106, 90), 3_180],
      [later, blocks(high, low), 3_270],
    ]
    test.each<[string, Polls, (number | undefined)[]]>([
      ['blocks from before to after it are listed', around(109, 103), [undefined, 1]],
      ['none from after it', around(108, 103), [undefined, undefined]],
      ['none from before it', around(109, 104), [undefined, undefined]],
      [
        'one of them is missing',
        [around(109, 103)[0]!, [later, [...blocks(109, 106), ...blocks(104, 103)], 3_270]],
        [undefined, undefined],
      ],
      // 3,240 falls on block 108; those around it are blocks 105 to 110, of two supplies.
      [
        'the supply changed meanwhile',
        [
          [stated, blocks(106, 90), 3_240],
          [later, blocks(114, 90), 3_420],
        ],
        [undefined, undefined],
      ],
    ])('by time: %s', async (_, runs, expected) => {
      expect(await polls(runs)).toEqual(expected)
    })

    test('a failing service withdraws the comparison, not the supply', async () => {
      const poller = createPoller(watched, supply, 0)
      await poller.poll((operation) => (operation === 'platform.getCurrentSupply' ? at(1, 2) : late))
      expect(poller.lines(/supply_tokens/)).toEqual([line('primary', '2'), line('my-l1', '2')])
      expect(poller.lines(/collector_success.* 0$/)).toEqual([expect.stringContaining('target="primary"')])
    })
  })
})

/** The decimal text of the double next to an exact amount. */
function near(text: string): string {
  const at = text.lastIndexOf(' ') + 1
  return text.slice(0, at) + String(Number(text.slice(at)))
}
