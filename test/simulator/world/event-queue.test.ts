// The queue against a sorted list.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createQueue } from '../../../src/simulator/world/event-queue.ts'

test('what is due comes in order of time, and of two things at one time the one put in first', () => {
  const time = fc.integer({ min: 0, max: 20 })
  const step = fc.oneof(fc.record({ put: time }), fc.record({ takeUntil: time }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = createQueue()
      const happened: number[] = []
      const waiting: { at: number; name: number }[] = []
      const expected: number[] = []
      for (const [name, one] of steps.entries()) {
        if ('put' in one) {
          queue.put({ at: one.put, happen: () => happened.push(name) })
          waiting.push({ at: one.put, name })
          continue
        }
        for (let due = queue.takeDue(one.takeUntil); due; due = queue.takeDue(one.takeUntil)) due.happen(due.at)
        // Sorting is stable: things at one time stay as they were put in.
        waiting.sort((a, b) => a.at - b.at)
        const due = waiting.filter(({ at }) => at <= one.takeUntil)
        expected.push(...waiting.splice(0, due.length).map(({ name }) => name))
      }
      expect(happened).toEqual(expected)
    }),
  )
})
