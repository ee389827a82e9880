import { describe, expect, test } from 'vitest'
import { transactions } from '../../../src/collectors/wallets/transactions.ts'
import { pagesUnder } from '../../support/listing.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'
import { walletTransactions, walletTransactionsLive } from '../../support/wallet-answers.ts'

const FIRST = 'fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7'
const SECOND = 'fuji186eyqkgdmycan3q6z3q7hq5pmufj8ypzsxx946'
const STRANGER = 'fuji1ygwfw283mzr8t9mte5vfxus84gpljxg94u2gk3'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const TOKEN = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const DAY = 86_400
const withWallet = (wallet: string) => `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    chains: [{ id: c-chain, name: c, evm_chain_id: 43113 }]
    addresses: [${wallet}]
`
const yaml = withWallet(`{ name: treasury, addresses: [P-${FIRST}, ${SECOND}], expect: { outgoing: none } }`)
const wallet = 'network="fuji",address="treasury"'

const utxo = (owner: string, tokens: number, assetId: string | undefined = TOKEN) => ({
  utxoId: 'utxo',
  addresses: [owner],
  assetId,
  amount: `${tokens}000000000`,
})
const amounts = (tokens: number) => [{ assetId: TOKEN, amount: `${tokens}000000000` }]
/** By a stranger, who burned one token and sent one. */
const incoming = (at: number, more: object = {}) => ({
  txHash: `tx-${at}`,
  txType: 'BaseTx',
  blockTimestamp: at,
  consumedUtxos: [utxo(STRANGER, 2)],
  emittedUtxos: [utxo(FIRST, 1)],
  amountBurned: amounts(1),
  ...more,
})
/** By the wallet, which burned one token and sent two. */
const outgoing = (at: number, more: object = {}) =>
  incoming(at, { consumedUtxos: [utxo(FIRST, 8)], emittedUtxos: [utxo(STRANGER, 2), utxo(SECOND, 5)], ...more })
const service = (...pages: readonly (readonly object[])[]) => pagesUnder('transactions', ...pages)

const started = (text = yaml) => createPoller(text, transactions, 1_700_010_000_000)
const OWN = /^stakewatch_(address|transactions)_/
/** Name and type to value, on whatever chain; types that did not occur are left out. */
function published(poller: Poller) {
  const values = poller.series(/^stakewatch_address_/).map(({ name, labels, value }) => {
    const own = [name.replace('stakewatch_address_', ''), labels['tx_type']]
    return [own.filter(Boolean).join(' '), value] as const
  })
  return Object.fromEntries(values.filter(([name, value]) => value !== 0 || !/^transactions_(total|gaps)/.test(name)))
}
const met = (poller: Poller) => poller.list(/expectation_met$/)

