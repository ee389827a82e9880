import { describe, expect, test } from 'vitest'
import { nodeBalances } from '../../../src/collectors/wallets/node-balances.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const ONE = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
const TWO = 'fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946'
/** Wallets of Mainnet have the addresses of the same keys there. */
const off = (name = 'fuji', more = '', [one, two]: readonly string[] = [ONE, TWO]) => `
networks:
  - name: ${name}
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
    addresses:
      - { name: treasury, addresses: [P-${one}, ${two}] }
      - { name: relayer, addresses: ["0x${'a'.repeat(40)}"] }
${more}`
const yaml = (name?: string, more?: string, addresses?: readonly string[]) =>
  `${off(name, more, addresses)}\ncollectors: { node-balances: { enabled: true } }`
const FUJI_TOKEN = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const MAINNET_TOKEN = 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z'

async function polled(answer: unknown, text = yaml()) {
  const poller = createPoller(text, nodeBalances, 0)
  await poller.poll(() => answer)
  return poller
}
type Poller = Awaited<ReturnType<typeof polled>>
/** 'unlocked=1 ...': states and values. */
const published = ({ series }: Poller) =>
  series(/balance_tokens/)
    .map(({ labels, value }) => `${labels['state']}=${value}`)
    .join(' ')

describe('node-balances (document 2, platform.getBalance)', () => {
  test('sends one request for all addresses of a wallet, with the P-Chain prefix', async () => {
    const poller = createPoller(yaml(), nodeBalances, 0)
    await poller.poll(() => fixture('node/platform.getBalance.document'))
    const asked = poller.asked.map(({ operation, source, path, body }) => [operation, path, body, source])
    expect(asked).toEqual([['platform.getBalance', '/ext/bc/P', { addresses: [`P-${ONE}`, `P-${TWO}`] }, 'node-a']])
    const line = (state: string, value: string) =>
      `stakewatch_node_address_balance_tokens{network="fuji",address="treasury",state="${state}"} ${value}`
    expect(poller.lines(/balance_tokens/)).toEqual([
      // 20,000,000.000000002 and 10,000,000.000000003: doubles are 3.7 and 1.9 billionths apart there.
      line('unlocked', '20000000.000000004'),
      line('locked_stakeable', '10000000.000000004'),
      line('locked_not_stakeable', '4e-9'),
    ])
  })

  const dataApi = (network: string) => `    data_api: { url: "http://127.0.0.1:9", network: ${network} }\n`

  test.each([
    ['on without a data service', off(), true],
    ['off with one', off('fuji', dataApi('fuji')), false],
    ['on with one if it is turned on', yaml('fuji', dataApi('fuji')), true],
    ['off if it is turned off', `${off()}\ncollectors: { node-balances: { enabled: false } }`, false],
  ])('is %s', (_, text, isOn) => {
    const keys = createPoller(text, nodeBalances, 0).tasks.map(({ key }) => key)
    expect(keys).toEqual(isOn ? ['node-balances/fuji/treasury'] : [])
  })

  test.each([
    ['as much as it wants', 20_000_000, 1],
    ['less', 20_000_001, 0],
  ])('whether the wallet has its minimum: it has %s', async (_, least, met) => {
    const wanted = off().replace(`${TWO}]`, `${TWO}], min_balance: ${least}`)
    // 20,000,000.000000004 tokens can be spent.
    const poller = await polled(fixture('node/platform.getBalance.document'), wanted)
    expect(poller.lines(/expectation_met/)).toEqual([
      `stakewatch_node_address_balance_expectation_met{network="fuji",address="treasury",chain="p-chain",expectation="min_balance"} ${met}`,
    ])
  })
  const byAsset = {
    balances: { [FUJI_TOKEN]: '6000000000', another: '70' },
    unlockeds: { [FUJI_TOKEN]: '1000000000', another: '70' },
    lockedStakeables: { another: '5' },
    lockedNotStakeables: {},
  }

  test.each<[string, unknown, string, string?]>([
    [
      'the live form of an address that has nothing: 0 is known',
      fixture('node/platform.getBalance.live'),
      'unlocked=0 locked_stakeable=0 locked_not_stakeable=0',
    ],
    [
      'bare numbers are read like strings',
      { unlocked: 1_500_000_000, lockedStakeable: 0, lockedNotStakeable: 0 },
      'unlocked=1.5 locked_stakeable=0 locked_not_stakeable=0',
    ],
    ['by asset alone: the staking token', byAsset, 'unlocked=1 locked_stakeable=0 locked_not_stakeable=0'],
    [
      'by asset on a network of another name',
      { unlockeds: { [MAINNET_TOKEN]: '2000000000', [FUJI_TOKEN]: '1' } },
      'unlocked=2',
      yaml('ours', dataApi('mainnet'), [
        'avax10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62ljc52mp',
        'avax186eyqkgdmycan3q6z3q7hq5pmufj8ypzu5z6e9',
      ]),
    ],
    [
      'by asset without a known staking token',
      byAsset,
      'locked_not_stakeable=0',
      yaml('ours', '', [
        'local10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62lttfvcf',
        'local186eyqkgdmycan3q6z3q7hq5pmufj8ypz98lu6d',
      ]),
    ],
    ['a missing part is absent', { unlocked: '1000000000', lockedStakeable: null }, 'unlocked=1'],
  ])('%s', async (_, answer, expected, text) => {
    const poller = await polled(answer, text)
    expect([published(poller), poller.success()]).toEqual([expected, [1]])
  })

  test.each([
    ['no amount in either form', fixture('node/platform.getBalance.empty')],
    ['the total alone, which has no states', fixture('node/platform.getBalance.minimal')],
  ])('%s is a failure and keeps the values until they expire', async (_, answer) => {
    const poller = await polled({ unlocked: '1000000000' })
    poller.clock.now += 1_000
    await poller.poll(() => answer)
    expect([published(poller), poller.success()]).toEqual(['unlocked=1', [0]])
    // Three intervals of fifteen minutes.
    poller.clock.now = 45 * 60_000
    expect(published(poller)).toBe('')
  })
})
