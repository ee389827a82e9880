import { describe, expect, test } from 'vitest'
import { erc20Transfers } from '../../../src/collectors/wallets/erc20-transfers.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Upstream, type Poller } from '../../support/poll.ts'

const FIRST = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const SECOND = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const STRANGER = '0x7002000000000000000000000000000000007002'
const USDC = '0xc003000000000000000000000000000000c003aa'
const WHOLE = '0xc004000000000000000000000000000000c004aa'
const SPAM = '0xbad0000000000000000000000000000000000bad'
const yaml = `
networks:
  - name: mainnet
    data_api: { url: "http://127.0.0.1:1" }
    chains: [{ id: c-chain, evm_chain_id: 43114 }]
    addresses:
      - name: treasury
        addresses: ["${FIRST}", "${SECOND}"]
        chains: [c-chain]
        tokens: { "${USDC}": USDC, "${WHOLE}": WHL }
        expect: { outgoing: none }
`
const wallet = 'network="mainnet",address="treasury",chain="c-chain"'
/** In seconds: the first run. */
const START = 1_700_000_100
const DAY = 86_400

/** One of USDC, 1.5 of it, from a stranger to the first address, by default. */
const transfer = (block: number, logIndex: number, more: object = {}) => ({
  blockNumber: String(block),
  blockTimestamp: START + block,
  txHash: `0x${block}`,
  logIndex,
  from: { address: STRANGER },
  to: { address: FIRST },
  value: '1500000',
  erc20Token: { address: USDC, decimals: 6 },
  ...more,
})
type Transfer = Omit<ReturnType<typeof transfer>, 'erc20Token'> & { erc20Token?: object }
const out = { from: { address: FIRST }, to: { address: STRANGER } }
const between = { from: { address: FIRST }, to: { address: SECOND } }
const whole = { erc20Token: { address: WHOLE, decimals: 0 }, value: '3' }
const spam = { erc20Token: { address: SPAM, decimals: 6, symbol: 'USDC' } }

const sides = ({ from, to }: Transfer) => [from.address, to.address].map((one) => one.toLowerCase())

const chainHead = (made: readonly Transfer[] = []) => {
  const blockNumber = String(made.reduce((head, one) => Math.max(head, Number(one.blockNumber)), 902))
  return { blocks: [{ blockNumber, blockTimestamp: START, blockHash: '0x902' }] }
}

/** A service that has these transfers, oldest first. It lists the newest first, unless `order` does otherwise. */
const service =
  (made: () => readonly object[], order = (list: Transfer[]) => list.toReversed()): Upstream =>
  (operation, { path, query }) => {
    if (operation === 'list-latest-evm-blocks') return chainHead(made() as Transfer[])
    const address = path.split('/')[5]!.toLowerCase()
    const start = Number(query['startBlock'] ?? 0)
    const [offset, size] = [Number(query['pageToken'] ?? 0), Number(query['pageSize'])]
    const list = order(
      (made() as Transfer[]).filter((one) => Number(one.blockNumber) >= start && sides(one).includes(address)),
    )
    const more = offset + size < list.length
    return { transactions: list.slice(offset, offset + size), ...(more && { nextPageToken: String(offset + size) }) }
  }
const serve = (...made: readonly object[]) => service(() => made)

const started = (text = yaml) => createPoller(text, erc20Transfers, START * 1_000)
/** Series that are not 0: 'in USDC' to the number of transfers, 'in USDC tokens' to what they moved. */
const counts = (poller: Poller) =>
  Object.fromEntries(
    poller
      .series(/erc20_transfer/)
      .filter(({ labels, value }) => labels['direction'] !== undefined && value !== 0)
      .map(({ name, labels, value }) => [
        `${labels['direction']} ${labels['token']}${name.endsWith('tokens_total') ? ' tokens' : ''}`,
        value,
      ]),
  )
const success = (poller: Poller) => poller.value('stakewatch_collector_success')
/** The next run, five minutes later. */
const next = async (poller: Poller, upstream: Upstream) => {
  poller.clock.now += 300_000
  await poller.poll(upstream)
}

