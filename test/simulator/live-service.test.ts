// What the live data service writes in another way than the document, in the simulated service's live form.

import { describe, expect, test } from 'vitest'
import { toEvmAddress } from '../../src/lib/ids.ts'
import { ask, type Network, networkOfFile } from './network.ts'

const live = await networkOfFile({ speed: 0, dialect: 'live' })
const documented = await networkOfFile({ speed: 0 })

async function read(network: Network, path: string): Promise<Record<string, unknown>> {
  const { status, body } = await network.askLater(path)
  expect(status).toBe(200)
  return body as Record<string, unknown>
}
const first = async (network: Network, path: string, list: string) =>
  ((await read(network, path))[list] as Record<string, unknown>[])[0]!

describe('addresses of EVM chains', () => {
  const treasury = (network: Network) => network.world.evmWallets.treasury
  const paths = [
    ['transfers', (network: Network) => `/v1/chains/43113/addresses/${treasury(network)}/transactions:listErc20`],
    ['messages', (network: Network) => `/v1/icm/addresses/${treasury(network)}/messages?network=fuji`],
    ['transactions of a block', () => '/v1/chains/43113/blocks/7/transactions?pageSize=10'],
  ] as const

  test.each(paths)('in %s are mixed, with their checksum', async (_, path) => {
    const found = [...JSON.stringify(await read(live, path(live))).matchAll(/"(0x[0-9a-fA-F]{40})"/g)]
    expect(found).not.toEqual([])
    for (const [, address] of found) expect(address).toBe(toEvmAddress(address!.toLowerCase()))
    expect(found.some(([, address]) => /[A-F]/.test(address!))).toBe(true)
  })

  test.each(paths)('in %s are in small letters in the document', async (_, path) => {
    const text = JSON.stringify(await read(documented, path(documented)))
    expect([...text.matchAll(/"0x[0-9a-fA-F]{40}"/g)].some(([address]) => /[A-F]/.test(address))).toBe(false)
  })
})

test('times of blocks are in milliseconds as well', async () => {
  const path = `/v1/chains/43113/addresses/${live.world.evmWallets.treasury}/transactions:listErc20`
  for (const one of [
    await first(live, '/v1/chains/43113/blocks', 'blocks'),
    await first(live, '/v1/chains/43113/blocks/7/transactions?pageSize=1', 'transactions'),
    await first(live, path, 'transactions'),
  ]) {
    expect(one['blockTimestampMilliseconds']).toBe(Number(one['blockTimestamp']) * 1_000)
  }
  expect(await first(documented, '/v1/chains/43113/blocks', 'blocks')).not.toHaveProperty('blockTimestampMilliseconds')
})

test.each([
  ['transactions', (owner: string) => `transactions?addresses=${owner}&`],
  ['staking transactions', (owner: string) => `transactions:listStaking?addresses=${owner}&`],
])('%s of an unknown type are refused, which the document does not say', async (_, list) => {
  const statusOf = async (network: Network, types: string) => {
    const { owner } = [...network.world.validators.all.values()][2]!
    network.clock.now += 60
    const path = `/v1/networks/fuji/blockchains/p-chain/${list(owner)}txTypes=${types}`
    return (await ask(network.dataUrl + path)).status
  }
  expect(await statusOf(live, 'AddPermissionlessDelegatorTx')).toBe(200)
  expect(await statusOf(live, 'AddValidatorTx,NoSuchTx')).toBe(400)
  expect(await statusOf(documented, 'NoSuchTx')).toBe(200)
})

test('blocks of the C-Chain have an id in base58 in the document, as those of the P-Chain always have', async () => {
  const blocks = (chain: string) => `/v1/networks/fuji/blockchains/${chain}-chain/blocks`
  for (const block of [await first(documented, blocks('c'), 'blocks'), await first(live, blocks('p'), 'blocks')]) {
    expect(block['blockHash']).toMatch(/^[1-9A-HJ-NP-Za-km-z]{44,51}$/)
  }
})
