import { describe, expect, test } from 'vitest'
import { l1Validators } from '../../src/collectors/l1-validators.ts'
import { BaseError } from '../../src/errors.ts'
import { createFeeMarket, type FeeMarket } from '../../src/simulator/world/fee-market.ts'
import { createPoller, fixture, type Upstream } from '../support/poll.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
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
const value = (lines: readonly string[]) => Number(lines[0]?.split(' ').at(-1))
const byName = (metric: string, poller: ReturnType<typeof createPoller>) =>
  Object.fromEntries(
    poller
      .lines(new RegExp(`^stakewatch_${metric}\\{`))
      .map((line) => [/validator="([^"]+)"/.exec(line)?.[1], value([line])]),
  )

describe('l1-validators (document 2, Validator record; document 1, operation 14)', () => {
  test('balances, activity and runway of an L1 with legacy validators in between', async () => {
    const poller = createPoller(yaml, l1Validators, 1_700_000_000_000)
    // Two blocks 100 s apart, 51,200 accrued in between: 512 a second. The newest is of 1,700,000,000.
    const answers: Upstream = (operation) =>
      operation === 'platform.getCurrentValidators'
        ? fixture('node/platform.getCurrentValidators.l1')
        : fixture('data/list-latest-primary-network-blocks.fees')
    await poller.poll(answers)
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ rich: 1, [POOR]: 0 })
    expect(byName('l1_validator_active', poller)).toEqual({ rich: 1, [POOR]: 0 })
    expect(byName('l1_validator_min_nonce', poller)).toEqual({ rich: 7, [POOR]: 0 })
    // 1,000,000,000 / 512 = 1,953,125 s (upstream facts: one token lasts 22.6 days).
    expect(byName('l1_validator_runway_seconds', poller)).toEqual({ rich: 1_953_125, [POOR]: 0 })
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual({ rich: 1_701_953_125 })
    expect(poller.lines(/fee_price/)).toEqual([
      'stakewatch_l1_fee_price_tokens_per_second{network="fuji",method="accrued"} 5.12e-7',
    ])
  })

  test.each([
    ['the field is not a running total', [600, 500, 400].map((accrued, at) => ({ accrued, time: 1_000 - 100 * at }))],
    ['the field falls', [27_000_000_000, 27_000_000_100].map((accrued, at) => ({ accrued, time: 1_000 - 100 * at }))],
    ['there is one block only', [{ accrued: 27_000_000_000, time: 1_000 }]],
    ['the service leaves the field out', [{ time: 1_000 }, { time: 900 }]],
  ])('no price when %s: balance yes, runway no', async (_, blocks: { accrued?: number; time: number }[]) => {
    const poller = createPoller(yaml, l1Validators, 0)
    await poller.poll((operation) =>
      operation === 'platform.getCurrentValidators'
        ? fixture('node/platform.getCurrentValidators.l1')
        : {
            blocks: blocks.map(({ accrued, time }, at) => ({
              blockNumber: String(100 - at),
              blockHash: `h${at}`,
              blockTimestamp: time,
              txCount: 0,
              l1ValidatorsAccruedFees: accrued,
            })),
          },
    )
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ rich: 1, [POOR]: 0 })
    expect(byName('l1_validator_runway_seconds', poller)).toEqual({ [POOR]: 0 })
    expect(byName('l1_validator_depletion_timestamp_seconds', poller)).toEqual({})
    expect(poller.lines(/fee_price/)).toEqual([])
  })

  test('without the blocks the balances stay and the run is a failure; without a data service it is none', async () => {
    const poller = createPoller(yaml, l1Validators, 0)
    const answers: Upstream = (operation) =>
      operation === 'platform.getCurrentValidators'
        ? fixture('node/platform.getCurrentValidators.l1')
        : new BaseError('timeout', 'late')
    await poller.poll(answers)
    expect(byName('l1_validator_balance_tokens', poller)).toEqual({ rich: 1, [POOR]: 0 })
    expect(value(poller.lines(/collector_success/))).toBe(0)

    const alone = createPoller(yaml.replace(/ {4}data_api.*\n/, ''), l1Validators, 0)
    await alone.poll(answers)
    expect(byName('l1_validator_balance_tokens', alone)).toEqual({ rich: 1, [POOR]: 0 })
    expect(value(alone.lines(/collector_success/))).toBe(1)
  })
})