describe('erc20-transfers (document 1, operation 8)', () => {
  test.each([
    ["the document's form", 'wallet'],
    ['the live form', 'wallet-live'],
  ])('the first run starts all counters at 0 and publishes the last outgoing transfer: %s', async (_, form) => {
    const poller = started()
    const asked: unknown[] = []
    await poller.poll((operation, { path, query }) => {
      if (operation === 'list-latest-evm-blocks') return chainHead()
      asked.push([operation, path, query])
      return path.includes(SECOND) ? { transactions: [] } : fixture(`data/list-erc20-transfers.${form}`)
    })
    expect(asked).toEqual(
      [FIRST, SECOND].map((address) => [
        'list-erc20-transfers',
        `/v1/chains/43114/addresses/${address.toLowerCase()}/transactions:listErc20`,
        { pageSize: '100' },
      ]),
    )
    expect(poller.lines(/erc20/).filter((line) => !/collector/.test(line))).toEqual([
      ...['in', 'out'].flatMap((direction) =>
        ['USDC', 'WHL', 'other'].map(
          (token) => `stakewatch_erc20_transfers_total{${wallet},direction="${direction}",token="${token}"} 0`,
        ),
      ),
      ...['in', 'out'].flatMap((direction) =>
        ['USDC', 'WHL'].map(
          (token) => `stakewatch_erc20_transferred_tokens_total{${wallet},direction="${direction}",token="${token}"} 0`,
        ),
      ),
      `stakewatch_address_last_erc20_outgoing_timestamp_seconds{${wallet}} 1700000030`,
      `stakewatch_erc20_transfer_gaps_total{${wallet}} 0`,
      `stakewatch_address_erc20_expectation_met{${wallet},expectation="outgoing"} 0`,
    ])
  })

  test('then asks from the last read block on, or from the first block', async () => {
    const poller = started()
    await poller.poll(serve(transfer(7, 0), transfer(9, 1)))
    const asked: unknown[] = []
    await next(poller, (operation, wire, source) => {
      asked.push(wire.query)
      return serve(transfer(7, 0), transfer(9, 1))(operation, wire, source)
    })
    expect(asked).toEqual([
      { startBlock: '9', pageSize: '100' },
      { startBlock: '0', pageSize: '100' },
    ])
  })

  test.each<[string, object, object]>([
    ['comes', {}, { 'in USDC': 1, 'in USDC tokens': 1.5 }],
    ['comes to the other address', { to: { address: SECOND } }, { 'in USDC': 1, 'in USDC tokens': 1.5 }],
    ['leaves', out, { 'out USDC': 1, 'out USDC tokens': 1.5 }],
    [
      'leaves from the other address',
      { from: { address: SECOND }, to: { address: STRANGER } },
      { 'out USDC': 1, 'out USDC tokens': 1.5 },
    ],
    ['goes from one address of the wallet to the other', between, {}],
    ['goes from an address to itself', { from: { address: FIRST } }, {}],
    ['is of another configured token', whole, { 'in WHL': 1, 'in WHL tokens': 3 }],
    ['is of a token that only has the name', spam, { 'in other': 1 }],
    ['is of an unknown token and leaves', { ...spam, ...out }, { 'out other': 1 }],
    ['is of a token with as many decimals as fit', { erc20Token: { address: SPAM, decimals: 255 } }, { 'in other': 1 }],
    ['is of a token with impossible decimals', { erc20Token: { address: SPAM, decimals: 2e76 } }, { 'in other': 1 }],
    ['says no token', { erc20Token: null }, { 'in other': 1 }],
    [
      'spells token and address in other letters',
      {
        to: { address: FIRST.toUpperCase().replace('0X', '0x') },
        erc20Token: { address: USDC.toUpperCase().replace('0X', '0x'), decimals: 6 },
      },
      { 'in USDC': 1, 'in USDC tokens': 1.5 },
    ],
    ['moves nothing', { value: '0' }, { 'in USDC': 1 }],
    ['says no value', { value: null }, { 'in USDC': 1 }],
    [
      'moves 2^256 - 1',
      { value: String(2n ** 256n - 1n), erc20Token: { address: WHOLE, decimals: 36 } },
      { 'in WHL': 1, 'in WHL tokens': Number('115792089237316195423570985008687907853269.98') },
    ],
  ])('a transfer that %s', async (_, more, expected) => {
    const poller = started()
    await poller.poll(serve())
    await next(poller, serve(transfer(9, 0, more)))
    expect(counts(poller)).toEqual(expected)
  })

  test('of another chain of the same name, as after a reload, counting begins there', async () => {
    const before = started(yaml.replace('evm_chain_id: 43114', 'evm_chain_id: 43113'))
    await before.poll(serve(transfer(9, 0)))
    const after = started()
    await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
    const far = (more: number) => transfer(80_000_000 + more, 0, { blockTimestamp: START + more })
    await next(after, serve(far(0)))
    await next(after, serve(far(0), far(1)))
    expect([counts(after)['in USDC'], success(after)]).toEqual([1, 1])
  })

  test('the sum of a token is unknown once a transfer does not say its value', async () => {
    const poller = started()
    await poller.poll(serve())
    await next(poller, serve(transfer(9, 0), transfer(10, 0, { value: null })))
    await next(poller, serve(transfer(9, 0), transfer(10, 0, { value: null }), transfer(11, 0)))
    const sums = poller.series('stakewatch_erc20_transferred_tokens_total', { token: 'USDC' })
    expect([counts(poller)['in USDC'], sums.map(({ labels }) => labels['direction'])]).toEqual([3, ['out']])
  })

  test('counts what was read and a gap when there is more than one run reads', async () => {
    const poller = started()
    await poller.poll(serve())
    const burst = Array.from({ length: 20_150 }, (_, at) => transfer(9 + Math.floor(at / 50), at % 50))
    await next(poller, serve(...burst))
    expect([counts(poller)['in USDC'], poller.value('stakewatch_erc20_transfer_gaps_total')]).toEqual([20_000, 1])
    await next(poller, serve(...burst, transfer(3_000, 0)))
    expect([counts(poller)['in USDC'], poller.value('stakewatch_erc20_transfer_gaps_total')]).toEqual([20_001, 1])
  })

  const good = serve(transfer(9, 0))
  const later = serve(transfer(9, 0), transfer(10, 0))
  test.each<[string, Upstream, string]>([
    ['transfers of others', () => ({ transactions: [transfer(9, 0, { to: { address: STRANGER } })] }), 'bad_response'],
    ['transfers that do not say whose', () => fixture('data/list-erc20-transfers.minimal'), 'bad_response'],
    [
      'that the second address is not there',
      (operation, wire, source) =>
        wire.path.includes(SECOND.toLowerCase())
          ? new BaseError('unsupported', 'HTTP 404: not there')
          : later(operation, wire, source),
      'http_status',
    ],
  ])('%s is a failure, keeps the values, and the next run continues counting', async (_, bad, code) => {
    const poller = started()
    await poller.poll(good)
    await next(poller, later)
    await next(poller, bad)
    expect([counts(poller)['in USDC'], success(poller)]).toEqual([1, 0])
    expect(poller.log).toMatchObject([{ code }])
    await next(poller, serve(transfer(9, 0), transfer(10, 0), transfer(11, 0)))
    expect([counts(poller)['in USDC'], success(poller)]).toEqual([2, 1])
  })

  test('is estimated as a page for each address', async () => {
    const poller = started()
    const [task] = poller.tasks
    await poller.poll(serve(transfer(9, 0, out)))
    const { calls, series } = task!.collector.estimate(task!.subject)
    expect([calls.map(({ times }) => times), series]).toEqual([[2], poller.lines(/^stakewatch_(erc20|address)/).length])
  })
})

