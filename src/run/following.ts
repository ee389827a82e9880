// Combines several signals into one that can be released.

export interface Following {
  /** Aborts with the first of the signals that it follows. */
  signal: AbortSignal
  /** Stops following all of them. */
  release(): void
}

/**
 * Must be released when the work is over. AbortSignal.any cannot be: it keeps each deadline with its timer until the
 * time is up, long after the work has ended.
 */
export function following(...signals: readonly AbortSignal[]): Following {
  const controller = new AbortController()
  const release = () => {
    for (const signal of signals) signal.removeEventListener('abort', follow)
  }
  function follow(this: AbortSignal): void {
    release()
    controller.abort(this.reason)
  }
  const over = signals.find(({ aborted }) => aborted)
  if (over) controller.abort(over.reason)
  else for (const signal of signals) signal.addEventListener('abort', follow)
  return { signal: controller.signal, release }
}
