// What errors mean that are no failure to who asks.

import { BaseError } from '../../errors.ts'

/** The node does not have what was asked for, or not yet. Document 2 leaves its words open: these are those of live nodes. */
export function isNotFound(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'rpc_error' && error.details?.endsWith('not found') === true
}

/** For `catch`: what is not there is undefined; any other failure goes on. */
export function ifUnsupported(error: unknown): undefined {
  if (!(error instanceof BaseError) || error.code !== 'unsupported') throw error
}
