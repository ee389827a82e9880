// The floor that polls are compared with does the same work: its bytes are those that the daemon publishes.

import { expect, test } from 'vitest'
import { exponent } from '../../tools/bench.ts'
import { quantile } from '../../tools/bench/row.ts'
import { type Compared, floors } from '../../tools/bench/floor.ts'
import { benchConfig, createPoll } from '../../tools/bench/poll.ts'
import { answerBody, benchValidators, NOW } from '../../tools/bench/validators.ts'

const COUNT = 1_000
const SERIES: Readonly<Record<Compared, number>> = { uptime: 9, validators: 11 }

test.each(Object.keys(floors) as Compared[])('the floor of %s writes the same bytes as a poll', async (collector) => {
  const validators = benchValidators(COUNT)
  const body = answerBody(validators, NOW)
  const names = new Map(validators.map(({ nodeId, name }) => [nodeId, name]))
  const [network] = benchConfig(validators, collector).networks
  const floor = floors[collector](body, names, network!, NOW)
  const ours = Buffer.concat(await createPoll(validators, body, collector).run())
  const lines = ours.toString().split('\n')
  expect(floor.toString().split('\n').slice(0, 50)).toEqual(lines.slice(0, 50))
  expect(ours.equals(floor)).toBe(true)
  expect(lines.length - 1).toBe(COUNT * SERIES[collector])
})

test('each state of a reward occurs, and full and free validators', async () => {
  const validators = benchValidators(COUNT)
  const body = answerBody(validators, NOW)
  const pieces = await Promise.all(['uptime', 'validators'].map((one) => createPoll(validators, body, one).run()))
  const text = Buffer.concat(pieces.flat()).toString()
  for (const state of ['safe', 'on_track', 'at_risk', 'lost']) expect(text).toMatch(new RegExp(`state="${state}"\\} 1`))
  expect(text).toMatch(/^stakewatch_validator_delegation_capacity_tokens\{.*\} 0$/m)
  expect(text).toMatch(/^stakewatch_validator_delegation_capacity_tokens\{.*\} [1-9]/m)
})

test('what takes a hundred times as long for a hundred times as many grows with exponent 1', () => {
  expect(exponent({ size: 1_000, value: 5 }, { size: 100_000, value: 500 })).toBeCloseTo(1)
  expect(exponent({ size: 10, value: 3 }, { size: 100, value: 300 })).toBeCloseTo(2)
})

test.each([
  [0, 10],
  [0.5, 30],
  [0.99, 49.6],
  [1, 50],
])('quantile %d of 10 to 50 is %d', (share, value) => {
  expect(quantile([50, 20, 40, 10, 30], share)).toBeCloseTo(value)
})
