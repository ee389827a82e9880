// A node that begins again from a snapshot: its blocks and indexes end earlier than before, and it has forgotten what it
// saw since.

import { expect, test } from 'vitest'
import { FOUR, ONE, playing, seen } from './playing.ts'

const stake = {
  kind: 'stake',
  nodeId: ONE,
  amount: 2_000_000_000_000,
  reward: 10_000_000_000,
  fee: 2,
  duration: 100_000,
} as const

test('a node that catches up from a snapshot is believed to be behind when it says so for five minutes', async () => {
  const { simulator, tell, daemon } = await playing()
  const { nodeId } = simulator.nodes[0]!
  await tell(1, stake)
  const { polled } = daemon(['index-head', 'index-intervals', 'head-check', 'uptime'], {
    chains: [{ id: 'p-chain' }],
    validators: [{ node_id: ONE, name: 'one' }],
  })
  const matter = /^stakewatch_(index_(last_accepted\{|.*(gaps|count))|node_(?!index_reachable|votes)|validator_uptime)/
  const expected = seen(`
       110         480         810        2130
       370         243         309         572  index_last_accepted{chain="p-chain",source="node-a",index="block"}
       370         407         440         572  index_last_accepted{chain="p-chain",source="node-b",index="block"}
         0           0           0           0  index_acceptance_gaps_total{chain="p-chain",source="node-a",index="block"}
         0           0           0           0  index_acceptance_gaps_total{chain="p-chain",source="node-b",index="block"}
         0           0           0         202  index_acceptance_interval_seconds_count{chain="p-chain",source="node-a",index="block"}
         0          37          70         202  index_acceptance_interval_seconds_count{chain="p-chain",source="node-b",index="block"}
       371           -         310         573  node_head_height{chain="p-chain",source="node-a"}
       371         408         441         573  node_head_height{chain="p-chain",source="node-b"}
1780000110           -  1779999500  1780002130  node_head_timestamp_seconds{chain="p-chain",source="node-a"}
1780000110  1780000480  1780000810  1780002130  node_head_timestamp_seconds{chain="p-chain",source="node-b"}
1780000110           -  1780000810  1780002130  node_head_read_timestamp_seconds{chain="p-chain",source="node-a"}
1780000110  1780000480  1780000810  1780002130  node_head_read_timestamp_seconds{chain="p-chain",source="node-b"}
         0           -         131           0  node_behind_blocks{chain="p-chain",source="node-a"}
         0           0           0           0  node_behind_blocks{chain="p-chain",source="node-b"}
         1           -           -           1  node_on_canonical_chain{chain="p-chain",source="node-a"}
         1           1           1           1  node_on_canonical_chain{chain="p-chain",source="node-b"}
       0.8           -           1           1  validator_uptime_ratio{subnet="primary",node_id="ONE",validator="one",source="node-a"}
       0.8    0.957447       0.975    0.990566  validator_uptime_ratio{subnet="primary",node_id="ONE",validator="one",source="node-b"}
`)

  // A block every ten seconds since an hour before, so the block at height h was made at 10 (h - 360). The stake began at
  // 10; of its 100 seconds 20 were lost.
  await tell(60, { kind: 'disconnect', nodeId: ONE })
  await tell(80, { kind: 'reconnect', nodeId: ONE })
  expect(await polled(110, matter)).toEqual(expected(110))

  // At t it has the blocks up to 2 t - 2120. Its index answers while its P-Chain does not.
  await tell(120, { kind: 'restore', nodeId, behind: 2_000, pace: 2 })
  await tell(120, { kind: 'bootstrap', node: 'node-a' })
  const refused = ['head-check/fuji/p-chain/node-a', 'uptime/fuji/primary/node-a']
  const shorter = ['index-head/fuji/p-chain/node-a', 'index-intervals/fuji/p-chain/node-a']
  for (const at of [180, 330]) expect((await polled(at, matter)).failed).toEqual([...refused, ...shorter].toSorted())

  // At 480 it has 240 blocks and then some. What it said at 110 is too old to be shown.
  expect(await polled(480, matter)).toEqual(expected(480, ...refused))

  // It answers again, and knows of no outage: the one it saw came after the snapshot.
  await tell(500, { kind: 'bootstrapped', node: 'node-a' })
  const older = 'head-check/fuji/p-chain/node-a'
  for (const at of [510, 660]) expect((await polled(at, matter)).failed).toEqual([older])
  expect(await polled(810, matter)).toEqual(expected(810))

  // Since 2120 it has them all. None of its blocks is counted twice, and none is left out.
  expect(await polled(2_130, matter)).toEqual(expected(2_130))
})

test('a node that came back with another id is a witness for the validator that it was, which is down', async () => {
  const { simulator, tell, daemon } = await playing()
  const { nodeId: former } = simulator.nodes[0]!
  await tell(1, stake)
  await tell(20, { kind: 'disconnect', nodeId: ONE })
  await tell(60, { kind: 'reconnect', nodeId: ONE })
  const { polled } = daemon(['uptime'], {
    validators: [
      { node_id: ONE, name: 'one' },
      { node_id: former, name: 'former' },
    ],
  })
  const matter = /^stakewatch_validator_(connected\{.*"former"|uptime_ratio\{.*"one")/
  const expected = seen(`
110  210
  1    0  validator_connected{subnet="primary",node_id="node-a",validator="former",source="node-b"}
  -    0  validator_connected{subnet="primary",node_id="node-a",validator="former",source="node-a"}
0.6    1  validator_uptime_ratio{subnet="primary",node_id="ONE",validator="one",source="node-a"}
0.6  0.8  validator_uptime_ratio{subnet="primary",node_id="ONE",validator="one",source="node-b"}
`)

  // A node says nothing of itself.
  expect(await polled(110, matter)).toEqual(expected(110))

  await tell(120, { kind: 'restore', nodeId: former, behind: 3_600, pace: 3_600, name: FOUR })
  await tell(121, { kind: 'disconnect', nodeId: former })
  expect(await polled(210, matter)).toEqual(expected(210))
})
