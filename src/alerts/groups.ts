// All groups of alert rules, before withUnknown adds the missing inputs.

import { chains } from './chains.ts'
import { expectations } from './expectations.ts'
import { maintenance } from './maintenance.ts'
import { messages } from './messages.ts'
import { nodes } from './nodes.ts'
import type { Group } from './rule.ts'
import { self } from './self.ts'
import { subnets } from './subnets.ts'
import type { Thresholds } from './thresholds.ts'
import { upstreams } from './upstreams.ts'
import { validators } from './validators.ts'
import { wallets } from './wallets.ts'

/** The scrape job of stakewatch in Prometheus. */
export const JOB = 'stakewatch'

export const writtenGroups = (limits: Thresholds, job: string): readonly Group[] => [
  validators(limits),
  subnets(limits),
  chains,
  nodes(limits),
  wallets(limits),
  messages(limits),
  expectations,
  maintenance(limits),
  upstreams,
  self(limits, job),
]
