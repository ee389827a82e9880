// What the storage and the keeper of its file say to each other.

export const FILE = 'stakewatch.db'

export interface Row {
  key: string
  /** JSON. */
  value: string
  /** Time of the last use (milliseconds since the epoch). */
  used: number
}

/** One transaction. */
export interface Batch {
  rows: readonly Row[]
  /** Keys. */
  dropped: readonly string[]
  /** When it was made (milliseconds since the epoch). */
  at: number
}

/** Why the storage does not work: label value and meaning. */
export const failures = {
  full: 'no space is left for the file',
  read_only: 'the file or its file system is read-only',
  cannot_open: 'the folder or the file cannot be made or opened',
  io: 'reading or writing failed',
  hanging: 'a read or write has not returned for a minute',
  in_use: 'another process uses the file',
  moved: 'the file was moved or deleted while it was in use',
  unreadable: 'the file is damaged',
  foreign: 'the file is not one of stakewatch',
  newer: 'the file was written by a newer version of stakewatch',
} as const

export type Failure = keyof typeof failures

export interface Answer {
  /** What the file had, if it was opened for this batch. */
  found: readonly Row[]
  /** Keys of records that are left out of it. */
  damaged: readonly string[]
  /** Undefined: the batch is durable. Else the file is closed, and what it has is unknown. */
  failed?: Failed | undefined
}

export interface Failed {
  failure: Failure
  message: string
  /** Where the file was put, if no other attempt with it makes sense. */
  kept?: string | undefined
}

/** Takes one batch at a time. Only a defect makes it throw. */
export interface Keeper {
  write(batch: Batch): Answer | Promise<Answer>
  close(): void | Promise<void>
}
