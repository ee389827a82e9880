// Inputs that init could not verify, as sentences with a remedy.

import type { Named } from './init-draft.ts'
import { evmChainIdOf, type Looked } from './look.ts'

export function unverified({ validators, subnets }: Named, looked: Looked): string[] {
  return [
    ...validators
      .filter((nodeId) => isMissing(nodeId, looked))
      .map((nodeId) => `validator ${nodeId} is in no set that was looked at: is its id right?`),
    ...subnets
      .filter((id) => looked.members.get(id)?.length === 0)
      .map((id) => `subnet ${id} has no validators, or does not exist: is its id right?`),
    ...ofCustomNetwork(looked),
  ]
}

/** Only complete sets prove that a validator is in none of them. */
function isMissing(nodeId: string, { validators, members }: Looked): boolean {
  if (validators === undefined) return false
  return ![validators, ...members.values()].some((set) => set.some(({ nodeID }) => nodeID === nodeId))
}

function ofCustomNetwork(looked: Looked): string[] {
  const { network, helicon } = looked
  if (network !== 'local') return []
  return [
    ...(evmChainIdOf(looked, 'C') === undefined
      ? ['the EVM chain id of the C-Chain is unknown: add evm_chain_id to c-chain for metrics of its blocks']
      : []),
    ...(helicon === undefined
      ? ['which uptime stakes need is unknown: add upgrade_time, when Helicon comes into force']
      : []),
  ]
}

/** The uptime that the nodes of a custom network require; undefined if they do not report it, or for known networks. */
export function requirementText({ helicon }: Looked): string | undefined {
  if (helicon === undefined) return undefined
  if (helicon.time === undefined) return 'stakes need 80% uptime: by its nodes, Helicon is not scheduled'
  const from = new Date(helicon.time * 1_000).toISOString().replace('.000', '')
  return `stakes need 90% uptime from ${from} on, earlier ones 80%: so its nodes say`
}
