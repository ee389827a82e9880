// The admin interface of a simulated node (document 2, Admin interface), on the wire.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EPOCH, type Network, networkOfTest, post, rpc, startNetwork } from './network.ts'

/** What was written, by path. */
let written: Record<string, string>
let network: Network
beforeEach(async () => {
  written = {}
  network = await startNetwork({ writeProfile: (path, text) => (written[path] = text) })
})
afterEach(() => network.stop())

const admin = (method: string, params: object = {}, of: Network = network) =>
  rpc(of.nodes[0]!.url, `admin.${method}`, params, '/ext/admin')
const failing = (message: string) => ({ error: { code: -32_000, message, data: null } })
const DONE = { result: {} }

const P = '11111111111111111111111111111111LpoYY'

describe('admin.alias', () => {
  test.each([
    ['bc/P', 'platform.getCurrentSupply', { supply: expect.any(String) }],
    ['bc/platform', 'platform.getCurrentSupply', { supply: expect.any(String) }],
    ['admin', 'admin.getChainAliases', { aliases: ['P', 'platform'] }],
    ['index/X/vtx', 'index.getLastAccepted', expect.objectContaining({ index: '11' })],
  ])('of %s answers as it does, and it goes on answering', async (endpoint, method, result) => {
    const [{ url }, other] = network.nodes as [Network['nodes'][0], Network['nodes'][0]]
    for (const alias of ['mine', 'my own/ä']) {
      expect(await admin('alias', { endpoint, alias })).toMatchObject(DONE)
      for (const path of [endpoint, alias]) {
        expect(await rpc(url, method, { chain: P }, `/ext/${path}`)).toMatchObject({ result })
      }
      expect((await post(`${other.url}/ext/${alias}`, {})).status).toBe(404)
    }
  })

  test.each([
    [{ endpoint: 'bc/Q', alias: 'a' }, 'there is no endpoint /ext/bc/Q'],
    [{ endpoint: 'metrics', alias: 'a' }, 'there is no endpoint /ext/metrics'],
    [{ endpoint: 'bc/100%\ud800', alias: 'a' }, 'there is no endpoint /ext/bc/100%\ud800'],
    [{ endpoint: 'bc/P', alias: 'admin' }, "couldn't alias to /ext/admin as that route is already reserved"],
    [{ endpoint: 'bc/P', alias: 'a'.repeat(513) }, 'alias length is too long'],
  ])('%j is an error', async (params, message) => {
    expect(await admin('alias', params)).toMatchObject(failing(message))
  })
})

describe('admin.aliasChain', () => {
  const status = async (blockchainID: string, node = 0) => {
    const { result } = await rpc(network.nodes[node]!.url, 'platform.getBlockchainStatus', { blockchainID })
    return result!['status']
  }

  test('makes the alias work wherever the id does, on this node', async () => {
    const { blockchainId } = network.world.l1s.all[0]!
    expect(await admin('aliasChain', { chain: blockchainId, alias: 'fruit' })).toMatchObject(DONE)
    expect([await status(blockchainId), await status('fruit'), await status('fruit', 1)]).toEqual([
      'Syncing',
      'Syncing',
      'Unknown',
    ])
    expect(await admin('getChainAliases', { chain: 'fruit' })).toMatchObject({ result: { aliases: ['fruit'] } })
    expect(await admin('aliasChain', { chain: 'fruit', alias: 'apples' })).toMatchObject(DONE)
    expect(await admin('getChainAliases', { chain: blockchainId })).toMatchObject({
      result: { aliases: ['fruit', 'apples'] },
    })
  })

  test('of the P-Chain is a path as well', async () => {
    const path = '/ext/bc/my%20chain'
    expect((await post(network.nodes[0]!.url + path, {})).status).toBe(404)
    expect(await admin('aliasChain', { chain: P, alias: 'my chain' })).toMatchObject(DONE)
    expect((await rpc(network.nodes[0]!.url, 'platform.getCurrentSupply', {}, path)).result).toBeDefined()
  })
})

describe('profiles', () => {
  const iso = (seconds: number) => new Date((EPOCH + seconds) * 1_000).toISOString()
  const contents = () => Object.entries(written).map(([path, text]) => [path, JSON.parse(text) as object])

  test.each([
    ['memoryProfile', 'mem.profile', 'memory'],
    ['lockProfile', 'lock.profile', 'locks'],
  ])('%s is written at once', async (method, file, profile) => {
    network.clock.now = 60
    expect(await admin(method)).toMatchObject(DONE)
    const { nodeId } = network.nodes[0]!
    expect(contents()).toEqual([
      [`node-a/${file}`, expect.objectContaining({ profile, nodeId, from: iso(60), to: iso(60) })],
    ])
  })

  test('of the processor are written when they are stopped, one after the other', async () => {
    for (const start of [10, 100]) {
      network.clock.now = start
      expect(await admin('startCPUProfiler')).toMatchObject(DONE)
      expect(await admin('startCPUProfiler')).toMatchObject(failing('cpu profiler already running'))
      network.clock.now = start + 30
      // One stop of the documents has no params at all.
      const body = { jsonrpc: '2.0', id: 1, method: 'admin.stopCPUProfiler' }
      expect((await post(`${network.nodes[0]!.url}/ext/admin`, body)).body).toMatchObject(DONE)
      expect(contents()).toEqual([
        [
          'node-a/cpu.profile',
          expect.objectContaining({ profile: 'processor', from: iso(start), to: iso(start + 30) }),
        ],
      ])
    }
    expect(await admin('stopCPUProfiler')).toMatchObject(failing("cpu profiler doesn't exist"))
  })

  test('that cannot be written are an error', async () => {
    const full = () => {
      throw new Error('no space left')
    }
    const own = await networkOfTest({ writeProfile: full })
    expect(await admin('lockProfile', {}, own)).toMatchObject(failing("couldn't write lock.profile: no space left"))
  })
})

describe('loggers', () => {
  const levels = async (params = {}) => (await admin('getLoggerLevel', params)).result!['loggerLevels'] as object

  test.each([{ logLevel: 'LOUD' }, { logLevel: 'DEBUG', displayLevel: 'NOTICE' }])(
    'keep their levels when %j is refused',
    async (params) => {
      const before = await levels()
      const error = failing(expect.stringMatching(/^couldn't unmarshal an argument\. /) as string)
      expect(await admin('setLoggerLevel', params)).toMatchObject(error)
      expect(await levels()).toEqual(before)
    },
  )
})
