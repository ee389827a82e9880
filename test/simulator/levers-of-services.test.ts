// Levers and faults that concern releases, wallets and services, and of which the incidents that CI plays do not show all.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, EPOCH, type Network, post, rpc, startNetwork } from './network.ts'

let network: Network
beforeEach(async () => {
  network = await startNetwork({
    dialect: 'live',
    metricsDialect: 'document',
    isCalm: true,
    paces: { P: 10, X: 20, C: 2 },
  })
})
afterEach(() => network.stop())

const act = async (action: object) => (await post(`${network.controlUrl}/actions`, action)).status
const at = (now: number) => {
  network.clock.now = now
  network.world.advance(EPOCH + now)
}
const result = async (node: number, method: string, params: object, path?: string) =>
  (await rpc(network.nodes[node]!.url, method, params, path)).result ?? {}
const data = async (path: string) => (await ask(network.dataUrl + path)).body as Record<string, unknown>
const ids = () => [...network.world.validators.all.keys()]

describe('an upgrade that is scheduled', () => {
  const known = async (node: number) => {
    const all = Object.entries(await result(node, 'info.upgrades', {}, '/ext/info'))
    return all.filter(([, time]) => time === new Date((EPOCH + 86_400) * 1_000).toISOString().replace('.000Z', 'Z'))
  }
  const versions = async () => {
    const { peers } = (await result(0, 'info.peers', {}, '/ext/info')) as {
      peers: { nodeID: string; version: string; upgradeTime: number }[]
    }
    return new Map(peers.map(({ nodeID, version, upgradeTime }) => [nodeID, { version, upgradeTime }]))
  }

  test('is known to those who have the release, and to another who installs it', async () => {
    const [, second, third] = ids()
    await act({ kind: 'schedule-upgrade', seconds: 86_400, share: 1, without: [second, third] })
    expect([await known(0), await known(1)]).toEqual([[['oakTime', '2026-05-29T20:26:40Z']], []])
    const peers = await versions()
    expect(peers.get(ids()[5]!)).toEqual({ version: 'avalanchego/1.16.0', upgradeTime: EPOCH + 86_400 })
    expect(peers.get(third!)?.version).toMatch(/^avalanchego\/1\.15\./)
    expect(await act({ kind: 'install-release', nodeId: third })).toBe(200)
    expect((await versions()).get(third!)?.version).toBe('avalanchego/1.16.0')
    expect((await result(1, 'info.getNodeVersion', {}, '/ext/info'))['version']).toMatch(/1\.15/)
  })
})

test('the data service reaches a validator as often as the lever says', async () => {
  const nodeId = ids()[6]!
  const reached = async () => {
    const { validators } = await data(`/v1/networks/fuji/validators/${nodeId}`)
    return (validators as { validatorHealth: { reachabilityPercent: number } }[])[0]?.validatorHealth
      .reachabilityPercent
  }
  expect(await reached()).toBe(100)
  await act({ kind: 'set-reachability', nodeId, share: 0.4 })
  expect(await reached()).toBe(40)
  await act({ kind: 'disconnect', nodeId })
  expect(await reached()).toBe(0)
})

test('a pending reward is reported after the end of its stake while it is held', async () => {
  const nodeId = ids()[6]!
  const overdue = async () => {
    const body = await data(`/v1/networks/fuji/rewards:listPending?nodeIds=${nodeId}&pageSize=100`)
    const all = body['pendingRewards'] as { endTimestamp: number; rewardType: string }[]
    return all
      .filter(({ endTimestamp }) => endTimestamp <= EPOCH + network.clock.now)
      .map(({ rewardType }) => rewardType)
  }
  await act({ kind: 'hold-rewards' })
  await act({ kind: 'set-end', nodeId, seconds: 60, isLast: true })
  at(3_600)
  expect(await overdue()).toContain('VALIDATOR')
  await act({ kind: 'drop-rewards' })
  expect(await overdue()).toEqual([])
})

test('averages are not worked out while they are frozen', async () => {
  const newest = async () => {
    const { body } = await ask(`${network.metricsUrl}/v1/avg_tps/43113`)
    const { lastRun, results } = body as { lastRun: number; results: { timestamp: number }[] }
    return [lastRun, results[0]?.timestamp]
  }
  const before = await newest()
  await act({ kind: 'freeze-averages', seconds: 2 * 86_400 })
  expect((await newest()).map((time, at) => before[at]! - time!)).toEqual([2 * 86_400, 2 * 86_400])
  await act({ kind: 'thaw-averages' })
  expect(await newest()).toEqual(before)
})

