// Each operation and method of the documents in one row, seen from all three sides: the client asks the simulated
// network, and the command prints what that said. The rows make docs/coverage.md.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretUrl } from '../../src/lib/secret.ts'
import { fromText, type Operation, pathOf } from '../../src/operations/define.ts'
import { operations } from '../../src/operations/index.ts'
import { chainIds } from '../../src/simulator/world/ids.ts'
import { unsignedMessage } from '../../src/simulator/world/warp.ts'
import type { World } from '../../src/simulator/world/world.ts'
import { createClient } from '../../src/upstream/client.ts'
import { createHttp } from '../../src/upstream/http.ts'
import { post, startNetwork } from '../simulator/network.ts'
import { runCommand } from '../support/command.ts'
import type { Texts } from './cases.ts'

type Given = (world: World) => Texts

const chain = { network: 'fuji', blockchainId: 'p-chain' }
const C_CHAIN = { chainId: '43113' }
const operator = ({ validators }: World) => [...validators.all.values()][2]!
const stakes = (world: World) => ({ ...chain, addresses: `P-${operator(world).owner}` })
const wallet = ({ evmWallets }: World) => ({ ...C_CHAIN, address: Object.values(evmWallets)[0]! })
const l1Message = ({ ledger }: World) =>
  [...ledger.transactions('P')].find(({ facts }) => facts.l1Validators !== undefined)!.id
const message = `0x${Buffer.from(unsignedMessage(chainIds.C, Buffer.from('ab', 'hex'))).toString('hex')}`

/** An alias that is taken is refused. */
let aliases = 0
const another = () => `alias-${(aliases += 1)}`

/** What to ask for, so that there is something to tell. */
const given: Readonly<Record<string, Given>> = {
  'aggregate-signatures': () => ({
    network: 'fuji',
    message,
    signingSubnetId: '11111111111111111111111111111111LpoYY',
  }),
  'get-aggregated-signatures': (world) => ({ network: 'fuji', txHash: l1Message(world) }),
  'list-utxos-v2': stakes,
  'list-latest-transactions': () => chain,
  'list-staking-transactions': stakes,
  'get-balances': stakes,
  'list-utxos': stakes,
  'list-erc20-transfers': wallet,
  'list-historical-rewards': (world) => ({ network: 'fuji', nodeIds: operator(world).nodeId }),
  'list-pending-rewards': (world) => ({ network: 'fuji', nodeIds: operator(world).nodeId }),
  'list-evm-block-transactions': () => ({ ...C_CHAIN, blockId: '7' }),
  'list-latest-evm-blocks': () => C_CHAIN,
  'get-native-token-balance': wallet,
  'list-latest-primary-network-blocks': () => chain,
  'get-primary-network-block': () => ({ ...chain, blockId: '7' }),
  'get-blockchain-details': ({ l1s }) => ({ network: 'fuji', blockchainId: l1s.all[0]!.blockchainId }),
  'list-icm-messages-by-address': ({ evmWallets }) => ({ address: Object.values(evmWallets)[0]! }),
  'list-icm-messages': () => ({}),
  'avg-tps': () => C_CHAIN,
  'platform.getBalance': (world) => ({ addresses: `P-${operator(world).owner}` }),
  'platform.getBlock': ({ chains }) => ({ blockID: chains.P.block(7)!.hash }),
  'platform.getBlockByHeight': () => ({ height: '7', encoding: 'json' }),
  'platform.getBlockchains': () => ({}),
  'platform.getBlockchainStatus': () => ({ blockchainID: 'X' }),
  'platform.getCurrentSupply': () => ({}),
  'platform.getCurrentValidators': () => ({}),
  'admin.alias': () => ({ endpoint: 'bc/P', alias: another() }),
  'admin.aliasChain': ({ l1s }) => ({ chain: l1s.all[0]!.blockchainId, alias: another() }),
  'admin.getChainAliases': ({ l1s }) => ({ chain: l1s.all[0]!.blockchainId }),
  'admin.getLoggerLevel': () => ({}),
  'admin.loadVMs': () => ({}),
  'admin.lockProfile': () => ({}),
  'admin.memoryProfile': () => ({}),
  'admin.setLoggerLevel': () => ({ loggerName: 'C', logLevel: 'DEBUG' }),
  'admin.startCPUProfiler': () => ({}),
  'admin.stopCPUProfiler': () => ({}),
}

