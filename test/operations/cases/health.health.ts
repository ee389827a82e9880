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
      name: 'recorded',
      text: `{
        "checks": {
          "2cCWsCkkoBJPWWWdqTD32WiKsa9PeJ5f73YiSR3aBc3zsZfW6n": {
            "error": "failed to create chain on subnet 22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2: error while creating vm: handshake failed: vm process not found",
            "timestamp": "2026-11-22T00:51:28.834774827Z",
            "duration": 1813,
            "contiguousFailures": 1875,
            "timeOfFirstFailure": "2026-11-21T23:48:54.842415846Z"
          },
          "bls": {
            "message": "node has the correct BLS key",
            "timestamp": "2026-11-22T00:51:28.834946669Z",
            "duration": 3463
          },
          "bootstrapped": {
            "message": ["22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2"],
            "error": "subnets not bootstrapped",
            "timestamp": "2026-11-22T00:51:28.835010341Z",
            "duration": 828,
            "contiguousFailures": 1877,
            "timeOfFirstFailure": "2026-11-21T23:48:50.837454556Z"
          },
          "database": {
            "timestamp": "2026-11-22T00:51:28.834942413Z",
            "duration": 4762
          },
          "router": {
            "message": {
              "longestRunningRequest": "12.183527ms",
              "outstandingRequests": 3
            },
            "timestamp": "2026-11-22T00:51:28.834936826Z",
            "duration": 3280
          }
        },
        "healthy": false
      }`,
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
