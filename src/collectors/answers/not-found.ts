// Errors that mean "absent" rather than failure.

import { BaseError, type ErrorCode } from '../../errors.ts'

const hasCode =
  (code: ErrorCode) =>
  (error: unknown): error is BaseError =>
    error instanceof BaseError && error.code === code

export const isUnsupported = hasCode('unsupported')
export const isNotFound = hasCode('not_found')
/** The requested chain, or the P-Chain, has not finished bootstrapping. */
export const isNotReady = hasCode('not_ready')

/** For `catch`: undefined for such an error. Other errors are thrown again. */
export function undefinedIf(...tests: readonly ((error: unknown) => boolean)[]): (error: unknown) => undefined {
  return (error) => {
    if (!tests.some((test) => test(error))) throw error
  }
}

/** Whether the work fails with such an error. Other errors are thrown again. */
export async function failsWith(test: (error: unknown) => boolean, work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return false
  } catch (error) {
    if (test(error)) return true
    throw error
  }
}

/** Undefined if the node answers that it does not have the thing, or not yet. */
export const ifNotFound = undefinedIf(isNotFound)

/** For `catch`: what the node does not have, it never will. */
export function unsupportedIfNotFound(why: string): (error: unknown) => never {
  return (error) => {
    throw isNotFound(error) ? new BaseError('unsupported', why, { cause: error }) : error
  }
}

/** Undefined if the upstream does not offer the operation. */
export const ifUnsupported = undefinedIf(isUnsupported)

/** The node could not read an argument, such as an id in another service's form, which says nothing about the thing. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof BaseError && error.code === 'rpc_error' && UNREADABLE.test(error.details ?? '')
}

const UNREADABLE = /^couldn't unmarshal an argument/
