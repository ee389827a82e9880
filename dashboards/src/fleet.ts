// Fleet, the dashboard of the operator of validators: what needs attention first, then why.

import { attention } from './attention.ts'
import { chains } from './chains.ts'
import { dashboard } from './dashboard.ts'
import { evm } from './evm.ts'
import { messages } from './messages.ts'
import { nodes } from './nodes.ts'
import { ofFleet } from './select.ts'
import { self } from './self.ts'
import { subnets } from './subnets.ts'
import { validators } from './validators.ts'

export const fleet = dashboard(
  {
    uid: 'stakewatch-fleet',
    title: 'Fleet',
    description: 'Validators, L1s and chains as stakewatch sees them: what needs attention first.',
    tags: ['stakewatch', 'validators'],
  },
  ofFleet,
  {
    'What needs attention': attention,
    Validators: validators,
    'Subnets and L1s': subnets,
    Chains: chains,
    'EVM chains': evm,
    Nodes: nodes,
    'Messages between chains': messages,
    'stakewatch itself': self,
  },
)
