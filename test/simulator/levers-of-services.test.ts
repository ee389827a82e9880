// The levers of the control endpoint that concern releases, prices, wallets and services: what a client sees of each.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, EPOCH, post, rpc, startNetwork } from './network.ts'

let network: Awaited<ReturnType<typeof startNetwork>>
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
  (await rpc(network.nodes[node]!.url, method, params, path)).result
const data = async (path: string) => (await ask(network.dataUrl + path)).body as Record<string, unknown>
const ids = () => [...network.world.validators.all.keys()]

describe('an upgrade that is scheduled', () => {
  const known = async (node: number) => {
    const all = Object.entries((await result(node, 'info.upgrades', {}, '/ext/info')) ?? {})
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
    expect((await result(1, 'info.getNodeVersion', {}, '/ext/info'))?.['version']).toMatch(/1\.15/)
  })

  test('is known to about the share that was given', async () => {
    await act({ kind: 'schedule-upgrade', seconds: 86_400, share: 0.5 })
    const all = [...(await versions()).values()]
    const share = all.filter(({ upgradeTime }) => upgradeTime === EPOCH + 86_400).length / all.length
    expect(share).toBeGreaterThan(0.25)
    expect(share).toBeLessThan(0.75)
  })

  test('cannot be installed when there is none', async () => {
    expect(await act({ kind: 'install-release', nodeId: ids()[0] })).toBe(400)
  })
})

describe('prices', () => {
  const price = async (method: string) => Number((await result(0, `platform.${method}`, {}))?.['price'])

  test('of a second of an L1 validator rises and falls again slowly', async () => {
    expect(await price('getValidatorFeeState')).toBe(512)
    await act({ kind: 'set-l1-price', price: 1_024 })
    at(20)
    const risen = await price('getValidatorFeeState')
    expect(risen).toBeGreaterThan(1_020)
    at(3_600)
    const later = await price('getValidatorFeeState')
    // 10,000 less 1,419 validators take off as much of the excess in each second: in an hour 2.4 % of the price.
    expect([later < risen, later > risen * 0.97]).toEqual([true, true])
  })

  test('of a second stays where it is with as many validators as the target, and empties balances faster', async () => {
    const { validationId } = network.world.l1s.all[0]!.validators[0]!
    const balance = async () =>
      Number((await result(0, 'platform.getL1Validator', { validationID: validationId }))?.['balance'])
    const active = network.world.l1s.market.at(EPOCH).active
    await act({ kind: 'join-l1s', count: 10_000 - active })
    await act({ kind: 'set-l1-price', price: 1_024 })
    at(10)
    const before = await balance()
    at(1_010)
    expect((before - (await balance())) / 1_000).toBeCloseTo(1_024, -1)
  })

  test('of gas on the P-Chain is what it is set to', async () => {
    const excess = async () => Number((await result(0, 'platform.getFeeState', {}))?.['excess'])
    const before = await excess()
    expect(await price('getFeeState')).toBe(1)
    await act({ kind: 'set-gas-price', price: 12 })
    expect([await price('getFeeState'), (await excess()) > before]).toEqual([12, true])
    await act({ kind: 'set-gas-price', price: 1 })
    expect([await price('getFeeState'), await excess()]).toEqual([1, before])
  })
})

test('a pending reward is told after the end of its stake while it is held', async () => {
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
      async () => Date.parse(String((await result(0, 'platform.getFeeState', {}))?.['timestamp'])) / 1_000,
    ],
    [
      'a text of seconds',
      'node-a',
      async () => {
        const said = await result(0, 'platform.getCurrentValidators', { nodeIDs: [ids()[0]] })
        return Number((said?.['validators'] as { startTime: string }[])[0]!.startTime)
      },
    ],
    [
      'a hexadecimal number',
      'node-a',
      async () => {
        const said = await result(0, 'eth_getBlockByNumber', ['latest', false], '/ext/bc/C/rpc')
        return Number(said?.['timestamp'])
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
