// What collectors remember between runs, by task key.

import { z } from 'zod'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import { named } from './run-log.ts'
import type { Task } from '../scheduler/plan.ts'

/** Lost with the process: counters then start over, which Prometheus sees as a reset. */
export function createMemories(): Records {
  const values = new Map<string, string>()
  return {
    load(key) {
      const text = values.get(key)
      return text === undefined ? undefined : (JSON.parse(text) as unknown)
    },
    async save(key, value) {
      values.set(key, JSON.stringify(value))
    },
  }
}

/** `of`: what the key of the task stands for, as a reload may give it to something else. */
const recordType = z.object({ of: z.string(), memory: z.unknown() })

export type TaskMemory = ReturnType<typeof createTaskMemory>

export function createTaskMemory(memories: Records, log: Logger) {
  const logged = new Set<string>()
  return {
    /** Undefined if the record is of what had the key before. One whose form is unknown, from another version, is discarded and logged. */
    load(task: Task): unknown {
      const { key, standsFor, collector } = task
      const value = memories.load(key)
      if (value === undefined || !collector.memory) return undefined
      const record = recordType.safeParse(value)
      if (record.success && record.data.of !== standsFor) return undefined
      const { success, data } = collector.memory.safeParse(record.data?.memory)
      if (!success && !logged.has(key)) {
        logged.add(key)
        log.warn(named(task), 'discarded the memory of a task, as its form is unknown: its counters start over')
      }
      return data
    },
    save: ({ key, standsFor }: Task, memory: unknown): Promise<void> => memories.save(key, { of: standsFor, memory }),
  }
}
