// Subnets whose validators come from elsewhere, and that become L1s while the daemon watches.

import { expect, test } from 'vitest'
import { FOUR, ONE, playing, THREE, TWO, seen } from './playing.ts'

test('a node that moves to another L1 is gone from the one and there in the other', async () => {
  const { tell, subnet, daemon } = await playing()
  const balance = 51_200_000
  for (const name of ['elm', 'oak']) await tell(1, { kind: 'create-subnet', subnet: name, evmChainId: 50_001 })
  const inElm = [ONE, TWO].map((nodeId, at) => ({ nodeId, weight: at === 0 ? 40 : 60, balance }))
  await tell(11, { kind: 'convert', subnet: 'elm', validators: inElm })
  await tell(11, { kind: 'convert', subnet: 'oak', validators: [{ nodeId: THREE, weight: 100, balance }] })
  const { polled } = daemon(['validators', 'subnet'], {
    subnets: ['elm', 'oak'].map((name) => ({ id: subnet(name).subnetId, name })),
    validators: ['elm', 'oak'].map((name) => ({ node_id: ONE, subnet: name, name: `one-in-${name}` })),
  })
  const matter = /^stakewatch_(validator_(in_set|info|weight)|subnet_(validators|weight)\{.*subnet="(elm|oak)")/
  const expected = seen(`
100  160
  0    0  subnet_validators{subnet="elm",state="inactive"}
  2    1  subnet_validators{subnet="elm",state="unknown"}
  0    0  subnet_validators{subnet="oak",state="inactive"}
  1    2  subnet_validators{subnet="oak",state="unknown"}
  0    0  subnet_weight{subnet="elm",state="inactive"}
100   60  subnet_weight{subnet="elm",state="unknown"}
  0    0  subnet_weight{subnet="oak",state="inactive"}
100  140  subnet_weight{subnet="oak",state="unknown"}
  1    0  validator_in_set{subnet="elm",node_id="ONE",validator="one-in-elm"}
  0    1  validator_in_set{subnet="oak",node_id="ONE",validator="one-in-oak"}
  1    -  validator_info{subnet="elm",node_id="ONE",validator="one-in-elm",kind="l1",validation_id="ONE since 20"}
  -    1  validator_info{subnet="oak",node_id="ONE",validator="one-in-oak",kind="l1",validation_id="ONE since 110"}
 40    -  validator_weight{subnet="elm",node_id="ONE",validator="one-in-elm"}
  -   40  validator_weight{subnet="oak",node_id="ONE",validator="one-in-oak"}
`)

  expect(await polled(100, matter)).toEqual(expected(100))

  await tell(101, { kind: 'set-weight', subnet: 'elm', nodeId: ONE, weight: 0 })
  await tell(101, { kind: 'register', subnet: 'oak', nodeId: ONE, weight: 40, balance })
  expect(await polled(160, matter)).toEqual(expected(160))
})

test('a permissioned subnet that becomes an L1 keeps its validators and has those that pay next to them', async () => {
  const { tell, subnet, daemon } = await playing()
  await tell(1, { kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 })
  await tell(11, { kind: 'add-to-subnet', subnet: 'elm', nodeId: ONE, weight: 10, duration: 100_000 })
  await tell(11, { kind: 'add-to-subnet', subnet: 'elm', nodeId: TWO, weight: 30, duration: 100_000 })
  const named = Object.entries({ one: ONE, two: TWO, three: THREE, four: FOUR })
  const { polled } = daemon(['validators', 'l1-validators', 'subnet'], {
    subnets: [{ id: subnet('elm').subnetId, name: 'elm', validators: 'all' }],
    validators: named.map(([name, node_id]) => ({ node_id, subnet: 'elm', name })),
  })
  const matter =
    /^stakewatch_(l1_validator_(balance|active|runway)|validator_(in_set|info|weight|end)|subnet_(validators|weight|naka)[^{]*\{.*"elm")/
  const expected = seen(`
       100         160
         2           3  subnet_validators{subnet="elm",state="unknown"}
         -           1  subnet_validators{subnet="elm",state="inactive"}
        40         140  subnet_weight{subnet="elm",state="unknown"}
         -          50  subnet_weight{subnet="elm",state="inactive"}
         1           1  subnet_nakamoto_coefficient{subnet="elm"}
         1           1  validator_in_set{subnet="elm",node_id="ONE",validator="one"}
         1           1  validator_in_set{subnet="elm",node_id="TWO",validator="two"}
         0           1  validator_in_set{subnet="elm",node_id="THREE",validator="three"}
         0           1  validator_in_set{subnet="elm",node_id="FOUR",validator="four"}
         1           1  validator_info{subnet="elm",node_id="ONE",validator="one",kind="permissioned",validation_id=""}
         1           1  validator_info{subnet="elm",node_id="TWO",validator="two",kind="permissioned",validation_id=""}
         -           1  validator_info{subnet="elm",node_id="THREE",validator="three",kind="l1",validation_id="THREE since 110"}
         -           1  validator_info{subnet="elm",node_id="FOUR",validator="four",kind="l1",validation_id="FOUR since 110"}
        10          10  validator_weight{subnet="elm",node_id="ONE",validator="one"}
        30          30  validator_weight{subnet="elm",node_id="TWO",validator="two"}
         -         100  validator_weight{subnet="elm",node_id="THREE",validator="three"}
         -          50  validator_weight{subnet="elm",node_id="FOUR",validator="four"}
1780100020  1780100020  validator_end_timestamp_seconds{subnet="elm",node_id="ONE",validator="one"}
1780100020  1780100020  validator_end_timestamp_seconds{subnet="elm",node_id="TWO",validator="two"}
         -   0.0511744  l1_validator_balance_tokens{subnet="elm",node_id="THREE",validator="three"}
         -           0  l1_validator_balance_tokens{subnet="elm",node_id="FOUR",validator="four"}
         -           1  l1_validator_active{subnet="elm",node_id="THREE",validator="three"}
         -           0  l1_validator_active{subnet="elm",node_id="FOUR",validator="four"}
         -       99950  l1_validator_runway_seconds{subnet="elm",validator="three"}
         -           0  l1_validator_runway_seconds{subnet="elm",validator="four"}
         -           0  subnet_weight_depleting{subnet="elm",within="1d"}
         -         100  subnet_weight_depleting{subnet="elm",within="7d"}
         -         100  subnet_weight_depleting{subnet="elm",within="30d"}
`)

  expect(await polled(100, matter)).toEqual(expected(100))

  // In the block at 110. One of those who begin has nothing to pay with.
  const validators = [
    { nodeId: THREE, weight: 100, balance: 51_200_000 },
    { nodeId: FOUR, weight: 50, balance: 0 },
  ]
  await tell(101, { kind: 'convert', subnet: 'elm', validators })
  expect(await polled(160, matter)).toEqual(expected(160))
})

test('validators from before the conversion leave an L1 at their end, or when its owner removes them', async () => {
  const { tell, subnet, daemon } = await playing()
  await tell(1, { kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 })
  await tell(11, { kind: 'add-to-subnet', subnet: 'elm', nodeId: ONE, weight: 10, duration: 200 })
  await tell(11, { kind: 'add-to-subnet', subnet: 'elm', nodeId: TWO, weight: 30, duration: 100_000 })
  await tell(21, { kind: 'convert', subnet: 'elm', validators: [{ nodeId: THREE, weight: 60, balance: 51_200_000 }] })
  const named = Object.entries({ one: ONE, two: TWO, three: THREE })
  const { polled } = daemon(['validators', 'subnet'], {
    subnets: [{ id: subnet('elm').subnetId, name: 'elm' }],
    validators: named.map(([name, node_id]) => ({ node_id, subnet: 'elm', name })),
  })
  const matter = /^stakewatch_(validator_(in_set|end)|subnet_(weight|top_weight_ratio)\{.*"elm",(state="unk|top="1"))/
  const expected = seen(`
       210                 230  290
       100                  90   60  subnet_weight{subnet="elm",state="unknown"}
       0.6  0.6666666666666666    1  subnet_top_weight_ratio{subnet="elm",top="1"}
         1                   0    0  validator_in_set{subnet="elm",node_id="ONE",validator="one"}
         1                   1    0  validator_in_set{subnet="elm",node_id="TWO",validator="two"}
         1                   1    1  validator_in_set{subnet="elm",node_id="THREE",validator="three"}
1780000220                   -    -  validator_end_timestamp_seconds{subnet="elm",node_id="ONE",validator="one"}
1780100020          1780100020    -  validator_end_timestamp_seconds{subnet="elm",node_id="TWO",validator="two"}
`)

  expect(await polled(210, matter)).toEqual(expected(210))

  // The end of the first is at 220.
  await tell(230, { kind: 'remove-from-subnet', subnet: 'elm', nodeId: TWO })
  expect(await polled(230, matter)).toEqual(expected(230))

  expect(await polled(290, matter)).toEqual(expected(290))
})