describe('transactions (document 1, operation 4)', () => {
  const chain = `${wallet},chain="p-chain"`
  const P = [
    'BaseTx',
    'ImportTx',
    'ExportTx',
    'AddPermissionlessValidatorTx',
    'AddPermissionlessDelegatorTx',
    'AddValidatorTx',
    'AddDelegatorTx',
    'RewardValidatorTx',
    'ConvertSubnetToL1Tx',
    'RegisterL1ValidatorTx',
    'IncreaseL1ValidatorBalanceTx',
  ]
  const counts = (numbers: Record<string, number>) =>
    P.map((type) => `stakewatch_address_transactions_total{${chain},tx_type="${type}"} ${numbers[type] ?? 0}`)

  test('the first run counts nothing; later transactions count by type, with the fees of outgoing ones', async () => {
    const poller = started()
    await poller.poll(() => ({ transactions: [incoming(1_700_000_100, { txHash: 'tx-1' })] }))
    expect(poller.asked.map(({ operation, path, query }) => [operation, path, query])).toEqual([
      [
        'list-latest-transactions',
        '/v1/networks/fuji/blockchains/p-chain/transactions',
        { addresses: `${FIRST},${SECOND}`, sortOrder: 'desc', pageSize: '100' },
      ],
    ])
    expect(poller.lines(OWN)).toEqual([
      ...counts({}),
      `stakewatch_address_burned_tokens_total{${chain}} 0`,
      `stakewatch_address_last_transaction_timestamp_seconds{${chain}} 1700000100`,
      `stakewatch_address_transactions_expectation_met{${chain},expectation="outgoing"} 1`,
      `stakewatch_address_transactions_gaps_total{${chain}} 0`,
    ])
    await poller.poll(() => walletTransactions)
    // A transfer of 3 tokens that burned 0.001, a stake that came back, and a transfer from a stranger.
    expect(poller.lines(OWN)).toEqual([
      ...counts({ BaseTx: 2, RewardValidatorTx: 1 }),
      `stakewatch_address_burned_tokens_total{${chain}} 0.001`,
      `stakewatch_address_last_transaction_timestamp_seconds{${chain}} 1700000400`,
      `stakewatch_address_last_outgoing_timestamp_seconds{${chain}} 1700000400`,
      // With its fee.
      `stakewatch_address_last_outgoing_tokens{${chain}} 3.001`,
      `stakewatch_address_transactions_expectation_met{${chain},expectation="outgoing"} 0`,
      `stakewatch_address_transactions_gaps_total{${chain}} 0`,
      `stakewatch_transactions_chain_mismatch{${chain}} 0`,
    ])
  })

  test.each<[string, string, 'x' | 'c', object]>([
    [
      'the X-Chain, where the wallet has an address written for it',
      `{ name: treasury, addresses: [X-${FIRST}] }`,
      'x',
      // 5 - 4.998; the other asset came back.
      { 'transactions_total BaseTx': 1, burned_tokens_total: 0.002, last_outgoing_timestamp_seconds: 1_700_000_200 },
    ],
    [
      'the C-Chain: an import takes from the address there what it gives to others',
      `{ name: treasury, addresses: [C-${FIRST}] }`,
      'c',
      { 'transactions_total ExportTx': 1, burned_tokens_total: 0, last_outgoing_timestamp_seconds: 1_700_000_100 },
    ],
    [
      'the C-Chain: an export takes from an address of 0x',
      `{ name: treasury, addresses: ["${EVM}"], chains: [c] }`,
      'c',
      { 'transactions_total ExportTx': 1, burned_tokens_total: 0.001, last_outgoing_timestamp_seconds: 1_700_000_200 },
    ],
  ])('the live form of %s', async (_, configured, on, expected) => {
    const poller = started(withWallet(configured))
    const form = walletTransactionsLive[on]
    const asked: unknown[] = []
    const answer =
      (...those: object[]): Upstream =>
      (__, { path, query }) => {
        const isThis = path.includes(`/${on}-chain/`)
        if (isThis) asked.push(query['addresses'])
        return isThis ? { ...form, transactions: those } : { transactions: [] }
      }
    await poller.poll(answer(form.transactions[1]))
    await poller.poll(answer(...form.transactions))
    expect(new Set(asked)).toEqual(new Set([configured.includes('0x') ? EVM : FIRST]))
    const onP = new Set(poller.lines(OWN).filter((line) => line.includes('chain="p-chain"')))
    const known = published(poller)
    expect(onP.size).toBe(configured.includes('0x') ? 0 : 13)
    expect(known).toMatchObject({ ...expected, last_transaction_timestamp_seconds: 1_700_000_200 })
    expect(poller.lines(/expectation_met/)).toEqual([])
  })

  test("in the document's form, 0x wallets have counts but unknown outflow and fees", async () => {
    const poller = started(
      withWallet(`{ name: treasury, addresses: ["${EVM}"], chains: [c], expect: { outgoing: none } }`),
    )
    const to = (at: number) => outgoing(at, { txType: 'ImportTx', emittedUtxos: [] })
    const from = (at: number) => outgoing(at, { txType: 'ExportTx', consumedUtxos: [] })
    await poller.poll(service([]))
    expect([published(poller), met(poller)]).toEqual([{ burned_tokens_total: 0, transactions_expectation_met: 1 }, [1]])
    await poller.poll(service([from(12), to(11), to(10)]))
    expect(published(poller)).toEqual({
      'transactions_total ImportTx': 2,
      'transactions_total ExportTx': 1,
      last_transaction_timestamp_seconds: 12,
    })
    expect([met(poller), poller.success()]).toEqual([[], [1]])
  })

  const counted = (count: number, at: number) => ({
    'transactions_total BaseTx': count,
    burned_tokens_total: 0,
    last_transaction_timestamp_seconds: at,
    transactions_expectation_met: 1,
  })
  /** Possibly outgoing transactions. */
  const unsure = (count: number, at: number) => {
    const { transactions_expectation_met: _, ...rest } = counted(count, at)
    return rest
  }

  test.each<[string, object[][], object]>([
    [
      'next to an unreadable one',
      [[{ txType: 'BaseTx', blockTimestamp: 13 }, incoming(12), incoming(9)]],
      unsure(1, 12),
    ],
    ['of the same second as the newest', [[incoming(10, { txHash: 'b' }), incoming(10), incoming(9)]], counted(1, 10)],
    [
      'without owners, or of a stranger next to others of the wallet',
      [
        [
          incoming(12, { consumedUtxos: [], emittedUtxos: [] }),
          incoming(11, { emittedUtxos: [utxo(STRANGER, 1)] }),
          incoming(10),
          incoming(9),
        ],
      ],
      counted(2, 12),
    ],
  ])('transactions %s', async (_, pages, expected) => {
    const poller = started()
    await poller.poll(service([incoming(10), incoming(9)]))
    await poller.poll(service(...pages))
    expect(published(poller)).toEqual(expected)
    await poller.poll(service(...pages))
    expect(published(poller)).toEqual(expected)
    expect(poller.success()).toEqual([1])
  })

  test('types in use at the first run start at 0, so that their first increase shows', async () => {
    const poller = started()
    await poller.poll(service([incoming(10, { txType: 'CreateSubnetTx' }), incoming(9, { txType: null })]))
    const lines = poller.lines(/tx_type="(CreateSubnetTx|other)"/)
    expect(lines.map((line) => line.replace(/.*tx_type=/, ''))).toEqual(['"CreateSubnetTx"} 0', '"other"} 0'])
  })

  test('5,000 types add no more than 33 of them', async () => {
    const invented = Array.from({ length: 5_000 }, (_, at) => incoming(11 + at, { txType: `T${at}` }))
    const first = started()
    await first.poll(service(invented))
    expect(first.lines(/transactions_total/)).toHaveLength(33)
    const poller = started()
    await poller.poll(service([incoming(10)]))
    await poller.poll(service([...invented, incoming(9)]))
    expect(poller.lines(/transactions_total/)).toHaveLength(33)
    // Eleven types are known, 21 more get their own name.
    expect(published(poller)['transactions_total other']).toBe(5_000 - 21)
  })

  test('a list that does not reach back is a gap, and makes the last outflow unknown', async () => {
    const poller = started()
    await poller.poll(service([incoming(10)]))
    await poller.poll(service([incoming(13), incoming(12)]))
    expect(published(poller)).toEqual({
      'transactions_total BaseTx': 2,
      transactions_gaps_total: 1,
      burned_tokens_total: 0,
      last_transaction_timestamp_seconds: 13,
    })
  })

  const good = service([incoming(10), incoming(9)])
  test('transactions of others alone are a failure: nothing moves, and the next run counts on', async () => {
    const poller = started()
    await poller.poll(good)
    const before = poller.lines(OWN)
    await poller.poll(service([incoming(11, { emittedUtxos: [utxo(STRANGER, 1)] })]))
    expect(poller.lines(OWN)).toEqual(before)
    expect(poller.log).toMatchObject([{ code: 'bad_response' }])
    await poller.poll(service([incoming(12), incoming(11), incoming(10), incoming(9)]))
    expect(published(poller)).toEqual(counted(2, 12))
  })

  test('withholds and reports an answer about another chain, and keeps the cursor', async () => {
    const poller = started()
    await poller.poll(good)
    await poller.poll(() => ({ transactions: [incoming(12)], chainInfo: { chainName: 'x-chain', network: 'fuji' } }))
    expect(poller.lines(OWN)).toEqual([`stakewatch_transactions_chain_mismatch{${chain}} 1`])
    expect(poller.log).toMatchObject([{ code: 'bad_response' }])
    await poller.poll(service([incoming(12), incoming(11), incoming(9)]))
    expect(published(poller)).toEqual(counted(2, 12))
  })
})

