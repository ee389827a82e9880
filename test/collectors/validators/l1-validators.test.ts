import { describe, expect, test } from 'vitest'
import { l1Validators } from '../../../src/collectors/validators/l1-validators.ts'
import { BaseError } from '../../../src/errors.ts'
import { createFeeMarket, type FeeMarket, priceOf } from '../../../src/simulator/world/fee-market.ts'
import { beyond } from '../../recorded/recorded.ts'
import { type LastBlock, withNodeTime } from '../../support/node-time.ts'
import { createPoller, fixture, type Upstream } from '../../support/poll.ts'
import { rowsOf } from '../../support/rows.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const OTHER_L1 = '2bRCr6B4MiEfSjidDwxDpdCyviwnfUVqB2HGwhm947w9YYqb7r'
const RICH = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const POOR = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    data_api: { url: "http://127.0.0.1:2" }
    subnets: [{ id: ${L1}, name: my-l1, validators: all }]
    validators: [{ node_id: ${RICH}, subnet: my-l1, name: rich }]
    l1_fee: { target: 10000, excess_constant: 51937021, min_price: 512 }
`
/** Nodes tell no chain time, as in the document, unless a poll says what their last block is. */
function pollerOf(text: string, start: number) {
  const poller = createPoller(text, l1Validators, start)
  return { ...poller, poll: (answers: Upstream, last?: LastBlock) => poller.poll(withNodeTime(answers, last)) }
}
type Poller = ReturnType<typeof pollerOf>

const byName = (metric: string, poller: Poller) => poller.values(`stakewatch_${metric}`, 'validator')

describe('l1-validators (document 2, Validator record; document 1, operation 14)', () => {
  test('publishes balances, activity and runway of an L1 with legacy validators', async () => {
    const poller = pollerOf(yaml, 1_700_000_000_000)
    // Two blocks 100 s apart, 51,200 accrued in between: 512 a second. The newest is of 1,700,000,000.
    const answers: Upstream = (operation) =>
      operation === 'platform.getCurrentValidators'
        ? fixture('node/platform.getCurrentValidators.l1')
        : fixture('data/list-latest-primary-network-blocks.fees')
    await poller.poll(answers)
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ rich: 1, [POOR]: 0 })
    expect(byName('l1_validator_active', poller)).toEqual({ rich: 1, [POOR]: 0 })
    expect(byName('l1_validator_min_nonce', poller)).toEqual({ rich: 7, [POOR]: 0 })
    // 1,000,000,000 / 512 = 1,953,125 s: one token lasts 22.6 days.
    expect(byName('l1_validator_runway_seconds', poller)).toEqual({ rich: 1_953_125, [POOR]: 0 })
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual({ rich: 1_701_953_125 })
    expect(poller.lines(/fee_price/)).toEqual([
      'stakewatch_l1_fee_price_tokens_per_second{network="fuji",method="accrued"} 5.12e-7',
    ])
  })

  test('fails but keeps the balances without the blocks, or without any source of chain time', async () => {
    const poller = pollerOf(yaml, 0)
    const answers: Upstream = (operation) =>
      operation === 'platform.getCurrentValidators'
        ? fixture('node/platform.getCurrentValidators.l1')
        : new BaseError('timeout', 'late')
    await poller.poll(answers)
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ rich: 1, [POOR]: 0 })
    expect(poller.value('stakewatch_collector_success')).toBe(0)

    const alone = pollerOf(yaml.replace(/ {4}data_api.*\n/, ''), 0)
    await alone.poll(answers)
    expect(byName('l1_validator_balance_tokens', alone)).toEqual({ rich: 1, [POOR]: 0 })
    expect(alone.value('stakewatch_collector_success')).toBe(0)
    expect(alone.log).toMatchObject([{ reason: 'no node or data service reports chain time, so no runway is known' }])
  })

  test('a list without blocks keeps the previous depletion until it expires, instead of one in 1970', async () => {
    const poller = pollerOf(yaml, 0)
    await poller.poll(chain({ time: 1_000, balances: { a: 9_000_000 } }))
    await poller.poll(chain({ time: 1_060, balances: { a: 8_940_000 } }))
    // 1,000 a second from 1,060 on.
    const before = { a: 1_060 + 8_940 }
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual(before)
    poller.clock.now += 60_000
    await poller.poll(chain({ balances: { a: 8_880_000 } }))
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ a: 0.00888 })
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual(before)
    // The blocks were read at 0, and five minutes is the least time to live.
    poller.clock.now = 300_000
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ a: 0.00888 })
    expect(poller.lines(/fee_price|runway|depletion/)).toEqual([])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bad_response' }])
  })

  test.each<[string, unknown, object, number]>([
    [
      'a node that does not answer takes nothing away that was known',
      new BaseError('network', 'refused'),
      { a: 0.009 },
      0,
    ],
    ['nor does one that gives no list', {}, { a: 0.009 }, 0],
    ['nor one of which no record fits', { validators: [{ nodeID: 'a', balance: '-1' }] }, { a: 0.009 }, 0],
    ['a node without the method is unsupported: nothing is known', new BaseError('unsupported', 'no method'), {}, 1],
    ['who has left has no balance, which is not 0', { validators: [] }, {}, 1],
    ['nor has a legacy validator', { validators: [{ nodeID: 'a', weight: '1' }] }, {}, 1],
    [
      'a record that does not fit takes no other away',
      {
        validators: [
          { nodeID: 'a', balance: '-1' },
          { nodeID: 'b', balance: '5000000' },
        ],
      },
      { b: 0.005 },
      // The tracked validator may be the one that does not fit.
      0,
    ],
    [
      'nor an L1 validator without a balance, which is a failure',
      {
        validators: [
          { nodeID: 'a', validationID: 'v-a' },
          { nodeID: 'b', validationID: 'v-b', balance: '5000000' },
        ],
      },
      { b: 0.005 },
      0,
    ],
  ])('%s', async (_, answer, balances, success) => {
    const poller = pollerOf(yaml, 0)
    await poller.poll(chain({ time: 1_000, balances: { a: 9_000_000 } }))
    poller.clock.now += 60_000
    const others = chain({ time: 1_060, balances: {} })
    await poller.poll((operation, ...rest) =>
      operation === 'platform.getCurrentValidators' ? answer : others(operation, ...rest),
    )
    expect(byName('l1_validator_balance_tokens', poller)).toEqual(balances)
    expect(byName('l1_validator_active', poller)).toEqual(
      Object.fromEntries(Object.keys(balances).map((name) => [name, 1])),
    )
    expect(poller.value('stakewatch_collector_success')).toBe(success)
  })
})

describe('with the time of the node', () => {
  const alone = yaml.replace(/ {4}data_api.*\n/, '')
  const last = (minute: number) => ({ height: 100 + minute, time: 60 * minute })

  test.each<[string, string, unknown]>([
    ['no data service', alone, undefined],
    ['a data service without a list of blocks', yaml, new BaseError('unsupported', 'no such network')],
    ['a data service that fails', yaml, new BaseError('timeout', 'late')],
  ])('%s: takes price and runway from the fall of the balances', async (_, text, blocks) => {
    const poller = pollerOf(text, 0)
    for (const [minute, balance] of [9_000, 8_400].entries()) {
      const answers = chain({ balances: { a: balance } })
      poller.clock.now = 60_000 * minute
      await poller.poll(
        (operation, ...rest) => (operation === 'platform.getCurrentValidators' ? answers(operation, ...rest) : blocks),
        last(minute),
      )
    }
    // 600 in 60 s are 10 a second: 8,400 last 840 s from 60 on.
    expect(poller.lines(/fee_price/)).toEqual([
      'stakewatch_l1_fee_price_tokens_per_second{network="fuji",method="slope"} 1e-8',
    ])
    expect(byName('l1_validator_runway_seconds', poller)).toEqual({ a: 840 })
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual({ a: 900 })
    const isFailure = blocks instanceof BaseError && blocks.code === 'timeout'
    expect(poller.value('stakewatch_collector_success')).toBe(isFailure ? 0 : 1)
  })

  test('fails without a list of blocks until the balances give a price', async () => {
    const poller = pollerOf(yaml, 0)
    const answers = chain({ balances: { a: 9_000 } })
    await poller.poll(
      (operation, ...rest) =>
        operation === 'platform.getCurrentValidators'
          ? answers(operation, ...rest)
          : new BaseError('unsupported', 'no such network'),
      last(0),
    )
    expect(poller.lines(/fee_price|runway/)).toEqual([])
    expect(poller.log).toMatchObject([
      { reason: 'the data service lists no P-Chain blocks, and the balances give no price yet' },
    ])
  })

  test('asks once for the last block while it stays the last', async () => {
    const poller = createPoller(alone, l1Validators, 0)
    for (const minute of [0, 0, 1]) {
      await poller.poll(withNodeTime(chain({ balances: { a: 9_000 } }), last(minute)))
    }
    const asked = poller.asked.map(({ operation }) => operation.replace('platform.', ''))
    // The client remembers what a node does not support.
    const every = ['getValidatorFeeState', 'getCurrentSupply', 'getCurrentValidators', 'getCurrentSupply']
    const withBlock = every.toSpliced(2, 0, 'getBlockByHeight')
    expect(asked).toEqual([...withBlock, ...every, ...withBlock])
  })

  test('does not combine the time of one node with the balances of another', async () => {
    const both = alone.replace('nodes: [', 'nodes: [{ name: node-b, url: "http://127.0.0.1:3" }, ')
    const poller = pollerOf(both, 0)
    await poller.poll(chain({ balances: { a: 9_000 } }), last(0))
    await poller.poll(chain({ balances: { a: 8_400 } }), last(1))
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual({ a: 900 })
    poller.clock.now += 60_000
    const answers = chain({ balances: { a: 7_800 } })
    await poller.poll(
      (operation, wire, source) =>
        source === 'node-b' ? new BaseError('timeout', 'late') : answers(operation, wire, source),
      last(2),
    )
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ a: 0.0000078 })
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual({ a: 900 })
  })
})

describe('by the fee that the node states (platform.getValidatorFeeState, platform.getValidatorFeeConfig)', () => {
  const alone = yaml.replace(/ {4}data_api.*\n/, '')
  const terms = { capacity: 20_000, target: 10_000, minPrice: 512, excessConversionConstant: 1_000_000 }
  const isoOf = (time: number) => new Date(time * 1_000).toISOString()

  /** A node that states the fee, or fails to; whatever else is asked, `others` answer. */
  const stating =
    (state: unknown, config: unknown, others: Upstream): Upstream =>
    (operation, ...rest) => {
      if (operation === 'platform.getValidatorFeeState') return state
      return operation === 'platform.getValidatorFeeConfig' ? config : others(operation, ...rest)
    }

  test('the recorded node alone: one call gives time and price, each second costs 1', async () => {
    const node = yaml
      .replace(/ {4}data_api.*\n/, '')
      .replaceAll(L1, '231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv')
      .replace('l1_fee: { target: 10000, excess_constant: 51937021, min_price: 512 }', '')
    const result = (of: string, name: string) => {
      const found = beyond.find((one) => one.of === of && one.case === name)!
      return (found.response as { result: unknown }).result
    }
    const poller = createPoller(node, l1Validators, Date.parse('2026-11-22T00:39:39Z'))
    await poller.poll((operation) =>
      result(operation, operation === 'platform.getCurrentValidators' ? 'L1' : 'no params'),
    )
    expect(poller.asked.map(({ operation }) => operation)).toEqual([
      'platform.getValidatorFeeState',
      'platform.getValidatorFeeConfig',
      'platform.getCurrentValidators',
      // No block came in between.
      'platform.getValidatorFeeState',
    ])
    expect(poller.lines(/fee_price/)).toEqual([
      'stakewatch_l1_fee_price_tokens_per_second{network="fuji",method="fee_state"} 1e-9',
    ])
    // Balances of 0.5 and of 0.00000048 tokens, as of the last block at 2026-11-22T00:35:26Z.
    const runways = byName('l1_validator_runway_seconds', poller)
    expect(runways).toMatchObject({ rich: 500_000_000, 'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i': 480 })
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toMatchObject({
      'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i': 1_795_307_726 + 480,
    })
    expect(poller.success()).toEqual([1])
  })

  // As recorded: of a price of 1, the balance was 592 at the later block.
  const blocks = { sixteen: 1_795_903_782, seventeen: 1_795_903_890 }
  const rows: [string, number[], number, number, number][] = [
    ['none', [blocks.sixteen], 700, 1, blocks.sixteen + 700],
    ['one', [blocks.sixteen, blocks.seventeen], 592, 2, 1_795_904_482],
    // The last two are a second apart.
    ['one each time', [1, 2, 3, 4, 5, 6].map((at) => blocks.sixteen + at), 592, 2, blocks.sixteen + 3 + 592],
  ]
  test.each(rows)('while balances are asked for, blocks come: %s', async (_, times, balance, tries, expected) => {
    for (const statesFee of [true, false]) {
      const left = [...times]
      const next = () => (left.length > 1 ? left.shift()! : left[0]!)
      const poller = createPoller(alone, l1Validators, 1_795_904_000_000)
      const node: Record<string, () => unknown> = {
        'platform.getValidatorFeeState': () => ({ excess: 0, price: 1, timestamp: isoOf(next()) }),
        'platform.getValidatorFeeConfig': () => terms,
      }
      // Without the fee, a block that has its time as its height.
      const older: Record<string, () => unknown> = {
        'platform.getValidatorFeeState': () => unsupported,
        'platform.getCurrentSupply': () => ({ supply: '1', height: String(next()) }),
      }
      await poller.poll((operation, wire, source) => {
        const answer = (statesFee ? node : older)[operation]
        if (answer) return answer()
        const { height } = wire.body as { height?: string }
        if (operation !== 'platform.getBlockByHeight')
          return chain({ balances: { a: balance } })(operation, wire, source)
        return { encoding: 'json', block: { parentID: 'p', height, id: 'b', time: Number(height), txs: [] } }
      })
      expect(poller.asked.filter(({ operation }) => operation === 'platform.getCurrentValidators')).toHaveLength(tries)
      const known = statesFee ? { a: expected } : {}
      expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual(known)
    }
  })

  // Accrued fees say 700 a second, the configuration says 512 at least and 51,937,021.
  const others = chain({ time: 5_000, balances: { a: 7_000_000 }, fees: true })
  const state = { excess: 2_000_000, price: 3_783, timestamp: isoOf(4_000) }
  const byFees = { price: { fee_state: 3_783, accrued: 700 }, runway: 7_000_000 / 3_783, time: 4_000 }
  const byAccrued = { price: { accrued: 700 }, runway: 10_000, time: 5_000 }
  const unsupported = new BaseError('unsupported', 'no such method')
  const late = new BaseError('timeout', 'late')

  test.each<[string, unknown, unknown, typeof byFees | typeof byAccrued, number]>([
    // As many are active as the target.
    ['is the first choice, before the accrued fees', state, terms, byFees, 1],
    ['a node without the methods', unsupported, unsupported, byAccrued, 1],
    ['a node that reports the price without the numbers behind it', state, unsupported, byFees, 1],
    ['while the numbers behind the price cannot be read, those of the configuration', state, late, byFees, 0],
    ['while the price cannot be read, the accrued fees', late, terms, byAccrued, 0],
    ['a price of 0 counts as none', { ...state, price: 0 }, terms, byAccrued, 0],
    ['nor is one of the future', { ...state, timestamp: isoOf(9_000_000) }, terms, byAccrued, 0],
    ['nor is what is no answer', { price: 3_783 }, terms, byAccrued, 0],
    ['numbers from which no price follows', state, { ...terms, excessConversionConstant: 0 }, byFees, 0],
    ['a minimum price of 0', state, { ...terms, minPrice: 0 }, byFees, 0],
  ])('%s', async (_, stated, config, { price, runway, time }, success) => {
    const poller = createPoller(yaml, l1Validators, 5_000_000)
    await poller.poll(withoutTime(stating(stated, config, others)))
    const prices = poller.series(/fee_price/).map(({ labels, value }) => [labels['method'], value * 1e9])
    expect(Object.fromEntries(prices)).toEqual(price)
    expect(byName('l1_validator_runway_seconds', poller)['a']).toBeCloseTo(runway, 6)
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)['a']).toBeCloseTo(time + runway, 6)
    expect(poller.value('stakewatch_collector_success')).toBe(success)
  })

  /** In the document's form, which has no height. */
  const withoutTime =
    (answers: Upstream): Upstream =>
    (operation, ...rest) =>
      operation === 'platform.getCurrentSupply' ? { supply: '1' } : answers(operation, ...rest)

  test('a node alone gives the growth of the price by the excess of two blocks', async () => {
    const poller = createPoller(alone, l1Validators, 5_000_000)
    const answers = (time: number, excess: number) =>
      stating(
        { excess, price: Math.floor(512 * Math.exp(excess / 1_000_000)), timestamp: isoOf(time) },
        terms,
        chain({ balances: { a: 512_000 } }),
      )
    await poller.poll(answers(4_000, 0))
    // No source gives more: at 512.
    expect(byName('l1_validator_runway_seconds', poller)).toEqual({ a: 1_000 })
    poller.clock.now += 60_000
    // 1,000 a second above the target: at the same price e^0.1 times as high, and twice that after 693 s.
    await poller.poll(answers(4_100, 100_000))
    const { a: grown } = byName('l1_validator_runway_seconds', poller)
    // 512,000 = 1,000 x 512 x e^0.1 x (e^x - 1) gives x = 0.64457: 644.57 s, if prices were not rounded down.
    expect(grown).toBeGreaterThan(644.57)
    expect(grown).toBeLessThan(644.57 * 1.001)
    poller.clock.now += 60_000
    // The same block again.
    await poller.poll(answers(4_100, 100_000))
    expect(byName('l1_validator_runway_seconds', poller)).toEqual({ a: grown })
  })
})

/** The newest block at `time`, or none; what each subnet's validators have left, or how it fails. */
type Balances = Readonly<Record<string, number>> | BaseError
function chain({
  time,
  balances,
  other,
  fees,
}: {
  time?: number
  balances: Balances
  other?: Balances
  fees?: boolean
}): Upstream {
  return (operation, { body }) => {
    if (operation === 'platform.getCurrentValidators') {
      const all = body['subnetID'] === L1 ? balances : (other ?? {})
      if (all instanceof BaseError) return all
      const validators = Object.entries(all).map(([name, balance]) => ({
        nodeID: name,
        validationID: `v-${name}`,
        balance,
      }))
      return { validators }
    }
    // Two blocks 100 s apart, 700 a second.
    const accrued = fees ? [1_000_070_000, 1_000_000_000] : []
    const at = (back: number) => ({
      blockNumber: String(2 - back),
      blockHash: `h${back}`,
      blockTimestamp: time! - 100 * back,
      l1ValidatorsAccruedFees: accrued[back],
      txCount: 0,
      activeL1Validators: 10_000,
    })
    return { blocks: time === undefined ? [] : [at(0), at(1)] }
  }
}

describe('the price by the slope of the balances', () => {
  /** Polls once a minute of chain time, from 60; gives the price in the smallest unit a second after each poll. */
  async function prices(polls: readonly Parameters<typeof chain>[0][], text = yaml) {
    const poller = pollerOf(text, 0)
    const seen: (number | undefined)[] = []
    for (const [at, poll] of polls.entries()) {
      poller.clock.now = at * 60_000
      await poller.poll(chain({ time: 60 * (at + 1), ...poll }))
      const [line] = poller.lines(/fee_price.*method="slope"/)
      seen.push(line === undefined ? undefined : Math.round(Number(line.split(' ').at(-1)) * 1e9))
    }
    const remembered = Object.keys(
      (poller.memories.load(poller.tasks[0]!.key) as { memory: { tracks: object } }).memory.tracks,
    )
    return { poller, seen, remembered }
  }

  /** What each validator has left at each poll, and the price after it. */
  test.each(
    rowsOf(`
      // 600 a minute are 10 a second, 1,200 are 20. Two readings make the first price.
      a constant price                  | a9000 a8400 a7800                                  | - 10 10
      // (9,000 - 7,200) / 120 s = 15.
      a price that doubles              | a9000 a8400 a7200                                  | - 10 15
      a top-up starts a new track       | a9000 a8400 a50000 a48800 a47600                   | - 10 - 20 20
      // The others go on: the top-up goes unnoticed.
      a top-up of one of two            | a9000,b700000 a8400,b699400 a50000,b698800 a49400,b698200 | - 10 10 10
      one that joins                    | a9000 a8400,b5000 a7800,b4400                      | - 10 10
      // a ran dry and is inactive; once revived, it starts a new track.
      one that ran out and is revived   | a600 a0 a0 a9000 a8400                             | - - - - 10
      no validator is left              | a9000 a8400 none                                   | - 10 -
    `),
  )('%s', async (_, polls, expected) => {
    const balancesOf = (poll: string) =>
      Object.fromEntries([...poll.matchAll(/([ab])(\d+)/g)].map(([, name, left]) => [name!, Number(left)]))
    const { seen } = await prices(polls.split(' ').map((poll) => ({ balances: balancesOf(poll) })))
    expect(seen.map((price) => price ?? '-').join(' ')).toBe(expected)
  })

  test('forgets validators that left or ran out', async () => {
    const polls = [
      { a: 9_000, b: 9_000, c: 600 },
      { b: 8_400, c: 0, d: 5_000 },
    ].map((balances) => ({ balances }))
    expect((await prices(polls as { balances: Record<string, number> }[])).remembered).toEqual(['v-b', 'v-d'])
  })

  const two = yaml.replace(
    'validators: all }]',
    `validators: all }, { id: ${OTHER_L1}, name: other, validators: all }]`,
  )

  test('a failing subnet fails the run but keeps its values and tracks', async () => {
    const failure = new BaseError('timeout', 'late')
    const { poller, seen, remembered } = await prices(
      [
        { balances: { a: 9_000 }, other: { b: 70_000 } },
        { balances: { a: 8_400 }, other: { b: 69_400 } },
        { balances: { a: 7_800 }, other: failure },
      ],
      two,
    )
    expect(seen).toEqual([undefined, 10, 10])
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ a: 0.0000078, b: 0.0000694 })
    expect(poller.value('stakewatch_collector_success')).toBe(0)
    expect(remembered).toEqual(['v-a', 'v-b'])
    // At 240 b has 68,200: 1,800 less than at 60. Now it is a that cannot be asked.
    poller.clock.now += 60_000
    await poller.poll(chain({ time: 240, balances: failure, other: { b: 68_200 } }))
    expect(poller.lines(/fee_price/)).toEqual([
      'stakewatch_l1_fee_price_tokens_per_second{network="fuji",method="slope"} 1e-8',
    ])
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ a: 0.0000078, b: 0.0000682 })
  })

  test('keeps price and readings while blocks are unreadable', async () => {
    const { poller } = await prices([{ balances: { a: 9_000 } }, { balances: { a: 8_400 } }])
    const before = poller.lines(/fee_price|runway|depletion/)
    expect(before).toHaveLength(3)
    poller.clock.now += 60_000
    const good = chain({ time: 240, balances: { a: 7_200 } })
    await poller.poll((operation, ...rest) =>
      operation === 'platform.getCurrentValidators' ? good(operation, ...rest) : new BaseError('timeout', 'late'),
    )
    expect(poller.lines(/fee_price|runway|depletion/)).toEqual(before)
    poller.clock.now += 60_000
    await poller.poll(good)
    // 9,000 - 7,200 in 180 s.
    expect(poller.list(/fee_price/)).toEqual([1e-8])
  })
})

const BEGIN = 1_700_000_000
const DAY = 86_400
const BLOCK = 40
/** The service gives short pages. */
const PAGE = 10
const POLL = 600
const HOUR = 3_600

/** What happens on the network, in order of time. */
const events: readonly { at: number; joins?: number; minPrice?: number; topUp?: { who: number; amount: number } }[] = [
  { at: 3 * DAY, topUp: { who: 1, amount: 2e9 } },
  { at: 5 * DAY, joins: 90 },
  { at: 12 * DAY, joins: -40 },
  { at: 15 * DAY, topUp: { who: 0, amount: 30e9 } },
  { at: 20 * DAY, minPrice: 1_024 },
  { at: 25 * DAY, topUp: { who: 1, amount: 14e9 } },
  { at: 27 * DAY, topUp: { who: 2, amount: 80e9 } },
  { at: 30 * DAY, joins: -50 },
  { at: 40 * DAY, minPrice: 512 },
  { at: 45 * DAY, joins: 30 },
  { at: 52 * DAY, topUp: { who: 1, amount: 9e9 } },
]

/**
 * When each balance would run out with nothing happening any more, by stepping through time. The market itself goes
 * second by second; here half hours with the price at their middle are exact enough.
 */
function counterfactual(market: FeeMarket, from: number, balances: readonly number[]): number[] {
  const { active, minPrice, excess: begin } = market.at(from)
  const step = 1_800
  return balances.map((balance) => {
    let [excess, paid, time] = [begin, 0, from]
    for (;;) {
      const middle = Math.max(0, excess + ((active - 10_000) * step) / 2)
      const price = Math.floor(minPrice * Math.exp(middle / 51_937_021))
      if (paid + price * step >= balance) return time + (balance - paid) / price
      paid += price * step
      time += step
      excess = Math.max(0, excess + (active - 10_000) * step)
    }
  })
}

/** When the market itself has charged so much, if nothing happens any more. */
function lastSecondOf(market: FeeMarket, until: number, from: number): number {
  let high = from + DAY
  while (market.at(high).accrued <= until) high += 10 * DAY
  let low = from
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (market.at(middle).accrued <= until) low = middle
    else high = middle
  }
  return low
}

interface Way {
  method: 'accrued' | 'slope' | 'fee_state'
  withoutService?: true
  /** Seconds after a change of this kind in which the readings are of the time before it, too. */
  settling: number
  after: 'joins' | 'minPrice'
}

/** What is answered at this time about validators that have paid until their fees have accrued to so much. */
function answersAt(head: number, market: FeeMarket, paidUntil: readonly number[], { method }: Way): Upstream {
  const { accrued, excess, minPrice } = market.at(head)
  const validators = paidUntil.map((until, at) => ({
    nodeID: `node-${at}`,
    weight: '20',
    startTime: '1699999999',
    validationID: `v${at}`,
    balance: String(until - accrued),
  }))
  const blocks = Array.from({ length: PAGE }, (_, back) => head - back * BLOCK).map((time) => ({
    blockNumber: String((time - BEGIN) / BLOCK + 1_000),
    blockHash: `h${time}`,
    blockTimestamp: time,
    txCount: 1,
    activeL1Validators: market.at(time).active,
    ...(method === 'accrued' && { l1ValidatorsAccruedFees: market.at(time).accrued }),
  }))
  const price = priceOf({ minPrice, excess }, market.excessConstant)
  const stated: Record<string, unknown> = {
    'platform.getValidatorFeeState': { excess, price, timestamp: new Date(head * 1_000).toISOString() },
    'platform.getValidatorFeeConfig': {
      capacity: 20_000,
      target: 10_000,
      minPrice,
      excessConversionConstant: 51_937_021,
    },
  }
  const others: Upstream = (operation) => (operation === 'platform.getCurrentValidators' ? { validators } : { blocks })
  if (method !== 'fee_state') return withNodeTime(others, { height: (head - BEGIN) / BLOCK, time: head })
  return (operation, ...rest) => stated[operation] ?? others(operation, ...rest)
}

describe('the depletion timestamp over sixty days of top-ups, joins and fee changes', () => {
  test.each<[string, number, Way]>([
    // The price is the mean over the blocks of a page.
    ['by the method accrued', HOUR, { method: 'accrued', settling: PAGE * BLOCK, after: 'minPrice' }],
    // The price is the mean over the last 12 polls: two hours.
    ['by the method slope', POLL, { method: 'slope', settling: 12 * POLL, after: 'minPrice' }],
    [
      'by the fee that the node states, where the blocks of the data service tell how many are active',
      HOUR,
      { method: 'fee_state', settling: 0, after: 'joins' },
    ],
    // When others join or leave, two blocks have to tell how fast the excess moves now.
    [
      'by the fee that the node states, and from its excess',
      HOUR,
      { method: 'fee_state', withoutService: true, settling: 2 * HOUR, after: 'joins' },
    ],
  ])('%s', async (_, every, way) => {
    // Nearly as many are active as the network aims at.
    const market = createFeeMarket({
      begin: BEGIN,
      accrued: 27e9,
      active: 9_990,
      target: 10_000,
      excessConstant: 51_937_021,
      minPrice: 512,
    })
    const paidUntil = [10e9, 3e9, 40e9].map((balance) => 27e9 + balance)
    const pending = [...events]
    const text = way.withoutService ? yaml.replace(/ {4}data_api.*\n/, '') : yaml
    let poller = createPoller(text, l1Validators, BEGIN * 1_000)
    let [worst, checked, changed, highest] = [0, 0, BEGIN, 0]
    // What would happen if nothing happened any more changes only when something happens.
    let ends: number[] | undefined
    const [share, least] = way.method === 'fee_state' ? [0.001, 2] : [0.01, 120]
    for (let now = BEGIN + 1_000; now < BEGIN + 60 * DAY; now += every) {
      // Of ten minutes, six hours a day are enough: everything happens at the beginning of a day.
      if (every === POLL && (now - BEGIN) % DAY > 6 * HOUR) {
        changed = now
        continue
      }
      while (pending[0] && BEGIN + pending[0].at <= now) {
        const event = pending.shift()!
        const { joins, minPrice, topUp } = event
        const time = BEGIN + event.at
        ends = undefined
        if (event[way.after] !== undefined) changed = time
        if (joins !== undefined) market.change(time, { active: market.at(time).active + joins })
        if (minPrice !== undefined) {
          market.change(time, { minPrice })
          const memory = poller.memories.load(poller.tasks[0]!.key)
          poller = createPoller(text.replace('min_price: 512', `min_price: ${minPrice}`), l1Validators, now * 1_000)
          await poller.memories.save(poller.tasks[0]!.key, memory)
        }
        if (topUp) paidUntil[topUp.who]! += topUp.amount
      }
      poller.clock.now = now * 1_000
      const head = now - ((now - BEGIN) % BLOCK)
      const { accrued } = market.at(head)
      expect(Math.min(...paidUntil)).toBeGreaterThan(accrued)
      highest = Math.max(highest, priceOf(market.at(head), market.excessConstant))
      await poller.poll(answersAt(head, market, paidUntil, way))
      // A thousandth is less than what half hours are exact to.
      ends ??=
        way.method === 'fee_state'
          ? paidUntil.map((until) => lastSecondOf(market, until, head))
          : counterfactual(
              market,
              head,
              paidUntil.map((until) => until - accrued),
            )
      if (now - changed <= way.settling) continue
      const stated = poller.values('stakewatch_l1_validator_depletion_timestamp_seconds', 'validator')
      for (const [at, end] of ends.entries()) {
        const error = Math.abs(stated[`node-${at}`]! - end)
        worst = Math.max(worst, error / Math.max(share * (end - head), least))
        checked += 1
      }
    }
    expect(poller.series(/fee_price/).map(({ labels }) => labels['method'])).toContain(way.method)
    expect(checked).toBeGreaterThan(4_000)
    // The price has grown far above its least.
    expect(highest).toBeGreaterThan(2 * 1_024)
    expect(worst).toBeLessThanOrEqual(1)
  })
})
