// For `catch`: errors that mean "absent" rather than failure. Other errors are thrown again.

import { BaseError } from '../../errors.ts'

/** Undefined if the node answers that it does not have the thing, or not yet. */
export function ifNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

/** Undefined if the upstream does not offer the operation. */
export function ifUnsupported(error: unknown): undefined {
  if (!isUnsupported(error)) throw error
}

export function isUnsupported(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'unsupported'
}

export function isNotFound(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'not_found'
}

/** The requested chain, or the P-Chain, has not finished bootstrapping. */
export function isNotReady(error: unknown): error is BaseError {
  return error instanceof BaseError && error.code === 'not_ready'
}

/** The node could not read an argument, such as an id in another service's form, which says nothing about the thing. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'rpc_error' && UNREADABLE.test(error.details ?? '')
}

const UNREADABLE = /^couldn't unmarshal an argument/
