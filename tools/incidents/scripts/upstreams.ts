// What happens to nodes and services that stakewatch asks.

import { fault, faultOfEvery, gone, type Incident, pages, repair, status, warns } from '../incident.ts'

/** As gateways say it, and nodes of what is turned off. */
const notFound = { ...status(404), headers: { 'content-type': 'text/plain' }, body: '404 page not found' }

export const upstreams: readonly Incident[] = [
  {
    name: 'both nodes are down',
    minutes: 10,
    orders: () => ({ 0: [fault('node-a', gone), fault('node-b', gone)] }),
    alerts: [
      pages('StakewatchNodesDown', undefined, {
        fills: { node: { offline: 'self/Upstreams' }, pChain: { unreachable: 'self/Upstreams' } },
      }),
    ],
  },
  {
    name: 'one of two nodes is down',
    minutes: 20,
    orders: () => ({ 0: [fault('node-b', gone)] }),
    alerts: [
      warns('StakewatchUpstreamDown', [{ source: 'node-b' }], { fills: { node: { offline: 'self/Upstreams' } } }),
    ],
  },
  {
    name: 'a proxy in front of one of two nodes answers that nothing is there',
    minutes: 40,
    orders: () => ({ 0: [fault('node-b', notFound)] }),
    alerts: [warns('StakewatchUpstreamDown', [{ source: 'node-b' }])],
  },
  {
    name: 'the data service is away for an hour',
    scenery: { nodes: 'bystander' },
    minutes: 76,
    orders: () => ({ 0: [fault('data', status(503))], 60: [repair] }),
    alerts: [
      warns('StakewatchUpstreamDown', [{ source: 'data-api' }], {
        until: 70,
        fills: { service: { offline: 'self/Upstreams', unknown: 'self/Upstreams' } },
      }),
    ],
  },
  {
    name: 'the metrics service does not answer',
    scenery: { nodes: 'bystander' },
    minutes: 20,
    orders: () => ({ 0: [fault('metrics', status(503))] }),
    alerts: [
      warns('StakewatchUpstreamDown', [{ source: 'metrics-api' }], {
        fills: { service: { offline: 'self/Upstreams' } },
      }),
    ],
  },
  {
    name: 'the data service rejects the key',
    scenery: { nodes: 'bystander' },
    minutes: 12,
    orders: () => ({ 0: [fault('data', status(401))] }),
    alerts: [
      warns('StakewatchCredentialsRejected', [{ source: 'data-api' }], {
        fills: { service: { changed: 'self/Not asked' } },
      }),
    ],
  },
  {
    name: 'the data service answers one of twelve requests with 429, and later one of six',
    scenery: { nodes: 'bystander' },
    minutes: 50,
    orders: () => ({
      0: [faultOfEvery(12, 'data', status(429))],
      30: [repair, faultOfEvery(6, 'data', status(429))],
    }),
    alerts: [
      warns('StakewatchRateLimited', [{ source: 'data-api' }], {
        at: 30,
        fills: { service: { unreachable: 'self/Requests that were too many' } },
      }),
    ],
  },
  {
    name: 'a node reports times that lie in the future',
    minutes: 25,
    orders: () => ({ 0: [fault('node-b', { kind: 'future', seconds: 7_200 }, 'eth_getBlockByNumber')] }),
    alerts: [
      warns('StakewatchAnswersRefused', [{ source: 'node-b' }], {
        fills: { node: { contradicted: 'self/Refused answers' } },
      }),
    ],
  },
  {
    name: 'one operation of the data service fails, first for nine minutes and then for good',
    scenery: { nodes: 'bystander' },
    minutes: 36,
    orders: () => ({
      0: [fault('data', status(500), 'list-latest-evm-blocks')],
      9: [repair],
      20: [fault('data', status(500), 'list-latest-evm-blocks')],
    }),
    alerts: [
      warns(
        'StakewatchCollectorFailing',
        [
          { collector: 'evm-blocks', target: 'c-chain' },
          { collector: 'evm-blocks', target: 'orchard' },
        ],
        {
          at: 30,
          within: 5,
          fills: { service: { unhealthy: 'self/Runs failing' }, self: { lagging: 'self/Data late by' } },
        },
      ),
    ],
  },
  {
    name: 'a list that is asked for once in five minutes fails',
    scenery: { nodes: 'bystander' },
    minutes: 24,
    orders: () => ({ 0: [fault('data', status(500), 'list-l1-validators')] }),
    // Three intervals after its last success.
    alerts: [
      warns('StakewatchCollectorFailing', [{ collector: 'listed-l1s' }], {
        at: 14,
        within: 5,
        fills: { l1: { unknown: 'self/Collectors' }, service: { unknown: 'self/Collectors' } },
      }),
    ],
  },
]
