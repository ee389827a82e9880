// Reads a node's health checks: chains that it could not create, and unreadable checks.

import { BaseError } from '../../errors.ts'
import type { AnswerOf } from '../../operations/define.ts'
import type { health } from '../../operations/node/health.health.ts'

const FAILED = /^failed to create chain on subnet ([1-9A-HJ-NP-Za-km-z]{40,60}):/

/** The id of the subnet; undefined for a check with any other error. */
export function failedChainOf(error: string | undefined): string | undefined {
  return error === undefined ? undefined : FAILED.exec(error)?.[1]
}
export function unreadableCheck(checks: AnswerOf<typeof health>['checks']): BaseError | undefined {
  return Object.values(checks).includes(undefined)
    ? new BaseError('bad_response', 'the node returned a malformed health check')
    : undefined
}
