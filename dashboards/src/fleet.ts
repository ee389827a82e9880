// Fleet, the dashboard of the operator of validators: what needs attention first, then why.

import { attention } from './attention.ts'
import { chains } from './chains/chains.ts'
import { dashboard } from './dashboard.ts'
import { evm } from './chains/evm.ts'
import { maintenance } from './validators/maintenance.ts'
import { messages } from './messages/messages.ts'
import { nodes } from './nodes/nodes.ts'
import { ofFleet } from './select.ts'
import { self } from './self/self.ts'
import { subnets } from './subnets/subnets.ts'
import { unplaced } from './unplaced.ts'
import { validators } from './validators/validators.ts'
import { wallets } from './wallets.ts'

const rows = {
  'What needs attention': attention,
  Validators: validators,
  Maintenance: maintenance,
  'Subnets and L1s': subnets,
  Chains: chains,
  'EVM chains': evm,
  Nodes: nodes,
  'Messages between chains': messages,
  'stakewatch itself': self,
}
const shown = JSON.stringify([Object.values(rows).map((row) => row.map((panel) => panel.build())), wallets])
const others = unplaced(shown)

export const fleet = dashboard(
  {
    uid: 'stakewatch-fleet',
    title: 'Fleet',
    description: 'Validators, L1s and chains as stakewatch sees them: what needs attention first.',
    tags: ['stakewatch', 'validators'],
  },
  ofFleet,
  { ...rows, ...(others.length > 0 && { 'Without a panel of their own': others }) },
)
