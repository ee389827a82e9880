// Validators that leave and come back: what was known of them before is over.

import { expect, test } from 'vitest'
import { ONE, playing, TWO, seen } from './playing.ts'

/** Of 0.0512 tokens at 512e-9 a second: 100,000 s. */
const LASTING = 51_200_000

test('an L1 validator that is registered again is a new validation with a new balance', async () => {
  const { tell, subnet, daemon } = await playing()
  await tell(1, { kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 })
  const validators = [
    { nodeId: ONE, weight: 40, balance: LASTING },
    { nodeId: TWO, weight: 60, balance: 10 * LASTING },
  ]
  await tell(11, { kind: 'convert', subnet: 'elm', validators })
  const { polled } = daemon(['validators', 'l1-validators'], {
    subnets: [{ id: subnet('elm').subnetId, name: 'elm' }],
    validators: [{ node_id: ONE, subnet: 'elm', name: 'one' }],
  })
  const matter = /^stakewatch_(l1_|validator_(in_set|info|weight|start))/
  const expected = seen(`
       160      220         280
0.05112832        -   0.0050944  l1_validator_balance_tokens{subnet="elm",node_id="ONE",validator="one"}
         1        -           1  l1_validator_active{subnet="elm",node_id="ONE",validator="one"}
         0        -           0  l1_validator_min_nonce{subnet="elm",validator="one"}
1780100020        -  1780010230  l1_validator_depletion_timestamp_seconds{subnet="elm",node_id="ONE",validator="one"}
     99860        -        9950  l1_validator_runway_seconds{subnet="elm",validator="one"}
   5.12e-7  5.12e-7     5.12e-7  l1_fee_price_tokens_per_second{method="accrued"}
   5.12e-7  5.12e-7     5.12e-7  l1_fee_price_tokens_per_second{method="fee_state"}
   5.12e-7        -           -  l1_fee_price_tokens_per_second{method="slope"}
         1        0           1  validator_in_set{subnet="elm",node_id="ONE",validator="one"}
         1        -           -  validator_info{subnet="elm",node_id="ONE",validator="one",kind="l1",validation_id="ONE since 20"}
         -        -           1  validator_info{subnet="elm",node_id="ONE",validator="one",kind="l1",validation_id="ONE since 230"}
        40        -          70  validator_weight{subnet="elm",node_id="ONE",validator="one"}
1780000020        -  1780000230  validator_start_timestamp_seconds{subnet="elm",node_id="ONE",validator="one"}
`)

  // In the block at 20. Of the balance 140 seconds are gone at 160.
  await polled(100, matter)
  expect(await polled(160, matter)).toEqual(expected(160))

  await tell(161, { kind: 'set-weight', subnet: 'elm', nodeId: ONE, weight: 0 })
  expect(await polled(220, matter)).toEqual(expected(220))

  // In the block at 230. One reading of the new balance has no slope, and the old one is no part of it.
  await tell(221, { kind: 'register', subnet: 'elm', nodeId: ONE, weight: 70, balance: LASTING / 10 })
  expect(await polled(280, matter)).toEqual(expected(280))
})

test('a validator of the primary network that stakes again has a new term and no past', async () => {
  const { tell, daemon } = await playing()
  const stake = { kind: 'stake', nodeId: ONE, amount: 2_000_000_000_000, reward: 10_000_000_000, fee: 2 } as const
  await tell(1, { ...stake, duration: 1_000 })
  const { polled } = daemon(['validators', 'uptime'], {
    validators: [{ node_id: ONE, name: 'one', required_uptime: 0.8 }],
  })
  const matter = /^stakewatch_validator_(in_set|info|stake|potential|start|end|uptime|connected|downtime|reward.* 1$)/
  const expected = seen(`
       510  1020        1210
       0.9     -           1  validator_uptime_ratio{subnet="primary",node_id="ONE",validator="one",source="node-a"}
       0.9     -           1  validator_uptime_ratio{subnet="primary",node_id="ONE",validator="one",source="node-b"}
         1     -           1  validator_connected{subnet="primary",node_id="ONE",validator="one",source="node-a"}
         1     -           1  validator_connected{subnet="primary",node_id="ONE",validator="one",source="node-b"}
       150     -         400  validator_downtime_budget_seconds{subnet="primary",node_id="ONE",validator="one",source="node-a"}
       150     -         400  validator_downtime_budget_seconds{subnet="primary",node_id="ONE",validator="one",source="node-b"}
         1     -           1  validator_reward_state{subnet="primary",node_id="ONE",validator="one",source="node-a",state="on_track"}
         1     -           1  validator_reward_state{subnet="primary",node_id="ONE",validator="one",source="node-b",state="on_track"}
         1     0           1  validator_in_set{subnet="primary",node_id="ONE",validator="one"}
         1     -           1  validator_info{subnet="primary",node_id="ONE",validator="one",kind="primary",validation_id=""}
      2000     -        2000  validator_stake_tokens{subnet="primary",node_id="ONE",validator="one"}
        10     -          10  validator_potential_reward_tokens{subnet="primary",node_id="ONE",validator="one"}
1780000010     -  1780001110  validator_start_timestamp_seconds{subnet="primary",node_id="ONE",validator="one"}
1780001010     -  1780003110  validator_end_timestamp_seconds{subnet="primary",node_id="ONE",validator="one"}
`)

  // From 10 to 1010: it may be down for 200 s, and was for 50 of 500.
  await tell(210, { kind: 'disconnect', nodeId: ONE })
  await tell(260, { kind: 'reconnect', nodeId: ONE })
  expect(await polled(510, matter)).toEqual(expected(510))

  expect(await polled(1_020, matter)).toEqual(expected(1_020))

  // From 1110 to 3110: it may be down for 400 s.
  await tell(1_101, { ...stake, duration: 2_000 })
  expect(await polled(1_210, matter)).toEqual(expected(1_210))
})
