// The one error type. Its code is a closed union: the `code` label of metrics and the reason in the status.

/** Every code with its meaning to an operator; docs and label values come from this table. */
export const errorCodes = {
  timeout: 'no complete answer before the deadline',
  network: 'the connection could not be made or broke off',
  http_status: 'an HTTP status that says the upstream failed or refused',
  rpc_error: 'the node answered with a JSON-RPC error',
  not_ready: 'the node answered that the chain has not finished bootstrapping',
  not_found: 'the node answered that it does not have what was asked for',
  bad_response: 'an answer that is not JSON, or does not have the documented form',
  too_large: 'an answer beyond the bounds of what is plausible for it: bytes, depth, values or pages',
  stale_response: 'an answer older than one already seen',
  implausible_response: 'an answer that cannot be true',
  unsupported: 'the upstream does not offer this: the API is disabled, the method or the object does not exist',
  circuit_open: 'not asked: the upstream failed before and is being probed',
  over_budget: 'not asked: the budget of the upstream is used up',
  busy: 'not asked: too many requests to the upstream were in flight until the run had to end',
  paused: 'not asked: the upstream asked for a pause (Retry-After)',
  aborted: 'stopped because stakewatch is shutting down or reloading',
  config: 'the configuration is wrong',
  bug: 'a defect of stakewatch',
} as const

export type ErrorCode = keyof typeof errorCodes

/** Those of a request that was not sent. */
export const unsentCodes = ['circuit_open', 'over_budget', 'busy', 'paused'] as const satisfies readonly ErrorCode[]
export type UnsentCode = (typeof unsentCodes)[number]
export const isUnsentCode = (code: string): code is UnsentCode => unsentCodes.some((one) => one === code)

/** Why an answer or a value is refused: a `reason` label of metrics. */
export const refusalReasons = {
  older: 'it is older than one already seen',
  height: 'a chain cannot have grown that far since the answer before',
  future: 'it lies in the future',
  total: 'a sum or a number of things cannot be that high',
  changed: 'what never changes is another one than before',
  network: 'it comes from a node of another network than the configured one',
  negative: 'a number of things or a counter is below zero',
  ratio: 'a share is not between 0 and 1',
  number: 'it is not a finite number',
  label: 'a label is longer than 256 bytes, is not well-formed or has control characters',
} as const

export type RefusalReason = keyof typeof refusalReasons

/** `message` never holds a URL, a key or the body of an answer; `details` is for logs, and has no secrets either. */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  readonly code: ErrorCode
  readonly details: string | undefined
  /** Of an answer that was refused. */
  readonly reason: RefusalReason | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: string | undefined; reason?: RefusalReason | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
    this.reason = options.reason
  }
}

/** The error for a refused answer. */
export function refusal(reason: RefusalReason, message: string): BaseError {
  if (reason === 'older') return new BaseError('stale_response', message, { reason })
  return new BaseError('implausible_response', message, { reason })
}

/** Turns anything thrown into a BaseError: it knows the platform's timeouts and aborts; anything else is a defect. */
export function toBaseError(thrown: unknown): BaseError {
  if (thrown instanceof BaseError) return thrown
  if (!(thrown instanceof Error)) return new BaseError('bug', String(thrown))
  if (thrown.name === 'TimeoutError') return new BaseError('timeout', errorCodes.timeout)
  if (thrown.name === 'AbortError') return new BaseError('aborted', 'the request was given up')
  return new BaseError('bug', thrown.message, { cause: thrown, details: thrown.stack })
}
