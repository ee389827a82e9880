// `limits` and `alerts` of the configuration: what reaches the judge and the rules, and what is refused.

import { expect, test } from 'vitest'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { limitsOf } from '../../src/alerts/limit.ts'
import { waitsOf } from '../../src/config/alerting.ts'
import { configFrom } from '../support/poll.ts'

const yaml = (more: string) => `networks: [{ name: fuji, nodes: [{ name: a, url: 'http://10.0.0.1:9650' }] }]\n${more}`

test.each([
  ['limits: { budgetEnding: 2h }', { budgetEnding: 7_200 }],
  ['limits: { budgetEnding: 90 }', { budgetEnding: 90 }],
  ['limits: { peerStake: 0.5, restarts: 5 }', { peerStake: 0.5, restarts: 5 }],
  ['limits: { budgetEnding: "1.728e+05", peerStake: 1e-7 }', { budgetEnding: 172_800, peerStake: 1e-7 }],
  ['', {}],
])('%s', (more, expected) => {
  expect(limitsOf(configFrom(yaml(more)))).toEqual({ ...thresholds, ...expected })
})

test.each([
  ['limits: { peerStakes: 0.5 }', /limits: unknown key "peerStakes"; did you mean peerStake\?/],
  ['limits: { quorum: 0.5 }', /limits: unknown key "quorum": docs\/alerting\.md lists the names/],
  ['limits: { peerStake: 50 }', /limits\.peerStake.*expected a share between 0 and 1 for peerStake, which is 0\.8/],
  ['limits: { budgetEnding: soon }', /expected seconds or a duration such as 2h for budgetEnding/],
  ['limits: { turnsMissed: 2h }', /limits\.turnsMissed.*expected a number above 0 for turnsMissed, which is 8/],
  ['limits: { blocksDue: 1d }', /expected a number above 0 for blocksDue, which is 21/],
  ['limits: { turnsMissedLeast: 5m }', /expected a number above 0 for turnsMissedLeast, which is 20/],
  ['limits: { budgetStretch: 2m }', /expected a number from 1 on for budgetStretch, which is 1\.5/],
  // Half as much again is 1.5: less than 1 is always exceeded.
  ['limits: { l1PriceRise: 0.5 }', /limits\.l1PriceRise.*expected a number from 1 on for l1PriceRise, which is 1\.5/],
  ['limits: { gasPriceRise: 0.9 }', /expected a number from 1 on for gasPriceRise, which is 10/],
  ['limits: { budgetStretch: 0.5 }', /expected a number from 1 on for budgetStretch, which is 1\.5/],
  ['limits: { turnsMissed: -1 }', /expected a number above 0 for turnsMissed/],
  ['limits: { restarts: 0.5 }', /expected a number from 1 on for restarts, which is 3/],
  // Of 010, YAML 1.1 makes eight.
  ['limits: { turnsMissed: "010" }', /expected a number above 0 for turnsMissed/],
  ['limits: { turnsMissed: "1e999" }', /expected a number above 0 for turnsMissed/],
  ['alerts: { StakewatchDwn: { for: 1m } }', /alerts: unknown key "StakewatchDwn"; did you mean StakewatchDown\?/],
  ['alerts: { StakewatchDown: { fr: 20m } }', /alerts\.StakewatchDown.*such as \{ for: 10m \}/],
  [
    'alerts: { StakewatchDown: 20m }',
    /alerts\.StakewatchDown: expected how long its problem must last, such as \{ for: 10m \}; this is text/,
  ],
  ['alerts: { StakewatchDrill: { for: 1m } }', /alerts: StakewatchDrill cannot wait: remove it/],
  ['alerts: { StakewatchWatchdog: { for: 1m } }', /alerts: StakewatchWatchdog cannot wait: remove it/],
  ['alerts: { StakewatchDown: { for: soon } }', /expected a duration/],
])('%s is refused', (more, problem) => {
  expect(() => configFrom(yaml(more))).toThrow(problem)
})

test('a wait reaches the judge and the rule', () => {
  const waits = waitsOf(configFrom(yaml('alerts: { StakewatchValidatorDisconnected: { for: 90s } }')))
  expect([...waits]).toEqual([['StakewatchValidatorDisconnected', 90]])
  expect(rulesYaml({ waits })).toMatch(/alert: StakewatchValidatorDisconnected\n.*\n +for: 90s\n/)
  expect(rulesYaml()).toMatch(/alert: StakewatchValidatorDisconnected\n.*\n +for: 5m\n/)
  expect(rulesYaml({ waits: new Map([['StakewatchValidatorDisconnected', 1.5]]) })).toMatch(/\n +for: 1500ms\n/)
})
