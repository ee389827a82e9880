// The simulated world that the recorded requests are put to: what is recorded of one world is asked of another.

import { addressPrefixes, toAddress } from '../../src/lib/ids.ts'
import { blockAnswer } from '../../src/simulator/handlers/platform-block.ts'
import type { Action } from '../../src/simulator/world/actions.ts'
import { nodeIdOf } from '../../src/simulator/world/ids.ts'
import { chainIds } from '../../src/simulator/world/fixed-ids.ts'
import type { World } from '../../src/simulator/world/world.ts'
import { EPOCH, startNetwork } from '../simulator/network.ts'
import { type Recorded, recorded } from './recorded.ts'

export type Network = Awaited<ReturnType<typeof startNetwork>>

/** An address of twenty times the same byte. */
const address = (byte: number) =>
  toAddress({ chain: undefined, prefix: addressPrefixes.fuji, bytes: Buffer.alloc(20, byte) })

/** One holds coins of each kind, another the same in fewer pieces, and one holds free coins alone. */
const owners = { mixed: address(1), other: address(2), free: address(3) }

/** Time that a transaction needs to get into a block of the P-Chain. */
const NEXT_BLOCK = 20
const DAY = 86_400

/** A network whose time stops, with an hour of history and all else that the recorded requests need. */
export async function startRecorded(): Promise<Network> {
  const network = await startNetwork({ dialect: 'live', speed: 0, validators: 30, delegations: 20 })
  const { world, nodes } = network
  const give = (owner: string, outputs: object[]) =>
    world.ledger.genesis('P', {
      type: 'BaseTx',
      consumed: [],
      outputs: outputs.map((output) => ({ owner, amount: 1_000n, ...output })),
    })
  const later = EPOCH + DAY
  give(owners.mixed, [{}, { platformLocktime: later }, { stakeableLocktime: later }])
  give(owners.other, [{}])
  give(owners.free, [{}])

  const [a, b] = nodes.map(({ nodeId }) => nodeId) as [string, string]
  const [subnet, l1] = ['guild', 'village']
  const orders: readonly Action[] = [
    // A permissioned subnet, whose chain the first node runs and validates.
    { kind: 'create-subnet', subnet, evmChainId: 43_300 },
    { kind: 'create-chain', subnet, secondsPerBlock: 2 },
    { kind: 'add-to-subnet', subnet, nodeId: a, weight: 42, duration: DAY },
    { kind: 'add-to-subnet', subnet, nodeId: b, weight: 8, duration: DAY },
    { kind: 'follow', subnet, nodeId: a },
    // An L1 with a validator from before its conversion.
    { kind: 'create-subnet', subnet: l1, evmChainId: 43_301 },
    { kind: 'create-chain', subnet: l1, secondsPerBlock: 2 },
    { kind: 'add-to-subnet', subnet: l1, nodeId: a, weight: 5, duration: DAY },
    { kind: 'convert', subnet: l1, validators: [{ nodeId: b, weight: 100, balance: 2_000_000_000 }] },
    // With this number of short stakes, some are over in a block that proposes the reward.
    ...Array.from({ length: 16 }, (_, at) => stakeOf(nodeIdOf(`brief ${at}`), 60)),
    stakeOf(nodeIdOf('long'), DAY),
  ]
  takeAll(world, orders)
  return network
}

/** In this order, each with time for its block. */
export function takeAll(world: World, orders: readonly Action[]): void {
  for (const order of orders) {
    if (!world.take(order)) throw new Error(`the world does not do ${JSON.stringify(order)}`)
    world.advance(world.now() + NEXT_BLOCK)
  }
}

function stakeOf(nodeId: string, duration: number): Action {
  return { kind: 'stake', nodeId, amount: 2_000_000_000_000, reward: 1_000, fee: 10, duration }
}

