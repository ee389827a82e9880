// What is remembered under a name, whoever keeps it.

export interface Records {
  load(key: string): unknown
  /** Keeps what JSON keeps of it. Resolves when it is as durable as it gets: then it may be published or used. */
  save(key: string, value: unknown): Promise<void>
}
