// Records that are kept under a name.

export interface Records {
  load(key: string): unknown
  /** Keeps what JSON represents of the value. Resolves once it is as durable as possible and may be published or used. */
  save(key: string, value: unknown): Promise<void>
}
