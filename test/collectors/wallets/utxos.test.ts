import { describe, expect, test } from 'vitest'
import { utxos } from '../../../src/collectors/wallets/utxos.ts'
import { BaseError } from '../../../src/errors.ts'
import { toAddress } from '../../../src/lib/ids.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'
import { FIRST, SECOND, TOKEN, walletUtxos, walletUtxosOnX } from '../../support/wallet-answers.ts'

const THIRD = 'fuji1jelfk965yk0mv7484gpvcxccqe8ks3h3v66gm0'
const NOW = 1_700_000_000
const states = ['unlocked', 'locked', 'staked', 'atomic_memory']
const walletsOf = (...wallets: readonly string[]) => `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    addresses:
${wallets.map((one) => `      - { ${one} }`).join('\n')}
`
const two = walletsOf(`name: one, addresses: [P-${FIRST}]`, `name: two, addresses: [${SECOND}, P-${THIRD}]`)
const lone = walletsOf(`name: one, addresses: [${FIRST}]`)

const started = (yaml: string) => createPoller(yaml, utxos, NOW * 1_000)
/** What there is of a wallet: type and state to number and tokens, and what else is not 0. */
const published = (poller: Poller, name = 'one') => {
  const found: Record<string, unknown> = {}
  for (const { name: metric, labels, value } of poller.series(/^stakewatch_address_/, { address: name })) {
    const { utxo_type: type, state } = labels
    if (type === undefined) found[metric.replace('stakewatch_address_', '')] = value
    else if (value !== 0) found[`${type} ${state}`] = [...((found[`${type} ${state}`] as number[]) ?? []), value]
  }
  return found
}

/** An output of one token that the first address can spend, by default. */
const utxo = (more: object = {}) => ({
  utxoId: 'a',
  addresses: [FIRST],
  amount: '1000000000',
  assetId: TOKEN,
  utxoType: 'TRANSFER',
  staked: false,
  ...more,
})
const answer = (...listed: readonly object[]) => ({
  utxos: listed,
  chainInfo: { chainName: 'p-chain', network: 'fuji' },
})

