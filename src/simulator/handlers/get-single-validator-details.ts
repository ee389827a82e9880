// Get single validator details: a node has one validation at most that is not over.

import { getSingleValidatorDetails } from '../../operations/data/validators.ts'
import { handles } from '../handler.ts'
import { mustBeFuji } from './must-be-fuji.ts'
import { validationsOf, validatorRecord } from './validator-details.ts'

export const handleGetSingleValidatorDetails = handles(
  getSingleValidatorDetails,
  ({ world }, { network, nodeId, validationStatus }) => {
    mustBeFuji(network)
    const found = validationsOf(world, { nodeIds: [nodeId], validationStatus })
    return { validators: found.map((one) => validatorRecord(one, world)) }
  },
)
