// How a configuration that is in use differs from what was just found out, in lines for people. A file may say less, and
// what could not be looked at is no difference.

import type { Network } from '../config/schema.ts'
import { plainAddress, primaryChains, PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { secretUrl } from '../lib/secret.ts'
import { isPublic, type Looked, type LookedNode } from './look.ts'

/** `+` is not in the file, `-` is in the file alone, `~` is another value. */
export function differences(file: Network, found: Network, { nodes, flaws }: Looked): string[] {
  const isWhole = flaws.length === 0
  return [
    ...told('node', nodesOf(file), lookedAt(nodes), true),
    ...told('validator', validatorsOf(file), validatorsOf(found), isWhole),
    ...told('subnet', subnetsOf(file), subnetsOf(found), isWhole),
    ...told('chain', chainsOf(file), chainsOf(found), isWhole),
    ...told('address', addressesOf(file), addressesOf(found), true),
  ]
}

type Values = Readonly<Record<string, unknown>>
/** What is compared, by what it is: names are the operator's own. */
type Things = ReadonlyMap<string, Values>

/** `isWhole`: what was not found is not there. */
function told(what: string, file: Things, found: Things, isWhole: boolean): string[] {
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

/** By the address that is asked, of which only the host is shown. Public ones are nobody's. */
function nodesOf({ nodes }: Network): Things {
  const own = nodes.filter(({ url }) => !isPublic(url.reveal()))
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

function validatorsOf({ validators, subnets }: Network): Things {
  const ids = new Map(subnets.map(({ id, name }) => [name, id]))
  const placeOf = (subnet: string) => {
    const id = ids.get(subnet)!
    return id === PRIMARY_NETWORK_ID ? 'the primary network' : id
  }
  return new Map(validators.map(({ node_id, subnet, expect }) => [`${node_id} of ${placeOf(subnet)}`, expect]))
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
