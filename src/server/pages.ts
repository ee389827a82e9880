// What is put together for whoever asks: pages for people and answers for programs. None of them asks an upstream.

/** What the client asked for beside the path. */
export interface Asked {
  query: Readonly<Record<string, unknown>>
  /** What stands in the path in the place of `:name`. */
  name: string
}

export interface Page {
  /** May end in `/:name`. */
  path: string
  answer(asked: Asked): Answer | Promise<Answer>
}

export interface Answer {
  code?: number
  type: string
  headers?: Readonly<Record<string, string>>
  body: string
}
