// What a task remembers, and what it makes of a record of another form.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyCollector } from '../../src/collectors/define.ts'
import { createMemories, createTaskMemory } from '../../src/run/memory.ts'
import type { Task } from '../../src/scheduler/plan.ts'

const counted = z.object({ position: z.string(), total: z.number() })

function taskOf(key: string, memory: AnyCollector['memory']): Task {
  const [collector, network, target] = key.split('/')
  const named = { network: { name: network }, subject: { name: target }, labels: {} }
  return { key, standsFor: 'one', ...named, collector: { name: collector, memory } } as unknown as Task
}

describe('what is remembered', () => {
  const of = 'one'
  test.each([
    ['is what was saved', { of, memory: { position: '12', total: 3 } }, counted, { position: '12', total: 3 }, 0],
    ['is nothing when it is of what had the name before', { of: 'other', memory: { total: 3 } }, counted, undefined, 0],
    [
      'is nothing when a field is missing, and that is reported',
      { of, memory: { position: '12' } },
      counted,
      undefined,
      1,
    ],
    [
      'is nothing when a field has another type, and that is reported',
      { of, memory: { position: 12, total: 3 } },
      counted,
      undefined,
      1,
    ],
    [
      'is nothing when the record has another form, and that is reported',
      { position: '12', total: 3 },
      counted,
      undefined,
      1,
    ],
    ['is nothing when it is no object, and that is reported', null, counted, undefined, 1],
    ['is nothing for a collector that remembers nothing', { of, memory: { total: 3 } }, undefined, undefined, 0],
    ['is nothing when nothing was saved', undefined, counted, undefined, 0],
  ])('%s', async (_, saved, memory, expected, lines) => {
    const log: unknown[] = []
    const memories = createMemories()
    if (saved !== undefined) await memories.save('blocks/fuji/P', saved)
    const { load } = createTaskMemory(memories, { info: () => {}, warn: (details) => log.push(details) })
    const task = taskOf('blocks/fuji/P', memory)
    expect(load(task)).toEqual(expected)
    // Said once, however long it takes until it is overwritten.
    load(task)
    expect(log).toEqual(Array.from({ length: lines }, () => ({ network: 'fuji', target: 'P', collector: 'blocks' })))
  })

  test('is what JSON keeps, as in the storage: no collector can remember more without it', async () => {
    const memories = createMemories()
    const value = { total: Number.NaN, at: undefined }
    await memories.save('a', value)
    expect(memories.load('a')).toEqual({ total: null })
  })
})
