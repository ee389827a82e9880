import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFifo } from '../../src/lib/fifo.ts'

test('the first comes out first, as from a list, whatever left before', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('add' as const) },
    { weight: 3, arbitrary: fc.constant('take' as const) },
    fc.nat(3_000),
  )
  fc.assert(
    fc.property(fc.array(step, { minLength: 5_000, maxLength: 10_000 }), (steps) => {
      const fifo = createFifo<number>()
      const list: number[] = []
      for (const [number, what] of steps.entries()) {
        if (what === 'add') {
          fifo.add(number)
          list.push(number)
        }
        const item = what === 'take' ? (list[0] ?? -1) : what === 'add' ? -1 : what
        const at = list.indexOf(item)
        if (at >= 0) list.splice(at, 1)
        expect([fifo.remove(item), fifo.first(), fifo.size()]).toEqual([at >= 0, list[0], list.length])
      }
    }),
    { numRuns: 10 },
  )
})