const indexes = ['P/block', 'X/block', 'C/block', 'X/tx', 'X/vtx']
const ofIndex: Readonly<Record<string, (id: string) => Texts>> = {
  'index.getContainerByID': (id) => ({ id }),
  'index.getContainerByIndex': () => ({ index: '0' }),
  'index.getContainerRange': () => ({ startIndex: '0', numToFetch: '3' }),
  'index.getIndex': (id) => ({ id }),
  'index.getLastAccepted': () => ({}),
  'index.isAccepted': (id) => ({ id }),
}

/** One row for each operation, and of an index's method one for each index. */
const rows = operations.flatMap((operation) => {
  const on = operation.name in ofIndex ? indexes : ['']
  return on.map((index) => ({ operation, index, title: `${operation.name}${index === '' ? '' : ` on ${index}`}` }))
})

const http = createHttp({ userAgent: 'test', random: () => 0 })
let network: Awaited<ReturnType<typeof startNetwork>>
beforeAll(async () => {
  network = await startNetwork({ speed: 0 })
})
afterAll(async () => {
  await http.close()
  await network.stop()
})

const urlOf = ({ service }: Operation) =>
  service === 'node' ? network.nodes[0]!.url : service === 'data' ? network.dataUrl : network.metricsUrl

async function paramsOf({ name }: Operation, index: string): Promise<Texts> {
  if (index === '') return given[name]!(network.world)
  const [chain = '', kind = ''] = index.split('/')
  const init = { jsonrpc: '2.0', id: 1, method: 'index.getContainerByIndex', params: { index: 0 } }
  const { body } = await post(`${network.nodes[0]!.url}/ext/index/${index}`, init)
  return { chain, kind, ...ofIndex[name]!((body as { result: { id: string } }).result.id) }
}

async function ask(operation: Operation, params: Texts) {
  const client = createClient({ http, timeout: 5_000, now: () => 0, report: () => {} })
  const source = { service: operation.service, network: 'n', name: 's', url: secretUrl(urlOf(operation)) }
  return client.call(source, operation, fromText(operation, params), { signal: new AbortController().signal })
}

function command({ name, effect, service }: Operation, params: Texts) {
  const flags = Object.entries(params).map(([key, value]) => `--${key}=${value}`)
  const yes = effect === 'read' ? [] : ['--yes']
  return runCommand([
    effect === 'change' ? 'admin' : 'query',
    name,
    `--url=${urlOf({ service } as Operation)}`,
    ...flags,
    ...yes,
  ])
}

const seen = new Map<string, string>()

test.each(rows)('$title', async ({ operation, index, title }) => {
  network.clock.now += 60
  const params = await paramsOf(operation, index)
  const { value, dropped } = await ask(operation, params)
  expect(dropped).toBe(0)
  // A profile that runs is stopped and one that does not is begun: the command finds what the client has left.
  const next = { 'admin.startCPUProfiler': 'admin.stopCPUProfiler', 'admin.stopCPUProfiler': 'admin.startCPUProfiler' }[
    operation.name
  ]
  if (next !== undefined)
    await ask(
      operations.find(({ name }) => name === next)!,
      {},
    )
  const printed = await command(operation, await paramsOf(operation, index))
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  const items = operation.items === undefined ? undefined : (value as Record<string, unknown[]>)[operation.items]
  expect(items ?? [value]).not.toEqual([])
  const verb = 'get' in operation.via ? 'GET' : 'POST'
  const [chain = '', kind = ''] = index.split('/')
  const path = pathOf(operation).replace('{chain}', chain).replace('{kind}', kind)
  const named = operation.effect === 'change' ? `admin ${operation.name}` : `query ${operation.name}`
  seen.set(title, `| ${title} | ${operation.source} | \`${verb} ${path}\` | \`stakewatch ${named}\` |`)
})

describe('the page of what is covered', () => {
  test('has 18 operations of the data service, 10 + 7 + 30 methods of the node, and one of the metrics service', () => {
    const count = (start: string) => rows.filter(({ title }) => title.startsWith(start)).length
    const data = rows.filter(({ operation }) => operation.service === 'data').length
    expect([data, count('admin.'), count('platform.'), count('index.'), count('avg-tps')]).toEqual([18, 10, 7, 30, 1])
  })

  test('lists what was seen to work', async () => {
    const lines = rows.map(({ title }) => seen.get(title) ?? `| ${title} | failed |`)
    const page = `# Coverage

<!-- Written by test/operations/rows.test.ts: npx vitest run --project unit --update test/operations/rows -->

Each operation and method of the two documents. A row stands here because the client asked for it, the simulated network
answered, and the command printed the answer.

| operation | defined in | request | command |
|---|---|---|---|
${lines.join('\n')}
`
    await expect(page).toMatchFileSnapshot('../../docs/coverage.md')
  })
})
