// One of several instances that divide a configuration among them.

export interface Shard {
  /** From 0, as the pods of a StatefulSet are counted. */
  ordinal: number
  shards: number
}

/** An instance that does all the work by itself. */
export const UNDIVIDED: Shard = { ordinal: 0, shards: 1 }

/** Formats a shard as the flag does: `1/4`. */
export function shardText({ ordinal, shards }: Shard): string {
  return `${ordinal}/${shards}`
}
