// The node's own interface, health: recorded from AvalancheGo 1.14.2, of a node that cannot run a chain; five of its checks.

import { type Cases, seconds } from '../cases.ts'

const at = (text: string) => Date.parse(text) / 1_000

export const cases: Cases = {
  operation: 'health.health',
  asks: [
    { params: {}, request: 'POST /ext/health', body: {} },
    { params: { tags: 'A,B' }, request: 'POST /ext/health', body: { tags: ['A', 'B'] } },
  ],
  refuses: [],
  nullsDiffer: ['checks.*.message.*'],
  answers: [
    {
      fixture: 'node/health.health.recorded',
      reads: { timestamp: seconds, timeOfFirstFailure: seconds },
    },
    {
      name: 'required',
      text: `{
        "checks": {
          "P": {
            "timestamp": "2026-11-22T00:51:28Z"
          }
        },
        "healthy": true
      }`,
      value: { healthy: true, checks: { P: { timestamp: at('2026-11-22T00:51:28Z') } } },
    },
    {
      // A number that no double holds: the details are left out, and the check is kept.
      name: 'infinite',
      text: `{
        "checks": {
          "P": {
            "message": { "longestRunningRequest": 1e999 },
            "timestamp": "2026-11-22T00:51:28Z"
          }
        },
        "healthy": true
      }`,
      value: { healthy: true, checks: { P: { timestamp: at('2026-11-22T00:51:28Z') } } },
      fieldsDropped: 1,
    },
  ],
}
