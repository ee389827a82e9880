// The one error type. Its code is a closed union: it is the `code` label of metrics and the reason in the status.

/** Every code with what it means to an operator; docs and label values come from this table. */
export const errorCodes = {
  timeout: 'no complete answer before the deadline',
  network: 'the connection could not be made or broke off',
  http_status: 'an HTTP status that says the upstream failed or refused',
  rpc_error: 'the node answered with a JSON-RPC error',
  not_found: 'the node answered that it does not have what was asked for',
  bad_response: 'an answer that is not JSON, or does not have the documented form',
  too_large: 'an answer beyond the bounds of what is plausible for it: bytes, depth, values or pages',
  stale_response: 'an answer older than one already seen',
  unsupported: 'the upstream does not offer this: the API is disabled, the method or the object does not exist',
  circuit_open: 'not asked: the upstream failed before and is being probed',
  over_budget: 'not asked: the budget of the upstream has no room for it, or the upstream wants to be left alone',
  aborted: 'stopped because stakewatch is shutting down or reloading',
  config: 'the configuration is wrong',
  bug: 'a defect of stakewatch',
} as const

export type ErrorCode = keyof typeof errorCodes

/** `message` never holds a URL, a key or the body of an answer; `details` is for logs and is free of secrets as well. */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  readonly code: ErrorCode
  readonly details: string | undefined

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: string | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
  }
}

/** Anything thrown, as a BaseError: the platform's own time-outs and aborts are known, anything else is a defect. */
export function asBaseError(thrown: unknown): BaseError {
  if (thrown instanceof BaseError) return thrown
  if (!(thrown instanceof Error)) return new BaseError('bug', String(thrown))
  if (thrown.name === 'TimeoutError') return new BaseError('timeout', errorCodes.timeout)
  if (thrown.name === 'AbortError') return new BaseError('aborted', 'the request was given up')
  return new BaseError('bug', thrown.message, { cause: thrown, details: thrown.stack })
}
