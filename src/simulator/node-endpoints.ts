// The addresses that a node answers at: those that every node has, and the names that its operator gave them.

import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { pathOf } from '../operations/define.ts'
import { operations } from '../operations/index.ts'
import { anIndex, INDEX } from '../operations/node/index-path.ts'
import { chainIdOf } from './node-state.ts'
import { matchPath } from './paths.ts'
import { nodeOf, type Place } from './serve.ts'

export interface Endpoint {
  /** Its path as operations name it. */
  template: string
  /** What stands in the path for the template's parameters. */
  inPath: Readonly<Record<string, string>>
}

const templates = new Set(operations.filter(({ service }) => service === 'node').map(pathOf))

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
  if (template === INDEX) return anIndex.safeParse(inPath).success
  return template !== '/ext/admin' || nodeOf(place).isAdminEnabled
}

/** The path by the names that every node knows. */
function wellKnown(place: Place, path: string): string {
  const node = nodeOf(place)
  const named = node.endpoints.get(path.replace(/^\/ext\//, ''))
  const real = named === undefined ? path : `/ext/${named}`
  const chain = /^\/ext\/bc\/([^/]+)$/.exec(real)?.[1]
  return chain !== undefined && chainIdOf(node, place.world, chain) === PRIMARY_NETWORK_ID ? '/ext/bc/P' : real
}
