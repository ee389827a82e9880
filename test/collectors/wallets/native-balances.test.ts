import { describe, expect, test } from 'vitest'
import { nativeBalances } from '../../../src/collectors/wallets/native-balances.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'

const FIRST = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SECOND = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const yaml = `
networks:
  - name: mainnet
    data_api: { url: "http://127.0.0.1:1" }
    chains: [{ id: c-chain, evm_chain_id: 43114 }, { id: p-chain }]
    addresses: [{ name: relayer, addresses: ["${FIRST}", "${SECOND}"], chains: [c-chain] }]
`
const wallet = 'network="mainnet",address="relayer",chain="c-chain"'

/** An answer with this balance in the smallest unit. */
const balance = (amount: bigint | string, more: object = {}) => ({
  nativeTokenBalance: { balance: String(amount), decimals: 18, chainId: '43114', ...more },
})
const worth = (value: number | string, currencyCode?: string) => ({ balanceValue: { currencyCode, value } })
const TOKEN = 10n ** 18n

/** A service that gives the first address one answer and the second one another. */
const each =
  (first: unknown, second: unknown): Upstream =>
  (_, { path }) =>
    path.includes(FIRST) ? first : second
const started = (text = yaml) => createPoller(text, nativeBalances, 0)
const known = ({ lines }: Poller) => lines(/_native_/)

describe('native-balances (document 1, operation 13)', () => {
  test.each([
    // 2 and 2 tokens, 49 and 49 dollars.
    ["the document's form", 'document', [`tokens{${wallet}} 4`, `value{${wallet},currency="usd"} 98`]],
    // Twice the whole supply and one smallest unit: the double next to it is 1,440,000,000.
    ['the live form', 'live', [`tokens{${wallet}} 1440000000`, `value{${wallet},currency="usd"} 35280000000`]],
    ['nothing but the balance, as a number: no price', 'minimal', [`tokens{${wallet}} 2e-18`]],
  ])('one call for each address, one sum for the wallet: %s', async (_, form, expected) => {
    const poller = started()
    await poller.poll(() => fixture(`data/get-native-token-balance.${form}`))
    expect(poller.asked.map(({ operation, path, query }) => [operation, path, query])).toEqual(
      [FIRST, SECOND].map((address) => [
        'get-native-token-balance',
        `/v1/chains/43114/addresses/${address}/balances:getNative`,
        { currency: 'usd' },
      ]),
    )
    expect(known(poller)).toEqual(expected.map((line) => `stakewatch_address_native_balance_${line}`))
  })

  test.each<[string, object, object, number[]]>([
    ['without loss', balance(2n ** 255n), balance(2n ** 255n), [1.157920892373162e59]],
    ['in the reported decimal places', balance(15n, { decimals: 1 }), balance(5n, { decimals: 1 }), [2]],
    [
      'of which only one says its decimal places',
      balance(15n, { decimals: undefined }),
      balance(5n, { decimals: 1 }),
      [2],
    ],
    ['with a price each', balance(TOKEN, worth(24.5)), balance(TOKEN, worth('0.25')), [2, 24.75]],
    ['of which one has no price', balance(TOKEN, worth(24.5)), balance(TOKEN), [2]],
    ['of which the one without a price is empty', balance(TOKEN, worth(24.5)), balance(0n), [1, 24.5]],
    ['that are empty and have a price', balance(0n, worth(0)), balance(0n, worth('0')), [0, 0]],
    ['that are empty and have none', balance(0n), balance(0n), [0]],
    ['of which one is valued in another currency', balance(TOKEN, worth(1, 'EUR')), balance(TOKEN, worth(1)), [2]],
    ['in the currency by another spelling', balance(TOKEN, worth(1, 'USD')), balance(0n), [1, 1]],
    [
      'of a chain by another name than its number',
      balance(TOKEN, { chainId: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5' }),
      balance(0n, { chainId: undefined }),
      [1],
    ],
  ])('two balances %s', async (_, first, second, expected) => {
    const poller = started()
    await poller.poll(each(first, second))
    expect(poller.list(/_native_/)).toEqual(expected)
  })

  test.each([
    ['as much as is wanted', 4, 1],
    ['less', 4.1, 0],
  ])('min_balance: %s', async (_, least, met) => {
    const poller = started(yaml.replace('chains: [c-chain]', `chains: [c-chain], min_balance: ${least}`))
    await poller.poll(() => balance(2n * TOKEN))
    expect(poller.lines(/expectation/)).toEqual([
      `stakewatch_address_native_balance_expectation_met{${wallet},expectation="min_balance"} ${met}`,
    ])
  })

  test.each([
    ['an error', new BaseError('timeout', 'late'), 'timeout'],
    ["another chain's balance", fixture('data/get-native-token-balance.other-chain'), 'bad_response'],
    ['that it is not there', new BaseError('unsupported', 'HTTP 404: not there'), 'http_status'],
  ])('%s for one address makes the sum unknown: the previous one stays until it expires', async (_, bad, code) => {
    const poller = started(yaml.replace('chains: [c-chain]', 'chains: [c-chain], min_balance: 1'))
    await poller.poll(() => balance(TOKEN))
    const before = known(poller)
    poller.clock.now += 1_000
    await poller.poll(each(balance(TOKEN), bad))
    expect([known(poller), poller.success()]).toEqual([before, [0]])
    expect(poller.log).toMatchObject([{ code }])
    // Three intervals of five minutes after the last good answer.
    poller.clock.now = 15 * 60_000
    expect(known(poller)).toEqual([])
  })

  test('is estimated as a call for each address', () => {
    const [task] = started().tasks
    expect(task!.collector.estimate(task!.subject)).toMatchObject({ calls: [{ times: 2 }], series: 2 })
  })
})
