// What a handler throws to be refused in the upstream's own way.

/** An error that the upstream answers with: an HTTP status of the services, a JSON-RPC error of the node. */
export class Refusal extends Error {
  readonly status: number
  /** Of a JSON-RPC error: what the node adds to it. */
  readonly data: unknown

  constructor(status: number, message: string, data: unknown = null) {
    super(message)
    this.status = status
    this.data = data
  }
}
