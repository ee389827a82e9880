// Balances (document 1, operation 6; document 2, platform.getBalance): sums over the UTXOs as they were at a time.

import { describe, expect, test } from 'vitest'
import { toAddress } from '../../src/lib/ids.ts'
import type { PrimaryChain } from '../../src/lib/primary-network.ts'
import { AVAX, HAZEL } from '../../src/simulator/world/fixed-ids.ts'
import { createWorld, type World } from '../../src/simulator/world/world.ts'
import { avaxAsset as avax } from '../support/avax.ts'
import { EPOCH, networkOfFile, rpc } from './network.ts'
import { serviceOf } from './service.ts'

const BEGIN = EPOCH - 3_600
const P_ID = '11111111111111111111111111111111LpoYY'
const X_ID = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'
const C_ID = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'
const [me, other, poor] = [1, 2, 3].map((byte) =>
  toAddress({ chain: undefined, prefix: 'fuji', bytes: Buffer.alloc(20, byte) }),
) as [string, string, string]
const hazel = {
  assetId: 'Hdpr9g9jFp2kMJG1J5wr3StSrkrhrAJ9rQVk1HFa1NMsxfRZ9',
  name: 'Hazelnut',
  symbol: 'HAZEL',
  denomination: 2,
  type: 'secp256k1',
}
const pathOf = (chain: string, network = 'fuji') => `/v1/networks/${network}/blockchains/${chain}/balances`

/** Two wallets with something of every kind; each amount is another power of ten, so that a sum shows what is in it. */
function endow({ ledger }: World): void {
  const later = EPOCH + 1_000
  const stake = { start: BEGIN, end: EPOCH + 100 }
  const give = (chain: PrimaryChain, owner: string, outputs: object[]) =>
    ledger.genesis(chain, {
      type: 'BaseTx',
      consumed: [],
      outputs: outputs.map((output) => ({ owner, amount: 0n, ...output })),
    })
  give('P', me, [
    { amount: 1n },
    { amount: 10n },
    // Its lock ends before its stake does.
    { amount: 100n, stake, stakeableLocktime: EPOCH + 60 },
    { amount: 1_000n, platformLocktime: later },
    { amount: 10_000n, stakeableLocktime: later },
    { amount: 100_000n, stake, stakeableLocktime: later },
    { amount: 1_000_000n, stake: { start: EPOCH + 50, end: EPOCH + 100 } },
    // Both are over before the first request.
    { amount: 10_000_000n, platformLocktime: BEGIN + 10, stakeableLocktime: BEGIN + 20 },
    { amount: 3n, destination: 'X' },
    { amount: 5n, destination: 'C' },
  ])
  give('P', other, [{ amount: 100_000_000n }, { amount: 7n, asset: HAZEL }])
  give('X', me, [
    { amount: 2n },
    { amount: 20n, platformLocktime: later },
    { amount: 200n, asset: HAZEL },
    { amount: 2_000n, destination: 'P' },
    { amount: 20_000n, destination: 'P', platformLocktime: later },
    { amount: 200_000n, destination: 'C', asset: HAZEL },
  ])
  give('C', me, [
    { amount: 4n, destination: 'P' },
    { amount: 40n, destination: 'X' },
    { amount: 400n, destination: 'X', platformLocktime: later },
  ])
}

const networks = {
  document: await networkOfFile({ speed: 0 }),
  live: await networkOfFile({ speed: 0, dialect: 'live' }),
}
for (const { world } of Object.values(networks)) endow(world)

const get = (path: string, dialect: 'document' | 'live' = 'document') => networks[dialect].askLater(path)

const one = (amount: string, utxoCount = 1, asset: object = avax) => ({ ...asset, amount, utxoCount })

describe('what there is now', () => {
  const onP = {
    unlockedUnstaked: [one('10000011', 3)],
    unlockedStaked: [one('100')],
    lockedPlatform: [one('1000')],
    lockedStakeable: [one('10000')],
    lockedStaked: [one('100000')],
    pendingStaked: [one('1000000')],
    atomicMemoryUnlocked: [
      { ...one('2000'), sharedWithChainId: X_ID, status: 'pending' },
      { ...one('4'), sharedWithChainId: C_ID, status: 'pending' },
    ],
    atomicMemoryLocked: [{ ...one('20000'), sharedWithChainId: X_ID, status: 'pending' }],
  }
  const atomicOnX = {
    atomicMemoryUnlocked: [
      { ...one('3'), sharedWithChainId: P_ID },
      { ...one('40'), sharedWithChainId: C_ID },
    ],
    atomicMemoryLocked: [{ ...one('400'), sharedWithChainId: C_ID }],
  }
  const onC = {
    atomicMemoryUnlocked: [
      { ...one('5'), sharedWithChainId: P_ID },
      { ...one('200000', 1, hazel), sharedWithChainId: X_ID },
    ],
    atomicMemoryLocked: [],
  }
  const unlockedOnX = [one('2'), one('200', 1, hazel)]
  const withStatus = (balances: Record<string, object[]>) =>
    Object.fromEntries(
      Object.entries(balances).map(([name, entries]) => [
        name,
        entries.map((entry) => ({ ...entry, status: 'pending' })),
      ]),
    )

  test.each([
    ['p-chain', 'document', onP],
    ['p-chain', 'live', { ...onP, restakedRewards: '0' }],
    ['x-chain', 'document', { unlockedUnstaked: unlockedOnX, lockedPlatform: [one('20')], ...withStatus(atomicOnX) }],
    ['x-chain', 'live', { unlocked: unlockedOnX, locked: [one('20')], ...atomicOnX }],
    ['c-chain', 'document', withStatus(onC)],
    ['c-chain', 'live', onC],
  ] as const)('on %s (%s)', async (chainName, dialect, balances) => {
    const { status, body } = await get(`${pathOf(chainName)}?addresses=P-${me}`, dialect)
    expect(status).toBe(200)
    expect(body).toEqual({ balances, chainInfo: { chainName, network: 'fuji' } })
  })

  test('of several wallets together, each counted once', async () => {
    const { body } = await get(`${pathOf('p-chain')}?addresses=P-${me},X-${me},${other}`)
    expect(body).toMatchObject({ balances: { unlockedUnstaked: [one('110000011', 4), one('7', 1, hazel)] } })
  })

  test.each([`addresses=${poor}`, ''])('without a known address every member is empty (%s)', async (query) => {
    const { body } = await get(`${pathOf('p-chain')}?${query}`)
    const nothing = Object.fromEntries(Object.keys(onP).map((member) => [member, []]))
    expect(body).toMatchObject({ balances: nothing })
  })
})

