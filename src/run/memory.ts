// What collectors remember between runs, by task key.

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

/** Loads the memory of a task. Discards and logs one whose form the collector does not know, from another version. */
export function createRecall(memories: Records, log: Logger): (task: Task) => unknown {
  const logged = new Set<string>()
  return (task) => {
    const { key, collector } = task
    const value = memories.load(key)
    if (value === undefined || !collector.memory) return undefined
    const { success, data } = collector.memory.safeParse(value)
    if (!success && !logged.has(key)) {
      logged.add(key)
      log.warn(named(task), 'discarded the memory of a task, as its form is unknown: its counters start over')
    }
    return data
  }
}