describe('the fault "future"', () => {
  const YEAR = 31_536_000
  test.each([
    [
      'a number',
      'data',
      async () => {
        const { blocks } = await data('/v1/networks/fuji/blockchains/p-chain/blocks?pageSize=1')
        return (blocks as { blockTimestamp: number }[])[0]!.blockTimestamp
      },
    ],
    [
      'a text of the time',
      'node-a',
      async () => Date.parse(String((await result(0, 'platform.getFeeState', {}))['timestamp'])) / 1_000,
    ],
    [
      'a text of seconds',
      'node-a',
      async () => {
        const said = await result(0, 'platform.getCurrentValidators', { nodeIDs: [ids()[0]] })
        return Number((said['validators'] as { startTime: string }[])[0]!.startTime)
      },
    ],
    [
      'a hexadecimal number',
      'node-a',
      async () => {
        const said = await result(0, 'eth_getBlockByNumber', ['latest', false], '/ext/bc/C/rpc')
        return Number(said['timestamp'])
      },
    ],
  ])('moves a time that is %s', async (_, server, read) => {
    const before = await read()
    await post(`${network.controlUrl}/faults`, { server, fault: { kind: 'future', seconds: YEAR } })
    expect((await read()) - before).toBe(YEAR)
  })

  test('leaves uptimes and heights alone', async () => {
    const said = async () => {
      const { validators } = (await result(0, 'platform.getCurrentValidators', { nodeIDs: [ids()[0]] })) as {
        validators: { uptime: string; weight: string }[]
      }
      return [validators[0]!.uptime, validators[0]!.weight]
    }
    const before = await said()
    await post(`${network.controlUrl}/faults`, { server: 'node-a', fault: { kind: 'future', seconds: YEAR } })
    expect(await said()).toEqual(before)
  })
})

describe('a fault of some answers', () => {
  const order = (fault: object) => post(`${network.controlUrl}/faults`, fault)
  const height = async (node: number) => Number((await result(node, 'avm.getHeight', {}, '/ext/bc/X'))['height'])

  test('fails the first request and every third one after it', async () => {
    await order({ server: 'data', fault: { kind: 'status', status: 503 }, every: 3 })
    const statuses: number[] = []
    for (let asked = 0; asked < 5; asked += 1) {
      statuses.push((await ask(`${network.dataUrl}/v1/networks/fuji/blockchains/p-chain/blocks`)).status)
    }
    expect(statuses).toEqual([503, 200, 200, 503, 200])
  })

  test('gives the first answer again to the same question, under the id of each', async () => {
    await order({ server: 'node-a', fault: { kind: 'cached' } })
    const [first, other] = [await height(0), await height(1)]
    at(600)
    expect([await height(0), await height(1)]).toEqual([first, other + 30])
  })
})

describe('a wallet of the primary network', () => {
  const FEE = { P: 40_000n, X: 1_000_000n }
  const wallet = (chain: string) => `${chain}-${network.world.trade.traders[2]!.address}`
  const balance = async (chain: string) => {
    const { balances } = await data(
      `/v1/networks/fuji/blockchains/${chain}-chain/balances?addresses=${wallet(chain.toUpperCase())}`,
    )
    const of = balances as Record<string, { symbol: string; amount: string }[]>
    return BigInt((of['unlockedUnstaked'] ?? of['unlocked']!).find(({ symbol }) => symbol === 'AVAX')!.amount)
  }
  const listed = async (chain: string) => {
    const path = `/v1/networks/fuji/blockchains/${chain}-chain/transactions?addresses=${wallet(chain.toUpperCase())}&startTimestamp=${EPOCH + 1}`
    return ((await data(path))['transactions'] as object[]).length
  }

  test.each(['P', 'X'] as const)('on the %s-Chain is drained and funded by transactions', async (chain) => {
    const before = [await balance(chain.toLowerCase()), await listed(chain.toLowerCase())] as const
    expect(await act({ kind: 'drain', chain, address: wallet(chain), amount: '5000000000' })).toBe(200)
    // At once nothing has happened: the next block brings it.
    expect(await balance(chain.toLowerCase())).toBe(before[0])
    at(20)
    expect([await balance(chain.toLowerCase()), await listed(chain.toLowerCase())]).toEqual([
      before[0] - 5_000_000_000n - FEE[chain],
      before[1] + 1,
    ])
    await act({ kind: 'fund', chain, address: wallet(chain), amount: '7000000000' })
    at(40)
    expect([await balance(chain.toLowerCase()), await listed(chain.toLowerCase())]).toEqual([
      before[0] + 2_000_000_000n - FEE[chain],
      before[1] + 2,
    ])
  })

  test.each([
    ['more than it has', { amount: '999999999999999999' }],
    ['an unknown wallet', { address: 'P-fuji1unknown' }],
    ['a chain that is not there', { chain: 'none' }],
  ])('cannot be drained: %s', async (_, change) => {
    expect(await act({ kind: 'drain', chain: 'P', address: wallet('P'), amount: '1', ...change })).toBe(400)
  })
})
