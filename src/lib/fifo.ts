// First in, first out. Adding, taking the first and leaving early cost the same however many wait.

/** Each item can be in it once. */
export function createFifo<T>() {
  const present = new Set<T>()
  let order: T[] = []
  let at = 0

  function skipGone(): void {
    while (at < order.length && !present.has(order[at]!)) at += 1
    if (at < 1_000 || at < order.length / 2) return
    order = order.slice(at)
    at = 0
  }

  return {
    add(item: T): void {
      present.add(item)
      order.push(item)
    },
    /** Undefined if it is empty. */
    first(): T | undefined {
      skipGone()
      return order[at]
    },
    /** Whether the item was in it. */
    remove: (item: T): boolean => present.delete(item),
    size: () => present.size,
  }
}
