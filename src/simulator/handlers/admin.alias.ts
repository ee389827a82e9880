// admin.alias: an endpoint that this node serves gets one more address. A live node takes any text for an endpoint.

import { alias } from '../../operations/node/admin.ts'
import { endpointAt, isRoute } from '../node/node-endpoints.ts'
import { aliasTooLong, refusal } from '../node/node-words.ts'
import { handles, nodeOf, type Place } from '../handler.ts'

const LONGEST = 512

export const handleAlias = handles(alias, (place, { endpoint, alias }) => {
  const { endpoints } = nodeOf(place)
  if (place.dialect === 'live') checkLive(place, alias)
  else check(place, endpoint, alias)
  endpoints.set(alias, endpoints.get(endpoint) ?? endpoint)
  return {}
})

function check(place: Place, endpoint: string, alias: string): void {
  if (!endpointAt(place, `/ext/${endpoint}`)) throw refusal(`there is no endpoint /ext/${endpoint}`)
  if (endpointAt(place, `/ext/${alias}`)) {
    throw refusal(`couldn't alias to /ext/${alias} as that route is already reserved`)
  }
}

function checkLive(place: Place, alias: string): void {
  if (alias.length > LONGEST) throw aliasTooLong()
  if (nodeOf(place).endpoints.has(alias) || isRoute(place, alias)) {
    throw refusal(`route is either already aliased or already maps to a handle: /ext/${alias}`)
  }
}
