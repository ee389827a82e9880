// Alerts about messages between chains: undelivered ones, and validators that no longer sign them.

import { icmStuck, messagesUnknown, signaturesMissing } from '../conditions/messages.ts'
import { ruleOf } from './condition-rule.ts'
import type { Group } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

export const messages = (_: Thresholds): Group => ({
  name: 'stakewatch-messages',
  rules: [icmStuck, signaturesMissing, messagesUnknown].map(ruleOf),
})
