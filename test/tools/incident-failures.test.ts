import { expect, test } from 'vitest'
import { createFailures } from '../../tools/incidents/failures.ts'
import { action, fault, gone, type Incident, type Order, repair, status } from '../../tools/incidents/incident.ts'

const name = 'stakewatch_collector_success'
const ofNode = 'collector="uptime",source="node-b",target="primary"'
const ofAny = 'collector="validators",source="",target="primary"'
const ofService = 'collector="evm-blocks",source="",target="c-chain"'

test.each<[string, Record<number, readonly Order[]>, Partial<Incident>, string, boolean]>([
  ['nothing was broken', {}, {}, ofService, false],
  ['the service is down', { 3: [fault('data', status(503))] }, {}, ofService, true],
  ['the service goes down later', { 6: [fault('data', status(503))] }, {}, ofService, false],
  ['the service was down', { 3: [fault('data', status(503))], 4: [repair] }, {}, ofService, true],
  ['the other service is down', { 3: [fault('metrics', status(503))] }, {}, ofService, false],
  [
    'an operation that it asks fails',
    { 3: [fault('data', status(500), 'list-latest-evm-blocks')] },
    {},
    ofService,
    true,
  ],
  ['another operation fails', { 3: [fault('data', status(500), 'list-icm-messages')] }, {}, ofService, false],
  ['its node is down', { 3: [fault('node-b', gone)] }, {}, ofNode, true],
  ['its node restarts', { 3: [action({ kind: 'start', node: 'node-b' })] }, {}, ofNode, true],
  ['another node is down', { 3: [fault('node-a', gone)] }, {}, ofNode, false],
  ['one of two nodes is down that it may ask', { 3: [fault('node-b', gone)] }, {}, ofAny, false],
  ['both nodes are down', { 3: [fault('node-a', gone), fault('node-b', gone)] }, {}, ofAny, true],
  ['the only node is down', { 3: [fault('node-c', gone)] }, { scenery: { nodes: 'bystander' } }, ofAny, true],
  ['the budget is too small', {}, { scenery: { budget: '{ per_day: 1000 }' } }, ofService, true],
  ['it may fail', {}, { fails: ['evm-blocks'] }, ofService, true],
])('a failure of a collector, when %s', (_, orders, more, labels, isExplained) => {
  const failures = createFailures({ name: 'one', orders: () => orders, alerts: [], ...more }, orders)
  for (const minute of [5, 6]) failures.see({ name, labels, value: 0 }, minute)
  failures.see({ name, labels: 'collector="uptime",source="node-a",target="primary"', value: 1 }, 5)
  expect(failures.unexplained()).toEqual(isExplained ? [] : [`a collector fails in minutes 5 to 6: {${labels}}`])
})
