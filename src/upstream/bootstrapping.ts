// Tracks nodes whose P-Chain has not finished bootstrapping. They have no other chain and no index yet, so a 404 does not mean
// that something is unsupported.

import { BaseError } from '../errors.ts'
import type { Source } from './source.ts'

export type Starting = ReturnType<typeof createStarting>

const P_CHAIN = '/ext/bc/P'
const COMES_LATER = /^\/ext\/(bc|index)\//

export function createStarting() {
  const starting = new Set<string>()
  return {
    /** The node answered a request to this path. */
    answered({ url }: Source, path: string) {
      if (path === P_CHAIN) starting.delete(url.reveal())
    },
    /** Notes the error of a request to this path, and returns what it means. */
    understood({ url }: Source, path: string, error: BaseError): BaseError {
      const node = url.reveal()
      if (path === P_CHAIN && error.code === 'not_ready') starting.add(node)
      if (error.code !== 'unsupported' || !COMES_LATER.test(path) || !starting.has(node)) return error
      return new BaseError('not_ready', 'the node has not started this chain: its P-Chain is bootstrapping', {
        details: error.details,
      })
    },
  }
}