const BEGIN = 1_700_000_000
const DAY = 86_400
const BLOCK = 40
/** The service gives short pages. */
const PAGE = 10
const POLL = 600

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
 * When each balance would run out with nothing happening any more, by stepping through time (ascending balances).
 * The market itself goes second by second; here two hours with the price at their middle are exact enough.
 */
function counterfactual(market: FeeMarket, from: number, balances: readonly number[]): number[] {
  const { active, minPrice, ...state } = market.at(from)
  const step = 7_200
  let [excess, paid, time] = [state.excess, 0, from]
  return balances.map((balance) => {
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

describe('the depletion timestamp over sixty days of top-ups, joins and fee changes', () => {
  test.each([
    // The accrued price is the mean over the blocks of a page.
    ['accrued', true, PAGE * BLOCK],
    // The slope is the mean over the last 12 polls: two hours.
    ['slope', false, 12 * POLL],
  ])(
    'by the method %s',
    async (_, withFees, settling) => {
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
      let priceChanged = BEGIN
      const feeConfig = (minPrice: number) => yaml.replace('min_price: 512', `min_price: ${minPrice}`)
      let poller = createPoller(feeConfig(512), l1Validators, BEGIN * 1_000)
      let worst = 0
      let checked = 0
      for (let now = BEGIN + 1_000; now < BEGIN + 60 * DAY; now += POLL) {
        while (pending[0] && BEGIN + pending[0].at <= now) {
          const { at, joins, minPrice, topUp } = pending.shift()!
          const time = BEGIN + at
          if (joins !== undefined) market.change(time, { active: market.at(time).active + joins })
          if (minPrice !== undefined) {
            market.change(time, { minPrice })
            priceChanged = time
            const memory = poller.memories.load(poller.tasks[0]!.key)
            poller = createPoller(feeConfig(minPrice), l1Validators, now * 1_000)
            await poller.memories.save(poller.tasks[0]!.key, memory)
          }
          if (topUp) paidUntil[topUp.who]! += topUp.amount
        }
        poller.clock.now = now * 1_000
        const head = now - ((now - BEGIN) % BLOCK)
        const balances = paidUntil.map((until) => until - market.at(head).accrued)
        expect(Math.min(...balances)).toBeGreaterThan(0)
        await poller.poll((operation) =>
          operation === 'platform.getCurrentValidators'
            ? {
                validators: balances.map((balance, at) => ({
                  nodeID: `node-${at}`,
                  weight: '20',
                  startTime: '1699999999',
                  validationID: `v${at}`,
                  balance: String(balance),
                })),
              }
            : {
                blocks: Array.from({ length: PAGE }, (__, back) => head - back * BLOCK).map((time) => ({
                  blockNumber: String((time - BEGIN) / BLOCK + 1_000),
                  blockHash: `h${time}`,
                  blockTimestamp: time,
                  txCount: 1,
                  activeL1Validators: market.at(time).active,
                  ...(withFees ? { l1ValidatorsAccruedFees: market.at(time).accrued } : {}),
                })),
              },
        )
        if (now - priceChanged <= settling || now - BEGIN <= 1_000 + settling) continue
        const order = balances.map((balance, at) => ({ balance, at })).toSorted((a, b) => a.balance - b.balance)
        const ends = counterfactual(
          market,
          head,
          order.map(({ balance }) => balance),
        )
        const told = byName('l1_validator_depletion_timestamp_seconds', poller)
        order.forEach(({ at }, index) => {
          const left = ends[index]! - head
          const error = Math.abs(told[`node-${at}`]! - ends[index]!)
          worst = Math.max(worst, error / Math.max(0.01 * left, 120))
          checked += 1
        })
      }
      expect(checked).toBeGreaterThan(25_000)
      expect(worst).toBeLessThanOrEqual(1)
    },
    60_000,
  )

  test('does not move while chain time stands still', async () => {
    const poller = createPoller(yaml, l1Validators, 0)
    const answers: Upstream = (operation) =>
      operation === 'platform.getCurrentValidators'
        ? fixture('node/platform.getCurrentValidators.l1')
        : fixture('data/list-latest-primary-network-blocks.fees')
    const seen = new Set<number | undefined>()
    for (let poll = 0; poll < 5; poll += 1) {
      await poller.poll(answers)
      poller.clock.now += 60_000
      seen.add(byName('l1_validator_depletion_timestamp_seconds', poller)['rich'])
    }
    expect([...seen]).toEqual([1_701_953_125])
  })
})
