// The table of harms. The compiler rejects a row or a cell that is missing.

import { chainRows } from './chains.ts'
import type { Row, Thing } from './harms.ts'
import { otherRows } from './others.ts'
import { validatorRows } from './validators.ts'

export const table: Readonly<Record<Thing, Row>> = { ...validatorRows, ...chainRows, ...otherRows }

/** Alerts that are about no thing, with why they exist. */
export const selfTests: Readonly<Record<string, string>> = {
  StakewatchWatchdog: 'It always fires, so that a service outside notices when alerts no longer arrive.',
}
