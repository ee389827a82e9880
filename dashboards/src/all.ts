// All dashboards by file name.

import { chains } from './chains.ts'
import type { Dashboard } from './dashboard.ts'
import { fleet } from './fleet.ts'
import type { Page } from './links.ts'
import { messages } from './messages/messages.ts'
import { self } from './self/self.ts'
import { l1s } from './subnets/subnets.ts'
import { validator } from './validators/validator.ts'
import { wallets } from './wallets.ts'

export const dashboards: Readonly<Record<Page, Dashboard>> = { fleet, validator, l1s, chains, wallets, messages, self }
