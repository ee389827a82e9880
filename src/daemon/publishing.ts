// What a poller says on its way to the snapshot. Compressing is a part of publishing: until a large answer is compressed, the
// one before it is the newest that was published, and no scrape waits.

import type { FromPoller } from '../metrics/publication.ts'
import { LARGE, type Snapshot } from '../metrics/snapshot.ts'
import { compressAhead, isAskedFor } from '../server/gzip.ts'

export interface Publishing {
  /** A withdrawal, such as that of a reload, is published at once. */
  accept(message: FromPoller): void
  /** The poller is gone, and with it all that it said. */
  forget(): void
}

export function createPublishing(snapshot: Pick<Snapshot, 'accept' | 'forget' | 'lines'>): Publishing {
  /** In the order in which it was said. */
  const waiting: FromPoller[] = []
  /** One after the other: other work wants the threads of the platform too. */
  let compressing = Promise.resolve()

  /** Large pieces whose predecessors were asked for in compressed bodies. */
  function worthCompressing({ key, families }: Published): Uint8Array[] {
    return families.flatMap(({ name, lines }) => {
      const before = lines.length < LARGE ? undefined : snapshot.lines(key, name)
      return before && isAskedFor(before) ? [lines] : []
    })
  }

  /** An answer does not wait any longer once there is a newer one. */
  function isOvertaken(by: FromPoller): boolean {
    return waiting.some((one) => one.kind === 'publish' && by.kind === 'publish' && one.key === by.key)
  }

  function publish(count: number): void {
    for (const message of waiting.splice(0, count)) snapshot.accept(message)
  }

  return {
    accept(message) {
      const isWithdrawal = message.kind === 'drop' || message.kind === 'changes'
      const pieces = message.kind === 'publish' ? worthCompressing(message) : []
      if (isWithdrawal || (pieces.length > 0 && isOvertaken(message))) publish(waiting.length)
      if (pieces.length === 0 && waiting.length === 0) return snapshot.accept(message)
      waiting.push(message)
      compressing = compressing
        .then(() => compressAhead(pieces))
        // A scrape will try again, and say why it cannot be done.
        .catch(() => {})
        .then(() => publish(waiting.indexOf(message) + 1))
    },
    forget() {
      waiting.length = 0
      snapshot.forget()
    },
  }
}

type Published = Extract<FromPoller, { kind: 'publish' }>
