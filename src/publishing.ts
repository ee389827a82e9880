// What a poller says on its way to the snapshot. Compressing is a part of publishing: until a large answer is compressed, the
// one before it is the newest that was published, and no scrape waits.

import { type Change, type FromPoller, LARGE, type Snapshot } from './metrics/snapshot.ts'
import { compressAhead, isAskedFor } from './server/gzip.ts'

export interface Publishing {
  /** In the order in which it was said. */
  accept(message: FromPoller): void
  /** The poller is gone, and with it all that it said. */
  forget(): void
}

export function createPublishing(snapshot: Pick<Snapshot, 'accept' | 'forget' | 'lines'>): Publishing {
  /** Ends when all that was said so far is published; undefined when it is. */
  let underWay: Promise<void> | undefined
  let pollers = 0

  /** Large pieces whose predecessors were asked for in compressed bodies. */
  function worthCompressing(message: FromPoller): Uint8Array[] {
    return changesOf(message).flatMap((change) => {
      if (change.kind === 'drop') return []
      const large = change.families.filter(({ lines }) => lines.length >= LARGE)
      return large.flatMap(({ name, lines }) => {
        const before = snapshot.lines(change.key, name)
        return before && isAskedFor(before) ? [lines] : []
      })
    })
  }

  return {
    accept(message) {
      const pieces = worthCompressing(message)
      if (!underWay && pieces.length === 0) return snapshot.accept(message)
      const poller = pollers
      const before = underWay ?? Promise.resolve()
      const own = before
        .then(() => compressAhead(pieces))
        // A scrape will try again, and say why it cannot be done.
        .catch(() => {})
        .then(() => {
          if (underWay === own) underWay = undefined
          if (poller === pollers) snapshot.accept(message)
        })
      underWay = own
    },
    forget() {
      pollers += 1
      snapshot.forget()
    },
  }
}

function changesOf(message: FromPoller): readonly Change[] {
  if (message.kind === 'changes') return message.changes
  return message.kind === 'publish' ? [message] : []
}
