// What was recorded beyond the two documents, as the client gives or throws it.

import { BaseError } from '../../src/errors.ts'
import { operations } from '../../src/operations/index.ts'
import { beyond, type Recorded } from './recorded.ts'

/** The first case of the operation whose name begins so. */
export function asClient(of: string, name: string): unknown {
  const found = beyond.find((one) => one.of === of && one.case.startsWith(name))
  if (!found) throw new Error(`nothing was recorded of ${of}: ${name}`)
  return saidBy(found, of)
}

/** A page of a node's health is what the call gives. */
export function saidBy({ status, response }: Recorded, operation: string | undefined): unknown {
  if (typeof response === 'string') {
    if (status === 503) return new BaseError('not_ready', 'bootstrapping', { details: response })
    return new BaseError(status === 404 ? 'unsupported' : 'http_status', `HTTP ${status}`, { details: response })
  }
  const { result, error } = response as { result?: unknown; error?: { code: number; message: string } }
  if (error === undefined) return result ?? response
  const { code, message } = error
  if (code === -32_601) return new BaseError('unsupported', 'no such method', { details: message })
  const isMissing = operations.find(({ name }) => name === operation)?.notFound?.test(message)
  return new BaseError(isMissing ? 'not_found' : 'rpc_error', `error ${code}`, { details: message })
}
