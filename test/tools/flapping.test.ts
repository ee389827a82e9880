import { expect, test } from 'vitest'
import { action } from '../../tools/incidents/incident.ts'
import { flapping, flappingValidators, moreFlapping } from '../../tools/incidents/scripts/flapping.ts'

const [away, back] = [action({ kind: 'disconnect' }), action({ kind: 'reconnect' })]

test.each([
  ['half of four minutes', { period: 240, down: 0.5 }, [0, 4], [2, 6]],
  // 18 s are one and a half steps, rounded to two.
  ['a twentieth of six minutes', { period: 360, down: 0.05 }, [0, 6], [0.4, 6.4]],
  // 40 s are three steps; the periods begin in steps 0, 7, 13, 20, 27 and 33.
  ['half of 80 s', { period: 80, down: 0.5 }, [0, 1.4, 2.6, 4, 5.4, 6.6], [0.6, 2, 3.2, 4.6, 6, 7.2]],
  // One step at least is away, and one is back.
  ['a twentieth of 80 s', { period: 80, down: 0.05 }, [0, 1.4, 2.6, 4, 5.4, 6.6], [0.2, 1.6, 2.8, 4.2, 5.6, 6.8]],
  ['nearly all of four minutes', { period: 240, down: 0.95 }, [0, 4], [3.8, 7.8]],
])('away for %s', (_, cycle, leaves, returns) => {
  const minutes = Math.ceil((leaves.length * cycle.period) / 60)
  const orders = Object.entries(flapping(cycle, away, back, minutes))
  const minutesOf = (order: typeof away) =>
    orders.flatMap(([minute, [first]]) => (first === order ? [Number(minute)] : [])).toSorted((a, b) => a - b)
  expect([minutesOf(away), minutesOf(back)]).toEqual([leaves, returns])
})

test('there is a scene for each duty cycle, and each number of observers', () => {
  expect(new Set([...flappingValidators, ...moreFlapping].map(({ name }) => name)).size).toBe(18)
  expect(flappingValidators).toHaveLength(6)
  expect(new Set(flappingValidators.map(({ scenery }) => scenery?.nodes))).toEqual(new Set(['bystander', 2, 3]))
})
