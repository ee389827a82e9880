// Index containers in the node's words (document 2, Index container).

import { refusal } from '../node/node-words.ts'
import { type Dialect, nodeOf, type Place } from '../handler.ts'
import type { Container, Containers } from '../world/containers.ts'
import { random } from '../world/random.ts'
import { hexOf } from './hex.ts'

interface Asked {
  chain: 'P' | 'X' | 'C'
  kind: 'block' | 'tx' | 'vtx'
  /** A live node reads any that it knows, and then writes this one alone. */
  encoding: string
}

const EMPTY: Containers = { last: () => -1, at: () => undefined, find: () => undefined }

/** Live nodes index blocks as they were proposed. Their indexes of transactions and of vertices stay empty. */
export function containersOf({ world: { indexes }, dialect }: Place, { chain, kind }: Asked): Containers {
  if (dialect === 'live') return kind === 'block' ? indexes.proposals[chain] : EMPTY
  if (kind === 'vtx') return indexes.vertices
  return kind === 'tx' ? indexes.transactions : indexes.blocks[chain]
}

/** Throws a refusal when the index does not have the container. */
export function positionOf(place: Place, asked: Asked & { id: string }): number {
  const position = containersOf(place, asked).find(asked.id)
  if (position === undefined) throw refusal('not found')
  return position
}

export function containerRecord(place: Place, asked: Asked, position: number) {
  const container = containersOf(place, asked).at(position)!
  if (asked.encoding !== 'hex') throw refusal('unsupported encoding in method')
  return {
    id: container.id,
    bytes: hexOf(container.bytes(), place.dialect),
    timestamp: acceptance(container, nodeOf(place).nodeId, place.dialect),
    encoding: 'hex',
    index: String(position),
  }
}

/** Live nodes give times in their own time zone: its offset in seconds. */
const ZONE = 7_200

/** Each node hears of a block at a moment of its own. */
function acceptance({ time, acceptedWith }: Container, nodeId: string, dialect: Dialect): string {
  const isLive = dialect === 'live'
  const second = new Date((time + (isLive ? ZONE : 0)) * 1_000).toISOString().slice(0, -'.000Z'.length)
  const fraction = random('accepted', nodeId, acceptedWith).between(0, 999_999_999)
  return `${second}.${String(fraction).padStart(9, '0')}${isLive ? '+02:00' : 'Z'}`
}
