// What a 404 of a node means: that it does not support something, unless its P-Chain, which each node has, says otherwise. While
// that bootstraps, the node has no other chain and no index yet. Where it is not there either, something else answers than a node.

import { BaseError } from '../errors.ts'
import { NO_NODE } from './rpc-error.ts'
import type { Source } from './source.ts'

export type NodeWords = ReturnType<typeof createNodeWords>

const P_CHAIN = '/ext/bc/P'
const COMES_LATER = /^\/ext\/(bc|index)\//

export function createNodeWords() {
  const starting = new Set<string>()
  const elsewhere = new Set<string>()
  return {
    /** The node answered a request to this path. */
    answered({ url }: Source, path: string) {
      if (path !== P_CHAIN) return
      starting.delete(url.reveal())
      elsewhere.delete(url.reveal())
    },
    /** Notes the error of a request to this path, and returns what it means. */
    understood({ url }: Source, path: string, error: BaseError): BaseError {
      const node = url.reveal()
      const { code, message, details } = error
      if (path === P_CHAIN && code === 'not_ready') {
        starting.add(node)
        elsewhere.delete(node)
      }
      if (path === P_CHAIN && message === NO_NODE) elsewhere.add(node)
      if (code !== 'unsupported') return error
      if (elsewhere.has(node)) return new BaseError('http_status', NO_NODE, { details })
      if (!COMES_LATER.test(path) || !starting.has(node)) return error
      return new BaseError('not_ready', 'the node has not started this chain: its P-Chain is bootstrapping', {
        details,
      })
    },
  }
}
