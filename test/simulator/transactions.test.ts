// List latest transactions (document 1, operation 4): whose they are, in what order, and page by page.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PrimaryChain } from '../../src/lib/primary-network.ts'
import type { Utxo } from '../../src/simulator/world/transactions.ts'
import { createWorld } from '../../src/simulator/world/world.ts'
import { EPOCH, networkOfFile } from './network.ts'
import { pagesOf, serviceOf } from './service.ts'

const pathOf = (chain: PrimaryChain) => `/v1/networks/fuji/blockchains/${chain.toLowerCase()}-chain/transactions`

interface Listed {
  txHash: string
  txType: string
  blockTimestamp: number
  blockNumber: string
  blockHash: string
  consumedUtxos: unknown[]
  emittedUtxos: unknown[]
}
interface Page {
  nextPageToken?: string
  transactions: Listed[]
}
const hashes = ({ transactions }: Page) => transactions.map(({ txHash }) => txHash)

const network = await networkOfFile({ speed: 0 })
network.world.advance(EPOCH + 12 * 3_600)

const get = (path: string, from = network) => from.askLater(path)
async function list(path: string, from = network): Promise<Page> {
  const { status, body } = await get(path, from)
  expect(status).toBe(200)
  return body as Page
}
/** The ids of a block's transactions, the newest first. */
const inBlock = (chain: PrimaryChain, height: number) =>
  network.world.chains[chain].block(height)!.transactions.toReversed()

describe('of a chain', () => {
  test('C: those between chains alone, which are few', async () => {
    const { chains } = network.world
    const heights = Array.from({ length: chains.C.head() + 1 }, (_, at) => chains.C.head() - at)
    const expected = heights.flatMap((height) => inBlock('C', height))
    expect(hashes(await list(`${pathOf('C')}?pageSize=20`))).toEqual(expected.slice(0, 20))
    expect(hashes(await list(`${pathOf('C')}?pageSize=20&sortOrder=asc`))).toEqual(expected.slice(-20).toReversed())
  })

  test('a page ends early when its UTXOs are many, and is not the last', async () => {
    // Each transaction has two UTXOs at least, a stranger's exactly two: 64 are reached by the 32nd at the latest.
    const page = await list(`${pathOf('P')}?pageSize=100`)
    const utxos = page.transactions.map((one) => one.consumedUtxos.length + one.emittedUtxos.length)
    const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)
    expect(page.transactions.length).toBeLessThanOrEqual(32)
    expect(sum(utxos)).toBeGreaterThanOrEqual(64)
    expect(sum(utxos.slice(0, -1))).toBeLessThan(64)
    const next = await list(`${pathOf('P')}?pageSize=100&pageToken=${page.nextPageToken}`)
    const head = network.world.chains.P.head()
    const expected = Array.from({ length: 100 }, (_, at) => inBlock('P', head - at)).flat()
    expect([...hashes(page), ...hashes(next)]).toEqual(
      expected.slice(0, page.transactions.length + next.transactions.length),
    )
  })
})

describe('of wallets', () => {
  const traders = () => network.world.trade.traders

  /** From the blocks: those that an address pays for or gets something from. */
  function expected(chain: PrimaryChain, of: readonly string[]): string[] {
    const { ledger } = network.world
    const isTheirs = ({ owner }: Utxo) => of.includes(owner)
    return [...ledger.transactions(chain)]
      .filter(
        ({ consumed, emitted, facts }) =>
          [...consumed, ...emitted].some(isTheirs) || facts.evm?.some(({ address }) => of.includes(address)),
      )
      .map(({ id }) => id)
  }

  test('C: by an address of the EVM, in capitals as well, and mixed with others', async () => {
    const { evm, address } = traders()[2]!
    const path = `${pathOf('C')}?pageSize=5&addresses=`
    const theirs = expected('C', [evm])
    expect(theirs.length).toBeGreaterThan(5)
    expect(hashes(await list(path + evm))).toEqual(theirs.slice(0, 5))
    expect(hashes(await list(`${path}0x${evm.slice(2).toUpperCase()}`))).toEqual(theirs.slice(0, 5))
    const others = traders()[3]!.address
    expect(hashes(await list(`${path}${evm},P-${others}`))).toEqual(expected('C', [evm, others]).slice(0, 5))
    // A trader moves only its own money.
    expect(expected('C', [address])).toEqual(theirs)
  })

  test('of some types, from one time to another, either way', async () => {
    const { address } = traders()[0]!
    const all = network.world.ledger
      .transactionsOf(address)
      .filter(({ chain, position }) => chain === 'P' && position >= 0)
      .toSorted((a, b) => a.time - b.time)
    const [from, to] = [all[10]!.time, all[40]!.time]
    const between = all.slice(10, 41)
    const path = `${pathOf('P')}?pageSize=50&addresses=${address}&sortOrder=asc`
    const first = async (query: string) => hashes(await list(path + query)).slice(0, 8)
    const idsOf = (found: typeof all) => found.map(({ id }) => id).slice(0, 8)
    expect(await first(`&startTimestamp=${from}`)).toEqual(idsOf(all.slice(10)))
    expect(await first(`&startTimestamp=${from}&endTimestamp=${to}&txTypes=BaseTx`)).toEqual(
      idsOf(between.filter(({ type }) => type === 'BaseTx')),
    )
    const isBetweenChains = ({ type }: { type: string }) => ['ImportTx', 'ExportTx'].includes(type)
    const atomic = idsOf(between.filter(isBetweenChains))
    expect(atomic.length).toBeGreaterThan(1)
    expect(await first(`&startTimestamp=${from}&endTimestamp=${to}&txTypes=ImportTx&txTypes=ExportTx`)).toEqual(atomic)
    expect(await first(`&startTimestamp=${from}&endTimestamp=${to}&txTypes=ImportTx,ExportTx`)).toEqual(atomic)
    expect(hashes(await list(`${path}&endTimestamp=${to}`.replace('asc', 'desc'))).slice(0, 8)).toEqual(
      idsOf(all.slice(0, 41).toReversed()),
    )
  })

  test.each([
    ['an unknown address', 'addresses=fuji1unknown'],
    ['an L1 validator that there is not', 'l1ValidationId=2nobody'],
    ['a time to come', `startTimestamp=${EPOCH + 86_400}&addresses=fuji1nobody`],
  ])('of %s there are none', async (_, query) => {
    expect((await get(`${pathOf('P')}?${query}`)).body).toEqual({
      transactions: [],
      chainInfo: { chainName: 'p-chain', network: 'fuji' },
    })
  })
})

