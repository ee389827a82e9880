// What collectors remember between runs, by task key.

export interface Memories {
  load(key: string): unknown
  /** Resolves when it is safe to publish what was counted. */
  save(key: string, value: unknown): Promise<void>
}

/** Lost with the process: counters then begin anew, which Prometheus sees as a reset. */
export function createMemories(): Memories {
  const values = new Map<string, unknown>()
  return {
    load: (key) => values.get(key),
    async save(key, value) {
      values.set(key, value)
    },
  }
}
