// The differences between a configuration and the discovered state, as lines of text. A file may contain less, and a part that
// could not be discovered is no difference.

import type { Network } from '../../config/schema.ts'
import { plainAddress, primaryChains, PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { secretUrl } from '../../lib/secret.ts'
import { isPublicNode } from '../../config/presets.ts'
import type { Looked, LookedNode } from './look.ts'

/** `+` is missing in the file, `-` is only in the file, `~` differs. */
export function differences(file: Network, found: Network, looked: Looked): string[] {
  const isWhole = looked.flaws.length === 0
  return [
    ...compared('node', nodesOf(file), lookedAt(looked.nodes), true),
    ...compared('validator', validatorsOf(file), validatorsOf(found), isWhole),
    ...leftSet(file, looked),
    ...compared('subnet', subnetsOf(file), subnetsOf(found), isWhole),
    ...compared('chain', chainsOf(file), chainsOf(found), isWhole),
    ...compared('address', addressesOf(file), addressesOf(found), true),
  ]
}

type Values = Readonly<Record<string, unknown>>
/** The compared things by identity, because names are chosen by the operator. */
type Things = ReadonlyMap<string, Values>

/** `isWhole`: whether the discovered list is complete, so that a missing thing does not exist. */
function compared(what: string, file: Things, found: Things, isWhole: boolean): string[] {
  const alone = isWhole ? [...file.keys()].filter((id) => !found.has(id)) : []
  return [
    ...[...found].flatMap(([id, values]) => changed(`${what} ${id}`, file.get(id), values)),
    ...alone.map((id) => `- ${what} ${id}: in the file alone`),
  ]
}

function changed(thing: string, before: Values | undefined, now: Values): string[] {
  if (before === undefined) return [`+ ${thing}: not in the file`]
  return Object.entries(now)
    .filter(([key, value]) => value !== undefined && before[key] !== undefined && text(value) !== text(before[key]))
    .map(([key, value]) => `~ ${thing}: ${key} is ${text(value)}, in the file ${text(before[key])}`)
}

function text(value: unknown): string {
  return Array.isArray(value) ? value.map(String).toSorted().join(', ') : String(value)
}

/** Nodes by URL, of which only the host is shown. Public nodes do not belong to the operator. */
function nodesOf({ nodes }: Network): Things {
  const own = nodes.filter(({ url }) => !isPublicNode(url.reveal()))
  return new Map(
    own.map(({ url, node_id, index, admin }) => [
      String(url),
      { node_id: node_id ?? 'not given', index, admin: admin === 'off' ? undefined : admin },
    ]),
  )
}

function lookedAt(nodes: readonly LookedNode[]): Things {
  return new Map(
    nodes.map(({ url, nodeId, index, admin }) => [String(secretUrl(url)), { node_id: nodeId, index, admin }]),
  )
}

function validatorsOf(network: Network): Things {
  return new Map(
    network.validators.map((validator) => [
      validatorIn(validator.node_id, subnetIdOf(network, validator)),
      validator.expect,
    ]),
  )
}

function validatorIn(nodeId: string, subnetId: string): string {
  return `${nodeId} of ${subnetId === PRIMARY_NETWORK_ID ? 'the primary network' : subnetId}`
}

function subnetIdOf({ subnets }: Network, { subnet }: Network['validators'][number]): string {
  return subnets.find(({ name }) => name === subnet)!.id
}

/** Validators of the file that are not in the discovered sets. */
function leftSet(file: Network, { validators, members }: Looked): string[] {
  return file.validators.flatMap((validator) => {
    const subnetId = subnetIdOf(file, validator)
    const set = subnetId === PRIMARY_NETWORK_ID ? validators : members.get(subnetId)
    const isThere = set?.some(({ nodeID }) => nodeID === validator.node_id) ?? true
    return isThere ? [] : [`~ validator ${validatorIn(validator.node_id, subnetId)}: is not in the set`]
  })
}

function subnetsOf({ subnets }: Network): Things {
  return withoutValues(subnets.map(({ id }) => id).filter((id) => id !== PRIMARY_NETWORK_ID))
}

/** `c-chain` and the id of the C-Chain are the same chain. */
function chainsOf({ chains }: Network): Things {
  return withoutValues(
    chains.map(({ id }) => {
      const chain = primaryChains[id]
      return chain === undefined ? id : `${chain.toLowerCase()}-chain`
    }),
  )
}

function addressesOf({ addresses }: Network): Things {
  return withoutValues(addresses.flatMap((wallet) => wallet.addresses.map(plainAddress)))
}

function withoutValues(ids: readonly string[]): Things {
  return new Map(ids.map((id) => [id, {}]))
}
