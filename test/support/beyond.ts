// What was recorded of a real node beyond the two documents, as the client gives or throws it.

import { BaseError } from '../../src/errors.ts'
import { operations } from '../../src/operations/index.ts'
import { beyond } from '../recorded/recorded.ts'

/** Of the file `of`: the case whose name begins so, with the method if several were asked then. */
export function toldBeyond(of: string, name: string, method?: string): unknown {
  const found = beyond.find(
    (one) => one.of === of && one.case.startsWith(name) && (method === undefined || one.request.body?.includes(method)),
  )
  if (!found) throw new Error(`nothing was recorded of ${of}: ${name}`)
  const { status, response } = found
  if (typeof response === 'string') {
    return new BaseError(status === 404 ? 'unsupported' : 'http_status', `HTTP ${status}`, { details: response })
  }
  const { result, error } = response as { result?: unknown; error?: { message: string } }
  if (error === undefined) return result
  const isMissing = operations.find((one) => one.name === of)?.notFound?.test(error.message)
  return new BaseError(isMissing ? 'not_found' : 'rpc_error', 'error -32000', { details: error.message })
}
