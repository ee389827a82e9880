// Waiting that a signal can end.

/** The same promise, but rejected with the signal's reason as soon as it aborts. The work itself continues unobserved. */
export function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) {
      promise.catch(() => {})
      return stop()
    }
    signal.addEventListener('abort', stop, { once: true })
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
