// For `catch`: errors that tell a collector something, and are no failure to it. Any other error goes on.

import { BaseError } from '../../errors.ts'

/** Undefined when the node answers that it does not have what was asked for, or not yet. */
export function ifNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

/** Undefined when the upstream does not offer what was asked for. */
export function ifUnsupported(error: unknown): undefined {
  if (!isUnsupported(error)) throw error
}

export function isUnsupported(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'unsupported'
}

export function isNotFound(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'not_found'
}

/** The P-Chain, or the chain that was asked, has not finished bootstrapping. */
export function isNotReady(error: unknown): error is BaseError {
  return error instanceof BaseError && error.code === 'not_ready'
}

/** The node could not read an argument, such as an id in another service's form. That says nothing about the thing. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'rpc_error' && UNREADABLE.test(error.details ?? '')
}

const UNREADABLE = /^couldn't unmarshal an argument/
