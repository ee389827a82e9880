// What the health checks of a node say: chains that it tracks and could not create, and checks that cannot be read.

import { BaseError } from '../../errors.ts'
import type { AnswerOf } from '../../operations/define.ts'
import type { health } from '../../operations/node/health.health.ts'

const FAILED = /^failed to create chain on subnet ([1-9A-HJ-NP-Za-km-z]{40,60}):/

/** The id of the subnet; undefined where the error of the check is about something else. */
export function failedChainOf(error: string | undefined): string | undefined {
  return error === undefined ? undefined : FAILED.exec(error)?.[1]
}

/** Why some of the checks are missing; undefined where all can be read. */
export function unreadableCheck(checks: AnswerOf<typeof health>['checks']): BaseError | undefined {
  return Object.values(checks).includes(undefined)
    ? new BaseError('bad_response', 'a health check of the node does not have the documented form')
    : undefined
}
