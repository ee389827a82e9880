import { describe, expect, test } from 'vitest'
import { transactions } from '../../../src/collectors/wallets/transactions.ts'
import { BaseError } from '../../../src/errors.ts'
import { pagesUnder } from '../../support/listing.ts'
import { createPoller, type Upstream } from '../../support/poll.ts'
import { TOKEN, topUps } from '../../support/wallet-answers.ts'

const NODE = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const withValidator = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }]
    data_api: { url: "http://127.0.0.1:1" }
    subnets: [{ id: ${SUBNET}, name: my-l1, validators: all }]
    validators: [{ node_id: ${NODE}, name: one }, { node_id: ${NODE}, name: two, subnet: my-l1 }]
`
const validator = `network="fuji",subnet="my-l1",node_id="${NODE}",validator="two"`
const total = (tokens: number) => [`stakewatch_l1_validator_topup_tokens_total{${validator}} ${tokens}`]
const record = (more: object = {}) => ({
  nodeID: NODE,
  weight: '1',
  balance: '1',
  validationID: 'validation-1',
  ...more,
})
const topup = (at: number, more: object = {}) => ({
  txHash: `tx-${at}`,
  txType: 'IncreaseL1ValidatorBalanceTx',
  blockTimestamp: at,
  amountL1ValidatorBalanceBurned: amounts(2),
  ...more,
})
const both =
  (answer: Upstream, ...validators: object[]): Upstream =>
  (operation, ...rest) =>
    operation === 'platform.getCurrentValidators' ? { validators } : answer(operation, ...rest)
const amounts = (tokens: number) => [{ assetId: TOKEN, amount: `${tokens}000000000` }]
const service = (...pages: readonly (readonly object[])[]) => pagesUnder('transactions', ...pages)
const started = (text = withValidator) => createPoller(text, transactions, 1_700_010_000_000)
const OWN = /^stakewatch_l1_validator_/

describe('top-ups of L1 validators (document 1, operation 4, by l1ValidationId)', () => {
  test('asks for a single validator if the node cannot read the id of another one', async () => {
    const other = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
    const tracked = withValidator
      .replace(', validators: all', '')
      .replace('subnet: my-l1 }]', `subnet: my-l1 }, { node_id: ${other}, name: three, subnet: my-l1 }]`)
    const unreadable = new BaseError('rpc_error', 'error -32000', { details: "couldn't unmarshal an argument. Ensure" })
    const poller = started(tracked)
    const pages = service([topup(1_700_000_100)])
    const answers: Upstream = (operation, wire, source) => {
      if (operation !== 'platform.getCurrentValidators') return pages(operation, wire, source)
      const { nodeIDs } = wire.body as { nodeIDs: string[] }
      return nodeIDs.includes(other) ? unreadable : { validators: [record()] }
    }
    await poller.poll(answers)
    await poller.poll(answers)
    expect(poller.lines(OWN)).toEqual(total(0))
  })

  test('counts top-ups of tracked subnet validators alone, by the validation id from the node', async () => {
    const poller = started()
    const asked: unknown[] = []
    const answer: Upstream = (_, { path, query }) => {
      asked.push([path, query])
      return { transactions: [topup(1_700_000_100, { txHash: 't-1' })] }
    }
    await poller.poll(both(answer, record({ nodeID: 'NodeID-other', validationID: 'validation-2' }), record()))
    expect(asked).toEqual([
      [
        '/v1/networks/fuji/blockchains/p-chain/transactions',
        {
          l1ValidationId: 'validation-1',
          txTypes: ['IncreaseL1ValidatorBalanceTx'],
          sortOrder: 'desc',
          pageSize: '100',
        },
      ],
    ])
    expect(poller.lines(OWN)).toEqual(total(0))
    await poller.poll(both(() => topUps, record()))
    // 2.5 by the amount that went into the balance, 1.5 by the change of it.
    expect(poller.lines(OWN)).toEqual(total(4))
  })

  test.each<[string, object[], string[]]>([
    ['one', [topup(11)], total(2)],
    ['one that is repeated', [topup(11), topup(11)], total(2)],
    ['several', [topup(13), topup(12), topup(11)], total(6)],
    ['a type in small letters', [topup(11, { txType: 'increasel1validatorbalancetx' })], total(2)],
    ['transactions of other types', [topup(11, { txType: 'SetL1ValidatorWeightTx' })], total(0)],
    [
      'one of another validator next to its own',
      [topup(12, { l1ValidatorDetails: [{ validationId: 'validation-2' }] }), topup(11)],
      total(2),
    ],
    ['an amount that is missing: unknown', [topup(12), topup(11, { amountL1ValidatorBalanceBurned: null })], []],
    ['an empty amount: unknown', [topup(11, { amountL1ValidatorBalanceBurned: [] })], []],
    [
      'a change that is negative: unknown',
      [topup(11, { amountL1ValidatorBalanceBurned: null, l1ValidatorDetails: [{ balanceChange: -5 }] })],
      [],
    ],
    [
      'an amount of another asset: unknown',
      [topup(11, { amountL1ValidatorBalanceBurned: [{ assetId: 'a', amount: '1' }] })],
      [],
    ],
  ])('%s', async (_, listed, expected) => {
    const poller = started()
    await poller.poll(both(service([topup(10), topup(9)]), record()))
    await poller.poll(both(service([...listed, topup(10), topup(9)]), record()))
    expect(poller.lines(OWN)).toEqual(expected)
    expect(poller.success()).toEqual([1])
  })

  test('counts the list of the new validation after a node registers again', async () => {
    const poller = started()
    await poller.poll(both(service([topup(10)]), record()))
    await poller.poll(both(service([topup(12), topup(10)]), record()))
    await poller.poll(both(service([]), record({ validationID: 'validation-2' })))
    expect([poller.lines(OWN), poller.success()]).toEqual([total(2), [1]])
    await poller.poll(both(service([topup(14), topup(13)]), record({ validationID: 'validation-2' })))
    expect(poller.lines(OWN)).toEqual(total(6))
  })

  test('counts from the beginning after a reload gave the validator another node id', async () => {
    const before = started()
    await before.poll(both(service([topup(10)]), record()))
    await before.poll(both(service([topup(12), topup(10)]), record()))
    const other = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
    const after = started(withValidator.replace(`${NODE}, name: two`, `${other}, name: two`))
    await after.memories.save(after.tasks[0]!.key, before.memories.load(before.tasks[0]!.key))
    const second = record({ nodeID: other, validationID: 'validation-2' })
    await after.poll(both(service([topup(9), topup(8)]), second))
    expect(after.lines(OWN)).toEqual([total(0)[0]!.replace(NODE, other)])
    await after.poll(both(service([topup(14), topup(9), topup(8)]), second))
    expect(after.lines(OWN)).toEqual([total(2)[0]!.replace(NODE, other)])
  })

  test.each<[string, object[]]>([
    ['no validators', []],
    ['others', [record({ nodeID: 'NodeID-other' })]],
    ['it, as no L1 validator', [record({ validationID: undefined, balance: undefined })]],
  ])('succeeds without requests in a set of %s, and continues counting when it is back', async (_, records) => {
    const poller = started()
    await poller.poll(both(service([topup(10)]), record()))
    await poller.poll(both(service([topup(11), topup(9)]), ...records))
    expect([poller.lines(OWN), poller.success()]).toEqual([[], [1]])
    await poller.poll(both(service([topup(11), topup(9)]), record()))
    expect(poller.lines(OWN)).toEqual(total(2))
  })

  test.each<[string, Upstream, string]>([
    [
      'records that do not fit: it may be among them',
      both(service([]), { nodeID: 5 }, record({ nodeID: 'NodeID-other' })),
      'bad_response',
    ],
    [
      'top-ups of other validators alone',
      both(service([topup(11, { l1ValidatorDetails: [{ validationId: 'validation-2' }] })]), record()),
      'bad_response',
    ],
    [
      'an answer about another chain',
      both(() => ({ transactions: [], chainInfo: { chainName: 'x-chain' } }), record()),
      'bad_response',
    ],
  ])('%s is a failure and keeps the counts', async (_, bad, code) => {
    const poller = started()
    await poller.poll(both(service([topup(10)]), record()))
    await poller.poll(both(service([topup(11), topup(10)]), record()))
    await poller.poll(bad)
    expect(poller.lines(OWN)).toEqual(total(2))
    expect(poller.log).toMatchObject([{ code }])
  })

  test('has no subjects without a node or without a data service', () => {
    const noNode = withValidator.replace(/ {4}nodes.*\n/, '')
    const noService = withValidator.replace(/ {4}data_api.*\n/, '')
    expect([noNode, noService].map((text) => started(text).tasks)).toEqual([[], []])
  })
})