describe('of an L1 validator', () => {
  test('from the transaction that made it one, of some types, and of a wallet as well', async () => {
    const { ledger, l1s } = network.world
    const { validationId, owner } = l1s.all[0]!.validators[0]!
    network.world.take({ kind: 'top-up', validationId, amount: 1_000_000_000 })
    network.world.advance(network.world.now() + 60)
    const path = `${pathOf('P')}?l1ValidationId=${validationId}`
    const { transactions } = await list(path)
    expect(transactions.map(({ txType }) => txType)).toEqual(['IncreaseL1ValidatorBalanceTx', 'ConvertSubnetToL1Tx'])
    const typed = await list(`${path}&txTypes=ConvertSubnetToL1Tx&endTimestamp=${EPOCH}`)
    expect(hashes(typed)).toEqual([transactions[1]!.txHash])
    expect(hashes(await list(`${path}&startTimestamp=${EPOCH}`))).toEqual([transactions[0]!.txHash])
    expect(await list(`${path}&addresses=${owner}`)).toMatchObject({ transactions: [] })
    const payer = ledger.find(transactions[0]!.txHash)!.consumed[0]!.owner
    expect(hashes(await list(`${path}&addresses=${payer}`))).toEqual(transactions.map(({ txHash }) => txHash))
  })
})

describe('page by page, while blocks arrive', () => {
  const asked = fc.record({
    seed: fc.nat(),
    chain: fc.constantFrom<PrimaryChain>('P', 'X', 'C'),
    whose: fc.constantFrom('chain', 'traders', 'types'),
    order: fc.constantFrom('asc', 'desc'),
    pageSize: fc.integer({ min: 1, max: 100 }),
    pause: fc.integer({ min: 0, max: 40 }),
  })

  test('no page repeats or loses a transaction, and each is in its block', () => {
    fc.assert(
      fc.property(asked, ({ seed, chain, whose, order, pageSize, pause }) => {
        const world = createWorld({ seed, epoch: EPOCH, validators: 5, delegations: 5, observers: 2 })
        const read = serviceOf(world)
        const [one, other] = world.trade.traders
        const types = whose === 'types' ? '&txTypes=BaseTx,ExportTx' : ''
        const addresses = whose === 'chain' ? '' : `&addresses=${one!.address},${other!.address}${types}`
        const path = `${pathOf(chain)}?sortOrder=${order}${addresses}`
        const hashesOf = (pages: readonly Listed[][]) => pages.flat().map(({ txHash }) => txHash)
        const before = hashesOf(pagesOf<Listed>(read, `${path}&pageSize=100`, 'transactions'))
        // Of the oldest first, one transaction a page would never come to an end if blocks came for ever.
        let pauses = 20
        const pages = pagesOf<Listed>(read, `${path}&pageSize=${pageSize}`, 'transactions', () => {
          if ((pauses -= 1) >= 0) world.advance(world.now() + pause)
        })
        const after = hashesOf(pagesOf<Listed>(read, `${path}&pageSize=100`, 'transactions'))
        // What arrives comes at the end of the oldest first, and is not seen of the newest first.
        expect(hashesOf(pages)).toEqual(order === 'desc' ? before : after.slice(0, hashesOf(pages).length))
        expect(hashesOf(pages).length).toBeGreaterThanOrEqual(before.length)
        expect(new Set(after).size).toBe(after.length)
        expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(pageSize)
        for (const { txHash, blockNumber, blockHash, blockTimestamp } of pages.flat()) {
          const block = world.chains[chain].block(Number(blockNumber))!
          expect(block.transactions).toContain(txHash)
          expect([blockHash, blockTimestamp]).toEqual([block.hash, block.time])
        }
      }),
      { numRuns: 25 },
    )
  })
})
