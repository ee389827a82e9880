// How long the oldest undelivered message has waited, for Fleet and for the page of messages.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import type { DataLink } from '../links.ts'
import { tile } from '../panels.ts'
import { type Narrowed, orUnconfigured, ROUTE } from '../select.ts'
import { SECONDS } from '../units.ts'

export function messageLag(narrowed: Narrowed, to: DataLink) {
  const oldest = `topk(1, ${narrowed.age(ROUTE, 'icm_oldest_pending_timestamp_seconds')})`
  const nothing = `sum(${narrowed.one(ROUTE, 'icm_messages', 'state="pending"')}) * 0`
  return tile(
    {
      title: 'Message lag',
      description: 'Age of the oldest undelivered message between chains; 0 if all are delivered.',
      unit: SECONDS,
    },
    {
      ...orUnconfigured(narrowed, `${oldest} or on () ${nothing}`, 'no route', 'icm'),
      marks: ['green', [thresholds.messagePending, 'red']],
      names: ['route'],
      to,
    },
  )
}