/** The text of a recorded request, in which the simulated world's names stand for those of the recorded one. */
export function createTranslation({ world, nodes }: Network): (one: Recorded) => string {
  const named = (name: string) => world.l1s.all.find((one) => one.name === name)!
  const last = world.indexes.proposals.P.last()
  const blocks = blocksOf(world)
  const heights = new Map(recorded.filter(isJsonBlock).map((one) => [blockKey(one), alike(one, blocks)]))

  /** Names that mean the same in every request. Well-formed ids that the recorded world did not know stay as they are. */
  const names: readonly (readonly [recorded: string, simulated: string])[] = [
    ['2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed', chainIds.X],
    ['2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC', chainIds.C],
    // An L1 that was a permissioned subnet, a subnet that still is one, and the chain of the L1, which neither node runs.
    ['oFZous6FgK5S4GAzAGjmDikqy2cQA1izRuUZoiqVNbjk1UHbz', named('village').subnetId],
    ['22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2', named('guild').subnetId],
    ['2puqrwboxkA5rDHFBiiVPXgP4mD1gTSXK5QH2AgmJmvrjn8Bvc', named('village').blockchainId],
    // Two chains that neither node runs, and one of the permissioned subnet that the first node runs and validates.
    ['2A9t6E6viNm34a4v2wTwK6gu7xTwV3DJWUmH8Wr6BZH1y76G6g', named('meadow').blockchainId],
    ['2cCWsCkkoBJPWWWdqTD32WiKsa9PeJ5f73YiSR3aBc3zsZfW6n', named('meadow').blockchainId],
    ['uEnjfoQdeNoEJXrK2bT7XbATBYLr7axFzDGTfra72RvW614sH', named('guild').blockchainId],
    // The newest container of the index, and a block.
    ['oEcV8M2NyQCedczN9zdde2uHrzNEotm9bHru3p3erdzSUSPnF', world.indexes.proposals.P.at(last)!.id],
    ['kH5kKqSQTR1pjkMddnrp5QuZmzjoBM5PkyKNGYnvpKaqe2wuM', world.chains.P.block(heights.get('9650 11')!)!.hash],
    ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', owners.mixed],
    ['local1g65uqn6t77p656w64023nh8nd9updzmxyymev2', owners.other],
    ['local1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmggalnu', owners.free],
  ]

  /** A validator like the recorded one: renewed by itself or not, with delegators or without. */
  function validatorLike(nodeId: string, answered: readonly RecordedValidator[], taken: readonly string[]): string {
    const traits = answered.find(({ nodeID }) => nodeID === nodeId)
    const isDelegated = (traits?.delegatorCount ?? '0') !== '0'
    const found = [...world.validators.all.values()].find(
      ({ renewal, delegations, signer, nodeId: one }) =>
        !taken.includes(one) &&
        signer !== undefined &&
        (renewal !== undefined) === (traits?.nextPeriod !== undefined) &&
        delegations.length > 0 === isDelegated,
    )
    return found?.nodeId ?? nodes[0]!.nodeId
  }

  function inParams(name: string, value: unknown, one: Recorded): unknown {
    if (name === 'nodeIDs' || name === 'nodeIds') {
      const { result } = one.response as { result?: { validators: readonly RecordedValidator[] } }
      if (!Array.isArray(value) || result === undefined || result.validators.length === 0) return value
      return value.reduce<string[]>((taken, id: string) => [...taken, validatorLike(id, result.validators, taken)], [])
    }
    if (name === 'height' && /^[1-9]\d?$/.test(String(value))) {
      const height = heights.get(`${portOf(one)} ${String(value)}`)
      return typeof value === 'string' ? String(height) : height
    }
    return name === 'startIndex' && value === 23 ? last : value
  }

  return (one) => {
    let text = one.request.body
    for (const [before, after] of names) text = text.replaceAll(before, after)
    const params = paramsOf(text)
    if (params === undefined) return text
    const translated = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, inParams(name, value, one)]),
    )
    return JSON.stringify({ ...(JSON.parse(text) as object), params: translated })
  }
}

interface RecordedValidator {
  nodeID: string
  nextPeriod?: string
  delegatorCount?: string
}

/** Undefined where the body is no call with parameters by name. */
function paramsOf(body: string): Record<string, unknown> | undefined {
  try {
    const { params } = JSON.parse(body) as { params?: unknown }
    return typeof params === 'object' && params !== null && !Array.isArray(params) ? { ...params } : undefined
  } catch {
    return undefined
  }
}

const portOf = ({ request: { url } }: Recorded) => new URL(url).port

const blockOf = ({ response }: Recorded) => (response as { result: { block: Block } }).result.block

const isJsonBlock = ({ of, request, response }: Recorded) =>
  of === 'platform.getBlockByHeight' &&
  request.body.includes('"encoding": "json"') &&
  (response as { result?: unknown }).result !== undefined

const blockKey = (one: Recorded) => `${portOf(one)} ${String(blockOf(one).height)}`

interface Named {
  unsignedTx: object
}
interface Block {
  height: number | bigint
  txs?: readonly Named[]
  tx?: Named
}

/** Every block of the simulated P-Chain, as the node writes it. */
function blocksOf(world: World): Block[] {
  return Array.from({ length: world.chains.P.head() + 1 }, (_, height) => {
    return blockAnswer(world.chains.P.block(height)!, 'json', 'live', world).block as Block
  })
}

/** The height of the first simulated block with the members of the recorded one and transactions of its types, or -1. */
function alike(one: Recorded, blocks: readonly Block[]): number {
  const members = (value: object) => Object.keys(value).toSorted().join()
  const typesOf = ({ txs = [], tx }: Block) =>
    new Set([
      ...txs.map(({ unsignedTx }) => members(unsignedTx)),
      ...(tx ? [`proposed ${members(tx.unsignedTx)}`] : []),
    ])
  const block = blockOf(one)
  const types = [...typesOf(block)]
  return blocks.findIndex(
    (other) => members(other) === members(block) && types.every((type) => typesOf(other).has(type)),
  )
}
