// The report for people, section by section.

import { timeText } from '../../../lib/figures.ts'
import type { Report } from '../figures/report-value.ts'
import { missingSection, pagesSection, upstreamsSection, walletsSection } from './around-sections.ts'
import { type Document, section } from './document.ts'
import { l1Section } from './l1-section.ts'
import { overview, validatorSection } from './validator-section.ts'

export function documentOf(report: Report): Document {
  const month = new Date(report.from * 1_000)
  const name = `${month.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' })} ${month.getUTCFullYear()}`
  return {
    title: `Validators in ${name}`,
    about: [
      `From ${timeText(report.from)} to ${timeText(report.until)}. All times are UTC.`,
      ...(report.isComplete ? [] : ['The month is not over: this report is about the time until now.']),
    ],
    sections: [
      overview(report.validators),
      ...report.validators.map((one) => validatorSection(one, report)),
      ...report.l1s.map(l1Section),
      ...walletsSection(report),
      pagesSection(report),
      ...upstreamsSection(report),
      ...missingSection(report),
      METHOD,
    ],
  }
}

const METHOD = section('How it was measured', {
  notes: [
    'Uptime is the share of the observed minutes in which the validator was connected. An observer is a node that reports its connection to the validator. By the vote of all observers, a validator is down while fewer than half of those that report are connected.',
    'A time without a report of more than five minutes is unobserved. It counts neither as up nor as down.',
    'A reward counts as earned when the next period of the validation has begun, and as lost when the validator was removed instead. Whether a fixed term was rewarded is only reported for the wallet that is paid.',
    'A turn is a slot in which the validator alone may build the next block. A slot that passed while there may have been nothing to build is not counted. A gap is a time whose blocks went uncounted.',
    'Rewards of periods have the value of the last known price when the period ended, pending ones that of the last price.',
  ],
})
