// The state of a chain on a node whose chain interface returns an error instead of an answer, and what its health checks say.

import { BaseError } from '../../errors.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { health } from '../../operations/node/info.ts'
import type { Ask } from '../define.ts'
import { ifUnsupported, isUnsupported } from './not-found.ts'

export const chainStates = ['running', 'bootstrapping', 'dead', 'failed', 'untracked']

/** Details of the metrics that show these states. */
export const CHAIN_STATES =
  '`dead`: its process has died; `failed`: the node could not create it; `untracked`: the node does not serve it.'

type Checks = AnswerOf<typeof health>['checks']

/** The requested chain: its blockchain id, or P, X or C, and its subnet if known. */
interface Chain {
  id: string
  subnetId?: string
}

/** Throws the error if it says nothing about the chain. */
export async function chainStateBy(error: unknown, chain: Chain, call: Ask<typeof health>['call']): Promise<string> {
  if (!(error instanceof BaseError)) throw error
  const { code, details = '' } = error
  if (code === 'not_ready') return 'bootstrapping'
  if (code === 'http_status' && details.startsWith('rpc error: code = ')) return 'dead'
  // A method that a running chain lacks is also unsupported.
  if (!isUnsupported(error) || !details.startsWith('404 ')) throw error
  return absentState(chain, await checksOf(call))
}

/** Empty for a node whose health page is closed: then only "not served" is known. */
async function checksOf(call: Ask<typeof health>['call']): Promise<Checks> {
  return (await call(health, {}, { maxAge: '30s' }).catch(ifUnsupported))?.value.checks ?? {}
}

/** Why a node does not serve a chain. A check is named after the chain's id or the node's alias for it. */
function absentState({ id, subnetId }: Chain, checks: Checks): string {
  const isOfIt = (name: string, subnet: string) => name === id || (!(id in checks) && subnet === subnetId)
  const failed = Object.entries(checks).some(([name, check]) => {
    const subnet = failedChainOf(check?.error)
    return subnet !== undefined && isOfIt(name, subnet)
  })
  if (failed) return 'failed'
  const { bootstrapped } = checks
  // The node starts the chains of subnets after those of the primary network.
  const behind: unknown = bootstrapped?.message
  const isStarting =
    bootstrapped !== undefined &&
    (bootstrapped.timestamp === undefined || (Array.isArray(behind) && behind.includes(PRIMARY_NETWORK_ID)))
  if (isStarting) return 'bootstrapping'
  // An unreadable check may contain the reason.
  const unreadable = unreadableCheck(checks)
  if (unreadable) throw unreadable
  return 'untracked'
}

const FAILED = /^failed to create chain on subnet ([1-9A-HJ-NP-Za-km-z]{40,60}):/

/** The id of the subnet; undefined for a check with any other error. */
export function failedChainOf(error: string | undefined): string | undefined {
  return error === undefined ? undefined : FAILED.exec(error)?.[1]
}

/** Why the checks say less than they could; undefined if all of them are readable. */
export function unreadableCheck(checks: Checks): BaseError | undefined {
  return Object.values(checks).includes(undefined)
    ? new BaseError('bad_response', 'the node returned a malformed health check')
    : undefined
}
