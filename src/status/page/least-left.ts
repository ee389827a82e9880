// The order of alerts on the page: of those that are as urgent, that about the validator with the least time left comes first.

import { keyOf } from '../value/readings.ts'
import type { Alert, Status } from '../value/status-schema.ts'

/** The validators have that order already. Alerts about anything else keep theirs, and stay before them. */
export function leastLeftFirst({ validators }: Pick<Status, 'validators'>): (alerts: readonly Alert[]) => Alert[] {
  const places = new Map(validators.map(({ network, subnet, node_id: id }, at) => [keyOf(network, subnet, id), at]))
  const placeOf = ({ labels: { network = '', subnet = '', node_id: id = '' } }: Alert) =>
    places.get(keyOf(network, subnet, id)) ?? -1
  return (alerts) => alerts.toSorted((a, b) => placeOf(a) - placeOf(b))
}
