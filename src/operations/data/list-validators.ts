// List validators: of the primary network and of permissioned subnets, with what the service's own node sees of them.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { pageToken } from '../fields.ts'
import { network, pageSize } from './parameters.ts'
import { validatorsPage, validatorStatus } from './validator-details.ts'

export const listValidators = defineOperation({
  name: 'list-validators',
  source: "the data service's own interface, validators",
  via: { get: '/v1/networks/{network}/validators' },
  params: z.object({
    network,
    nodeIds: z.string().min(1).optional().describe('comma-separated node ids'),
    subnetId: z.string().min(1).optional().describe('only of this subnet; default: of all'),
    validationStatus: validatorStatus,
    pageToken,
    pageSize,
  }),
  answer: validatorsPage,
  items: 'validators',
  integers: 'exact',
  isOptional: true,
  cost: 20,
})
