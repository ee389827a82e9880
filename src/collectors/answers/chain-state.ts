// What a chain does on a node, where the node says so instead of answering a call to the chain's own interface.

import { BaseError } from '../../errors.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { health } from '../../operations/node/health.health.ts'
import type { Run } from '../define.ts'
import { failedChainOf, unreadableCheck } from './health-checks.ts'
import { isUnsupported } from './not-found.ts'

export const chainStates = ['running', 'bootstrapping', 'dead', 'failed', 'untracked']

/** Details of the metrics that show these states. */
export const CHAIN_STATES =
  '`dead`: its process has died; `failed`: the node could not create it; `untracked`: the node does not serve it.'

type Checks = AnswerOf<typeof health>['checks']

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
  return absentState(chain, await checksOf(call))
}

/** Nothing of a node whose health page is closed: it says no more than that it does not serve the chain. */
async function checksOf(call: Parameters<typeof chainStateBy>[2]): Promise<Checks> {
  try {
    return (await call(health, {}, { maxAge: '30s' })).value.checks
  } catch (error) {
    if (isUnsupported(error)) return {}
    throw error
  }
}

/** Why a node does not serve a chain. A check has the id of its chain as its name, or the alias that the node has for it. */
function absentState({ id, subnetId }: Chain, checks: Checks): string {
  const isOfIt = (name: string, subnet: string) => name === id || (!(id in checks) && subnet === subnetId)
  const failed = Object.entries(checks).some(([name, check]) => {
    const subnet = failedChainOf(check?.error)
    return subnet !== undefined && isOfIt(name, subnet)
  })
  if (failed) return 'failed'
  const { bootstrapped } = checks
  // The chains of subnets come after those of the primary network.
  const behind: unknown = bootstrapped?.message
  const isStarting =
    bootstrapped !== undefined &&
    (bootstrapped.timestamp === undefined || (Array.isArray(behind) && behind.includes(PRIMARY_NETWORK_ID)))
  if (isStarting) return 'bootstrapping'
  // One of those that cannot be read may say why.
  const unreadable = unreadableCheck(checks)
  if (unreadable) throw unreadable
  return 'untracked'
}
