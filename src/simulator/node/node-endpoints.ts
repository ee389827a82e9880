// The paths that a node serves: those that every node has, and the aliases that its operator gave them.

import { pathOf } from '../../operations/define.ts'
import { operations } from '../../operations/index.ts'
import { avmGetHeight, EVM_PATH, getCurrentValidatorsOfChain } from '../../operations/node/chains.ts'
import { health } from '../../operations/node/info.ts'
import { anIndex, INDEX } from '../../operations/node/indexes.ts'
import type { Report } from './health-rounds.ts'
import { chainIdOf, runsChain } from './node-state.ts'
import { matchPath } from '../services/path-templates.ts'
import { nodeOf, type Place } from '../handler.ts'
import { chainIds } from '../world/fixed-ids.ts'

export interface Endpoint {
  /** Its path as operations name it. */
  template: string
  /** The values in the path of the template's parameters. */
  inPath: Readonly<Record<string, string>>
}

/** Chains that serve something under their own path. */
const primary = ['P', 'X'] as const

const X_PATH = pathOf(avmGetHeight)
const OF_L1 = pathOf(getCurrentValidatorsOfChain)

/** JSON-RPC and a page at once. */
export const HEALTH = pathOf(health)

/** The other pages of the node's health. */
export const pages: Readonly<Record<string, Report>> = {
  [`${HEALTH}/health`]: 'health',
  [`${HEALTH}/readiness`]: 'readiness',
  [`${HEALTH}/liveness`]: 'liveness',
}

const templates = new Set([
  ...operations.filter(({ service }) => service === 'node').map(pathOf),
  ...Object.keys(pages),
])

/** Undefined where this node serves nothing. The path is as people write it, not as it is sent. */
export function endpointAt(place: Place, path: string): Endpoint | undefined {
  const known = wellKnown(place, path).split('/')
  for (const template of templates) {
    const inPath = matchPath(template, known)
    if (inPath && isServed(place, template, inPath)) return { template, inPath }
  }
  return undefined
}

function isServed(place: Place, template: string, inPath: Endpoint['inPath']): boolean {
  const { apis, phase } = nodeOf(place)
  if (template === '/ext/admin') return apis.has('admin')
  if (template === EVM_PATH) return hasEvm(place, inPath['chain']!)
  if (template === OF_L1) return runs(place, inPath['chain']!)
  if (template === X_PATH) return phase !== 'starting'
  if (template !== INDEX) return true
  const isThere = phase !== 'starting' || inPath['chain'] === 'P'
  return apis.has('index') && isThere && anIndex.safeParse(inPath).success
}

/** Whether the node runs the chain, and the chain has an EVM and its first block. */
function hasEvm(place: Place, chain: string): boolean {
  const id = chainIdOf(nodeOf(place), place.world, chain)
  const isThere = place.world.evm.some(({ blockchainId, head }) => blockchainId === id && head() >= 0)
  return isThere && runsChain(nodeOf(place), place.world, id!)
}

/** Whether the node runs the chain of an L1, which goes by its id or a name that the node has for it. */
function runs(place: Place, chain: string): boolean {
  const { world } = place
  const id = chainIdOf(nodeOf(place), world, chain)
  return world.l1s.all.some(({ blockchainId }) => blockchainId === id) && runsChain(nodeOf(place), world, id!)
}

/** The path by the names that every node knows. */
function wellKnown(place: Place, path: string): string {
  const node = nodeOf(place)
  const real = place.dialect === 'live' ? behindRoute(place, path) : behindEndpoint(place, path)
  const chain = /^\/ext\/bc\/([^/]+)$/.exec(real)?.[1]
  const id = chain === undefined ? undefined : chainIdOf(node, place.world, chain)
  const known = primary.find((name) => chainIds[name] === id)
  return known === undefined ? real : `/ext/bc/${known}`
}

/** In the document an alias is a name of an endpoint. */
function behindEndpoint(place: Place, path: string): string {
  const named = nodeOf(place).endpoints.get(path.replace(/^\/ext\//, ''))
  return named === undefined ? path : `/ext/${named}`
}

/** On a live node an alias is a name of a route and all below it. An alias of anything else leads nowhere. */
function behindRoute(place: Place, path: string): string {
  for (const [alias, endpoint] of nodeOf(place).endpoints) {
    const at = `/ext/${alias}`
    const isBelow = path === at || path.startsWith(`${at}/`)
    if (isBelow && isRoute(place, endpoint)) return `/ext/${endpoint}${path.slice(at.length)}`
  }
  return path
}

/** Whether a live node has such a route, given without `/ext/`: a chain, the indexes of a chain, an interface. */
export function isRoute(place: Place, route: string): boolean {
  const node = nodeOf(place)
  const chain = /^bc\/([^/]+)$/.exec(route)?.[1]
  if (chain !== undefined) return chainIdOf(node, place.world, chain) !== undefined
  return route === 'admin' ? node.apis.has('admin') : /^index\/[PXC]$/.test(route) && node.apis.has('index')
}
