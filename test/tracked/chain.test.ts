// A chain that is in the configuration before it exists.

import { expect, test } from 'vitest'
import { playing, seen } from './playing.ts'

test('a chain that starts later than the daemon is unknown, then created, then run, then validated', async () => {
  const { simulator, tell, subnet, daemon } = await playing()
  const { nodeId } = simulator.nodes[0]!
  await tell(1, { kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 })
  const { polled } = daemon(['blockchain-status', 'evm-blocks'], {
    chains: [{ id: subnet('elm').blockchainId, name: 'elm', evm_chain_id: 50_001 }],
  })
  const matter = /^stakewatch_(blockchain_status.* 1$|evm_(head|blocks_missed|block_interval_.*(count|sum|le="[35]")))/
  const expected = seen(`
100  200  260  320        3700        3760
  1    -    -    -           -           -  blockchain_status{chain="elm",source="node-a",state="unknown"}
  1    -    -    -           -           -  blockchain_status{chain="elm",source="node-b",state="unknown"}
  -    1    -    -           -           -  blockchain_status{chain="elm",source="node-a",state="created"}
  -    1    1    1           1           -  blockchain_status{chain="elm",source="node-b",state="created"}
  -    -    1    -           -           -  blockchain_status{chain="elm",source="node-a",state="syncing"}
  -    -    -    1           1           -  blockchain_status{chain="elm",source="node-a",state="validating"}
  -    -    -    -         705         717  evm_head_height{chain="elm"}
  -    -    -    -  1780003700  1780003760  evm_head_timestamp_seconds{chain="elm"}
  -    -    -    -           0           0  evm_blocks_missed_total{chain="elm"}
  -    -    -    -           0           0  evm_block_interval_seconds_bucket{le="3",chain="elm"}
  -    -    -    -           0          12  evm_block_interval_seconds_bucket{le="5",chain="elm"}
  -    -    -    -           0          60  evm_block_interval_seconds_sum{chain="elm"}
  -    -    -    -           0          12  evm_block_interval_seconds_count{chain="elm"}
`)

  expect(await polled(100, matter)).toEqual(expected(100))

  // In the block at 170; its own first block, number 0, comes at 175. The service has said at 100 that it does not know the
  // chain, and is asked again within an hour.
  await tell(161, { kind: 'create-chain', subnet: 'elm', secondsPerBlock: 5 })
  expect(await polled(200, matter)).toEqual(expected(200))

  await tell(201, { kind: 'follow', subnet: 'elm', nodeId })
  expect(await polled(260, matter)).toEqual(expected(260))

  await tell(261, { kind: 'add-to-subnet', subnet: 'elm', nodeId, weight: 1, duration: 10_000 })
  expect(await polled(320, matter)).toEqual(expected(320))

  // Block n comes at 175 + 5n. Those before 3,700 are not counted.
  expect(await polled(3_700, matter)).toEqual(expected(3_700))
  expect(await polled(3_760, /^stakewatch_evm_(head|blocks_missed|block_interval_.*(count|sum|le="[35]"))/)).toEqual(
    expected(3_760),
  )
})
