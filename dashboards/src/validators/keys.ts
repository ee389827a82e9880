// How tables name a validator: a click leads to its page.

import { fromRow } from '../links.ts'

export const keysOfValidators = [
  {
    label: 'validator',
    title: 'Validator',
    links: [fromRow('validator', 'Validator', { network: 'Network', subnet: 'Subnet', validator: 'Validator' })],
  },
  { label: 'network', title: 'Network' },
  { label: 'subnet', title: 'Subnet' },
] as const
