// What a node's errors mean. Document 2 leaves their content open: these words are those of live nodes.

import { BaseError } from '../errors.ts'

/** It does not have what was asked for, or not yet. */
export function isNotFound(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'rpc_error' && error.details?.endsWith('not found') === true
}
