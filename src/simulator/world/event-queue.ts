// What will happen, in order of time: a binary heap. Of two things at one time the one put in first comes first.

interface Event {
  at: number
  happen: (at: number) => void
}

export interface Queue {
  put(event: Event): void
  /** The next event that is due by `time`, removed; undefined when there is none. */
  takeDue(time: number): Event | undefined
}

export function createQueue(): Queue {
  const heap: (Event & { order: number })[] = []
  let order = 0
  const before = (a: number, b: number) =>
    heap[a]!.at < heap[b]!.at || (heap[a]!.at === heap[b]!.at && heap[a]!.order < heap[b]!.order)
  const swap = (a: number, b: number) => {
    ;[heap[a], heap[b]] = [heap[b]!, heap[a]!]
  }

  function rise(start: number): void {
    for (let at = start; at > 0;) {
      const parent = (at - 1) >> 1
      if (!before(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }

  function sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = right < heap.length && before(right, left) ? right : left
      if (child >= heap.length || !before(child, at)) return
      swap(at, child)
      at = child
    }
  }

  return {
    put(event) {
      heap.push({ ...event, order: (order += 1) })
      rise(heap.length - 1)
    },
    takeDue(time) {
      const [first] = heap
      if (!first || first.at > time) return undefined
      const last = heap.pop()!
      if (heap.length > 0) {
        heap[0] = last
        sink()
      }
      return first
    },
  }
}
