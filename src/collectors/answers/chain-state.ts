// What a chain does on a node, where the node says so instead of answering a call to the chain's own interface.

import { BaseError } from '../../errors.ts'
import { isUnsupported } from './not-found.ts'

export const chainStates = ['running', 'bootstrapping', 'dead', 'untracked']

/** Undefined where the error says nothing about the chain. */
export function chainStateBy(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined
  const { code, details = '' } = error
  // A method that a running chain does not have is unsupported as well.
  if (isUnsupported(error)) return details.startsWith('404 ') ? 'untracked' : undefined
  if (code !== 'http_status') return undefined
  if (/not done bootstrapping/.test(details)) return 'bootstrapping'
  return details.startsWith('rpc error: code = ') ? 'dead' : undefined
}
