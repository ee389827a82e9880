import { expect, test } from 'vitest'
import { nodeUptime } from '../../../src/collectors/nodes/node-uptime.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const yaml = `
networks:
  - name: fuji
    nodes: [{ name: node-a, url: "http://127.0.0.1:1" }, { name: node-b, url: "http://127.0.0.1:2" }]
`
const ratios = (source: string, rewarding: number, average: number) => [
  `stakewatch_node_rewarding_stake_ratio{network="fuji",source="${source}"} ${rewarding}`,
  `stakewatch_node_observed_uptime_ratio{network="fuji",source="${source}"} ${average}`,
]

test.each<[string, unknown, string[], number]>([
  // Recorded while a fifth of the stake was away.
  ['good', fixture('node/info.uptime.recorded'), ratios('node-a', 0.800062, 0.794061), 1],
  [
    'all of the stake',
    { rewardingStakePercentage: '100.0000', weightedAveragePercentage: '99.1999' },
    ratios('node-a', 1, 0.991999),
    1,
  ],
  [
    'none of it',
    { rewardingStakePercentage: '0.0000', weightedAveragePercentage: '0.0000' },
    ratios('node-a', 0, 0),
    1,
  ],
  ['partial', { rewardingStakePercentage: '100.0000' }, [], 0],
  ['malformed', { rewardingStakePercentage: 'all', weightedAveragePercentage: '1' }, [], 0],
  ['of a node that is no validator', new BaseError('not_found', 'not there'), [], 1],
  ['of a node that still bootstraps', new BaseError('rpc_error', 'error -32000'), [], 0],
])('an answer that is %s', async (_, answer, lines, success) => {
  const poller = createPoller(yaml, nodeUptime, 0)
  await poller.poll((__, ___, source) => (source === 'node-a' ? answer : new BaseError('timeout', 'late')))
  expect(poller.lines(/^stakewatch_node_/)).toEqual(lines)
  expect(poller.lines(/collector_success.*node-a/)).toEqual([expect.stringMatching(new RegExp(` ${success}$`))])
})
