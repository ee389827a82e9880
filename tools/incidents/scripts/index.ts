// All incidents, by what they are about. `npm run incidents` plays them in this order.

import type { Incident } from '../incident.ts'
import { budgets } from './budgets.ts'
import { chains } from './chains.ts'
import { customNetworks } from './custom-networks.ts'
import { clocks } from './clocks.ts'
import { expectations } from './expectations.ts'
import { firstLook } from './first-look.ts'
import { flappingValidators, moreFlapping } from './flapping.ts'
import { kinds } from './kinds.ts'
import { maintenance } from './maintenance.ts'
import { messages } from './messages.ts'
import { nodeLife } from './node-life.ts'
import { nodes } from './nodes.ts'
import { quiet } from './quiet.ts'
import { self } from './self.ts'
import { silent } from './silent.ts'
import { subnets } from './subnets.ts'
import { turns } from './turns.ts'
import { unknowns } from './unknown.ts'
import { upstreams } from './upstreams.ts'
import { validators } from './validators.ts'
import { votes } from './votes.ts'
import { wallets } from './wallets.ts'

export const incidents: readonly Incident[] = [
  ...validators,
  ...votes,
  ...flappingValidators,
  ...unknowns,
  ...subnets,
  ...chains,
  ...turns,
  ...customNetworks,
  ...kinds,
  ...nodes,
  ...budgets,
  ...clocks,
  ...firstLook,
  ...nodeLife,
  ...maintenance,
  ...wallets,
  ...messages,
  ...expectations,
  ...upstreams,
  ...self,
  ...silent,
  ...moreFlapping,
  ...quiet,
]

/** They take too long to be played with the others: `npm run incidents -- WORDS` plays them. */
export const long: readonly Incident[] = [...moreFlapping, ...quiet]
