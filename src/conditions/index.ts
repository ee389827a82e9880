// Every condition, in the order of evaluation: what explains others comes first.

import {
  chainNotRunning,
  chainStalled,
  chainUnknown,
  dataServiceBehind,
  gasPriceHigh,
  throughputCollapsed,
} from './chains.ts'
import { collectorFailing } from './collectors.ts'
import type { Condition } from './condition.ts'
import { validatorDisconnected } from './connections.ts'
import { sourcesDisagree } from './disagreements.ts'
import { expectationNotMet, expectationUnknown } from './expectations.ts'
import { l1BalanceEnding, l1BalanceLow, l1BalanceRunningOut, l1ValidatorInactive } from './l1-balances.ts'
import { l1MessagesUnsigned, l1OneStepFromStall, l1Stalled, l1WeightEnding, l1WeightLow } from './l1-stalls.ts'
import { answersRefused, dataStale } from './services.ts'
import { l1PriceRising, subnetChanged } from './subnets.ts'

export const conditions: readonly Condition[] = [
  validatorDisconnected,
  l1WeightLow,
  l1Stalled,
  l1MessagesUnsigned,
  l1OneStepFromStall,
  l1WeightEnding,
  l1BalanceLow,
  l1BalanceEnding,
  l1BalanceRunningOut,
  l1ValidatorInactive,
  l1PriceRising,
  subnetChanged,
  chainStalled,
  chainNotRunning,
  dataServiceBehind,
  sourcesDisagree,
  throughputCollapsed,
  gasPriceHigh,
  chainUnknown,
  expectationNotMet,
  expectationUnknown,
  answersRefused,
  dataStale,
  collectorFailing,
]

/** The metrics that the judge reads. */
export const judgedMetrics: ReadonlySet<string> = new Set(conditions.flatMap(({ reads }) => reads))
