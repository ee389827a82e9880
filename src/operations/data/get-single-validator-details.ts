// Get single validator details: the validations of one node, the newest first.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { pageToken } from '../fields.ts'
import { network, pageSize, sortOrder } from './parameters.ts'
import { validatorsPage, validatorStatus } from './validator-details.ts'

export const getSingleValidatorDetails = defineOperation({
  name: 'get-single-validator-details',
  source: "the data service's own interface, validators",
  via: { get: '/v1/networks/{network}/validators/{nodeId}' },
  params: z.object({
    network,
    nodeId: z.string().min(1),
    validationStatus: validatorStatus,
    sortOrder,
    pageToken,
    pageSize,
  }),
  answer: validatorsPage,
  items: 'validators',
  integers: 'exact',
  isOptional: true,
  cost: 20,
})
