import { expect, test } from 'vitest'
import { advance, type Instances } from '../../src/alerts/states.ts'

const MINUTE = 60_000
const result = (...names: string[]) => names.map((a) => ({ labels: { a }, value: 1 }))

/** The state of instance x in each minute; in `held` the expression gives nothing of it. */
function states(rule: { for: number; hold: number }, minutes: string): string {
  let instances: Instances = new Map()
  return minutes
    .split('')
    .map((minute, at) => {
      instances = advance(rule, instances, minute === 'x' ? result('x') : [], at * MINUTE)
      const [one] = instances.values()
      if (!one) return '-'
      return one.heldSince !== undefined ? 'h' : one.firedAt !== undefined ? 'f' : 'p'
    })
    .join('')
}

// As Prometheus describes `for` and `keep_firing_for`.
test.each([
  [{ for: 120, hold: 0 }, 'xxxx-x', 'ppff-p'],
  [{ for: 0, hold: 0 }, 'x-x', 'f-f'],
  [{ for: 120, hold: 0 }, 'xx-xxx', 'pp-ppf'],
  [{ for: 60, hold: 120 }, 'xx---', 'pfhh-'],
  [{ for: 60, hold: 120 }, 'xx-x--x', 'pfhfhhf'],
  // What is only pending is not held.
  [{ for: 120, hold: 600 }, 'x-x', 'p-p'],
])('with %j, %s is %s', (rule, minutes, expected) => {
  expect(states(rule, minutes)).toBe(expected)
})

test('what the daemon knew before a restart has been true since then', () => {
  const [one] = advance({ for: 300 }, new Map(), [{ labels: {}, value: 1, since: 60 }], 400_000).values()
  expect(one).toMatchObject({ activeAt: 60_000, firedAt: 360_000 })
})
