// List validators: of the primary network, by their node ids.

import { listValidators } from '../../operations/data/validators.ts'
import { listed } from '../../operations/data/parameters.ts'
import { inOrder } from '../services/paging.ts'
import { handles } from '../handler.ts'
import type { Validator } from '../world/stakes.ts'
import { mustBeFuji } from './must-be-fuji.ts'
import { byNodeId, validationsOf, validatorRecord } from './validator-details.ts'

export const handleListValidators = handles(listValidators, ({ world, paging }, params) => {
  const { network, nodeIds, subnetId, validationStatus, pageToken, pageSize } = params
  mustBeFuji(network)
  const wanted = nodeIds === undefined ? undefined : listed(nodeIds)
  const { items, ...next } = paging.page<Validator>({
    list: ['validators', wanted?.toSorted().join(','), subnetId, validationStatus].join(' '),
    pageToken,
    pageSize,
    now: world.now(),
    after: inOrder(validationsOf(world, { nodeIds: wanted, subnetId, validationStatus }), byNodeId, 'asc'),
  })
  return { ...next, validators: items.map((one) => validatorRecord(one, world)) }
})
