// Methods that stakewatch does not ask for: what the forms of the recorded cases (test/recorded) do not say of them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unpolled } from '../../src/simulator/unpolled/index.ts'
import { post, rpc, startNetwork } from './network.ts'

let network: Awaited<ReturnType<typeof startNetwork>>
beforeAll(async () => {
  network = await startNetwork({ dialect: 'live', speed: 0 })
})
afterAll(() => network.stop())

const anywhere = () => network.nodes[0]!.url
const platform = async (method: string, params: object) => {
  const { result, error } = await rpc(anywhere(), `platform.${method}`, params)
  return error?.message ?? result
}
const l1 = () => network.world.l1s.all[0]!
const head = () => network.world.chains.P.head()

describe('validators at a height', () => {
  test('at the newest block they are those of the proposed height', async () => {
    const { subnetId } = l1()
    const ofL1 = (height: unknown) => platform('getValidatorsAt', { subnetID: subnetId, height })
    expect(await ofL1(head())).toEqual(await ofL1('proposed'))
    expect(Object.keys((await ofL1(head())) as object)).toHaveLength(l1().validators.length)
    expect(await platform('getAllValidatorsAt', { height: String(head()) })).toEqual(
      await platform('getAllValidatorsAt', { height: 'proposed' }),
    )
  })

  test('before a subnet was created it has none, and of heights between nothing is known', async () => {
    const { world } = network
    world.take({ kind: 'create-subnet', subnet: 'late', evmChainId: 43_400 })
    world.advance(world.now() + 60)
    const { subnetId } = world.l1s.all.at(-1)!
    const created = world.ledger.find(subnetId)!.height
    expect(created).toBeLessThan(head() - 1)
    const ofL1 = (height: number) => platform('getValidatorsAt', { subnetID: subnetId, height })
    expect(await ofL1(created - 1)).toEqual({})
    expect(await ofL1(head() - 1)).toBe(
      `failed to get validator set at ${head() - 1}: simulated nodes keep no validator sets of the past`,
    )
    expect(await ofL1(head() + 1)).toMatch(/unfinalized height with SubnetID = .* \(\d+\) < requested P-Chain height/)
  })
})

test('the transaction that created a subnet or a chain has its id', async () => {
  const { subnetId, blockchainId } = l1()
  const json = async (txID: string) => {
    const { tx } = (await platform('getTx', { txID, encoding: 'json' })) as { tx: { unsignedTx: object } }
    return tx.unsignedTx
  }
  expect(await json(subnetId)).toMatchObject({ owner: { addresses: [`P-${l1().owner}`] } })
  expect(await json(blockchainId)).toMatchObject({ subnetID: subnetId, chainName: l1().name })
  expect(await platform('getTxStatus', { txID: blockchainId })).toEqual({ status: 'Committed' })
})

test('a stake that was rewarded has the UTXOs that it was paid', async () => {
  const { ledger, staking, validators } = network.world
  const [paid] = [...validators.all.keys()].flatMap((nodeId) => staking.paidFor(nodeId))
  const { txId } = paid!.stake
  const rewards = ledger.find(ledger.find(txId)!.facts.rewardTxId!)!.emitted.filter((one) => one.rewardType)
  const told = (await platform('getRewardUTXOs', { txID: txId })) as { numFetched: string; utxos: string[] }
  expect(told).toMatchObject({ numFetched: String(rewards.length), encoding: 'hex' })
  // The amount stands behind the ids of transaction and asset, and what says which output and of which kind it is.
  const amounts = told.utxos.map((utxo) => BigInt(`0x${utxo.slice(2 + 2 * (2 + 32 + 4 + 32 + 4)).slice(0, 16)}`))
  expect(amounts).toEqual(rewards.map(({ amount }) => amount))
})

test('a sample is of different members of the set, as many as asked for', async () => {
  const sample = async (size: number) =>
    ((await platform('sampleValidators', { size, subnetID: l1().subnetId })) as { validators: string[] }).validators
  const members = new Set(l1().validators.map(({ nodeId }) => nodeId))
  expect(new Set(await sample(members.size))).toEqual(members)
  expect(await sample(2)).toHaveLength(2)
})

test('an address of an EVM chain is refused in the words of its library', async () => {
  const refused = async (...params: unknown[]) => {
    const { error } = await rpc(anywhere(), 'eth_getBalance', params, '/ext/bc/C/rpc')
    return error!.message
  }
  const flaw = (what: string) =>
    `invalid argument 0: json: cannot unmarshal ${what} into Go value of type common.Address`
  expect(await refused('1', 'latest')).toBe(flaw('hex string without 0x prefix'))
  expect(await refused('0x1', 'latest')).toBe(flaw('hex string of odd length'))
  expect(await refused('0xzz', 'latest')).toBe(flaw('invalid hex string'))
  expect(await refused('0x12', 'latest')).toBe(
    'invalid argument 0: hex string has length 2, want 40 for common.Address',
  )
})

test('in the form of the documents none of them is served', async () => {
  const documented = await startNetwork({ speed: 0 })
  try {
    for (const { name, path } of unpolled) {
      const at = documented.nodes[0]!.url + path.replace('{chain}', 'C')
      const { status, text } = await post(at, { jsonrpc: '2.0', id: 1, method: name, params: [] })
      expect([name, status === 404 || /can't find|does not exist/.test(text)]).toEqual([name, true])
    }
  } finally {
    await documented.stop()
  }
})
