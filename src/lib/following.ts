// One signal for several, for as long as somebody waits.

export interface Following {
  /** Aborts with the first of those that it follows. */
  signal: AbortSignal
  /** Nobody waits any more: it follows none of them from now on. */
  release(): void
}

/**
 * Has to be released when the work is over. AbortSignal.any cannot be: it keeps each deadline, with its timer, until the time
 * is up, however long before that the work has ended.
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
