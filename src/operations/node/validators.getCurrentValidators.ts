// validators.getCurrentValidators: the validators of an L1 as its own chain on the asked node sees them.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { optional, percent, orNone, timestamp, unsigned, word } from '../fields.ts'

const validator = z.object({
  validationID: word.min(1).describe('of one from before the conversion: the id of the transaction that added it'),
  nodeID: word.min(1),
  weight: unsigned,
  startTimestamp: optional(timestamp),
  isActive: z.boolean().describe('false without a balance: its weight still counts in the total'),
  isL1Validator: optional(z.boolean()).describe('false for one from before the conversion'),
  isConnected: z.boolean().describe('to the asked node'),
  uptimePercentage: orNone(percent).describe('as the asked node sees it, 0 to 100'),
  uptimeSeconds: optional(unsigned),
})

/**
 * The only source of the uptimes and connections of an L1. A node that does not run the chain answers 404, one whose chain
 * is not done bootstrapping 503, one whose chain process has died 500. A validator is unknown here for up to a minute after
 * its registration: then the whole list is refused, and the list of the others is not.
 */
export const getCurrentValidatorsOfChain = defineOperation({
  name: 'validators.getCurrentValidators',
  source: "the chain's own interface on a node, validators",
  via: { rpc: '/ext/bc/{chain}/validators' },
  params: z.object({
    chain: z.string().describe('blockchain id, or an alias that the node has for it'),
    nodeIDs: z.array(z.string().min(1)).optional().describe('only these nodes; default: all'),
  }),
  answer: z.object({ validators: z.array(validator) }),
  items: 'validators',
  integers: 'exact',
  notFound: /^failed to get uptime for validation ID \w+: validationID not found/,
})
