// What few wallets have: transactions from before the X-Chain had blocks, assets of which no two are alike, and what no one
// can spend yet on the X-Chain or on its way there.

import { expect, test } from 'vitest'
import { ask, EPOCH, networkOfFile } from './network.ts'

type Dialect = 'document' | 'live'
const networks = { document: await networkOfFile(), live: await networkOfFile({ dialect: 'live' }) }

async function read(dialect: Dialect, what: string): Promise<Record<string, unknown>> {
  const { world, dataUrl } = networks[dialect]
  const { address } = world.trade.traders[0]!
  const { status, body } = await ask(`${dataUrl}/v1/networks/fuji/blockchains/x-chain/${what}addresses=X-${address}`)
  expect(status).toBe(200)
  return body as Record<string, unknown>
}
const listOf = async (dialect: Dialect, what: 'transactions' | 'utxos') =>
  (await read(dialect, `${what}?sortOrder=asc&pageSize=100&`))[what] as Record<string, unknown>[]

const BEGIN = EPOCH - 3_600
const id = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,50}$/) as string

test('the live service lists transactions of the X-Chain that are in vertices, the document none', async () => {
  const [live, documented] = [await listOf('live', 'transactions'), await listOf('document', 'transactions')]
  const old = live.filter(({ chainFormat }) => chainFormat === 'non-linear')
  const linear = live.filter(({ chainFormat }) => chainFormat === 'linear')
  // The old ones come first. A page ends where UTXOs are many, so that the document's goes on for longer.
  expect(live).toEqual([...old, ...linear])
  expect(linear.length).toBeGreaterThan(5)
  expect(linear.map(({ txHash }) => txHash)).toEqual(documented.slice(0, linear.length).map(({ txHash }) => txHash))
  // What it began with, what it cannot spend, and its prize.
  expect(old.map(({ txType }) => txType)).toEqual(['BaseTx', 'BaseTx', 'OperationTx'])
  for (const one of old) {
    expect(one).toMatchObject({ timestamp: BEGIN, vertices: [{ hash: id, height: 1_000, timestamp: BEGIN }] })
    expect(Object.keys(one)).not.toContain('blockHash')
    expect(Object.keys(one)).not.toContain('blockHeight')
  }
})

test('an asset of which no two are alike has a type of its own, and live what it holds', async () => {
  const asset = { name: 'Prize burr', symbol: 'BURR', denomination: 0, type: 'nft', amount: '1' }
  const isBurr = (one: Record<string, unknown>) => (one['asset'] as { symbol: string }).symbol === 'BURR'
  const [documented] = (await listOf('document', 'utxos')).filter(isBurr)
  expect(documented).toMatchObject({ asset, amount: '1' })
  expect(Object.keys(documented!)).not.toContain('payload')
  const [live] = (await listOf('live', 'utxos')).filter(isBurr)
  // "burr 7/20"
  expect(live).toMatchObject({ asset, groupId: 1, payload: '0x6275727220372f3230', utxoType: 'transfer' })
})
