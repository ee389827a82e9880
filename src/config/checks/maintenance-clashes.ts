// Maintenance windows that share a name, or name something that the network does not have.

import { alike, asName, asText, type Clash, entriesOf, insideEach, type Item, listOf, namesIn } from './clash.ts'

/** By key of a window: the list of the network, and the keys under which its entries have their names. */
export const coveredLists = {
  validators: ['validators', 'name', 'node_id'],
  nodes: ['nodes', 'name'],
  chains: ['chains', 'name', 'id'],
  subnets: ['subnets', 'name', 'id'],
  wallets: ['addresses', 'name'],
} as const

export function maintenanceClashes(network: Item): Clash[] {
  const windows = network['maintenance']
  return [
    ...alike('maintenance', windows, ['name'], asName),
    ...Object.entries(coveredLists).flatMap(([key, [list, ...keys]]) => {
      const known = namesIn(entriesOf(network[list]).map((item) => asText(keys.map((one) => item[one]).find(Boolean))))
      return insideEach(['maintenance'], windows, (window) =>
        listOf(window[key]).flatMap((name, place): Clash[] => {
          if (typeof name !== 'string' || known.placeOf(name) !== undefined) return []
          const near = known.nearest(name)
          const hint = near === undefined ? '' : `; did you mean ${list}[${near}]?`
          const message = `expected the name of an entry of ${list}${hint}`
          return [{ path: [key, place], message }]
        }),
      )
    }),
  ]
}
