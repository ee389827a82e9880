// The simulated world that the recorded requests are put to: what is recorded of one world is asked of another.

import { addressPrefixes, toAddress } from '../../src/lib/ids.ts'
import { chainIds } from '../../src/simulator/world/ids.ts'
import { EPOCH, post, startNetwork } from '../simulator/network.ts'
import { formOf } from './form.ts'
import { type Recorded, recorded } from './recorded.ts'

export type Network = Awaited<ReturnType<typeof startNetwork>>

/** An address of twenty times the same byte. */
const address = (byte: number) =>
  toAddress({ chain: undefined, prefix: addressPrefixes.fuji, bytes: Buffer.alloc(20, byte) })

/** One holds coins of each kind, another the same in fewer pieces, and one holds free coins alone. */
const owners = { mixed: address(1), other: address(2), free: address(3) }

/** A network whose time stands still, with what the recorded requests need and no simulated network has by itself. */
export async function startRecorded(change: Parameters<typeof startNetwork>[0] = {}): Promise<Network> {
  const network = await startNetwork({ dialect: 'live', speed: 0, validators: 30, delegations: 20, ...change })
  const { ledger, l1s } = network.world
  const give = (owner: string, outputs: object[]) =>
    ledger.genesis('P', {
      type: 'BaseTx',
      consumed: [],
      outputs: outputs.map((output) => ({ owner, amount: 1_000n, ...output })),
    })
  const later = EPOCH + 1_000
  give(owners.mixed, [{}, { platformLocktime: later }, { stakeableLocktime: later }])
  give(owners.other, [{}])
  give(owners.free, [{}])
  // The node that follows this L1 validates it as well.
  const { nodeId } = network.nodes[0]!
  l1s.register(
    l1s.all[0]!,
    { validationId: chainIds.X, nodeId, publicKey: '0x00', owner: owners.free, weight: 1n, balance: 1_000_000 },
    network.world.now(),
  )
  return network
}

/** The text of a recorded request, in which the simulated world's names stand for those of the recorded one. */
export async function createTranslation(network: Network): Promise<(one: Recorded) => string> {
  const { world, nodes } = network
  const [orchard, harbour, lantern] = world.l1s.all as [L1, L1, L1]
  const last = world.indexes.proposals.P.last()
  const forms = (await blocksOf(network)).map((block) => formOf(block))
  const heights = new Map(recorded.filter(isJsonBlock).map((one) => [blockKey(one), alike(one, forms)]))

  /** Names that mean the same in every request. Well-formed ids that the recorded world did not know stay as they are. */
  const names: readonly (readonly [recorded: string, simulated: string])[] = [
    ['2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed', chainIds.X],
    ['2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC', chainIds.C],
    // An L1 that was a permissioned subnet, and its chain, which neither node runs.
    ['oFZous6FgK5S4GAzAGjmDikqy2cQA1izRuUZoiqVNbjk1UHbz', harbour.subnetId],
    ['2puqrwboxkA5rDHFBiiVPXgP4mD1gTSXK5QH2AgmJmvrjn8Bvc', lantern.blockchainId],
    // Chains of a permissioned subnet: two that neither node runs, and one that the first node runs and validates.
    ['2A9t6E6viNm34a4v2wTwK6gu7xTwV3DJWUmH8Wr6BZH1y76G6g', lantern.blockchainId],
    ['2cCWsCkkoBJPWWWdqTD32WiKsa9PeJ5f73YiSR3aBc3zsZfW6n', lantern.blockchainId],
    ['uEnjfoQdeNoEJXrK2bT7XbATBYLr7axFzDGTfra72RvW614sH', orchard.blockchainId],
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
      const height = heights.get(`${portOf(one)} ${String(value)}`) ?? 1
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

type L1 = Network['world']['l1s']['all'][0]

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

export const portOf = ({ request: { url } }: Recorded) => new URL(url).port

const blockOf = ({ response }: Recorded) =>
  (response as { result?: { block: { height: number | string } | string } }).result?.block

const isJsonBlock = (one: Recorded) =>
  one.of === 'platform.getBlockByHeight' && typeof blockOf(one) === 'object' && blockOf(one) !== null

function blockKey(one: Recorded): string {
  return `${portOf(one)} ${String((blockOf(one) as { height: number }).height)}`
}

/** Every block of the simulated P-Chain, as the node writes it. */
async function blocksOf({ nodes, world }: Network): Promise<unknown[]> {
  const ask = async (height: number) => {
    const params = { height, encoding: 'json' }
    const body = { jsonrpc: '2.0', id: 1, method: 'platform.getBlockByHeight', params }
    return ((await post(`${nodes[0]!.url}/ext/bc/P`, body)).body as { result: { block: unknown } }).result.block
  }
  return Promise.all(Array.from({ length: world.chains.P.head() + 1 }, (_, height) => ask(height)))
}

/** The height of the first simulated block of the form of the recorded one, or of the one that comes next to it. */
function alike(one: Recorded, forms: readonly Set<string>[]): number {
  const block = blockOf(one)
  if ((block as { height: number }).height === 0) return 0
  const form = formOf(block)
  const lacking = (a: Set<string>, b: Set<string>) => [...a].filter((line) => !b.has(line)).length
  const distances = forms.map((other) => lacking(form, other) + lacking(other, form))
  return distances.indexOf(Math.min(...distances))
}
