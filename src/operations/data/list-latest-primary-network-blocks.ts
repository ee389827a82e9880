// List latest primary network blocks: newest first, one page at a time.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { chainInfo, nextPageToken, pageToken } from '../fields.ts'
import { blockchainId, network, pageSize, sinceTimestamp, untilTimestamp } from './parameters.ts'
import { primaryNetworkBlock } from './primary-network-block.ts'

/** While new blocks arrive, a block may show up again on the next page. */
export const listLatestPrimaryNetworkBlocks = defineOperation({
  name: 'list-latest-primary-network-blocks',
  source: 'document 1, operation 14',
  via: { get: '/v1/networks/{network}/blockchains/{blockchainId}/blocks' },
  params: z.object({
    network,
    blockchainId,
    startTimestamp: sinceTimestamp,
    endTimestamp: untilTimestamp,
    pageToken,
    pageSize,
  }),
  answer: z.object({ nextPageToken, blocks: z.array(primaryNetworkBlock), chainInfo }),
  items: 'blocks',
  cost: 20,
  integers: 'exact',
})
