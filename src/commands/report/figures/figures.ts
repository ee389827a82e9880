// The report from what Prometheus answered. Everything in this folder is a pure function.

import type { Answers } from '../ask.ts'
import { isComplete, type Month } from '../month.ts'
import { missingOf, pageReports, upstreamReports, walletReports } from './around.ts'
import { l1Reports } from './l1s.ts'
import type { Report, ValidatorId } from './report-value.ts'
import { validatorReport } from './validators.ts'

export interface Subject {
  month: Month
  validators: readonly ValidatorId[]
  /** Whether the validators are a choice. */
  isPartial: boolean
}

export function reportOf(answers: Answers, { month, validators, isPartial }: Subject): Report {
  return {
    month: month.name,
    from: month.start,
    until: month.until,
    isComplete: isComplete(month),
    isPartial,
    validators: validators.map((one) => validatorReport(one, answers, month)),
    l1s: l1Reports(validators, answers, month),
    wallets: walletReports(answers, month),
    pages: pageReports(answers, month, validators, isPartial),
    upstreams: upstreamReports(answers, month),
    missing: missingOf(answers, validators, isPartial),
  }
}
