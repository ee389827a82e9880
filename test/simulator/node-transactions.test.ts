// What P-Chain transactions of each type say in a block as JSON: the members and the number of signatures that AvalancheGo
// 1.14.2 gave in November 2026 (platform.getBlockByHeight on a local network); of types that it was not asked for, those of
// its code.

import { expect, test } from 'vitest'
import { FOUR, ONE, THREE, TWO } from '../tracked/playing.ts'
import type { Action } from '../../src/simulator/world/actions.ts'
import { EPOCH, networkOfTest, rpc } from './network.ts'

const DAY = 86_400

const script: readonly Action[] = [
  { kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 },
  { kind: 'create-chain', subnet: 'elm', secondsPerBlock: 5 },
  { kind: 'add-to-subnet', subnet: 'elm', nodeId: ONE, weight: 42, duration: 20 * DAY },
  { kind: 'remove-from-subnet', subnet: 'elm', nodeId: ONE },
  { kind: 'transfer-subnet', subnet: 'elm', owner: 'fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t' },
  { kind: 'convert', subnet: 'elm', validators: [{ nodeId: TWO, weight: 100, balance: 2_000_000_000 }] },
  { kind: 'register', subnet: 'elm', nodeId: THREE, weight: 5, balance: 200 },
  { kind: 'stake', nodeId: FOUR, amount: 2_500_000_000_000, reward: 737_562_933, fee: 3, duration: DAY },
]

/** Half a day of everything that happens by itself, and the actions of the script. The first transaction of each type, as a node has it. */
async function firstOfEach() {
  const network = await networkOfTest({ dialect: 'live', delegations: 60 })
  const { world, nodes, clock } = network
  for (const action of script) {
    expect(world.take(action)).toBe(true)
    clock.now += 60
    world.advance(EPOCH + clock.now)
  }
  clock.now = DAY / 2
  world.advance(EPOCH + clock.now)
  const found = new Map<string, JsonTransaction>()
  for (const { type, id, height } of world.ledger.transactions('P', 'asc')) {
    if (height === 0 || found.has(type)) continue
    const { result } = await rpc(nodes[0]!.url, 'platform.getBlockByHeight', { height, encoding: 'json' })
    const { txs = [], tx } = result!['block'] as { txs?: JsonTransaction[]; tx?: JsonTransaction }
    found.set(
      type,
      [...txs, ...(tx ? [tx] : [])].find((one) => one.id === id)!,
    )
  }
  return found
}

interface JsonTransaction {
  id: string
  unsignedTx: Record<string, unknown> & { inputs?: unknown[] }
  credentials: unknown[]
}

const base = ['blockchainID', 'inputs', 'memo', 'networkID', 'outputs']
/** The members that a type adds to those of all, and the signatures that it needs in addition to one for each input. */
const members: Readonly<Record<string, readonly [string, number]>> = {
  BaseTx: ['', 0],
  ImportTx: ['importedInputs sourceChain', 0],
  ExportTx: ['destinationChain exportedOutputs', 0],
  CreateSubnetTx: ['owner', 0],
  CreateChainTx: ['chainName fxIDs genesisData subnetAuthorization subnetID vmID', 1],
  AddSubnetValidatorTx: ['subnetAuthorization validator', 1],
  RemoveSubnetValidatorTx: ['nodeID subnetAuthorization subnetID', 1],
  TransferSubnetOwnershipTx: ['newOwner subnetAuthorization subnetID', 1],
  AddPermissionlessValidatorTx: [
    'delegationRewardsOwner shares signer stake subnetID validationRewardsOwner validator',
    0,
  ],
  AddPermissionlessDelegatorTx: ['rewardsOwner stake subnetID validator', 0],
  SetAutoRenewedValidatorConfigTx: ['auth autoCompoundRewardShares period txID', 1],
  ConvertSubnetToL1Tx: ['address chainID subnetAuthorization subnetID validators', 1],
  RegisterL1ValidatorTx: ['balance message proofOfPossession', 0],
  SetL1ValidatorWeightTx: ['message', 0],
  IncreaseL1ValidatorBalanceTx: ['balance validationID', 0],
  DisableL1ValidatorTx: ['disableAuthorization validationID', 1],
}

test('each type has its own members, and none is unknown', async () => {
  const found = await firstOfEach()
  const { RewardValidatorTx: reward, RewardAutoRenewedValidatorTx: renewal, ...others } = Object.fromEntries(found)

  // A reward has no signature.
  const txID = expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{44,51}$/) as string
  expect(reward).toEqual({ id: reward!.id, unsignedTx: { txID }, credentials: [] })
  expect(renewal).toEqual({
    id: renewal!.id,
    unsignedTx: { txID, timestamp: expect.any(Number) as number },
    credentials: [],
  })

  const actual = Object.entries(others).map(([type, { unsignedTx, credentials }]) => {
    const { inputs = [], importedInputs = [] } = unsignedTx as Record<string, unknown[]>
    const own = credentials.length - inputs.length - importedInputs.length
    return [type, [Object.keys(unsignedTx).toSorted(), own]]
  })
  const expected = Object.entries(members).map(([type, [own, signatures]]) => {
    return [type, [[...base, ...own.split(' ').filter(Boolean)].toSorted(), signatures]]
  })
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected))

  const validator = { nodeID: ONE, start: expect.any(Number) as number, end: expect.any(Number) as number }
  const of = (type: string) => found.get(type)!.unsignedTx
  expect(of('AddSubnetValidatorTx')).toMatchObject({
    validator: { ...validator, weight: 42, subnetID: of('CreateChainTx')['subnetID'] },
    subnetAuthorization: { signatureIndices: [0] },
  })
  const stakes = [...found].flatMap(([type, one]) => (type.startsWith('AddPermissionless') ? [one.unsignedTx] : []))
  for (const { stake, validator: staker } of stakes as { stake: Stake[]; validator: { weight: number } }[]) {
    expect(stake.reduce((sum, { output }) => sum + output.amount, 0)).toBe(staker.weight)
  }
  // The bytes of the id of a node, as a real node gave them for this one.
  expect(of('ConvertSubnetToL1Tx')).toMatchObject({
    chainID: expect.any(String) as string,
    validators: [
      {
        nodeID: expect.stringMatching(/^0x[0-9a-f]{40}$/) as string,
        weight: 100,
        balance: 2_000_000_000,
        signer: { publicKey: expect.any(String) as string, proofOfPossession: expect.any(String) as string },
        remainingBalanceOwner: { threshold: 1, addresses: [expect.any(String) as string] },
        deactivationOwner: { threshold: 1, addresses: [expect.any(String) as string] },
      },
    ],
  })
  expect(of('RegisterL1ValidatorTx')['proofOfPossession']).toHaveLength(96)
  expect(of('TransferSubnetOwnershipTx')).toMatchObject({
    newOwner: { addresses: ['P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t'], locktime: 0, threshold: 1 },
  })
})

interface Stake {
  output: { amount: number }
}
