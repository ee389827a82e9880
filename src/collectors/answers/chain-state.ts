// What a chain does on a node, where the node says so instead of answering a call to the chain's own interface.

import { BaseError } from '../../errors.ts'
import { health } from '../../operations/node/health.health.ts'
import type { Run } from '../define.ts'
import { failedChainOf } from './failed-chain.ts'
import { isUnsupported } from './not-found.ts'

export const chainStates = ['running', 'bootstrapping', 'dead', 'failed', 'untracked']

/** For the help of metrics. */
export const CHAIN_STATES =
  'running, bootstrapping, its process has died (dead), the node could not create it (failed), or it does not serve it (untracked)'

/** What is asked for: the blockchain id, or P, X or C, and where it is known the subnet. */
interface Chain {
  id: string
  subnetId?: string
}

/** Throws the error where it says nothing about the chain. */
export async function chainStateBy(
  error: unknown,
  chain: Chain,
  call: Run<typeof health, never, never>['call'],
): Promise<string> {
  if (!(error instanceof BaseError)) throw error
  const { code, details = '' } = error
  if (code === 'not_ready') return 'bootstrapping'
  if (code === 'http_status' && details.startsWith('rpc error: code = ')) return 'dead'
  // A method that a running chain does not have is unsupported as well.
  if (!isUnsupported(error) || !details.startsWith('404 ')) throw error
  return (await hasFailed(chain, call)) ? 'failed' : 'untracked'
}

/** A chain that could not be created has a failing check, under its id or the alias that the node has for it. */
async function hasFailed({ id, subnetId }: Chain, call: Parameters<typeof chainStateBy>[2]): Promise<boolean> {
  try {
    const { checks } = (await call(health, {}, { maxAge: '30s' })).value
    if (id in checks) return failedChainOf(checks[id]!.error) !== undefined
    return subnetId !== undefined && Object.values(checks).some(({ error }) => failedChainOf(error) === subnetId)
  } catch (error) {
    // A node whose health page is closed says no more than that it does not serve the chain.
    if (isUnsupported(error)) return false
    throw error
  }
}