describe('what leaves a wallet', () => {
  const nothing = { last_outgoing_timestamp_seconds: undefined, last_outgoing_tokens: undefined }
  const out = (burned: number | undefined, tokens: number) => ({
    burned_tokens_total: burned,
    last_outgoing_timestamp_seconds: 11,
    last_outgoing_tokens: tokens,
  })
  const none = { burned_tokens_total: 0, ...nothing }
  const unknown = { burned_tokens_total: undefined, ...nothing }
  test.each<[string, object, number[], object]>([
    ['a transfer to a stranger', {}, [0], out(1, 3)],
    ['the fee of a transfer to itself', { emittedUtxos: [utxo(FIRST, 7)] }, [0], out(1, 1)],
    [
      'nothing where all of it comes back, as of a stake',
      { emittedUtxos: [utxo(FIRST, 8)], amountBurned: [] },
      [1],
      none,
    ],
    ['nothing where more comes back, as of a stake that ended', { emittedUtxos: [utxo(SECOND, 9)] }, [1], none],
    [
      'another asset, with the fee paid by another wallet',
      { consumedUtxos: [utxo(FIRST, 3, 'other'), utxo(STRANGER, 2)], emittedUtxos: [utxo(STRANGER, 3, 'other')] },
      [0],
      out(1, 0),
    ],
    [
      'one asset for as much of another, with the fee paid by another wallet',
      { consumedUtxos: [utxo(FIRST, 3, 'other'), utxo(STRANGER, 4)], emittedUtxos: [utxo(FIRST, 3)] },
      [0],
      out(1, 0),
    ],
    ['nothing of inputs without owner', { consumedUtxos: [{ utxoId: 'a' }] }, [1], none],
    ['unknown without what went in', { consumedUtxos: null }, [], unknown],
    ['unknown without what came out', { emittedUtxos: null }, [], unknown],
    ['unknown without an amount', { consumedUtxos: [{ ...utxo(FIRST, 8), amount: null }] }, [], unknown],
    ['unknown without an asset', { emittedUtxos: [{ ...utxo(FIRST, 8), assetId: null }] }, [], unknown],
    ['a transfer that does not say what it burned', { amountBurned: null }, [0], out(undefined, 3)],
    [
      'a transfer by what it unlocked and created',
      { amountBurned: null, amountUnlocked: amounts(8), amountCreated: amounts(6) },
      [0],
      out(2, 3),
    ],
  ])('%s', async (_, more, expectation, expected) => {
    const poller = started()
    await poller.poll(service([incoming(10)]))
    await poller.poll(service([outgoing(11, more), incoming(10), incoming(9)]))
    const { burned_tokens_total, last_outgoing_timestamp_seconds, last_outgoing_tokens } = published(poller)
    expect({ burned_tokens_total, last_outgoing_timestamp_seconds, last_outgoing_tokens }).toEqual(expected)
    expect(met(poller)).toEqual(expectation)
  })

  test('an outflow of the same second that is listed a run later is added, and a repeated one is not', async () => {
    const poller = started()
    const [first, second] = [outgoing(11), outgoing(11, { txHash: 'second' })]
    await poller.poll(service([incoming(10)]))
    await poller.poll(service([first, incoming(10)], [first, incoming(9)]))
    expect(published(poller)['last_outgoing_tokens']).toBe(3)
    await poller.poll(service([second, first, incoming(10), incoming(9)]))
    expect(published(poller)['last_outgoing_tokens']).toBe(6)
    await poller.poll(service([second, incoming(10), incoming(9)]))
    expect(published(poller)['last_outgoing_tokens']).toBe(6)
  })

  test('an outflow counts for a day: since it happened in the first run, since it was seen later', async () => {
    const at = 1_700_000_000
    const poll = async (seconds: number, poller: Poller, ...those: object[]) => {
      poller.clock.now = seconds * 1_000
      await poller.poll(service(those))
      return met(poller)
    }
    const first = started()
    expect(await poll(at + 10, first, outgoing(at))).toEqual([0])
    expect(await poll(at + DAY - 2, first, outgoing(at))).toEqual([0])
    expect(await poll(at + DAY, first, outgoing(at))).toEqual([1])
    // It came late, after a pause of two days.
    const seen = at + 2 * DAY
    expect(await poll(seen, first, outgoing(at + 10), outgoing(at))).toEqual([0])
    expect(await poll(seen + DAY - 2, first, outgoing(at + 10), outgoing(at))).toEqual([0])
    expect(await poll(seen + DAY, first, outgoing(at + 10), outgoing(at))).toEqual([1])
  })

  test.each([
    ['half an hour before the first look, less a second', 1_799, 0],
    ['half an hour before it, which is history', 1_800, 1],
    ['a day before it, less a second', DAY - 1, 1],
  ])('what left %s', async (_, age, expected) => {
    const poller = started()
    const at = 1_700_000_000
    poller.clock.now = (at + age) * 1_000
    await poller.poll(service([outgoing(at)]))
    expect([met(poller), last(poller)]).toEqual([[expected], at])
    // History stays history, and what leaves from now on counts.
    poller.clock.now += 60_000
    await poller.poll(service([outgoing(at)]))
    expect(met(poller)).toEqual([expected])
    await poller.poll(service([outgoing(at + age + 60), outgoing(at)]))
    expect(met(poller)).toEqual([0])
  })
  const last = (poller: Poller) => poller.value('stakewatch_address_last_outgoing_timestamp_seconds')

  test('an unreadable transaction makes outflow unknown for a day after it was last listed', async () => {
    const damaged = { txType: 'BaseTx', blockTimestamp: 11 }
    const poller = started()
    await poller.poll(service([incoming(10)]))
    expect([met(poller), poller.success()]).toEqual([[1], [1]])
    await poller.poll(service([damaged, incoming(10)]))
    expect([met(poller), poller.success()]).toEqual([[], [1]])
    const seen = poller.clock.now
    poller.clock.now = seen + (DAY - 10) * 1_000
    await poller.poll(service([incoming(12), incoming(10)]))
    expect(met(poller)).toEqual([])
    poller.clock.now = seen + DAY * 1_000
    await poller.poll(service([incoming(12), incoming(10)]))
    expect(met(poller)).toEqual([1])
    // What is seen to leave is known all the same.
    await poller.poll(service([outgoing(13), damaged, incoming(12)]))
    expect(met(poller)).toEqual([0])
  })
})

