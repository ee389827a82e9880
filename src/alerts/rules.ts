// The alert rules as data. tools/alerts.ts writes stakewatch.rules.yaml from them, docs/alerting.md says how to use that.

import { chains } from './chains.ts'
import { expectations } from './expectations.ts'
import { messages } from './messages.ts'
import { nodes } from './nodes.ts'
import type { Group } from './rule.ts'
import { self } from './self.ts'
import { l1, validators } from './validators.ts'
import { wallets } from './wallets.ts'

/** Where the runbooks are published: this plus the name of the alert plus `.md`. The address leads nowhere; put in your own. */
const RUNBOOKS = 'https://stakewatch.example/runbooks/'

export const runbookOf = (alert: string) => `${RUNBOOKS}${alert}.md`

export const groups: readonly Group[] = [validators, l1, chains, nodes, wallets, messages, expectations, self]
