// The order of alerts on the page: of those that are as urgent, that with the least time left comes first.

import { keyOf } from '../value/readings.ts'
import type { Alert, Status } from '../value/status-schema.ts'

/** What has happened waits for nothing: it counts as if this were left (seconds). */
const OF_WHAT_HAPPENED = 3_600

/** Where alerts have as much, the validators have that order already. Alerts about anything else keep theirs, and stay before them. */
export function leastLeftFirst({ validators }: Pick<Status, 'validators'>): (alerts: readonly Alert[]) => Alert[] {
  const places = new Map(validators.map(({ network, subnet, node_id: id }, at) => [keyOf(network, subnet, id), at]))
  const placeOf = ({ labels: { network = '', subnet = '', node_id: id = '' } }: Alert) =>
    places.get(keyOf(network, subnet, id)) ?? -1
  const leftOf = ({ time_left_seconds: left }: Alert) => left ?? OF_WHAT_HAPPENED
  return (alerts) => alerts.toSorted((a, b) => leftOf(a) - leftOf(b) || placeOf(a) - placeOf(b))
}
