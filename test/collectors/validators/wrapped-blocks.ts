// A P- or X-Chain whose blocks are wrapped as AvalancheGo wraps them, and the node that has it. Who builds is drawn by the code of the
// simulator, which is not that of the daemon.

import { hash } from 'node:crypto'
import { BaseError } from '../../../src/errors.ts'
import { nodeIdOf, readId, toCb58 } from '../../../src/lib/ids.ts'
import { PRIMARY_NETWORK_ID } from '../../../src/lib/primary-network.ts'
import { drawProposer, lineUp } from '../../../src/simulator/world/draw.ts'
import type { Upstream } from '../../support/poll.ts'

const SLOT = 5
const certificateOf = (name: string) => Buffer.from(`certificate of ${name}`)
export const nodeOf = (name: string) => nodeIdOf(certificateOf(name))

export type Weights = Readonly<Record<string, number>>

interface Container {
  id: string
  bytes: string
  timestamp: string
  index: string
}

/** `by` builds in place of whom the draw says; null is a block without a certificate. */
export interface Made {
  after: number
  by?: string | null
  pChainHeight?: number
  /** Says what becomes of its parent. */
  isOption?: true
}

const number = (value: number | bigint, bytes: number) =>
  Buffer.from(
    BigInt(value)
      .toString(16)
      .padStart(2 * bytes, '0'),
    'hex',
  )
const sized = (bytes: Buffer) => Buffer.concat([number(bytes.length, 4), bytes])
const digest = (bytes: Buffer) => hash('sha256', bytes, 'buffer')

/** From height 1 on. `weightsAt` are the stakes by name at a height of the P-Chain. It is the P-Chain, or the X-Chain of this id. */
export function chainOf(begin: number, weightsAt: (pChainHeight: number) => Weights, xChain?: string) {
  const containers: Container[] = []
  const builders: (string | undefined)[] = []
  let parent = { id: toCb58(Buffer.alloc(32)), time: begin, pChainHeight: 0 }
  const drawn = (height: number, slot: number): string | undefined => {
    const weights = weightsAt(parent.pChainHeight)
    const names = new Map(Object.keys(weights).map((name) => [nodeOf(name), name]))
    const line = lineUp(new Map(Object.entries(weights).map(([name, weight]) => [nodeOf(name), BigInt(weight)])))
    return names.get(drawProposer(line, xChain ?? PRIMARY_NETWORK_ID, BigInt(height), slot) ?? '')
  }
  function put(content: Buffer, id: string, time: number) {
    const bytes = `0x${Buffer.concat([content, digest(content).subarray(-4)]).toString('hex')}`
    const timestamp = new Date(time * 1_000).toISOString()
    containers.push({ id, bytes, timestamp, index: String(containers.length) })
  }
  return {
    containers,
    /** By name, in the order of the blocks; undefined where no certificate says it. */
    builders,
    /** The height of the next block. */
    height: () => containers.length + 1,
    /** Who is drawn for a slot of the next block. */
    drawn: (slot: number) => drawn(containers.length + 1, slot),
    add({ after, by, pChainHeight = parent.pChainHeight, isOption }: Made) {
      const height = containers.length + 1
      const time = parent.time + after
      const [none, before] = [Buffer.alloc(32), number(height, 8)]
      const inner = xChain
        ? Buffer.concat([number(0, 2), number(20, 4), none, before, number(time, 8), none, number(0, 4)])
        : Buffer.concat([number(0, 2), number(32, 4), number(time, 8), none, before, number(0, 4)])
      const parentId = Buffer.from(readId(parent.id).value!)
      if (isOption) {
        const content = Buffer.concat([number(0, 2), number(1, 4), parentId, sized(inner)])
        const id = toCb58(digest(content))
        builders.push(undefined)
        put(content, id, time)
        parent = { ...parent, id }
        return
      }
      const name = by === undefined ? drawn(height, Math.floor(after / SLOT)) : (by ?? undefined)
      const certificate = name === undefined ? Buffer.alloc(0) : certificateOf(name)
      const unsigned = Buffer.concat([
        number(0, 2),
        number(0, 4),
        parentId,
        number(time, 8),
        number(pChainHeight, 8),
        sized(certificate),
        sized(inner),
      ])
      const id = toCb58(digest(unsigned))
      builders.push(name)
      put(Buffer.concat([unsigned, sized(Buffer.from(name === undefined ? '' : 'signature'))]), id, time)
      parent = { id, time, pChainHeight }
    },
  }
}

/** A node with these containers in its index. */
export function nodeWith(
  containers: readonly Container[],
  weightsAt: (pChainHeight: number) => Weights | BaseError,
): Upstream {
  return (operation, { body }) => {
    if (operation === 'platform.getValidatorsAt') {
      const weights = weightsAt(Number(body['height']))
      if (weights instanceof BaseError) return weights
      return Object.fromEntries(
        Object.entries(weights).map(([name, weight]) => [nodeOf(name), { weight: String(weight) }]),
      )
    }
    if (operation === 'index.getLastAccepted') return containers.at(-1) ?? new BaseError('not_found', 'not there')
    if (operation === 'index.getIndex') {
      const index = containers.findIndex(({ id }) => id === body['id'])
      return index < 0 ? new BaseError('not_found', 'not there') : { index: String(index) }
    }
    const start = Number(body['startIndex'])
    return { containers: containers.slice(start, start + Number(body['numToFetch'])) }
  }
}