describe('utxos (document 1, operations 3 and 7)', () => {
  test('asks for all wallets in one call and counts each output once for each owner', async () => {
    const poller = started(two)
    const asked: unknown[] = []
    await poller.poll((operation, wire) => {
      asked.push([operation, wire])
      return walletUtxos
    })
    const path = '/v1/networks/fuji/blockchains/p-chain/utxos'
    expect(asked).toEqual([
      [
        'list-utxos-v2',
        { path, query: { minUtxoAmount: '0', pageSize: '1024' }, body: { addresses: `${FIRST},${SECOND},${THIRD}` } },
      ],
    ])
    expect(published(poller, 'one')).toEqual({
      // Of its own 5, and 0.5 together with the other wallet.
      'TRANSFER unlocked': [2, 5.5],
      'TRANSFER locked': [1, 7],
      'TRANSFER atomic_memory': [1, 1],
      'STAKE unlocked': [1, 25],
      'STAKE staked': [1, 30],
      utxo_smallest_tokens: 0.5,
      next_unlock_timestamp_seconds: 1_900_000_000,
    })
    expect(published(poller, 'two')).toEqual({
      // 0.5 together with the other wallet, and 0.25 of two addresses of its own.
      'TRANSFER unlocked': [2, 0.75],
      'TRANSFER locked': [1, 3],
      'STAKE staked': [1, 2_000],
      utxo_smallest_tokens: 0.25,
      next_unlock_timestamp_seconds: 1_700_000_500,
    })
    expect(poller.lines(/mismatch/)).toEqual(['stakewatch_utxos_chain_mismatch{network="fuji",chain="p-chain"} 0'])
    expect(poller.list('stakewatch_collector_series')).toEqual([utxos.estimate(poller.tasks[0]!.subject).series])
  })

  test('uses GET for a single address; reads only the staking token of the X-Chain in the live form', async () => {
    const poller = started(walletsOf(`name: one, addresses: [X-${SECOND}]`))
    await poller.poll((_, { path }) => (path.includes('x-chain') ? walletUtxosOnX : { utxos: [] }))
    const asked = poller.asked.map(({ operation, path, query, body }) => [operation, path.split('/')[5], query, body])
    const query = { addresses: SECOND, minUtxoAmount: '0', pageSize: '100' }
    expect(asked).toEqual([
      ['list-utxos', 'p-chain', query, {}],
      ['list-utxos', 'x-chain', { ...query, assetId: TOKEN }, {}],
    ])
    const x = 'network="fuji",address="one",chain="x-chain"'
    expect(poller.lines(/,chain="x-chain"/)).toEqual([
      ...[1, 1, 0, 1].map(
        (value, at) => `stakewatch_address_utxos{${x},utxo_type="TRANSFER",state="${states[at]}"} ${value}`,
      ),
      ...[4, 2, 0, 1.5].map(
        (value, at) => `stakewatch_address_utxo_tokens{${x},utxo_type="TRANSFER",state="${states[at]}"} ${value}`,
      ),
      `stakewatch_address_utxo_smallest_tokens{${x}} 1.5`,
      `stakewatch_address_next_unlock_timestamp_seconds{${x}} 1700000001`,
      'stakewatch_utxos_chain_mismatch{network="fuji",chain="x-chain"} 0',
    ])
  })

  test.each([
    ['a lock that ends now', { platformLocktime: NOW }, { 'TRANSFER unlocked': [1, 1] }],
    [
      'a lock that ends in a second',
      { platformLocktime: NOW + 1 },
      { 'TRANSFER locked': [1, 1], next_unlock_timestamp_seconds: NOW + 1 },
    ],
    [
      'two locks: the later one counts',
      { platformLocktime: NOW + 20, stakeableLocktime: NOW + 10 },
      { 'TRANSFER locked': [1, 1], next_unlock_timestamp_seconds: NOW + 20 },
    ],
    [
      'a lock to the end of time',
      { platformLocktime: '18446744073709551615' },
      { 'TRANSFER locked': [1, 1], next_unlock_timestamp_seconds: 2 ** 64 },
    ],
    ['a stake without an end', { utxoType: 'STAKE', staked: true }, { 'STAKE staked': [1, 1] }],
    ['a stake that is not marked', { utxoType: 'STAKE', staked: undefined }, { 'STAKE staked': [1, 1] }],
    ['a stake that ends now', { utxoType: 'STAKE', staked: true, utxoEndTimestamp: NOW }, { 'STAKE unlocked': [1, 1] }],
    [
      'what came from another chain',
      { createdOnChainId: 'x', consumedOnChainId: 'p' },
      { 'TRANSFER atomic_memory': [1, 1] },
    ],
    ['what came from an unknown chain', { consumedOnChainId: 'p' }, { 'TRANSFER unlocked': [1, 1] }],
    [
      'what came from another chain and is locked',
      { createdOnChainId: 'x', consumedOnChainId: 'p', platformLocktime: NOW + 5 },
      { 'TRANSFER locked': [1, 1], next_unlock_timestamp_seconds: NOW + 5 },
    ],
    ['a type in small letters', { utxoType: 'transfer' }, { 'TRANSFER unlocked': [1, 1] }],
    ['a stake in small letters', { utxoType: 'stake', staked: undefined }, { 'STAKE staked': [1, 1] }],
    ['a type that is new', { utxoType: 'BONUS' }, { 'other unlocked': [1, 1] }],
    ['a type that every object answers to', { utxoType: 'constructor' }, { 'other unlocked': [1, 1] }],
    ['no type', { utxoType: undefined }, { 'other unlocked': [1, 1] }],
    [
      'asset and amount in `asset` alone',
      { amount: undefined, assetId: undefined, asset: { assetId: TOKEN, amount: '1000000000' } },
      { 'TRANSFER unlocked': [1, 1] },
    ],
    ['no owner, where only one wallet was asked for', { addresses: undefined }, { 'TRANSFER unlocked': [1, 1] }],
  ])('%s', async (_, more, expected) => {
    const poller = started(lone)
    await poller.poll(() => answer(utxo(more)))
    expect(published(poller)).toEqual({ utxo_smallest_tokens: 1, ...expected })
  })

  test.each([
    ['none: all is 0, and nothing is the smallest', [], {}],
    ['amounts of zero', [utxo({ amount: '0' })], { utxo_smallest_tokens: 0, 'TRANSFER unlocked': [1] }],
    [
      '2^64 - 1 twice, added up without loss',
      [utxo({ amount: '18446744073709551615' }), utxo({ utxoId: 'b', amount: '18446744073709551615' })],
      {
        utxo_smallest_tokens: Number('18446744073.709551615'),
        'TRANSFER unlocked': [2, Number('36893488147.41910323')],
      },
    ],
    ['one that is repeated', [utxo(), utxo()], { utxo_smallest_tokens: 1, 'TRANSFER unlocked': [1, 1] }],
    [
      'some of strangers: left out',
      [utxo(), utxo({ utxoId: 'b', addresses: [THIRD] })],
      { utxo_smallest_tokens: 1, 'TRANSFER unlocked': [1, 1] },
    ],
    [
      'some that are spent, whatever says so',
      [
        utxo(),
        utxo({ utxoId: 'b', consumingTxHash: 'tx' }),
        utxo({ utxoId: 'c', consumingBlockNumber: '7' }),
        utxo({ utxoId: 'd', consumingBlockTimestamp: 7 }),
      ],
      { utxo_smallest_tokens: 1, 'TRANSFER unlocked': [1, 1] },
    ],
    [
      'another asset of which the amount is missing',
      [utxo(), utxo({ utxoId: 'b', assetId: 'other', amount: undefined })],
      { utxo_smallest_tokens: 1, 'TRANSFER unlocked': [1, 1] },
    ],
  ])('%s', async (_, listed, expected) => {
    // On one page and on two of them, the last one with an empty token.
    for (const twoPages of [false, true]) {
      const poller = started(lone)
      await poller.poll((__, { query }) => {
        if (!twoPages) return answer(...listed)
        return query['pageToken'] === 'next'
          ? { ...answer(...listed.slice(1)), nextPageToken: '' }
          : { ...answer(...listed.slice(0, 1)), nextPageToken: 'next' }
      })
      expect(published(poller)).toEqual(expected)
      expect(poller.lines(/^stakewatch_address_utxos.*(TRANSFER|STAKE)/)).toHaveLength(8)
    }
  })

  test('publishes only atomic memory of the C-Chain', async () => {
    const poller = started(walletsOf(`name: one, addresses: [C-${FIRST}]`))
    await poller.poll((_, { path }) =>
      path.includes('c-chain') ? { utxos: [utxo()] } : new BaseError('timeout', 'late'),
    )
    expect(published(poller)).toEqual({ utxo_smallest_tokens: 1, 'TRANSFER atomic_memory': [1, 1] })
  })

  test('a failed call among many makes only its own wallets unknown', async () => {
    const address = (at: number) => toAddress({ chain: undefined, prefix: 'fuji', bytes: new Uint8Array(20).fill(at) })
    const wallet = (name: string, from: number, to: number) =>
      `name: ${name}, addresses: [${Array.from({ length: to - from }, (_, at) => address(from + at)).join(', ')}]`
    const poller = started(walletsOf(wallet('one', 0, 40), wallet('two', 40, 70), wallet('three', 66, 70)))
    const asked: [string, number][] = []
    const last: Upstream = (operation, { body }) => {
      const addresses = String(body['addresses']).split(',')
      asked.push([operation, addresses.length])
      return addresses.includes(address(69))
        ? new BaseError('timeout', 'late')
        : answer(utxo({ addresses: [address(3)] }))
    }
    await poller.poll(last)
    expect(asked).toEqual([
      ['list-utxos-v2', 64],
      ['list-utxos-v2', 6],
    ])
    expect(['one', 'two', 'three'].map((name) => published(poller, name))).toEqual([
      { utxo_smallest_tokens: 1, 'TRANSFER unlocked': [1, 1] },
      {},
      {},
    ])
    expect(poller.lines(/address="(two|three)"/)).toEqual([])
    expect(poller.success()).toEqual([0])
    poller.clock.now += 1_000
    // Of two addresses in two calls, and of two wallets: once in each.
    await poller.poll(() => answer(utxo({ addresses: [address(3), address(50), address(69)] })))
    expect(['one', 'two', 'three'].map((name) => published(poller, name)['TRANSFER unlocked'])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    expect(poller.success()).toEqual([1])
    expect(utxos.estimate(poller.tasks[0]!.subject).calls).toMatchObject([
      { operation: { name: 'list-utxos-v2' }, times: 2 },
    ])
  })

  test.each([
    ['another chain', [{ chainName: 'x-chain', network: 'fuji' }]],
    ['another network on a later page', [{ chainName: 'p-chain', network: 'fuji' }, { network: 'mainnet' }]],
  ])('publishes nothing from answers about %s, and drops previous values', async (_, infos) => {
    const poller = started(two)
    await poller.poll(() => walletUtxos)
    poller.clock.now += 1_000
    await poller.poll((__, { query }) => {
      const page = Number(query['pageToken'] ?? 0)
      return { utxos: [utxo()], chainInfo: infos[page], nextPageToken: page + 1 < infos.length ? String(page + 1) : '' }
    })
    expect(poller.lines(/_address_|mismatch/)).toEqual([
      'stakewatch_utxos_chain_mismatch{network="fuji",chain="p-chain"} 1',
    ])
    expect(poller.log).toMatchObject([{ message: 'collector fails', code: 'bad_response' }])
  })
})
