// The order of alerts on the page: of those that are as urgent, that about the validator with the least time left comes first.

import type { Alert, Status } from '../value/status-schema.ts'

const keyOf = (of: Readonly<Record<string, unknown>>) => [of['network'], of['subnet'], of['node_id']].join('/')

/** The validators have that order already. Alerts about anything else keep theirs, and stay before them. */
export function leastLeftFirst({ validators }: Pick<Status, 'validators'>, alerts: readonly Alert[]): Alert[] {
  const places = new Map(validators.map((one, at) => [keyOf({ ...one }), at]))
  const placeOf = ({ labels }: Alert) => places.get(keyOf(labels)) ?? -1
  return alerts.toSorted((a, b) => placeOf(a) - placeOf(b))
}