describe('outflow before a restart', () => {
  const NOW = 1_700_000_000
  const HOUR = 3_600
  /** One transaction a minute, the newest an hour ago. */
  const dust = (count: number) => Array.from({ length: count }, (_, at) => incoming(NOW - 60 - at * 6))
  const inPages = (all: readonly object[]) =>
    Array.from({ length: Math.max(1, Math.ceil(all.length / 100)) }, (_, at) => all.slice(at * 100, (at + 1) * 100))
  /** Gives how many pages were asked for. */
  const pollAt = async (poller: Poller, seconds: number, ...newestFirst: readonly object[]) => {
    poller.clock.now = seconds * 1_000
    let asked = 0
    await poller.poll((...question) => {
      asked += 1
      return service(...inPages(newestFirst))(...question)
    })
    return asked
  }

  test.each([
    // 15 minutes of dust since a minute ago; what left did so in the moment before it began, on the second page.
    ['behind 150 transactions of dust', [...dust(150), outgoing(NOW - 60 - 900), ...[2, 3].map(daysAgo)], 2, [0]],
    ['nothing but dust, in a list that ends', dust(150), 2, [1]],
    [
      'nothing within half an hour, as the first page shows',
      [...dust(50), ...[2, 3].map(daysAgo), ...dust(100)],
      1,
      [1],
    ],
    ['more than half an hour ago', [...dust(50), outgoing(NOW - HOUR), ...[2, 3].map(daysAgo)], 1, [1]],
  ])('%s', async (_, listed, pages, expectation) => {
    const poller = started()
    expect(await pollAt(poller, NOW, ...listed)).toBe(pages)
    expect(met(poller)).toEqual(expectation)
  })
  function daysAgo(days: number) {
    return incoming(NOW - days * DAY)
  }

  test.each([
    ['history of an address that a reload adds is no news', outgoing(NOW - 2 * DAY), 1, { BaseTx: 0 }],
    ['what left within half an hour is', outgoing(NOW - 60), 0, { BaseTx: 0 }],
  ])('%s', async (_, added, expectation, counts) => {
    const before = started(withWallet(`{ name: treasury, addresses: [P-${SECOND}], expect: { outgoing: none } }`))
    await pollAt(before, NOW - 900)
    const after = started()
    await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
    await pollAt(after, NOW, added)
    expect([met(after), after.success()]).toEqual([[expectation], [1]])
    expect(after.values('stakewatch_address_transactions_total', 'tx_type')).toMatchObject(counts)
  })

  test('an outflow that was seen still counts after a reload adds an address', async () => {
    const before = started(withWallet(`{ name: treasury, addresses: [P-${FIRST}], expect: { outgoing: none } }`))
    await pollAt(before, NOW - 2 * HOUR, incoming(NOW - DAY))
    await pollAt(before, NOW - HOUR, outgoing(NOW - HOUR), incoming(NOW - DAY))
    const after = started()
    await after.memories.save(after.tasks[0]!.key, before.memories.load(after.tasks[0]!.key))
    await pollAt(after, NOW, outgoing(NOW - HOUR), incoming(NOW - DAY))
    expect(met(after)).toEqual([0])
    await pollAt(after, NOW + DAY, outgoing(NOW - HOUR), incoming(NOW - DAY))
    expect(met(after)).toEqual([1])
  })

  test('an outflow breaks the expectation for a day, also if the clock was days ahead when it was seen', async () => {
    const poller = started()
    const all = [outgoing(NOW + 60), incoming(NOW)]
    await pollAt(poller, NOW, incoming(NOW))
    await pollAt(poller, NOW + 10 * DAY, ...all)
    await pollAt(poller, NOW + 600, ...all)
    expect(met(poller)).toEqual([0])
    await pollAt(poller, NOW + 600 + DAY, ...all)
    expect(met(poller)).toEqual([1])
    expect(published(poller)).toMatchObject({ last_outgoing_tokens: 3 })
  })

  test('reads only the first page of a wallet that may be spent from', async () => {
    const poller = started(yaml.replace(', expect: { outgoing: none }', ''))
    expect(await pollAt(poller, NOW, ...dust(150), outgoing(NOW - 4 * HOUR))).toBe(1)
  })
})
