// Days on end in which nothing happens that the operator has to know. They take too long to be played with the others.

import type { Incident } from '../incident.ts'

const DAY = 24 * 60

export const quiet: readonly Incident[] = [
  {
    name: 'a quiet week, looked at every minute',
    minutes: 7 * DAY,
    scenery: { nodes: 'bystander' },
    orders: () => ({}),
    alerts: [],
  },
  {
    name: 'a quiet month, looked at every five minutes',
    minutes: 30 * DAY,
    sampleMinutes: 5,
    scenery: { nodes: 'bystander', pollMinutes: 5 },
    orders: () => ({}),
    alerts: [],
  },
]
