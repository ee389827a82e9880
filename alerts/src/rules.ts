// The alert rules as data. tools/alerts.ts writes stakewatch.rules.yaml from them, docs/alerting.md says how to use that.

import { chains } from './chains.ts'
import { declared } from './declared.ts'
import { itself } from './itself.ts'
import { messages } from './messages.ts'
import type { Group } from './rule.ts'
import { l1, validators } from './validators.ts'

/** Where the runbooks are published: this plus the name of the alert plus `.md`. The address leads nowhere; put in your own. */
const RUNBOOKS = 'https://stakewatch.example/runbooks/'

export const runbookOf = (alert: string) => `${RUNBOOKS}${alert}.md`

export const groups: readonly Group[] = [validators, l1, declared, chains, messages, itself]
