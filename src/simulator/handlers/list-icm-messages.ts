// List ICM messages: of all chains, newest first, as the filters have them.

import { listIcmMessages } from '../../operations/data/messages.ts'
import { handles } from '../handler.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import type { Sent } from '../world/icm.ts'
import { pageOfMessages } from './icm-record.ts'

export const handleListIcmMessages = handles(listIcmMessages, (place, { network, pageToken, pageSize, ...filters }) => {
  const { icm } = place.world
  const { sourceBlockchainId, destinationBlockchainId, blockchainId } = filters
  const [from, to] = [filters.from?.toLowerCase(), filters.to?.toLowerCase()]
  const isWanted = (one: Sent) =>
    isChain(one.source, sourceBlockchainId) &&
    isChain(one.destination, destinationBlockchainId) &&
    [undefined, one.source.blockchainId, one.destination.blockchainId].includes(blockchainId) &&
    (from === undefined || one.from === from) &&
    (to === undefined || one.to === to)
  const party = from ?? to
  return pageOfMessages(place, {
    list: ['icm', network, sourceBlockchainId, destinationBlockchainId, blockchainId, from, to].join(' '),
    pageToken,
    pageSize,
    network,
    *after(last) {
      for (const one of party === undefined ? icm.sent(last) : icm.sentWith(party, last)) if (isWanted(one)) yield one
    },
  })
})

/** By either of its ids. Without a filter every chain is. */
function isChain({ blockchainId, chainId }: EvmChain, wanted: string | undefined): boolean {
  return wanted === undefined || [blockchainId, String(chainId)].includes(wanted)
}