describe('what there was', () => {
  test('before it was there, before it was spent, and while it was locked or staked', () => {
    const world = createWorld({ seed: 1, epoch: EPOCH, validators: 5, delegations: 5, observers: 2 })
    endow(world)
    const utxo = world.ledger.utxosOf(me).find(({ amount }) => amount === 10n)!
    world.ledger.submit('P', () => ({
      type: 'BaseTx',
      consumed: [utxo],
      outputs: [{ owner: poor, amount: 6n }],
    }))
    world.advance(EPOCH + 2_000)
    const { time } = utxo.spent!
    const read = serviceOf(world)
    const at = (when: number, address = me) => {
      const body = read(`${pathOf('p-chain')}?addresses=${address}&blockTimestamp=${when}`)
      const balances = body['balances'] as Record<string, { amount: string }[]>
      return Object.fromEntries(
        Object.entries(balances).flatMap(([name, [first]]) => (first ? [[name, first.amount]] : [])),
      )
    }
    const atomic = { atomicMemoryUnlocked: '2000', atomicMemoryLocked: '20000' }
    expect(at(BEGIN - 1)).toEqual({})
    expect(at(BEGIN + 9)).toMatchObject({ unlockedUnstaked: '11', lockedPlatform: '10001000' })
    expect(at(BEGIN + 10)).toMatchObject({
      unlockedUnstaked: '11',
      lockedPlatform: '1000',
      lockedStakeable: '10010000',
    })
    expect(at(BEGIN + 20)).toMatchObject({ unlockedUnstaked: '10000011', lockedStakeable: '10000' })
    expect(at(time - 1)).toMatchObject({ unlockedUnstaked: '10000011' })
    expect(at(time)).toMatchObject({ unlockedUnstaked: '10000001' })
    expect([at(time - 1, poor), at(time, poor)]).toEqual([{}, { unlockedUnstaked: '6' }])
    expect(at(EPOCH + 49)).toMatchObject({ unlockedStaked: '100', lockedStaked: '100000', pendingStaked: '1000000' })
    expect(at(EPOCH + 50)).toMatchObject({ unlockedStaked: '1000100', lockedStaked: '100000' })
    // What was staked can be spent, but for what is locked longer.
    expect(at(EPOCH + 100)).toEqual({
      unlockedUnstaked: '11000101',
      lockedPlatform: '1000',
      lockedStakeable: '110000',
      ...atomic,
    })
    // Of the X-Chain's two one was locked.
    expect(at(EPOCH + 1_000)).toEqual({ unlockedUnstaked: '11111101', atomicMemoryUnlocked: '22000' })
  })
})

describe('platform.getBalance', () => {
  const balanceOf = async (addresses: string[], dialect: 'document' | 'live' = 'document') =>
    (await rpc(networks[dialect].nodes[0]!.url, 'platform.getBalance', { addresses })).result!

  test.each(['document', 'live'] as const)(
    'leaves out what is staked or belongs to another chain (%s)',
    async (dialect) => {
      const { utxoIDs, ...amounts } = await balanceOf([`P-${me}`, `P-${other}`], dialect)
      expect(amounts).toEqual({
        balance: '110011011',
        unlocked: '110000011',
        lockedStakeable: '10000',
        lockedNotStakeable: '1000',
        balances: { [AVAX.id]: '110011011', [HAZEL.id]: '7' },
        unlockeds: { [AVAX.id]: '110000011', [HAZEL.id]: '7' },
        lockedStakeables: { [AVAX.id]: '10000' },
        lockedNotStakeables: { [AVAX.id]: '1000' },
      })
      const mine = networks[dialect].world.ledger.utxosOf(me).filter(({ chain }) => chain === 'P')
      const others = networks[dialect].world.ledger.utxosOf(other)
      const free = [...[0, 1, 3, 4, 7].map((at) => mine[at]!), ...others]
      expect(utxoIDs).toEqual(free.map(({ txId, index }) => ({ txID: txId, outputIndex: index })))
    },
  )

  test.each([
    [poor, 'no separator found in address'],
    [`P-${poor.slice(0, -1)}q`, 'invalid checksum'],
    [`Q-${poor}`, 'there is no ID with alias: Q'],
    [`X-${poor}`, `mismatched chainIDs: expected "${P_ID}" but got "${X_ID}"`],
  ])('a live node refuses %s, alone or among others', async (address, why) => {
    const { url } = networks.live.nodes[0]!
    expect(await rpc(url, 'platform.getBalance', { addresses: [`P-${me}`, address] })).toMatchObject({
      error: { code: -32_000, message: `couldn't parse address "${address}": ${why}` },
    })
  })
})
