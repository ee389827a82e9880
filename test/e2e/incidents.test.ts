// Some of the incidents inside a window, and as two replicas report them. `npm run incidents` plays all as they are.

import { describe, expect, test } from 'vitest'
import { replicaDifferences } from '../../tools/incidents/replicas.ts'
import { outcomeOf } from '../../tools/incidents/worker.ts'

const right = { missed: [], false: [] }

describe('inside a window over everything', () => {
  // All of them: npm run incidents -- --window.
  test.each([
    ['is silent', 'both nodes are down'],
    ['pages', 'the admin interface of a node is opened'],
  ])('stakewatch %s when %s', async (_, name) => {
    const { verdict } = await outcomeOf({ name, open: [], isInWindow: true })
    expect(verdict).toEqual(right)
  })
})

describe('two replicas fire what one does', () => {
  test.each([
    'one of two voters has not seen enough uptime of a node',
    // The replica that stops meanwhile does not see the end.
    'the P-Chain stands still, and goes on after ten minutes',
  ])('when %s', async (name) => {
    const { verdict } = await outcomeOf({ name, open: [], ofReplicas: true })
    expect(verdict).toEqual(right)
  })

  const one = {
    series: new Map([
      ['stakewatch_a{job="stakewatch",instance="stakewatch:19650",source="n"}', [1, 1, 1]],
      ['stakewatch_b{job="stakewatch",instance="stakewatch:19650",source="n"}', [1, 1, 1]],
    ]),
    minutes: 2,
    sampleMinutes: 1,
    defects: [],
    shown: [],
  }
  const rulesWith = (expr: string) =>
    JSON.stringify({ groups: [{ name: 'g', rules: [{ alert: 'A', expr, labels: { severity: 'critical' } }] }] })

  test.each([
    ['max by (job, source) (stakewatch_a) > 0', []],
    ['sum by (job, source) (stakewatch_a) > 1', ['two replicas fire A']],
    [
      'sum by (job, source) (stakewatch_a) < 2',
      ['two replicas miss A', 'two replicas of which one stops miss A', 'two replicas of which one stops fire A'],
    ],
    [
      'stakewatch_a > 0',
      [
        'of one instance, though it is not about instances: A',
        'two replicas miss A',
        'two replicas fire A',
        'two replicas fire A',
        'two replicas of which one stops miss A',
        'two replicas of which one stops fire A',
        'two replicas of which one stops fire A',
      ],
    ],
  ])('and %s would be noticed', async (expr, wrong) => {
    const found = await replicaDifferences(one, rulesWith(expr))
    expect(found.map((text) => text.replace(/ \{.*/, ''))).toEqual(wrong)
  })

  test('and a rule that cannot be evaluated', async () => {
    const rules = rulesWith('stakewatch_a * on (job, source) stakewatch_b > 0')
    await expect(replicaDifferences(one, rules)).rejects.toThrow('found duplicate series')
  })
})
