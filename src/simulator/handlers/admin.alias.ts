// admin.alias: an endpoint that this node serves gets one more address.

import { alias } from '../../operations/node/admin.alias.ts'
import { endpointAt } from '../node-endpoints.ts'
import { refusal } from '../node-words.ts'
import { handles, nodeOf } from '../serve.ts'

export const handleAlias = handles(alias, (place, { endpoint, alias }) => {
  const { endpoints } = nodeOf(place)
  if (!endpointAt(place, `/ext/${endpoint}`)) throw refusal(`there is no endpoint /ext/${endpoint}`)
  if (endpointAt(place, `/ext/${alias}`)) {
    throw refusal(`couldn't alias to /ext/${alias} as that route is already reserved`)
  }
  endpoints.set(alias, endpoints.get(endpoint) ?? endpoint)
  return {}
})
