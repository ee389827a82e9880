// Waiting that ends.

/** The same promise, but rejected with the signal's reason as soon as it is aborted. The work itself goes on unheard. */
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
