// platform.getBlockchains: every blockchain but the P-Chain, of all subnets.

import { z } from 'zod'
import { optional, orNone, word } from '../fields.ts'
import { defineMethod } from './method.ts'

const blockchain = z.object({
  id: z.string().min(1),
  name: optional(word).describe('chosen by its creator; not unique'),
  subnetID: orNone(word).describe('the subnet that validates it'),
  vmID: optional(word).describe('its virtual machine'),
})

/** Deprecated as of node version 1.9.12. Hundreds of records that hardly change. */
export const getBlockchains = defineMethod({
  name: 'platform.getBlockchains',
  source: 'document 2, P-Chain interface and Blockchain record',
  answer: z.object({ blockchains: z.array(blockchain) }),
  items: 'blockchains',
})
