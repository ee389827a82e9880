// platform.getSubnet: who owns a subnet, and who decides on its validators.

import { z } from 'zod'
import { optional, orNone, unsigned, word } from '../fields.ts'
import { defineMethod } from './method.ts'

/** After the conversion to an L1 the old owner stays. The primary network does not count as a subnet here. */
export const getSubnet = defineMethod({
  name: 'platform.getSubnet',
  params: z.object({ subnetID: z.string().min(1).describe('the subnet') }),
  answer: z.object({
    isPermissioned: z.boolean().describe('whether the owner adds validators'),
    controlKeys: z.array(z.string()).describe('addresses of the owner'),
    threshold: unsigned.describe('number of keys that have to sign'),
    locktime: optional(unsigned),
    subnetTransformationTxID: optional(word).describe('the empty id unless it has a staking token of its own'),
    conversionID: word.describe('of the conversion to an L1; the empty id for a permissioned subnet'),
    managerChainID: word.describe('the chain with the contract that manages the validators; the empty id without one'),
    managerAddress: orNone(word).describe('of that contract, hexadecimal'),
  }),
  notFound: /is(?: not|n't) a subnet$/,
  notFoundLasts: true,
})
