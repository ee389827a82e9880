// Pages for people and answers for programs, as the server asks for them. None of them asks an upstream.

export interface Asked {
  query: Readonly<Record<string, unknown>>
  /** The segment of the path that `:name` stands for. */
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