describe('the expectation that nothing leaves the wallet', () => {
  const met = (poller: Poller) => poller.value('stakewatch_address_erc20_expectation_met')
  const recent = (more: object = {}) => transfer(9, 0, { ...out, blockTimestamp: START - 10, ...more })

  test.each<[string, object[], number | undefined]>([
    ['there is none', [], 1],
    ['it came', [transfer(9, 0)], 1],
    ['it left', [recent()], 0],
    ['it left half an hour ago, less a second', [recent({ blockTimestamp: START - 1_799 })], 0],
    ['it left half an hour ago, which is history', [recent({ blockTimestamp: START - 1_800 })], 1],
    ['it stayed in the wallet', [recent(between)], 1],
    // Any contract can claim such a transfer.
    ['a token left that is not configured', [recent(spam)], 1],
    ['nothing at all left in the name of the wallet', [recent({ value: '0' })], 1],
    ['how much left is not said', [recent({ value: null })], 0],
    ['one does not fit: it might have been it', [transfer(9, 0), { blockNumber: '10' }], undefined],
    ['one does not fit, another left', [recent(), { blockNumber: '10' }], 0],
    ['one does not say whose it is', [transfer(9, 0), { blockNumber: '10', txHash: '0xa', logIndex: 0 }], undefined],
    ['one does not say when', [recent({ blockTimestamp: null })], undefined],
  ])('on the first run: %s', async (_, listed, expected) => {
    const poller = started()
    await poller.poll((operation, { path }) =>
      operation === 'list-latest-evm-blocks'
        ? chainHead()
        : { transactions: path.includes(SECOND.toLowerCase()) ? [] : listed },
    )
    expect(met(poller)).toBe(expected)
  })

  test('a later transfer breaks it for a day', async () => {
    const poller = started()
    const outgoing = transfer(300, 0, out)
    await poller.poll(serve())
    await next(poller, serve(outgoing))
    expect([met(poller), poller.value('stakewatch_address_last_erc20_outgoing_timestamp_seconds')]).toEqual([
      0,
      START + 300,
    ])
    poller.clock.now = (START + 300 + DAY) * 1_000
    await poller.poll(serve(outgoing))
    expect([met(poller), poller.value('stakewatch_address_last_erc20_outgoing_timestamp_seconds')]).toEqual([
      1,
      START + 300,
    ])
  })

  test('what is not known is unknown for a day, also if the clock was days ahead then', async () => {
    const poller = started()
    const pollAt = async (seconds: number) => {
      poller.clock.now = (START + seconds) * 1_000
      await poller.poll(serve(transfer(10, 0, seconds === 10 * DAY ? { blockTimestamp: null } : {})))
    }
    await pollAt(10 * DAY)
    await pollAt(600)
    expect(met(poller)).toBeUndefined()
    await pollAt(601 + DAY)
    expect([met(poller), success(poller)]).toEqual([1, 1])
  })

  test('is met, and the last outgoing transfer is another one, after a reload has removed its token', async () => {
    const before = started()
    await before.poll(serve())
    const outgoing = [transfer(200, 0, { ...out, ...whole }), transfer(300, 0, out)]
    await next(before, serve(...outgoing))
    const without = async (token: RegExp, ...more: object[]) => {
      const after = started(yaml.replace(token, ''))
      await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
      await next(after, serve(...outgoing, ...more))
      return [met(after), after.value('stakewatch_address_last_erc20_outgoing_timestamp_seconds')]
    }
    expect(await without(/"\S+": USDC, /)).toEqual([0, START + 200])
    expect(await without(/, "\S+": WHL/)).toEqual([0, START + 300])
    expect(await without(/"\S+": USDC, .*WHL/)).toEqual([undefined, undefined])
  })

  test.each([
    ['newest first', undefined],
    ['oldest first', (list: Transfer[]) => list],
  ])('a past that is too long to read is unknown for a day and not counted: listed %s', async (_, order) => {
    const poller = started()
    // Incoming ones until shortly before block 902, the newest of the chain; the very first one left.
    const past = [transfer(1, 9, { ...out, blockTimestamp: START - 5 * DAY })]
    for (let at = 0; at < 1_800; at += 1) past.push(transfer(1 + (at >> 1), at & 1))
    const listed = service(() => past, order)
    await poller.poll(listed)
    const asked = poller.asked.map(({ operation }) => operation)
    // Ten pages of the first address; nothing of the second one.
    expect(asked.filter((name) => name === 'list-erc20-transfers')).toHaveLength(11)
    expect(asked.filter((name) => name === 'list-latest-evm-blocks')).toHaveLength(1)
    expect([met(poller), poller.value('stakewatch_address_last_erc20_outgoing_timestamp_seconds')]).toEqual([
      undefined,
      undefined,
    ])
    past.push(transfer(903, 0))
    poller.clock.now += (DAY + 1) * 1_000
    await poller.poll(listed)
    expect(counts(poller)['in USDC']).toBe(1)
    expect([met(poller), poller.value('stakewatch_erc20_transfer_gaps_total')]).toEqual([1, 0])
  })

  test.each([
    ['is absent for a wallet without tokens', / {8}tokens.*\n/],
    ['nor where it is not declared', / {8}expect.*\n/],
  ])('%s', async (_, part) => {
    const poller = started(yaml.replace(part, ''))
    await poller.poll(serve(recent()))
    expect([success(poller), poller.lines(/expectation/)]).toEqual([1, []])
  })
})
