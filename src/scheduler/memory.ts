// What collectors remember between runs, by task key.

import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import { named } from './run-log.ts'
import type { Task } from './plan.ts'

export type Memories = Records

/** Lost with the process: counters then begin anew, which Prometheus sees as a reset. */
export function createMemories(): Memories {
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

/** What a task remembers, as its collector knows it. What has another form, from another version, is left out and told. */
export function createRecall(memories: Memories, log: Logger): (task: Task) => unknown {
  const told = new Set<string>()
  return (task) => {
    const { key, collector } = task
    const value = memories.load(key)
    if (value === undefined || !collector.memory) return undefined
    const { success, data } = collector.memory.safeParse(value)
    if (!success && !told.has(key)) {
      told.add(key)
      log.warn(named(task), 'what was remembered of a task has another form and is left out: its counters begin anew')
    }
    return data
  }
}
