// Table keys that name a validator and link to its page.

import { fromCell } from '../links.ts'
import { NETWORK_KEY } from '../table.ts'

export const keysOfValidators = [
  {
    label: 'validator',
    title: 'Validator',
    links: [fromCell('validator', 'Validator', 'validator', 'network', 'subnet')],
  },
  NETWORK_KEY,
  { label: 'subnet', title: 'Subnet' },
] as const
